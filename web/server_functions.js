/** The server functions of ui/page.py as HTTP calls. */

const ADDRESS = "gradio_api/component_server";

/**
 * @param {string} root where the app is served
 * @param {{component: number, names: string[]}} offered the number of Gradio's component that
 *   offers them, and what they are called
 * @returns {Record<string, (request: object) => Promise<object|undefined>>} each resolves to the
 *   answer, or to undefined when the connection fails or a proxy answers instead
 */
export function createServerFunctions(root, { component, names }) {
  const session = crypto.getRandomValues(new Uint32Array(2)).join("-"); // identifies this page for the server's fair queues
  async function ask(name, request) {
    try {
      const answer = await fetch(`${root}/${ADDRESS}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ data: request, component_id: component, fn_name: name, session_hash: session }),
      });
      return answer.ok ? await answer.json() : undefined;
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(names.map((name) => [name, (request) => ask(name, request)]));
}
