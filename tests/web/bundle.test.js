/** web/bundle is what its sources make, to the byte: whoever changes a module runs `npm run bundle`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { bundled, kept } from "../../tools/bundle.mjs";

test("the bundle is what the modules make", async () => {
  assert.deepEqual(Object.keys(kept()).sort(), Object.keys(await bundled()).sort());
  assert.deepEqual(kept(), await bundled());
});

test("the first view is one file, which loads none of the panels", async () => {
  const { "start.js": start, ...panels } = await bundled();
  assert.ok(Object.keys(panels).every((name) => name.startsWith("panels/")));
  assert.doesNotMatch(start, /\bfrom\s*["']/);
  assert.match(start, /import\(`\.\/panels\/\$\{\w+\}\.js`\)/);
});
