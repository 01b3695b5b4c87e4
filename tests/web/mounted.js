/**
 * The whole page in a document without layout: `web/page.js` with every panel, and a server that
 * answers what the real one answers (answers.js).
 *
 *     test("…", async (t) => {
 *       const page = mounted(t, "?v=1&tokens=4-1");
 *       page.click(page.button("撤销"));
 *       await page.until(() => assert.deepEqual(page.chips(), ["猫"]));
 *     });
 *
 * Time is the test's own (clock.js): `page.until(check)` lets it pass until `check` holds,
 * `page.pass(ms)` that long. A page that writes to the console or throws fails its test.
 */

import assert from "node:assert/strict";
import { resolveObjectURL } from "node:buffer";
import { readFileSync } from "node:fs";

import { JSDOM, VirtualConsole } from "jsdom";

import { answerTo } from "./answers.js";
import { createClock } from "./clock.js";
import { createHands } from "./hands.js";
import { createReading } from "./reading.js";
import { STRINGS } from "./strings.js";

const NODES_OWN = new Set(Object.getOwnPropertyNames(globalThis));
const BROWSERS = ["Event", "EventTarget", "CustomEvent", "navigator", "performance"];
const ADDRESS = "http://page.test/";

/** As ui/texts.py puts them together. */
export { STRINGS };

/**
 * @param {object} t the test's context
 * @param {string} [search] the address from its `?` on
 * @param {object} [given] `width`: of the window in px; `dark`, `still`, `languages`: what the person prefers;
 *   `answers`: by function, what to answer instead of what was recorded (see `createServer`);
 *   `latency`: ms an answer takes; `initial`: more of what comes with the page;
 *   `up`: whether the server can be reached; `early`: whether to go on before the first numbers are there;
 *   `stored`: a window whose kept things are there; `allowed`: parts of messages to expect
 */
export async function mounted(t, search = "", given = {}) {
  const world = createWorld(search, given);
  const { window, clock } = world;
  const server = createServer(clock, given);
  const { functions: names, ...first } = await answerTo("initial", {});
  const initial = { ...first, strings: STRINGS, ...given.initial };
  globalThis.fetch = (address) => fetched(address, server);
  t.after(() => {
    window.close();
    assert.deepEqual(world.complaints(given.allowed), []);
  });
  const { mount } = await import("../../web/page.js");
  // They come when they are opened; here from memory, for the clock knows no disk.
  await Promise.all(initial.panels.map(({ id }) => import(`../../web/panels/${id}.js`)));
  const element = window.document.querySelector(".mini-gpt");
  const functions = Object.fromEntries(names.map((name) => [name, server.function(name)]));
  mount(element, { server: functions, initial, root: "" });
  const reading = createReading(window);
  const isAwaited = () => window.document.querySelector(".mg-map-awaited") !== null; // a frame without numbers
  await clock.until(() => assert.ok(given.early || (reading.bars().length && !isAwaited()), "no first numbers"));
  await clock.settled();
  return {
    ...world,
    ...clock,
    ...reading,
    ...createHands(window, reading),
    element,
    server,
    initial,
    /** All that was asked is answered, and shown. */
    answered: () => clock.until(() => assert.ok(server.calls.every(({ done }) => done))),
    /** The query of the address. */
    search: () => window.location.search,
    /** The same page loaded again: what this browser keeps is there, the rest is gone. */
    reload: (changed = {}) =>
      mounted(t, window.location.search, { ...given, ...changed, stored: window }),
  };
}

/**
 * The server under the test's control. `calls` are `{name, request, done, answer, at, until}`
 * in their order.
 *
 * An answer given instead is an object, a function of the request (and of the recorded answer's
 * maker), or undefined where the line is down.
 */
function createServer(clock, { answers = {}, latency = 5, up = true }) {
  const instead = new Map(Object.entries(answers));
  const held = new Map(); // name -> the calls whose answers wait
  const calls = [];
  const server = {
    calls,
    latency,
    isUp: up,
    /** The names of what was asked, of `name` alone if given. */
    asked: (name) => calls.filter((call) => !name || call.name === name),
    /** Answer `name` otherwise from now on; without a second argument, as recorded again. */
    answer(name, ...otherwise) {
      if (otherwise.length) instead.set(name, otherwise[0]);
      else instead.delete(name);
    },
    /** Keep the answers to `name` back until they are let go. */
    hold: (name) => held.set(name, []),
    /** Let the answers go that were kept back, in this order (by default, as asked); all of
     * them, and later ones at once, unless `order` names some. */
    async release(name, order = null) {
      const waiting = held.get(name) ?? [];
      if (order === null) held.delete(name);
      for (const at of order ?? waiting.keys()) {
        waiting[at]();
        await clock.settled();
      }
    },
    function: (name) => (request) => take(name, request),
  };

  async function take(name, request) {
    const one = { name, request: structuredClone(request), done: false, at: clock.now(), until: Infinity };
    calls.push(one);
    const made = clock.hold(answerOf(name, one.request));
    if (held.has(name)) await new Promise((resolve) => held.get(name).push(resolve));
    await new Promise((resolve) => clock.later(resolve, server.latency));
    Object.assign(one, { done: true, until: clock.now() });
    one.answer = server.isUp ? await made : undefined;
    return one.answer;
  }

  async function answerOf(name, request) {
    if (!server.isUp) return undefined;
    if (!instead.has(name)) return answerTo(name, request);
    const otherwise = instead.get(name);
    if (typeof otherwise !== "function") return structuredClone(otherwise);
    return otherwise(request, () => answerTo(name, request));
  }
  return server;
}

/** A browser: document, storage, and what jsdom has no part of. */
function createWorld(search, { width = 1280, dark = false, still = false, languages = ["zh-CN"], stored = null }) {
  const told = [];
  const virtualConsole = new VirtualConsole();
  for (const kind of ["error", "warn", "jsdomError"]) {
    virtualConsole.on(kind, (...said) => told.push(`${kind}: ${said.map(messageOf).join(" ")}`));
  }
  const dom = new JSDOM('<!doctype html><html lang="zh-CN"><body><div class="mini-gpt"></div></body>', {
    url: ADDRESS + search,
    virtualConsole,
  });
  const { window } = dom;
  const clock = createClock(window);
  const scrolled = [];
  const downloads = [];
  const observers = [];
  giveLayout(window, { width, scrolled });
  Object.defineProperty(window.navigator, "languages", { configurable: true, value: languages });
  window.matchMedia = (query) => ({
    matches: matches(query, { dark, still, width }),
    addEventListener() {},
  });
  window.reportError = (error) => told.push(`reported: ${messageOf(error)}`);
  keepDownloads(window, downloads);
  window.print = () => told.push("print");
  window.ResizeObserver = resizeObserver(observers);
  if (stored) {
    for (const kind of ["localStorage", "sessionStorage"]) {
      for (const [key, text] of Object.entries(stored[kind])) window[kind].setItem(key, text);
    }
  }
  publish(window);
  return {
    window,
    document: window.document,
    clock,
    scrolled, // what was brought into view
    downloads, // `{name, content}`, a promise of its bytes
    /** Another width of the window. */
    resize(now) {
      giveLayout(window, { width: now, scrolled });
      for (const observer of observers) observer.tell(now);
    },
    complaints: (allowed = []) => told.filter((one) => !allowed.some((part) => one.includes(part))),
  };
}

/** No boxes, but a width, who is hidden, and what was scrolled to. */
function giveLayout(window, { width, scrolled }) {
  const define = (owner, name, what) =>
    Object.defineProperty(owner.prototype, name, { configurable: true, ...what });
  define(window.Element, "clientWidth", { get: () => width });
  define(window.HTMLElement, "offsetParent", {
    get() {
      return this.isConnected && !this.closest("[hidden]") ? this.parentElement : null;
    },
  });
  define(window.Element, "scrollIntoView", {
    value() {
      scrolled.push(this);
    },
  });
  define(window.Element, "scrollTo", { value() {} });
  window.scrollTo = window.scrollBy = () => undefined;
  window.innerWidth = width;
}

/** What a click on a link with a file name saves. */
function keepDownloads(window, downloads) {
  const { click } = window.HTMLElement.prototype;
  window.HTMLAnchorElement.prototype.click = function save() {
    if (!this.hasAttribute("download")) click.call(this);
    else downloads.push({ name: this.download, content: bytesOf(this.href) });
  };
}

async function bytesOf(address) {
  return new Uint8Array(await resolveObjectURL(address).arrayBuffer());
}

function matches(query, { dark, still, width }) {
  if (query.includes("prefers-color-scheme: dark")) return dark;
  if (query.includes("prefers-reduced-motion")) return still;
  if (query.includes("pointer: coarse")) return false;
  const widest = /max-width:\s*(\d+)px/.exec(query);
  const narrowest = /min-width:\s*(\d+)px/.exec(query);
  if (widest) return width <= Number(widest[1]);
  if (narrowest) return width >= Number(narrowest[1]);
  throw new Error(`nobody knows ${query}`);
}

function resizeObserver(observers) {
  return class {
    constructor(tell) {
      this.tell = (width) => tell([{ contentRect: { width, height: 0 } }]);
      observers.push(this);
    }
    observe() {}
    disconnect() {}
    unobserve() {}
  };
}

/** What modules find by its bare name: what a browser has and Node has not, or has its own way. */
function publish(window) {
  for (const name of Object.getOwnPropertyNames(window)) {
    if (NODES_OWN.has(name) && !BROWSERS.includes(name)) continue;
    const own = { configurable: true, writable: true, value: window[name] };
    Object.defineProperty(globalThis, name, own);
  }
}

/** The server's other address, and the page's own files. */
async function fetched(address, server) {
  const url = String(address);
  if (url.endsWith("/healthz")) {
    if (server.isUp) return { ok: true };
    throw new TypeError("Failed to fetch");
  }
  if (!url.startsWith("file:")) throw new Error(`nobody serves ${url}`);
  const text = readFileSync(new URL(url), "utf8");
  return { ok: true, text: async () => text, json: async () => JSON.parse(text) };
}

function messageOf(said) {
  return String(said?.detail?.stack ?? said?.stack ?? said).split("\n").slice(0, 3).join("\n");
}
