/** The encodings of a text file as editors write them; the rules of model/text_file.py. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeText } from "../../web/panels/training/text_file.js";

const TEXT = "床前明月光\r\nto be";
const utf16 = (text, isLittle) => {
  const bytes = new Uint8Array(2 + 2 * text.length);
  const view = new DataView(bytes.buffer);
  [0xfeff, ...[...Array(text.length).keys()].map((at) => text.charCodeAt(at))].forEach((unit, at) => view.setUint16(2 * at, unit, isLittle));
  return bytes;
};

for (const [name, bytes, text] of [
  ["UTF-8", new TextEncoder().encode(TEXT), TEXT],
  ["UTF-8 with its mark", new TextEncoder().encode(`\ufeff${TEXT}`), TEXT],
  ["UTF-16, little end first", utf16(TEXT, true), TEXT],
  ["UTF-16, big end first", utf16(TEXT, false), TEXT],
  ["GBK", new Uint8Array([0xb4, 0xb2, 0xc7, 0xb0, 0x0a, 0x61]), "床前\na"],
  ["nothing at all", new Uint8Array(), ""],
]) {
  test(`${name} is read`, () => assert.equal(decodeText(bytes), text));
}

for (const [name, bytes] of [
  ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
  ["UTF-16 without its mark", utf16("abc", true).slice(2)],
  ["UTF-8 that breaks off behind its mark", new Uint8Array([0xef, 0xbb, 0xbf, 0xe5, 0xba])],
  ["half a surrogate in UTF-16", new Uint8Array([0xff, 0xfe, 0x00, 0xd8])],
  ["bytes of no encoding", new Uint8Array([0xff, 0xff, 0xff])],
]) {
  test(`${name} is no text`, () => assert.equal(decodeText(bytes), null));
}
