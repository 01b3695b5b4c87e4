/** The page's texts in the language of the moment. */

/**
 * @param {Record<string, Record<string, string>>} strings each text by language
 * @param {() => string} language
 * @param {Record<string, Record<string, string>>} [glosses] of words by language, see glosses.js
 * @returns {(key: string, values?: object) => string} `{name}` in a text is replaced by
 *   `values.name`; a key that is not there throws, so that no test passes over it.
 *   `t.in(language, key)` is the same in another language; `t.glosses()` is the glosses of this one.
 */
export function createTranslator(strings, language, glosses = {}) {
  const said = (lang, key, values = {}) => {
    const entry = strings[key];
    if (!entry) throw new Error(`no text for ${key}`);
    const text = entry[lang];
    if (!text.includes("{")) return text; // most of them, hundreds at every click
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  };
  const t = (key, values) => said(language(), key, values);
  t.in = said;
  t.glosses = () => glosses[language()] ?? {};
  return t;
}
