/**
 * Calls to the server: `server.name(request)` resolves to the answer. What went wrong is shown
 * and thrown as a `CallError`, so a caller may ignore it: nothing the person had is touched.
 */

export class CallError extends Error {
  /** @param {string} code an error code of model/messages.json, or "connection" */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

/** Errors that the caller tells about in its own way. */
const QUIET = new Set(["torch_loading"]);

/**
 * @param {Record<string, Function>} functions what Gradio provides; each resolves to undefined
 *   when the connection fails
 */
export function createServer(functions, { store, alert, t }) {
  return new Proxy(
    {},
    {
      get: (_, name) => (request) => call(functions, name, request, { store, alert, t }),
    },
  );
}

async function call(functions, name, request, { store, alert, t }) {
  if (!functions[name]) throw new CallError("internal", `the server has no function ${name}`);
  const answer = await functions[name]({ ...request, lang: store.get().lang });
  if (answer === undefined || answer === null) {
    const text = t("shell.connection_lost");
    alert.show(text, "connection");
    throw new CallError("connection", text);
  }
  alert.clear("connection");
  if (answer.error) {
    const { code, text } = answer.error;
    if (!QUIET.has(code)) alert.show(text);
    throw new CallError(code, text);
  }
  return answer;
}
