/**
 * The training panel: what is asked for, what is said, what is looked back at. The training itself
 * is scripted here (a real one is in tests/ui/training and in the browser); a model of one's own
 * has the shipped learned weights.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answerTo } from "./answers.js";
import { mounted } from "./mounted.js";

const PANEL = "#mg-panel-training";
const ID = "ab".repeat(16);
const KEY = "cd".repeat(16); // what may change the training, told once
const STEPS = 20;

/** [step, loss, learning rate, loss over the corpus, probabilities after each watched prompt]. */
const point = (step) => [
  step,
  1.6 - step / 20,
  0.01,
  1.5 - step / 20,
  [
    [0.2, 0.2, step / 25, 0.1, 0.1],
    [0.2, 0.2, 0.1, step / 30, 0.1],
  ],
];

/** Where the scripted training stands. */
function standing(status, step, since, more = {}) {
  const all = Array.from({ length: step + 1 }, (_, at) => point(at));
  return {
    id: ID,
    status,
    place: 0,
    step,
    steps: STEPS,
    points: all.filter(([at]) => at >= since),
    kept: all.map(([at]) => at),
    floor: 0.3466,
    uniform: 1.6094,
    watched: [[0, 1], [4, 1]],
    words: ["我", "喜欢", "AI", "学习", "猫"],
    trouble: null,
    ...more,
  };
}

/** Every function, asked for a model of one's own, answers for the shipped learned one. */
const ownModel = (names) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      async (request) => {
        if (!request.model?.startsWith("own:")) return answerTo(name, request);
        const answer = await answerTo(name, { ...request, model: "trained" });
        return answer.model ? { ...answer, model: { ...answer.model, id: request.model } } : answer;
      },
    ]),
  );

const OWN = ownModel(["view", "differences", "weights", "network_stages", "stage_values", "cell_in_engines"]);

async function opened(t, lang = "en", answers = {}) {
  const page = await mounted(t, `?v=1&panel=training&lang=${lang}`, {
    answers: {
      ...OWN,
      training_start: () => standing("running", 0, 0, { key: KEY }),
      training_progress: ({ since }) => standing("finished", STEPS, since),
      own_weights: ({ model }) => ({
        content: "AAAA",
        model: { id: model, config: { num_layers: 2, num_heads: 2, model_dim: 8, context_length: 8 } },
      }),
      ...answers,
    },
  });
  await page.until(() => assert.notEqual(page.one(".mg-corpus").value, ""));
  return page;
}

const field = (page, name) => page.one(`${PANEL} input[name=${name}]`);
const status = (page) => page.text(`${PANEL} .mg-training-status`);
const press = (page, name) => page.click(page.button(name, PANEL));
const model = (page) => new URLSearchParams(page.search()).get("model");

/** What the watched bars show for a word after the prompt at this place. */
const chance = (page, at, word) =>
  Number(page.text(`tr[data-word="${word}"] .mg-number`, page.all(`${PANEL} .mg-watched-prompt`)[at]));

for (const [lang, texts] of Object.entries({
  zh: { train: "训练", stop: "停止", stopped: /停在第 7 \/ 20 步/, notKept: /没能存下你的模型/ },
  en: { train: "Train", stop: "Stop", stopped: /Stopped at step 7 of 20/, notKept: /could not store your model/ },
})) {
  test(`trained, stopped, used by the whole page, kept by this browser (${lang})`, async (t) => {
    const page = await opened(t, lang, {
      training_progress: ({ since }) => standing("running", 6, since),
      training_stop: ({ since }) => standing("stopped", 7, since),
    });
    press(page, texts.train);
    await page.until(() => assert.equal(Number(page.one(".mg-look-slider").max), 6));
    assert.equal(model(page), null);
    press(page, texts.stop);
    await page.until(() => assert.match(status(page), texts.stopped));
    await page.until(() => assert.equal(model(page), `own:${ID}-7`));
    await page.until(() => assert.equal(page.all(".mg-kept-item").length, 1));
    assert.equal(page.server.asked("own_weights").at(-1).request.model, `own:${ID}-7`);
    const own = page.one(".mg-weights-switch input[value=own]");
    assert.ok(own.checked && page.isShown(own));
    assert.ok(!page.isShown(page.one(".mg-train-own")));
    const { id, key } = page.server.asked("training_stop")[0].request;
    assert.deepEqual([id, key], [ID, KEY]);
    const { task } = page.server.asked("training_start")[0].request;
    assert.deepEqual(task.watched, [[0, 1], [4, 1]]);
    assert.equal(task.corpus, page.one(".mg-corpus").value);
    // This document has no database: the page says that a reload may lose the model.
    assert.match(page.alert(), texts.notKept);
  });
}

for (const [lang, said] of [["zh", /录下的一次训练.*2000 步/], ["en", /recorded run.*2000 steps/]]) {
  test(`before a training the recorded run is there to be looked at (${lang})`, async (t) => {
    const page = await opened(t, lang);
    await page.until(() => assert.match(status(page), said));
    const { points, kept } = await answerTo("training_recorded", {});
    const drawn = page.one(`${PANEL} .mg-curve-batch`).getAttribute("points").split(" ");
    assert.equal(drawn.length, points.length);
    const slider = page.one(`${PANEL} .mg-look-slider`);
    page.fill(slider, "20");
    const [, , , loss, probabilities] = points.find(([step]) => step === kept[20]);
    assert.ok(loss > 0);
    assert.equal(chance(page, 0, "AI"), Number(probabilities[0][2].toFixed(4)));
    const isOff = Object.fromEntries(page.all(`${PANEL} .mg-training-actions button`).map((one) => [one.textContent, one.disabled]));
    assert.deepEqual(Object.values(isOff), [false, true, true, true]); // only Train
    assert.equal(model(page), null); // the page keeps its weights
    page.click(page.all(`${PANEL} .mg-training-actions button`)[0]);
    assert.ok(!page.isShown(page.one(`${PANEL} .mg-look`)));
    await page.until(() => assert.equal(Number(slider.max), STEPS));
    assert.doesNotMatch(status(page), said);
  });
}

test("a step that is looked back at has its own numbers, and can be the whole page's", async (t) => {
  const page = await opened(t, "en");
  press(page, "Train");
  await page.until(() => assert.match(status(page), /Done: 20 steps/));
  const slider = page.one(`${PANEL} .mg-look-slider`);
  const asked = () => page.server.asked("view").map(({ request }) => request.model);
  page.fill(slider, "9");
  assert.match(page.text(".mg-look-label"), /Step 9 of 20/);
  assert.equal(chance(page, 0, "AI"), 0.36); // of the training's own look at step 9
  assert.equal(chance(page, 1, "学习"), 0.3);
  const mark = Number(page.one(`${PANEL} .mg-curve-mark`).getAttribute("x1"));
  await page.until(() => assert.ok(asked().includes(`own:${ID}-9`)));
  await page.until(() => assert.notEqual(chance(page, 0, "AI"), 0.36)); // the exact step's view came
  assert.equal(page.every("table", "Block 2 · head 2", PANEL).length, 1);
  page.fill(slider, "0");
  assert.match(page.text(".mg-look-label"), /Step 0 of 20/);
  assert.ok(Number(page.one(`${PANEL} .mg-curve-mark`).getAttribute("x1")) < mark);
  page.fill(slider, "9");
  press(page, "Use this step in the whole page");
  await page.until(() => assert.equal(model(page), `own:${ID}-9`));
});

test("the map shows the step that is looked back at, and can be scrubbed itself", async (t) => {
  const page = await opened(t, "en", {
    view: async (request) => {
      const answer = await OWN.view(request);
      return request.model === `own:${ID}-9` ? { ...answer, trace: { ...answer.trace, residual_0: [[9, 9, 9, 9], [9, 9, 9, 9]] } } : answer;
    },
  });
  const bar = ".mg-watch";
  assert.ok(!page.isShown(page.one(bar)));
  press(page, "Train");
  await page.until(() => assert.match(status(page), /Done: 20 steps/));
  const slider = page.one(".mg-watch-slider");
  page.fill(slider, "9");
  assert.match(page.text(".mg-watch-text"), /^Step 9 of 20 · batch loss 1\.1500$/);
  assert.equal(page.one(`${PANEL} .mg-look-slider`).value, "9");
  const first = () => page.all('[data-stage="residual_0"] [role=gridcell]')[0].getAttribute("aria-label");
  await page.until(() => assert.match(first(), /: 9\.0000/));
  assert.equal(model(page), `own:${ID}-20`);
  page.click(page.button("Back to the page's weights"));
  await page.until(() => assert.doesNotMatch(first(), /: 9\.0000/));
  assert.ok(!page.isShown(page.one(bar)));
});

test("the curve goes down where the loss does, between the two levels it is measured by", async (t) => {
  const page = await opened(t, "en");
  press(page, "Train");
  await page.until(() => assert.match(status(page), /Done: 20 steps/));
  const places = (line) => page.one(`${PANEL} .mg-curve-${line}`).getAttribute("points").split(" ").map((pair) => pair.split(",").map(Number));
  const level = (name) => Number(page.one(`${PANEL} .mg-curve-level.mg-curve-${name}`).getAttribute("y1"));
  for (const line of ["batch", "corpus"]) {
    const drawn = places(line);
    assert.equal(drawn.length, STEPS + 1);
    for (const [at, [x, y]] of drawn.entries()) {
      if (at > 0) assert.ok(x > drawn[at - 1][0] && y > drawn[at - 1][1], `${line}, step ${at}`);
      assert.ok(y > level("uniform") && y < level("floor"), `${line}, step ${at}: ${y}`);
    }
  }
});

test("while a slider moves, the map alone asks, and the panel's prompts wait until it rests", async (t) => {
  const page = await opened(t, "en");
  press(page, "Train");
  await page.until(() => assert.match(status(page), /Done/));
  await page.pass(2000);
  const slider = page.one(`${PANEL} .mg-look-slider`);
  for (const step of ["3", "4", "5", "6"]) {
    page.fill(slider, step);
    await page.pass(50);
  }
  await page.pass(2000);
  const asked = page.server.asked("view").map(({ request }) => `${request.model} ${request.tokens}`);
  for (const step of [3, 4, 5]) {
    assert.equal(asked.includes(`own:${ID}-${step} 4,1`), false);
    assert.equal(asked.filter((each) => each === `own:${ID}-${step} 0,1`).length, 1); // the map's sentence
  }
  assert.ok(asked.includes(`own:${ID}-6 4,1`));
});

test("going on and rewinding", async (t) => {
  const page = await opened(t, "en", {
    training_resume: ({ since, steps }) => standing("finished", Number(steps), since, { steps: Number(steps) }),
    training_rewind: () => standing("stopped", 0, 0),
  });
  press(page, "Train");
  await page.until(() => assert.match(status(page), /Done: 20 steps/));
  page.fill(field(page, "steps"), "25");
  press(page, "Continue");
  await page.until(() => assert.match(status(page), /Done: 25 steps/));
  assert.equal(page.server.asked("training_resume")[0].request.steps, "25");
  press(page, "Rewind");
  await page.until(() => assert.match(status(page), /Stopped at step 0 of 20/));
});

test("a corpus that is wrong is told while typing, and not trained", async (t) => {
  const page = await opened(t, "en", { training_start: (_, recorded) => recorded() });
  const wrong = "我 喜欢 AI\n我 狗";
  page.fill(page.one(".mg-corpus"), wrong);
  await page.until(() => assert.match(page.text(".mg-corpus-about"), /Line 2/));
  assert.equal(page.one(".mg-corpus").getAttribute("aria-invalid"), "true");
  press(page, "Train");
  await page.until(() => assert.match(page.alert(), /Line 2/));
  assert.equal(page.one(".mg-corpus").value, wrong);
  page.fill(page.one(".mg-corpus"), "我 喜欢 AI\n我 喜欢 学习");
  await page.until(() => assert.match(page.text(".mg-corpus-about"), /entropy\) 0\.3466/));
  assert.equal(page.one(".mg-corpus").getAttribute("aria-invalid"), "false");
});

test("a wrong number is marked until it is mended, and said as it was typed", async (t) => {
  let times = 0;
  const page = await opened(t, "en", {
    training_start: (_, recorded) => (times++ === 0 ? recorded() : standing("running", 0, 0)),
  });
  const blocks = field(page, "num_layers");
  page.fill(blocks, "NaN");
  press(page, "Train");
  await page.until(() => assert.match(page.alert(), /'NaN'/));
  assert.equal(blocks.getAttribute("aria-invalid"), "true");
  assert.equal(field(page, "num_heads").getAttribute("aria-invalid"), null);
  page.fill(blocks, "1");
  assert.equal(blocks.getAttribute("aria-invalid"), null);
  press(page, "Train");
  await page.until(() => assert.match(status(page), /Done/));
  assert.doesNotMatch(page.alert(), /NaN/);
});

test("a loss that is not finite is explained, and the form stays", async (t) => {
  const text = "已保留最后一组正常的权重";
  const page = await opened(t, "zh", {
    training_progress: ({ since }) => standing("failed", 3, since, { trouble: { code: "training_not_finite", text } }),
  });
  page.fill(field(page, "learning_rate"), "1e38");
  press(page, "训练");
  await page.until(() => assert.ok(page.text(`${PANEL} .mg-training-error`).includes(text)));
  assert.ok(page.isShown(page.one(`${PANEL} .mg-training-error`)));
  assert.equal(page.one(`${PANEL} .mg-training-error`).getAttribute("role"), "alert");
  assert.equal(field(page, "learning_rate").value, "1e38");
});

test("why the files of a model are not handed out is said, and asked again they may be", async (t) => {
  const text = "ONNX Runtime and PyTorch give different logits";
  const none = { place: 0, files: [], proof: null };
  const answers = [
    { ...none, state: "failed", trouble: { code: "files_differ", text } },
    { ...none, state: "waiting", place: 3, trouble: null },
  ];
  const page = await opened(t, "en", { own_files: () => answers.shift() ?? { ...none, state: "preparing", trouble: null } });
  press(page, "Train");
  await page.until(() => assert.ok(!page.button("Prepare the files", PANEL).disabled));
  press(page, "Prepare the files");
  await page.until(() => assert.ok(page.text(PANEL).includes(text)));
  press(page, "Prepare the files");
  await page.until(() => assert.match(page.text(PANEL), /In the queue: place 3/));
  assert.ok(!page.text(PANEL).includes(text));
});

test("hand-set weights to start from have the lesson's sizes", async (t) => {
  const page = await opened(t, "en");
  page.click(page.named("radio", "Hand-set weights", PANEL));
  assert.equal(field(page, "model_dim").value, "4");
  assert.equal(field(page, "context_length").value, "2");
  assert.equal(field(page, "context_length").readOnly, true);
  assert.equal(field(page, "steps").readOnly, false);
  press(page, "Train");
  await page.until(() => assert.match(status(page), /Done/));
  const { task } = page.server.asked("training_start")[0].request;
  assert.equal(task.start, "teaching");
  assert.equal(task.model.context_length, "2");
});

/** Choose a file as a person does. */
function choose(page, ...files) {
  const input = page.one(`${PANEL} .mg-upload:not(.mg-text-choose) input[type=file]`);
  Object.defineProperty(input, "files", { configurable: true, value: files });
  Object.defineProperty(input, "value", { configurable: true, writable: true, value: "" });
  page.fire(input, "Event", "change");
}

const bytes = (...parts) => new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : part)));
const zeros = (count) => Array(count).fill(0);

for (const [name, content, said] of [
  ["weights.pt", bytes("PK\x03\x04", zeros(50)), /pickle/],
  ["model.onnx", bytes("\x08\x08\x12\x08mini-gpt"), /ONNX/],
  ["config.json", bytes('{"vocab_size": 5}'), /JSON/],
  ["cat.png", bytes("\x89PNG\r\n\x1a\n", zeros(50)), /不是 \.safetensors/],
  ["large.safetensors", new Uint8Array(600_000), /600000/],
]) {
  test(`a wrong file is explained and nothing is lost: ${name}`, async (t) => {
    const page = await opened(t, "zh");
    const before = page.bars();
    choose(page, new File([content], name));
    await page.until(() => assert.match(page.alert(), said));
    assert.deepEqual(page.bars(), before);
    assert.equal(page.all(".mg-kept-item").length, 0);
    assert.equal(model(page), null);
    const isSent = page.server.asked("own_load").length;
    assert.equal(isSent, name.startsWith("large") ? 0 : 1); // too large is not even sent
  });
}

test("a good file becomes the whole page's model, its config with it", async (t) => {
  const page = await opened(t, "en", { own_load: () => ({ model: { id: `own:${ID}`, config: {} } }) });
  choose(page, new File([bytes("weights")], "model.safetensors"), new File(['{"a": 1}'], "config.json"));
  await page.until(() => assert.equal(model(page), `own:${ID}`));
  const { content, config } = page.server.asked("own_load")[0].request;
  assert.equal(Buffer.from(content, "base64").toString(), "weights");
  assert.equal(config, '{"a": 1}');
  await page.until(() => assert.match(page.text(PANEL), /model\.safetensors was loaded/));
});

test("files are listed with their sizes in KB of 1024 bytes, and saved by a click", async (t) => {
  const page = await opened(t, "en", {
    own_load: () => ({ model: { id: `own:${ID}`, config: {} } }),
    own_files: () => ({
      state: "ready",
      place: 0,
      files: [{ name: "model.safetensors", bytes: 51_200 }],
      proof: { prompts: 30, max_abs: 4.8e-7, name: "logits" },
    }),
    own_file: () => ({ content: Buffer.from("weights").toString("base64") }),
  });
  choose(page, new File([bytes("weights")], "model.safetensors"));
  await page.until(() => assert.equal(model(page), `own:${ID}`));
  await page.until(() => press(page, "Prepare the files")); // once the page has its numbers
  await page.until(() => assert.equal(page.texts(`${PANEL} .mg-files li`).length, 1));
  assert.match(page.text(`${PANEL} .mg-files .mg-note`), /50\.0 KB/);
  press(page, "model.safetensors");
  await page.until(() => assert.equal(page.downloads.length, 1));
  assert.equal(page.downloads[0].name, "model.safetensors");
  assert.equal(Buffer.from(await page.downloads[0].content).toString(), "weights");
});

test("a model that the server lost is brought back from this browser by one click", async (t) => {
  let isLost = false;
  const gone = { error: { code: "own_unknown", text: "no such model" } };
  const page = await opened(t, "en", {
    view: (request) => (isLost && request.model === `own:${ID}-20` ? gone : OWN.view(request)),
    own_load: () => ({ model: { id: "own:back", config: {} } }),
  });
  press(page, "Train");
  await page.until(() => assert.equal(model(page), `own:${ID}-20`));
  await page.until(() => assert.equal(page.all(".mg-kept-item").length, 1));
  isLost = true;
  page.clickWord("猫");
  await page.until(() => page.click(page.button("Load it again from this browser", ".mg-alert")));
  await page.until(() => assert.equal(model(page), "own:back"));
  assert.equal(page.server.asked("own_load")[0].request.content, "AAAA");
  assert.equal(page.all(".mg-kept-item").length, 1); // the same one, under its new name
  await page.answered();
  assert.deepEqual(page.chips(), ["我", "喜欢", "猫"]);
});

test("a form that the server does not tell stays empty, and the page says why", async (t) => {
  const text = "The server is tired.";
  const page = await mounted(t, "?v=1&panel=training&lang=en", {
    answers: { ...OWN, training_form: () => ({ error: { code: "internal", text } }) },
  });
  await page.until(() => assert.equal(page.alert(), text));
  assert.equal(page.one(".mg-corpus").value, "");
});

const POEM = ["床", "前", "明", "月", "光", "，", "疑", "是", "地", "上", "霜", "。", "举", "头"];
const SUGGESTED = { num_layers: 3, num_heads: 4, model_dim: 32, context_length: 16, dropout: 0, learning_rate: 0.005, steps: 700 };

/** What the server says of a text in characters. */
const ownText = ({ unit }, recorded) =>
  unit
    ? {
        problem: null, sentences: 1, targets: 40, floor: 0, uniform: 3.4, vocabulary: 31, words: 31, left_out: 2,
        counts: [["月", 3], ["<b>", 2], ...POEM.slice(4).map((word) => [word, 1])], suggested: SUGGESTED,
      }
    : recorded();

/** Bring a text file as a person does. */
function bring(page, content, name = "poem.txt") {
  const input = page.one(`${PANEL} .mg-text-choose input`);
  Object.defineProperty(input, "files", { configurable: true, value: [new File([content], name)] });
  Object.defineProperty(input, "value", { configurable: true, writable: true, value: "" });
  page.fire(input, "Event", "change");
}

test("a text file is read here, its words are counted, and the form follows from it", async (t) => {
  const page = await opened(t, "en", { training_corpus: ownText });
  const before = page.one(".mg-corpus").value;
  bring(page, "床前明月光");
  await page.until(() => assert.match(page.text(".mg-suggested"), /^Chosen from the text: blocks: 3 .* 700 steps/));
  assert.equal(page.one(".mg-corpus").value, "床前明月光");
  for (const [name, value] of Object.entries(SUGGESTED)) assert.equal(field(page, name).value, String(value));
  assert.match(page.text(".mg-corpus-about"), /ln 31 = 3\.4000.*2 sentences/);
  assert.equal(page.all(".mg-corpus-words li").length, 13);
  assert.match(page.text(".mg-corpus-words"), /^月\s*× 3\s*<b>\s*× 2/); // text, never markup
  assert.match(page.text(".mg-corpus-words"), /and 19 more$/);
  assert.match(page.text(".mg-private"), /not in the address/);
  assert.equal(page.named("radio", "Hand-set weights", PANEL).disabled, true);
  press(page, "Train");
  await page.until(() => assert.equal(page.server.asked("training_start").length, 1));
  const { task } = page.server.asked("training_start")[0].request;
  assert.deepEqual([task.corpus, task.unit, task.line_ends, task.watched], ["床前明月光", "characters", "word", undefined]);
  assert.doesNotMatch(page.search(), /%E5%BA%8A|床/);
  press(page, "Back to the text before");
  assert.equal(page.one(".mg-corpus").value, before);
  assert.equal(field(page, "num_layers").value, "2");
});

test("sizes that a person edited stay, and the text's can be had", async (t) => {
  const page = await opened(t, "en", { training_corpus: ownText });
  page.fill(field(page, "model_dim"), "12");
  page.click(page.named("radio", "Characters", PANEL));
  await page.until(() => assert.match(page.text(".mg-suggested"), /as you set them/));
  assert.equal(field(page, "model_dim").value, "12");
  press(page, "Use these");
  assert.equal(field(page, "model_dim").value, "32");
  page.click(page.named("radio", "The lesson's words", PANEL));
  await page.until(() => assert.ok(!page.isShown(page.one(".mg-suggested"))));
});

for (const [name, content, said] of [
  ["cat.png", bytes("\x89PNG\r\n\x1a\n", zeros(50)), /cat\.png is not text/],
  ["long.txt", new Uint8Array(300_000), /long\.txt has 300000 bytes; .* 262144/],
]) {
  test(`a file that is no text changes nothing: ${name}`, async (t) => {
    const page = await opened(t, "en");
    const before = page.one(".mg-corpus").value;
    bring(page, content, name);
    await page.until(() => assert.match(page.text(".mg-text-trouble"), said));
    assert.equal(page.one(".mg-corpus").value, before);
    assert.ok(page.named("radio", "The lesson's words", PANEL).checked);
  });
}

test("a training shows its own words, not those of the page's model", async (t) => {
  const row = POEM.map((_, id) => (id === 7 ? 0.74 : 0.02));
  const own = (now, step, since) => {
    const { words, ...told } = standing(now, step, since, { watched: [[0, 1], [6, 7]] });
    const points = told.points.map((each) => [...each.slice(0, 4), [row, row]]);
    return { ...told, points, ...(since ? {} : { words: words && POEM }) };
  };
  const page = await opened(t, "en", {
    training_start: () => ({ ...own("running", 0, 0), key: KEY }),
    training_progress: ({ since }) => own("running", 6, since),
  });
  press(page, "Train");
  await page.until(() => assert.equal(Number(page.one(".mg-look-slider").max), 6));
  const [first, second] = page.all(`${PANEL} .mg-watched-prompt`);
  assert.match(page.text("caption", first), /After “床 前”/);
  assert.match(page.text("caption", second), /After “疑 是”/);
  assert.deepEqual(page.texts("tbody th", first).slice(0, 2), ["是", "床"]);
  assert.equal(page.texts("tbody th", first).at(-1), "the other 4 words");
  assert.equal(page.texts("tbody td.mg-number", first).at(-1), "0.0800");
  assert.deepEqual(page.chips(), ["我", "喜欢"]); // the page's sentence is in the page's words
});
