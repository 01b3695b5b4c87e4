/** Room of text in a picture, whose fonts are another machine's: widths of the usual ones. */

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{20000}-\u{3fffd}]/u;
const NARROW_SHARE = 0.52; // of the size, a Latin letter of Arial
const BOLD_SHARE = 0.58;

/** About how wide `text` is, in px, at a font size in px. */
export function textWidth(text, size, isBold = false) {
  const share = isBold ? BOLD_SHARE : NARROW_SHARE;
  return [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 1 : share), 0) * size;
}

/** `text` in lines of at most `width` px, broken where `between` matches. */
export function wrapped(text, width, size, between = /(?<= )|(?<=[\u3000-\u9fff\uff00-\uff60])/u) {
  const lines = [""];
  for (const part of text.split(between)) {
    const longer = lines.at(-1) + part;
    if (lines.at(-1) && textWidth(longer.trimEnd(), size) > width) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => line.trimEnd());
}
