import { window } from "./document.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createBooks } from "../../web/working/book.js";
import { createWorking } from "../../web/working.js";
import { CallError } from "../../web/calls.js";
import { createStore } from "../../web/state.js";
import { createTranslator } from "../../web/translate.js";
import { createVeil } from "../../web/veil.js";
import { viewRequest } from "../../web/viewer.js";
import { TOLD, TRACE, VALUES, WORKING } from "./working_stages.js";
import { settled, viewOf } from "./page.js";
import { STRINGS } from "./strings.js";

Object.assign(globalThis, {
  Element: window.Element,
  DOMParser: window.DOMParser,
  fetch: async () => ({ ok: true, json: async () => ({}) }),
});
const refuseToScroll = () => assert.fail("the page itself stays where it is");
Object.assign(window.Element.prototype, { scrollIntoView: refuseToScroll, scrollTo: refuseToScroll });

beforeEach(() => window.localStorage.clear());

/** A working area in a page whose server answers at once. */
async function mounted(state = {}, answers = {}) {
  const container = document.createElement("div");
  const aside = document.createElement("div");
  aside.className = "mg-aside-body";
  aside.append(container);
  document.body.replaceChildren(aside);
  const tops = []; // what was open each time that it was shown from its top
  aside.scrollTo = ({ top }) => tops.push([store.get().stage, top]);
  const store = createStore(state);
  const t = createTranslator(STRINGS, () => store.get().lang);
  const asked = [];
  const server = new Proxy(
    {
      network_stages: async () => TOLD,
      stage_values: async (request) => ({
        values: Object.fromEntries(request.keys.map((key) => [key, VALUES[key]])),
        working: request.cell && { ...WORKING, ...request.cell },
      }),
      ...answers,
    },
    {
      get: (functions, name) => async (request) => {
        asked.push({ name, request });
        return functions[name](request);
      },
    },
  );
  const subscribers = [];
  let view = null;
  const viewer = {
    view: () => view,
    concerns: (next, previous) => JSON.stringify(viewRequest(next)) !== JSON.stringify(viewRequest(previous)),
    subscribe: (subscriber) => subscribers.push(subscriber),
  };
  const differences = { get: () => null, subscribe: () => {} };
  const marked = []; // what the map shows to be read, each time
  const pointed = [];
  const map = { markOperands: (refs) => marked.push(refs), pointOperand: (ref) => pointed.push(ref) };
  const veil = createVeil({ store, viewer, initial: {} });
  const area = createWorking(container, { store, t, server, viewer, differences, veil, books: createBooks({ server }), marks: map, quietly: (set) => set() });
  const show = async () => {
    const { tokens } = store.get();
    view = viewOf(tokens, { window: tokens, trace: tokens.length ? TRACE : null });
    for (const subscriber of subscribers) subscriber(view);
    area.update(store.get(), view);
    await settled();
  };
  store.subscribe((next, previous) => viewer.concerns(next, previous) || area.update(next, view));
  await show();
  const cells = (key) => [...container.querySelectorAll(`[data-key="${key}"] .mg-cell`)];
  const button = (name) => [...container.querySelectorAll("button")].find((each) => each.textContent.includes(name));
  return { container, store, asked, show, cells, button, tops, marked, pointed, text: (selector) => container.querySelector(selector)?.textContent };
}

function press(key, target = document.body, more = {}) {
  target.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
}

/** The working area as it is opened at the first stop. */
const opened = (state = {}, answers = {}) => mounted({ stage: "residual_0", ...state }, answers);

test("a first visit has nothing open and asks for no working", async () => {
  const { container, asked, marked, store } = await mounted();
  assert.equal(container.querySelectorAll("table").length, 0);
  assert.deepEqual(asked.map(({ name }) => name), ["network_stages"]);
  assert.deepEqual(marked.at(-1), []);
  assert.deepEqual([store.get().stage, store.get().cell], [null, null]);
});

test("the first stop has its tensors, captions and headers, and the working of one cell", async () => {
  const { container, text, cells, store, asked } = await opened();
  assert.match(text(".mg-working-step"), /第 1 \/ 2 步/);
  assert.equal(text(".mg-working-title"), "residual_0 中");
  assert.deepEqual(cells("residual_0").map((cell) => cell.textContent), ["0.2500", "0.0000", "0.5000", "0.3000"]);
  assert.equal(cells("residual_0")[2].getAttribute("aria-label"), "喜欢（位置 1），通道 0：0.5000");
  const table = container.querySelector('[data-key="residual_0"] table');
  assert.equal(table.caption.textContent, "residual_0 中");
  assert.deepEqual([...table.querySelectorAll("tbody th")].map((head) => head.textContent), ["我0", "喜欢1"]);
  assert.match(container.querySelector('[data-key="residual_0"]').textContent, /\[B, T, C\] = \[1, 2, 2\]/);
  assert.deepEqual(store.get().cell, [1, 0]); // of the last word, the number farthest from zero
  assert.equal(container.querySelector(".mg-card").hidden, false);
  assert.equal(text(".mg-line-text"), "0.6 + (−0.1) = 0.5000");
  assert.equal(asked.filter(({ name }) => name === "stage_values").length, 1);
});

test("choosing a cell asks for its working and shows it; operands lead to their cells", async () => {
  const { container, store, cells, asked, text } = await opened({ cell: [0, 1] });
  cells("residual_0")[2].click();
  await settled();
  assert.deepEqual(store.get().cell, [1, 0]);
  assert.deepEqual(asked.at(-1).request.cell, { key: "residual_0", cell: [1, 0] });
  assert.equal(text(".mg-line-text"), "0.6 + (−0.1) = 0.5000");
  assert.match(text(".mg-line-note"), /^为什么多写几位小数.*0\.4999/);
  assert.equal(cells("residual_0")[2].getAttribute("aria-current"), "true");
  const operands = [...container.querySelectorAll(".mg-operand")];
  assert.deepEqual(operands.map((each) => each.textContent), ["0.6"]); // a gate stands nowhere
  assert.ok(cells("token_embeddings")[2].classList.contains("mg-used"));
  operands[0].click();
  await settled();
  assert.deepEqual([store.get().stage, store.get().cell], ["token_embeddings", [1, 0]]);
  assert.equal(cells("token_embeddings")[2].getAttribute("aria-current"), "true");
  assert.equal(document.activeElement, container.querySelector("#mg-card-title"));
});

test("the map is told what the open working reads, and what of it is pointed at", async () => {
  const { container, store, marked, pointed } = await opened();
  const gate = { key: "position_embedding.gate", cell: [] };
  assert.deepEqual(marked.at(-1), [{ key: "token_embeddings", cell: [1, 0] }, gate]);
  const operand = container.querySelector(".mg-operand");
  operand.dispatchEvent(new window.MouseEvent("pointerover", { bubbles: true }));
  assert.deepEqual(pointed, [{ key: "token_embeddings", cell: "1,0" }]);
  container.querySelector(".mg-card").dispatchEvent(new window.MouseEvent("pointerleave"));
  assert.equal(pointed.at(-1), null);
  operand.focus();
  assert.deepEqual(pointed.at(-1), { key: "token_embeddings", cell: "1,0" });
  store.set({ stage: null, cell: null });
  assert.deepEqual(marked.at(-1), []);
});

test("one can go back along the operands", async () => {
  const { store, cells, button, container } = await opened();
  cells("residual_0")[2].click();
  await settled();
  assert.equal(button("回到刚才").hidden, true);
  container.querySelector(".mg-operand").click();
  await settled();
  assert.equal(button("回到刚才").hidden, false);
  button("回到刚才").click();
  await settled();
  assert.deepEqual([store.get().stage, store.get().cell], ["residual_0", [1, 0]]);
  assert.equal(button("回到刚才").hidden, true);
});

test("what is chosen elsewhere is shown from its top, a whole scene stays where it is", async () => {
  const { store, show, container, tops } = await mounted();
  store.set({ stage: "residual_0", cell: [1, 0] });
  await settled();
  assert.deepEqual(tops, [["residual_0", 0]]);
  store.set({ stage: "blocks.0.scores", cell: null });
  await settled();
  assert.deepEqual(tops.at(-1), ["blocks.0.scores", 0]);
  const before = tops.length;
  store.set({ stage: "residual_0", cell: [0, 0], tokens: [4, 1] });
  await show();
  assert.equal(container.querySelector(".mg-card").hidden, false);
  assert.equal(tops.length, before);
});

test("keys go to the next and to the previous stop, but not while one types", async () => {
  const { store, container } = await mounted();
  press("p"); // nothing is open, so nothing is before it
  assert.equal(store.get().stage, null);
  press("n");
  assert.equal(store.get().stage, "residual_0");
  await settled();
  press("n");
  assert.equal(store.get().stage, "blocks.0.scores");
  press("n"); // there is none
  assert.equal(store.get().stage, "blocks.0.scores");
  press("ArrowLeft");
  assert.equal(store.get().stage, "residual_0");
  press("ArrowRight");
  press("p");
  assert.equal(store.get().stage, "residual_0");
  const input = document.createElement("input");
  document.body.append(input);
  press("n", input);
  press("n", document.body, { ctrlKey: true });
  const outside = document.createElement("button");
  document.body.append(outside);
  press("ArrowRight", outside);
  press("ArrowRight", container.querySelector(".mg-working-contents"));
  assert.equal(store.get().stage, "residual_0");
  press("ArrowRight", container.querySelector(".mg-working-next"));
  assert.equal(store.get().stage, "blocks.0.scores");
});

test("arrow keys inside a table go from cell to cell", async () => {
  const { cells, store } = await opened({ cell: [0, 0] });
  const all = cells("residual_0");
  assert.deepEqual(all.map((cell) => cell.tabIndex), [0, -1, -1, -1]);
  all[0].focus();
  press("ArrowRight", all[0]);
  press("ArrowDown", all[1]);
  assert.equal(document.activeElement, all[3]);
  press("ArrowDown", all[3]);
  assert.equal(document.activeElement, all[3]);
  assert.deepEqual(all.map((cell) => cell.tabIndex), [-1, -1, -1, 0]);
  assert.deepEqual(store.get().cell, [0, 0]);
});

test("the values between trace values come with the stop, a table a head", async () => {
  const { container, cells } = await mounted({ stage: "blocks.0.scores.products" });
  assert.equal(container.querySelectorAll('[data-key="blocks.0.scores.products"] table').length, 2);
  assert.equal(cells("blocks.0.scores.products")[5].textContent, "−2.3000");
  assert.equal(cells("blocks.0.scores")[6].getAttribute("aria-label"), "头 2，喜欢（位置 1），看 我（位置 0）：−1.6427");
  const captions = [...container.querySelectorAll("caption")].map((each) => each.textContent);
  assert.deepEqual(captions.slice(0, 2), ["products 中 头 1", "products 中 头 2"]);
});

test("weights are asked for once, and again when they were edited", async () => {
  const { asked, store, show } = await opened();
  const wanted = () => asked.filter(({ name }) => name === "stage_values").map(({ request }) => request.keys);
  assert.deepEqual(wanted(), [["token_embedding.weight"]]);
  store.set({ tokens: [1, 0] });
  await show();
  assert.deepEqual(wanted().slice(1), [[]]); // the working alone
  store.set({ edits: { "token_embedding.weight": { "0,1": 5 } } });
  await show();
  assert.deepEqual(wanted().slice(2), [["token_embedding.weight"]]);
});

test("while one request is under way, only the newest state is asked for next", async () => {
  const waiting = [];
  const held = await mounted(
    { stage: "blocks.0.scores" },
    { stage_values: () => new Promise((resolve) => waiting.push(resolve)) },
  );
  for (const tokens of [[1, 0], [2, 0], [3, 0]]) {
    held.store.set({ tokens });
    await held.show();
  }
  assert.equal(waiting.length, 1);
  const answer = { values: VALUES, working: null };
  waiting[0](answer);
  await settled();
  assert.equal(waiting.length, 2);
  assert.deepEqual(held.asked.at(-1).request.tokens, [3, 0]);
  assert.equal(held.cells("blocks.0.scores").length, 0); // nothing of an older state is shown
  waiting[1](answer);
  await settled();
  assert.equal(held.cells("blocks.0.scores").length, 8);
});

test("what the server refused is asked for again when something is next drawn", async () => {
  const told = [new CallError("connection", "lost"), { values: VALUES, working: null }];
  const { asked, cells, show } = await mounted(
    { stage: "blocks.0.scores" },
    { stage_values: async () => { const next = told.shift(); if (next instanceof Error) throw next; return next; } },
  );
  const times = () => asked.filter(({ name }) => name === "stage_values").length;
  assert.equal(times(), 1);
  assert.equal(cells("blocks.0.scores.products")[0]?.textContent ?? "", "");
  await show();
  assert.equal(times(), 2);
  assert.equal(cells("blocks.0.scores.products")[0].textContent, "1.7000");
});

test("of a working of more than fourteen lines the last three are shown, the rest on request", async () => {
  const working = (count) => ({ ...WORKING, lines: Array.from({ length: count }, () => WORKING.lines[0]) });
  for (const [count, early] of [[14, 0], [15, 12]]) {
    const { container } = await mounted(
      { stage: "residual_0", cell: [1, 0] },
      { stage_values: async () => ({ values: VALUES, working: working(count) }) },
    );
    const folded = container.querySelector(".mg-lines-early");
    assert.equal(folded?.querySelectorAll(".mg-line-text").length ?? 0, early);
    assert.equal(folded?.open ?? false, false);
    assert.equal(container.querySelectorAll(".mg-card .mg-line-text").length, count);
    if (early) assert.match(folded.querySelector("summary").textContent, /前面 12 行/);
    if (early) assert.equal(container.querySelector("details + .mg-lines").start, 13);
  }
});

test("a large weight is folded away, unless it is what was asked for", async () => {
  const told = structuredClone(TOLD);
  told.stages[0].weights[0].shape = [257, 1];
  const open = async (stage) => {
    const { container } = await mounted({ stage }, { network_stages: async () => told });
    return container.querySelector(".mg-tensors-given details").open;
  };
  assert.equal(await open("residual_0"), false);
  assert.equal(await open("token_embedding.weight"), true);
  const { container } = await opened();
  assert.ok(container.querySelector(".mg-tensors-given"));
  assert.equal(container.querySelector(".mg-tensors-given details"), null);
});

test("a cell keeps the focus when its table is built anew in another language", async () => {
  const { store, cells } = await opened();
  const before = cells("residual_0")[3];
  before.focus();
  store.set({ lang: "en" });
  await settled();
  assert.equal(before.isConnected, false);
  assert.equal(document.activeElement, cells("residual_0")[3]);
});

test("an edited weight is marked", async () => {
  const { cells } = await opened({ edits: { "token_embedding.weight": { "0,1": 5 } } });
  const marked = cells("token_embedding.weight").map((cell) => cell.classList.contains("mg-edited"));
  assert.deepEqual(marked.slice(0, 3), [false, true, false]);
});

test("a cell that the sentence does not have is not asked for: one that it has is opened", async () => {
  const { asked, container, store } = await opened({ cell: [7, 0] });
  const cells = asked.filter(({ name }) => name === "stage_values").map(({ request }) => request.cell);
  assert.deepEqual(cells, [{ key: "residual_0", cell: [1, 0] }]);
  assert.deepEqual(store.get().cell, [1, 0]);
  assert.equal(container.querySelector(".mg-card").hidden, false);
});

test("an unknown stop shows the first, an empty sentence says what to do", async () => {
  const unknown = await mounted({ stage: "blocks.9.ln1" });
  assert.equal(unknown.text(".mg-working-title"), "residual_0 中");
  const empty = await opened({ tokens: [] });
  assert.match(empty.text(".mg-working-empty"), /先点一个词/);
  assert.equal(empty.container.querySelector(".mg-working-body").hidden, true);
});

test("hidden results are asked for, judged, and then shown and remembered", async () => {
  const judged = [{ grade: "nearly", hint: { key: "forgot_position", values: {} } }, { grade: "right", hint: null }];
  const { container, cells, button, asked, text } = await opened({}, { check_answer: async () => judged.shift() });
  container.querySelector("#mg-practice").click();
  await settled();
  assert.deepEqual(new Set(cells("residual_0").map((cell) => cell.textContent)), new Set(["?"]));
  assert.equal(cells("token_embedding.weight")[0].textContent, "0.2000");
  assert.match(cells("residual_0")[2].getAttribute("aria-label"), /还没算/);
  cells("residual_0")[2].click();
  await settled();
  assert.equal(container.querySelector(".mg-card-lines").hidden, true);
  const answer = container.querySelector("#mg-answer");
  assert.equal(document.activeElement, answer);
  answer.value = "0.6";
  container.querySelector(".mg-answer").requestSubmit();
  await settled();
  assert.match(text("#mg-answer-verdict"), /差一点.*位置嵌入/);
  assert.equal(asked.at(-1).request.answer, "0.6");
  button("给我算式").click();
  assert.equal(text(".mg-line-text"), "? + (−0.1) = ?"); // 0.6 is hidden too
  answer.value = "0.5";
  container.querySelector(".mg-answer").requestSubmit();
  await settled();
  assert.equal(cells("residual_0")[2].textContent, "0.5000");
  assert.ok(cells("residual_0")[2].classList.contains("mg-solved"));
  assert.match(container.querySelector(".mg-practice").textContent, /1 \/ 8 格/);
  const again = await opened();
  assert.equal(again.cells("residual_0")[2].textContent, "0.5000");
  assert.equal(again.cells("residual_0")[3].textContent, "?");
  again.button("清除算对的记录（1 格）").click();
  await settled();
  assert.equal(again.cells("residual_0")[2].textContent, "?");
  assert.equal(again.button("清除算对的记录").hidden, true);
});

test("an answer shown is no answer worked out", async () => {
  const { container, cells, button } = await opened();
  container.querySelector("#mg-practice").click();
  await settled();
  cells("residual_0")[0].click();
  await settled();
  button("看答案").click();
  await settled();
  assert.equal(cells("residual_0")[0].textContent, "0.2500");
  assert.match(container.querySelector(".mg-practice").textContent, /0 \/ 8 格/);
});
