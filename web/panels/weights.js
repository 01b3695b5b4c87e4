/** The panel that changes the network: switches, and an editable table for every weight. */

import { createSwitches } from "./weights/switches.js";
import { createWeightTables } from "./weights/tables.js";

export function mount(container, app) {
  const parts = [createSwitches(container, app), createWeightTables(container, app)];
  return {
    update(state, view) {
      for (const part of parts) part.update(state, view);
    },
  };
}
