/** Small texts in small places. */

/** How many characters of a word a place `width` px wide holds. */
export function tagLength(width) {
  if (width < 26) return 1;
  return width < 40 ? 2 : 4;
}

const ROOM = { beside: 12, below: 10 }; // px that a tag takes

/** Whether a position has a tag: where they are `pitch` px apart, each if there is room, or every so many. */
export function isTagged(position, pitch, direction) {
  return position % Math.ceil(ROOM[direction] / pitch) === 0;
}

/** A word cut to `length` characters, with an ellipsis for the rest if there is room for one. */
export function short(word, length) {
  const characters = [...word];
  if (characters.length <= length) return word;
  if (length === 1) return characters[0];
  return `${characters.slice(0, length - 1).join("")}…`;
}
