/** A text file as a person has it: UTF-8, UTF-16 with its byte order mark, or GBK. */

const MARKS = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
const UNMARKED = ["utf-8", "gb18030"]; // GB 18030 includes GBK; text in it is rarely valid UTF-8

/**
 * The text, without a byte order mark; null if the bytes are text in none of these encodings.
 * `model/text_file.py` reads files by the same rules.
 *
 * @param {Uint8Array} bytes
 */
export function decodeText(bytes) {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  for (const encoding of marked ? [marked[0]] : UNMARKED) {
    const text = decodedAs(encoding, bytes);
    if (text !== null && !text.includes("\0")) return text; // UTF-16 without its mark, or no text at all
  }
  return null;
}

function decodedAs(encoding, bytes) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
