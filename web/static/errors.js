/** An error the user can correct, with its text from the languages' errors.json. */

const EMPTY = "''"; // of an empty field, as in model/errors.py

export class InputError extends Error {
  /** @param {string} code @param {object} details values by placeholder name */
  constructor(code, details = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }

  /** The sentence in `lang`, from the page's `strings`. */
  text(strings, lang) {
    const template = strings[`error.${this.code}`][lang];
    const told = (name) => (this.details[name] === EMPTY ? strings["error.nothing"][lang] : String(this.details[name]));
    return template.replace(/\{(\w+)\}/g, (_, name) => told(name));
  }
}
