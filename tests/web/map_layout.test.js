import assert from "node:assert/strict";
import { test } from "node:test";

import { foldedBlocks, layoutMap } from "../../web/map/layout.js";
import { stagesOf } from "../../web/map/stages.js";

const TEACHING = { vocab_size: 5, context_length: 2, model_dim: 4, num_heads: 2, num_layers: 1 };
const TWO_BLOCKS = { ...TEACHING, context_length: 8, num_layers: 2 };
const FOUR_HEADS = { ...TEACHING, context_length: 8, model_dim: 8, num_heads: 4, num_layers: 4 };
const LARGEST = { ...TEACHING, context_length: 16, model_dim: 32, num_heads: 4, num_layers: 4 };
const MANY_WORDS = { ...TEACHING, context_length: 4, vocab_size: 30 };

const CASES = [TEACHING, TWO_BLOCKS, FOUR_HEADS, LARGEST, MANY_WORDS].flatMap((config) =>
  [1, 2, 3, 5, 8, 16]
    .filter((sequence) => sequence <= config.context_length)
    .flatMap((sequence) =>
      [320, 390, 700, 800, 1000, 1280, 1600, 1920].map((width) => ({ config, sequence, width })),
    ),
);

function eachBoard(check) {
  for (const { config, sequence, width } of CASES) {
    const board = layoutMap(config, sequence, width);
    const name = `${JSON.stringify(config)}, ${sequence} words, ${width} px`;
    check(board, name, { config, sequence, width });
  }
}

test("stages are the trace's, in its order", () => {
  const keys = stagesOf(TEACHING, 2).map(({ key }) => key);
  assert.deepEqual(keys.slice(0, 5), [
    "token_embeddings",
    "position_embeddings",
    "residual_0",
    "blocks.0.ln1",
    "blocks.0.query",
  ]);
  assert.deepEqual(keys.slice(-4), [
    "blocks.0.residual_after_ffn",
    "final_hidden",
    "logits",
    "vocabulary_probs",
  ]);
  assert.equal(keys.length, 22);
  assert.equal(stagesOf(TWO_BLOCKS, 8).length, 38);
});

test("every cell of every tensor has one place", () => {
  eachBoard((board, name, { config, sequence }) => {
    const folded = foldedBlocks(config, sequence, 0);
    assert.deepEqual(board.stages.map(({ key }) => key), stagesOf(config, sequence).map(({ key }) => key), name);
    for (const stage of board.stages) {
      const indices = new Set(stage.cells.map(({ index, slot }) => `${index}/${slot}`));
      assert.equal(indices.size, stage.cells.length, `${name}: ${stage.key}`);
      const expected = stage.shape.reduce((product, size) => product * size, 1);
      const shortened = stage.kind === "words" ? sequence * Math.min(config.vocab_size, 8) : expected;
      const isFolded = folded.has(stage.block) && !stage.name.startsWith("residual_");
      assert.equal(stage.cells.length, isFolded ? 0 : shortened, `${name}: ${stage.key}`);
    }
  });
});

test("cells and headings lie on the board and on nothing else", () => {
  eachBoard((board, name) => {
    const boxes = board.stages.flatMap((stage) => [
      { ...stage.label, what: `heading of ${stage.key}` },
      ...(stage.box ? partsOf(stage) : []),
    ]);
    for (const box of boxes) {
      assert.ok(box.x >= 0 && box.x + box.w <= board.width + 0.01, `${name}: ${box.what} is beside`);
      assert.ok(box.y >= 0 && box.y + box.h <= board.height + 0.01, `${name}: ${box.what} is below`);
    }
    boxes.forEach((one, place) => {
      for (const other of boxes.slice(place + 1)) {
        assert.ok(!overlap(one, other), `${name}: ${one.what} lies on ${other.what}`);
      }
    });
  });
});

/** A stage's cells, grouped by position and head, as boxes. */
function partsOf(stage) {
  const groups = new Map();
  for (const cell of stage.cells) {
    const key = cell.index.slice(0, -1).join();
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups].map(([key, cells]) => {
    const x = Math.min(...cells.map((cell) => cell.x));
    const y = Math.min(...cells.map((cell) => cell.y));
    const w = Math.max(...cells.map((cell) => cell.x + cell.w)) - x;
    const h = Math.max(...cells.map((cell) => cell.y + cell.h)) - y;
    return { x, y, w, h, what: `${stage.key} [${key}]` };
  });
}

function overlap(one, other) {
  const apart = 0.01;
  return (
    one.x + apart < other.x + other.w &&
    other.x + apart < one.x + one.w &&
    one.y + apart < other.y + other.h &&
    other.y + apart < one.y + one.h
  );
}

test("the board is as wide as the room, wherever a part of the network fits there", () => {
  eachBoard((board, name, { width, sequence }) => {
    if (width >= 1000 || sequence <= 2) assert.ok(board.width <= width, `${name}: ${board.width}`);
  });
});

test("the road of every word is whole: each stretch begins where the last one ended", () => {
  eachBoard((board, name, { sequence }) => {
    for (let position = 0; position < sequence; position += 1) {
      const stretches = board.ribbons.filter((ribbon) => ribbon.position === position);
      stretches.slice(1).forEach((stretch, place) => {
        const before = stretches[place];
        if (before.line !== stretch.line) return; // a wire of kind "turn" leads on
        if (board.downwards) {
          assert.equal(stretch.x, before.x, name);
          assert.ok(Math.abs(before.y + before.h - stretch.y) < 0.01, name);
        } else {
          assert.equal(stretch.y, before.y, name);
          assert.ok(Math.abs(before.x + before.w - stretch.x) < 0.01, name);
        }
      });
      const lines = new Set(stretches.map(({ line }) => line)).size;
      const turns = board.lines.filter(
        (line) => line.kind === "turn" && line.position === position,
      );
      assert.equal(turns.length, lines - 1, name);
    }
  });
});

test("what is added is added on the road of its word: a plus in every lane", () => {
  eachBoard((board, name, { config, sequence }) => {
    const added = ["position_embeddings"];
    for (let block = 0; block < config.num_layers; block += 1) {
      added.push(`blocks.${block}.attention_update`, `blocks.${block}.ffn_update`);
    }
    assert.equal(board.pluses.length, added.length * sequence, name);
    for (const { adds, position, x, y } of board.pluses) {
      assert.ok(added.includes(adds), name);
      const around = board.ribbons.filter(
        (ribbon) =>
          ribbon.position === position &&
          x >= ribbon.x - 0.01 &&
          x <= ribbon.x + ribbon.w + 0.01 &&
          y >= ribbon.y - 0.01 &&
          y <= ribbon.y + ribbon.h + 0.01,
      );
      assert.ok(around.length, `${name}: ${adds} of ${position} is beside the road`);
    }
  });
});

test("to the right, stops follow one another along each lane; downwards, below one another", () => {
  const stops = ["token_embeddings", "residual_0", "residual_after_attention", "residual_after_ffn"];
  for (const [width, along] of [[1280, "x"], [390, "y"]]) {
    const board = layoutMap(TEACHING, 2, width);
    const places = stops.map((name) => board.stages.find((stage) => stage.name === name).box[along]);
    assert.deepEqual(places, [...places].sort((one, other) => one - other));
    assert.equal(board.downwards, along === "y");
  }
});

test("with one block and two words everything shows its digits, at 1280 on one line", () => {
  const board = layoutMap(TEACHING, 2, 1213);
  const silent = board.stages.filter(({ digits }) => !digits).map(({ name }) => name);
  assert.deepEqual(silent, ["ffn_hidden", "ffn_activation"]);
  assert.equal(new Set(board.ribbons.map(({ line }) => line)).size, 1);
});

test("with a height the board keeps within it and still shows every digit: a laptop's window", () => {
  const free = layoutMap(TEACHING, 2, 1240);
  const board = layoutMap(TEACHING, 2, 1240, { height: 630 });
  assert.ok(board.height <= 630, `${board.height} px`);
  assert.ok(board.width <= 1240, `${board.width} px`);
  assert.ok(free.height > 630, "without a height it needs more: this proves something");
  const silent = board.stages.filter(({ digits }) => !digits).map(({ name }) => name);
  assert.deepEqual(silent, free.stages.filter(({ digits }) => !digits).map(({ name }) => name));
  assert.ok(!silent.some((name) => !name.startsWith("ffn_")), silent.join());
  assert.ok(board.answer.y + board.answer.h <= board.height, "the bars are in view with it");
});

test("without a height, or with enough of it, the board is the one that the width allows", () => {
  for (const config of [TEACHING, TWO_BLOCKS]) {
    for (const width of [390, 800, 1240, 1600]) {
      const free = layoutMap(config, 2, width);
      for (const height of [undefined, Infinity, free.height]) {
        assert.deepEqual(layoutMap(config, 2, width, { height }), free, `${width} px, ${height}`);
      }
    }
  }
});

test("with less height the board is lower, as long as there is a readable one that fits", () => {
  let least = Infinity;
  for (const height of [Infinity, 900, 700, 630, 600, 560, 520]) {
    const board = layoutMap(TEACHING, 2, 1240, { height });
    assert.ok(board.height <= height && board.height <= least, `${board.height} px for ${height}`);
    assert.ok(board.stages.find(({ name }) => name === "query").digits, `${height} px`);
    least = board.height;
  }
});

test("where the page scrolls anyway, the board is tight but its cells keep their height", () => {
  const free = layoutMap(TEACHING, 2, 1240);
  const board = layoutMap(TEACHING, 2, 1240, { height: 400 });
  assert.equal(board.sizes.row, free.sizes.row);
  assert.ok(board.height < free.height);
});

test("a board within a height has every cell and heading on it and on nothing else", () => {
  for (const width of [1000, 1240, 1600, 1920]) {
    for (const sequence of [1, 2]) {
      const board = layoutMap(TEACHING, sequence, width, { height: 630 });
      const boxes = board.stages.flatMap((stage) => [{ ...stage.label, what: `heading of ${stage.key}` }, ...partsOf(stage)]);
      boxes.forEach((one, place) => {
        const where = `${width} px, ${sequence} words: ${one.what}`;
        assert.ok(one.y >= 0 && one.y + one.h <= board.height + 0.01, `${where} is below`);
        for (const other of boxes.slice(place + 1)) assert.ok(!overlap(one, other), `${where} lies on ${other.what}`);
      });
    }
  }
});

test("with few words, digits are shown even where they need a line more", () => {
  for (const width of [726, 800, 1000, 1213]) {
    const board = layoutMap(TEACHING, 2, width);
    assert.ok(board.stages.find(({ name }) => name === "query").digits, `${width} px`);
    assert.ok(board.width <= width, `${width} px`);
  }
});

test("more room needs no more lines and shows no smaller cells", () => {
  for (const config of [TEACHING, TWO_BLOCKS]) {
    let lines = Infinity;
    for (const width of [800, 1000, 1213, 1440, 1824, 2500]) {
      const board = layoutMap(config, 2, width);
      const count = new Set(board.ribbons.map(({ line }) => line)).size;
      assert.ok(count <= lines, `${width} px: ${count} lines after ${lines}`);
      lines = count;
    }
    assert.ok(lines <= config.num_layers);
  }
});

test("the words beside a matrix have room, however many there are; some are always there", () => {
  const longest = { ...LARGEST, context_length: 32, vocab_size: 256 };
  const boards = [390, 1280, 1920].map((width) => layoutMap(longest, 32, width));
  const all = [];
  eachBoard((board) => all.push(board));
  for (const board of [...boards, ...all]) {
    assert.ok(smallestGap(board.tags.filter(({ kind }) => kind === "seen"), "y", "x") >= 12);
    assert.ok(smallestGap(board.tags.filter(({ kind }) => kind === "looker"), "x", "y") >= 10);
    for (const kind of ["seen", "looker"]) assert.ok(board.tags.some((tag) => tag.kind === kind && tag.position === 0));
  }
});

/** The smallest distance along `axis` between tags on one `line`. */
function smallestGap(tags, line, axis) {
  const lines = new Map();
  for (const tag of tags) lines.set(tag[line], [...(lines.get(tag[line]) ?? []), tag]);
  const gaps = [...lines.values()].flatMap((members) => {
    const places = members.map((tag) => tag[axis]).sort((one, other) => one - other);
    return places.slice(1).map((place, at) => place - places[at]);
  });
  return Math.min(...gaps);
}

test("what is too much to draw is folded: only the open block shows its cells", () => {
  assert.equal(foldedBlocks(TEACHING, 2, 0).size, 0);
  assert.equal(foldedBlocks(TWO_BLOCKS, 8, 0).size, 0);
  assert.deepEqual([...foldedBlocks(LARGEST, 16, 2)], [0, 1, 3]);
});

test("words are wide enough for a finger on a phone", () => {
  for (const sequence of [1, 2, 8]) {
    const board = layoutMap(TWO_BLOCKS, sequence, 362);
    for (const { w, h } of board.words) {
      assert.ok(w >= 40 && h >= 44, `${sequence} words: ${w} × ${h}`);
    }
  }
});
