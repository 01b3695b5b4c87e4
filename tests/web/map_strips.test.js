import "./document.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { endOf } from "../../web/map/strip_view.js";

const area = ({ left, right, top, bottom }) => (right - left) * (bottom - top);

test("the mark of a changed cell leaves its colour to be seen, whatever its shape", () => {
  for (const [w, h] of [[2, 12], [12, 2], [5, 5], [1, 4], [40, 12]]) {
    const cell = { left: 3, right: 3 + w, top: 7, bottom: 7 + h };
    const mark = endOf(cell);
    assert.ok(area(mark) > 0 && area(mark) <= area(cell) / 4, `${w} x ${h}`);
    assert.ok(mark.right === cell.right && mark.bottom === cell.bottom);
  }
});
