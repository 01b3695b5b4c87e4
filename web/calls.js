/**
 * Calls to the server: `server.name(request)` resolves to the answer. What went wrong is shown
 * and thrown as a `CallError`, so a caller may ignore it: nothing the person had is touched.
 */

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

/** Errors that the page tells about in its own way. */
const QUIET = new Set(["torch_loading"]);

/**
 * Messages that the next word typed does not take away: one passes by itself (whoever asked asks
 * again), the other offers something.
 */
const KINDS = { onnx_preparing: "waiting", own_unknown: "own" };

const RETURN_MS = 1000;

/** A server with too many people refuses a call at once; it is made again this often. */
const BUSY_TRIES = 20;
const BUSY_MS = 1000;

/**
 * @param {Record<string, Function>} functions what Gradio provides; each resolves to undefined
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
    // A refused view is asked for again by itself, as it was before: the complaint stays.
    if (name !== "view") alert.settled(name);
    return answer;
  }

  /** The answer, after waiting for a place if need be; at different times for everybody. */
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

/** Every answer of the server has a name and a value: whatever else arrives came from between. */
function isAnswer(value) {
  return value instanceof Object && !Array.isArray(value) && Object.keys(value).length > 0;
}

/** Says when the connection is lost, and takes that back by itself when it has returned. */
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
