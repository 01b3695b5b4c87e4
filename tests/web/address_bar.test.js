import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { keepAddress } from "../../web/address_bar.js";
import { createStore } from "../../web/state.js";

let now;
let timers;
let written;
let store;

beforeEach(() => {
  now = 0;
  timers = [];
  written = [];
  store = createStore();
  const location = { pathname: "/sub/", search: "?__theme=dark", hash: "#top" };
  keepAddress(store, {
    location,
    history: {
      state: { kept: true },
      replaceState(state, title, address) {
        assert.deepEqual(state, { kept: true });
        written.push(address);
        location.search = address.match(/\?[^#]*/)?.[0] ?? "";
      },
    },
    performance: { now: () => now },
    setTimeout: (run, wait) => timers.push({ run, at: now + wait }),
  });
});

const type = (count) => store.set({ tokens: Array(count).fill(1) });

test("a change is in the address at once, and what others put there stays", () => {
  type(1);
  assert.deepEqual(written, ["/sub/?v=1&tokens=1&__theme=dark#top"]);
});

test("a change that leaves the address as it is writes nothing", () => {
  store.set({ tokens: [0, 1] });
  assert.deepEqual(written, []);
});

test("no browser sees more than 100 changes in 30 seconds, and the last one arrives", () => {
  let count = 0;
  for (; now <= 30_000; now += 50) {
    for (const timer of timers.splice(0)) {
      if (timer.at <= now) timer.run();
      else timers.push(timer);
    }
    count += 1;
    type((count % 200) + 1);
  }
  assert.ok(written.length <= 101, `${written.length} writes`);
  assert.ok(written.length >= 95);
  for (const timer of timers) timer.run();
  assert.equal(written.at(-1).match(/1/g).length, (count % 200) + 2); // and the version's own 1
});
