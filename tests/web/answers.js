/**
 * What the server answers, as it was recorded from the functions themselves (tests/web/answers.py;
 * a Python test fails when they answer otherwise today).
 *
 * `RECORD=1 node --test tests/web/<name>.test.js` asks Python (`PYTHON`, by default `python`) and
 * keeps what this test file asked in `fixtures/answers/<name>.json`; what every page asks, or many,
 * in `common.json`.
 */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = fileURLToPath(new URL("./fixtures/answers/", import.meta.url));
const FILE = `${FOLDER}${basename(process.argv[1], ".test.js")}.json`;
const COMMON_FILE = `${FOLDER}common.json`;
const COMMON = new Set([
  "initial", "network_stages", "lessons", "runtimes", "training_form", "measured_cost",
  "training_recorded",
]);
const RECORDS = process.env.RECORD === "1";

const recorded = new Map(); // `keyOf` -> the kept entry, and its line as Python wrote it
const used = new Set();
let python = null;

load(COMMON_FILE);
if (!RECORDS) load(FILE);
if (RECORDS) process.on("exit", keep);

/**
 * What the function `name` answers to `request`, a copy of one's own.
 *
 * @returns {Promise<object>}
 */
export async function answerTo(name, request) {
  const { lang, ...rest } = request;
  const keys = [keyOf({ name, request: rest }), keyOf({ name, request: { ...rest, lang } })];
  if (RECORDS && !keys.some((key) => recorded.has(key))) await ask(name, request);
  const key = keys.find((one) => recorded.has(one));
  if (!key) {
    throw new Error(
      `no recorded answer: ${name} ${JSON.stringify(request).slice(0, 300)}\n` +
        `RECORD=1 node --test tests/web/${basename(process.argv[1])} records it`,
    );
  }
  used.add(key);
  return structuredClone(recorded.get(key).entry.answer);
}

/** Keys in one order, so that equal requests are equal texts. */
function keyOf({ name, request }) {
  return `${name} ${JSON.stringify(sorted(request))}`;
}

function sorted(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

/** Python answers each line with the entries to keep: one, or one a language where they differ. */
async function ask(name, request) {
  python ??= start();
  for (const line of await python.ask({ name, request })) take(line);
}

function take(line) {
  const entry = JSON.parse(line);
  recorded.set(keyOf(entry), { entry, line });
}

function start() {
  const child = spawn(process.env.PYTHON ?? "python", ["-m", "tests.web.answers", "--serve"], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = [];
  const rest = () => [child, child.stdin, child.stdout].forEach((part) => part.unref());
  createInterface({ input: child.stdout }).on("line", (line) => {
    waiting.shift().resolve(JSON.parse(line));
    if (!waiting.length) rest(); // it ends with the tests
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting) reject(new Error(`Python ended with ${code}: set PYTHON`));
  });
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        child.ref();
        child.stdout.ref();
        waiting.push({ resolve, reject });
        child.stdin.write(`${JSON.stringify(question)}\n`);
      }),
  };
}

function load(file) {
  if (!existsSync(file)) return;
  const lines = readFileSync(file, "utf8").trim().split("\n").slice(1, -1); // without [ and ]
  for (const line of lines) take(line.replace(/,$/, ""));
}

function keep() {
  mkdirSync(FOLDER, { recursive: true });
  load(COMMON_FILE); // another test file may have kept more meanwhile
  const isCommon = (key) => COMMON.has(recorded.get(key).entry.name);
  const common = [...recorded.keys()].filter(isCommon);
  const own = [...used].filter((key) => !isCommon(key));
  write(COMMON_FILE, common);
  if (own.length) write(FILE, own);
  else rmSync(FILE, { force: true });
}

/** An answer a line, so that a change of one shows as one. */
function write(file, keys) {
  const lines = keys.sort().map((key) => recorded.get(key).line);
  writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}
