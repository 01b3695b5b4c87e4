/** The page's texts in the language of the moment. */

/**
 * @param {Record<string, {zh: string, en: string}>} strings
 * @param {() => string} language
 * @returns {(key: string, values?: object) => string} `{name}` in a text is replaced by
 *   `values.name`; a key that is not there throws, so that no test passes over it
 */
export function createTranslator(strings, language) {
  return (key, values = {}) => {
    const entry = strings[key];
    if (!entry) throw new Error(`no text for ${key}`);
    return entry[language()].replace(/\{(\w+)\}/g, (whole, name) =>
      name in values ? String(values[name]) : whole,
    );
  };
}
