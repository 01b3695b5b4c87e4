/** The page's texts as ui/texts.py puts them together: `{key: {language: text}}`. */

import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../languages/", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, FOLDER), "utf8"));

/** The languages that have a folder; Chinese, the page's own, is the first. */
export const LANGUAGES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^[a-z]+$/.test(entry.name))
  .map(({ name }) => name)
  .sort((one, other) => (other === "zh") - (one === "zh"));

export const STRINGS = byKey(Object.fromEntries(LANGUAGES.map((lang) => [lang, textsOf(lang)])));

function textsOf(lang) {
  const pages = readdirSync(new URL(`${lang}/page/`, FOLDER)).map((name) => read(`${lang}/page/${name}`));
  const { name, tag } = read(`${lang}/language.json`);
  const errors = Object.entries(read(`${lang}/errors.json`)).map(([code, text]) => [`error.${code}`, text]);
  return Object.assign({ "language.name": name, "language.tag": tag }, Object.fromEntries(errors), ...pages);
}

function byKey(languages) {
  const texts = {};
  for (const [lang, own] of Object.entries(languages)) {
    for (const [key, text] of Object.entries(own)) (texts[key] ??= {})[lang] = text;
  }
  return texts;
}
