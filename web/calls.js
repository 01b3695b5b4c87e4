/**
 * Calls to the server: `server.name(request)` resolves to the answer. An error is shown
 * and thrown as a `CallError`; a caller may ignore it, since no state has changed.
 */

import { unpacked } from "./trace_bytes.js";

export class CallError extends Error {
  /**
   * @param {string} code an error code of errors.json of the languages, or "connection"
   * @param {string|null} field what it is about, where a form has several
   */
  constructor(code, text, field = null) {
    super(text);
    this.code = code;
    this.field = field;
  }
}

/** Errors that the page reports elsewhere. */
const QUIET = new Set(["torch_loading"]);

/**
 * Messages that stay when the next word is typed: one is temporary (the caller retries), the other
 * comes with a button.
 */
const KINDS = { onnx_preparing: "waiting", own_unknown: "own" };

const RETURN_MS = 1000;

/** A busy server refuses a call at once; it is retried this often. */
const BUSY_TRIES = 20;
const BUSY_MS = 1000;

/**
 * @param {Record<string, Function>} functions from server_functions.js; each resolves to undefined
 *   when the connection fails
 */
export function createServer(functions, app) {
  const { store, alert, t, root } = app;
  const connection = createConnection({ alert, t, root });

  async function call(name, request) {
    if (!functions[name]) throw new Error(`the server has no function ${name}`);
    const answer = await patient(functions[name], { ...request, lang: store.get().lang });
    if (!isAnswer(answer)) {
      throw new CallError("connection", connection.lost());
    }
    connection.found();
    if (answer.error) {
      const { code, text, field } = answer.error;
      if (!QUIET.has(code)) alert.show(text, KINDS[code] ?? "input", name);
      app.own?.failed(code, request.model);
      throw new CallError(code, text, field);
    }
    // After a refusal the previous view is requested again: its success must not clear the message.
    if (name !== "view") alert.settled(name);
    return unpacked(answer);
  }

  /** The answer, with retries while the server is busy, at random intervals. */
  async function patient(ask, request) {
    for (let tries = 1; ; tries++) {
      const answer = await ask(request);
      if (answer?.error?.code !== "busy" || tries === BUSY_TRIES) return answer;
      alert.show(t("error.busy"), "connection");
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS * (0.5 + Math.random())));
    }
  }

  return new Proxy({}, { get: (_, name) => (request) => call(name, request) });
}

/** The server answers with a non-empty object; anything else came from a proxy in between. */
function isAnswer(value) {
  return value instanceof Object && !Array.isArray(value) && Object.keys(value).length > 0;
}

/** Shows that the connection is lost, and removes the message when it is back. */
function createConnection({ alert, t, root }) {
  let timer = null;

  function found() {
    clearTimeout(timer);
    timer = null;
    alert.clear("connection");
  }

  async function look() {
    try {
      const answer = await fetch(`${root}/healthz`, { cache: "no-store" });
      if (answer.ok) found();
      else timer = setTimeout(look, RETURN_MS);
    } catch {
      timer = setTimeout(look, RETURN_MS);
    }
  }

  return {
    found,
    lost() {
      const text = t("shell.connection_lost");
      alert.show(text, "connection");
      timer ??= setTimeout(look, RETURN_MS);
      return text;
    },
  };
}
