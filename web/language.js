/**
 * The language a visit begins with: the one its person chose before, else the browser's, else the
 * page's first. An address that names one is stronger than all of them (page.js).
 */

import { createStorage } from "./browser_storage.js";

/**
 * @param {object} initial `languages`: the page's, the default first; `strings`: with their tags
 * @param {readonly string[]} [preferred] the browser's, as tags (BCP 47), the best first
 * @param {object} [kept] storage of the language that was chosen
 */
export function createLanguage({ languages, strings }, preferred = window.navigator.languages, kept = createStorage("mini-gpt.language")) {
  const named = (tag) => languages.find((language) => primary(strings["language.tag"][language]) === primary(tag));
  const browsers = preferred.map(named).find(Boolean) ?? languages[0];
  const chosen = kept.read();
  return {
    /** What the browser asks for, of the languages there are. */
    browsers,
    /** What a visit begins with. */
    first: languages.includes(chosen) ? chosen : browsers,
    /** Begin later visits with `language`. */
    keep: (language) => kept.write(language),
  };
}

/** The language of a tag, without script and region: "zh" of "zh-Hant-TW". */
function primary(tag) {
  return tag.split("-")[0].toLowerCase();
}
