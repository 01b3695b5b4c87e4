/** The panels' texts, which come with the first panel that is opened. */

import { createOnce } from "./asking.js";

/**
 * @param {object} initial `has_panel_texts` is false where they did not come with the page
 * @param {object} strings of the translator, to which they are added
 * @returns {() => Promise} done once they are there
 */
export function createPanelTexts(server, initial, strings) {
  let isThere = initial.has_panel_texts !== false;
  return createOnce(async () => {
    if (isThere) return;
    Object.assign(strings, (await server.panel_texts({})).strings);
    isThere = true;
  });
}
