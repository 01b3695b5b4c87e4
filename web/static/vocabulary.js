/** Text to ids, as in model/vocabulary.py: the lesson's way, words between spaces, or characters. */

import { InputError } from "./errors.js";

const LONGEST_PIECE_SHOWN = 24;
const WORDS_SHOWN = 40;
// The characters of Python's isspace(), the separators U+001C to U+001F included.
const SPACES = "\\t-\\r\\x1c- \\x85\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACE = new RegExp(`^[${SPACES}]$`, "u");
const RUN_OF_SPACES = new RegExp(`(?:(?!\\n)[${SPACES}])+`, "gu");
// Invisible characters: an error shows their code point.
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Mn}\p{Me}]$/u;
const MARKS = { "\n": "↵", " ": "␣" };

/**
 * @param {object} described `words` as they are shown (a line end as ↵), and their `unit`
 * @returns an object whose `encode(text)` gives the ids of the words in `text`; it throws an
 *   InputError at the first piece that is not a word
 */
export function createVocabulary({ words, unit = "longest" }) {
  return { encode: unit === "longest" ? longestReader(words) : pieceReader(words, unit) };
}

/** The words as an error lists them: all of a few, the first of many and their number. */
export function listed(words) {
  if (words.length <= WORDS_SHOWN) return words.join(" ");
  return `${words.slice(0, WORDS_SHOWN).join(" ")} … (${words.length})`;
}

/** The longest word that matches, in any width and letter case, with or without spaces. */
function longestReader(words) {
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
    return unknownWord(piece, places[at] + 1, words);
  }

  return (text) => {
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
  };
}

/** Words between spaces, or characters as a reader counts them; letter case counts. */
function pieceReader(words, unit) {
  const ids = new Map(words.map((word, id) => [word, id]));
  const segmenter = unit === "characters" ? new Intl.Segmenter("und", { granularity: "grapheme" }) : null;

  function* piecesOf(tidy) {
    for (const { 0: piece, index } of tidy.matchAll(/[ \n]|[^ \n]+/gu)) {
      if (!segmenter) {
        if (piece !== " ") yield [piece, index];
        continue;
      }
      for (const { segment, index: within } of segmenter.segment(piece)) yield [segment, index + within];
    }
  }

  return (text) => {
    const tidy = tidied(text);
    const found = [];
    for (const [piece, at] of piecesOf(tidy)) {
      const id = ids.get(asShown(piece));
      if (id !== undefined) found.push(id);
      else if (!(piece in MARKS)) throw unknownWord([...piece], placeIn(text, tidy, at), words);
    }
    return found;
  };
}

/** `text` with \n as its line ends, and one space for a run of them, none around a line end. */
function tidied(text) {
  return text.replace(/\r\n?/g, "\n").replace(RUN_OF_SPACES, " ").replace(/(^|\n) | (?=\n|$)/g, "$1");
}

/** Where in `text`, counted from 1, the character at `at` in `tidy` (`text` tidied) stands. */
function placeIn(text, tidy, at) {
  const characters = [...text];
  let before = [...tidy.slice(0, at)].filter((character) => !SPACE.test(character)).length;
  for (let place = 0; place < characters.length; place++) {
    if (!SPACE.test(characters[place]) && before-- === 0) return place + 1;
  }
  return characters.length;
}

function unknownWord(piece, place, words) {
  return new InputError("unknown_word", { piece: cut(piece), place, words: listed(words) });
}

/** A word as the page shows it. */
function asShown(word) {
  if (word in MARKS) return MARKS[word];
  const characters = [...word];
  return characters.every((character) => INVISIBLE.test(character)) ? characters.map(codePoint).join("") : word;
}

function fold(text) {
  return text.normalize("NFKC").toLowerCase();
}

function cut(piece) {
  const visible = piece
    .slice(0, LONGEST_PIECE_SHOWN)
    .map((character) => (INVISIBLE.test(character) ? codePoint(character) : character));
  return visible.join("") + (piece.length > LONGEST_PIECE_SHOWN ? "…" : "");
}

function codePoint(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
