/** What a person can mend, in the words of errors.json of the languages. */

export class InputError extends Error {
  /** @param {string} code @param {object} details the figures met, by the placeholder's name */
  constructor(code, details = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }

  /** The sentence in `lang`, from the page's `strings`. */
  text(strings, lang) {
    const template = strings[`error.${this.code}`][lang];
    return template.replace(/\{(\w+)\}/g, (_, name) => String(this.details[name]));
  }
}
