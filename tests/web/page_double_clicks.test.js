/** A double click on any button of any panel, on a slow line, asks for nothing twice. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

import { mounted } from "./mounted.js";

const LATENCY_MS = 150; // longer than the two clicks are apart
const SETTLED_MS = 400; // what a button asks for a moment later has been asked and answered
const TRAINING = "training"; // a real one is started in tests/ui/test_double_clicks.py
const PANELS = readdirSync(new URL("../../web/panels/", import.meta.url))
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.replace(".js", ""));

/** What a file holds is no matter here. */
const FILES = {
  shipped_file: ({ name }) => ({ name, content: "" }),
  proof_pack: { name: "mini_gpt_proof_pack.zip", content: "" },
};

/** One name for buttons that do the same to different words or cells. */
function kindOf(button) {
  return `${button.className} ${button.ariaLabel ?? ""} ${button.textContent}`.replace(/[^A-Za-z\- ]/g, "");
}

/** Requests made again while the same one waited for its answer. */
function repeated({ calls }) {
  const id = ({ name, request }) => JSON.stringify([name, request]);
  return calls
    .filter((call, place) => calls.slice(0, place).some((one) => id(one) === id(call) && one.until > call.at))
    .map(({ name }) => name);
}

for (const name of PANELS.filter((panel) => panel !== TRAINING)) {
  test(`nothing is asked for twice: ${name}`, async (t) => {
    const page = await mounted(t, `?v=1&panel=${name}&lang=en`, { answers: FILES });
    const panel = page.one(`#mg-panel-${name}`);
    await page.pass(SETTLED_MS);
    page.server.latency = LATENCY_MS;
    page.server.calls.length = 0;
    const tried = new Set();
    for (;;) {
      const button = page
        .every("button", null, panel)
        .find((one) => one.localName === "button" && !one.disabled && !tried.has(kindOf(one)));
      if (!button) break;
      tried.add(kindOf(button));
      page.doubleClick(button);
      await page.pass(SETTLED_MS);
      assert.deepEqual(repeated(page.server), [], kindOf(button));
      assert.equal(page.alert(), "", kindOf(button));
    }
    assert.ok(tried.size || name === "cost");
  });
}
