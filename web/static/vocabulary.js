/** Text to ids, as in model/vocabulary.py: any width and case, with or without spaces. */

import { InputError } from "./errors.js";

const LONGEST_PIECE_SHOWN = 24;
// The characters of Python's isspace(), the separators U+001C to U+001F included.
const SPACE = /^[\t-\r\x1c- \x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/u;
// Invisible characters: an error shows their code point.
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Mn}\p{Me}]$/u;

export function createVocabulary(words) {
  const ids = new Map(words.map((word, id) => [fold(word), id]));
  const longest = Math.max(...[...ids.keys()].map((word) => [...word].length));

  /** Length in characters of the longest word that starts at `at`, 0 if there is none. */
  function matchLength(folded, at) {
    for (let length = Math.min(longest, folded.length - at); length > 0; length--) {
      if (ids.has(folded.slice(at, at + length).join(""))) return length;
    }
    return 0;
  }

  function unknown(characters, folded, places, at) {
    let end = at;
    while (end < folded.length && !SPACE.test(folded[end])) {
      if (end > at && matchLength(folded, end)) break;
      end += 1;
    }
    const last = end < places.length ? places[end] : characters.length;
    const piece = characters.slice(places[at], Math.max(last, places[at] + 1));
    const details = { piece: shown(piece), place: places[at] + 1, words: words.join(" ") };
    return new InputError("unknown_word", details);
  }

  return {
    /** The ids of the words in `text`; throws an InputError at the first piece that is not a word. */
    encode(text) {
      const characters = [...text];
      const folded = [];
      const places = [];
      characters.forEach((character, place) => {
        for (const piece of fold(character)) {
          folded.push(piece);
          places.push(place);
        }
      });
      const found = [];
      for (let at = 0; at < folded.length; ) {
        const length = matchLength(folded, at);
        if (length) found.push(ids.get(folded.slice(at, at + length).join("")));
        else if (!SPACE.test(folded[at])) throw unknown(characters, folded, places, at);
        at += length || 1;
      }
      return found;
    },
  };
}

function fold(text) {
  return text.normalize("NFKC").toLowerCase();
}

function shown(piece) {
  const cut = piece.slice(0, LONGEST_PIECE_SHOWN).map((character) => {
    if (!INVISIBLE.test(character)) return character;
    return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  });
  return cut.join("") + (piece.length > LONGEST_PIECE_SHOWN ? "…" : "");
}
