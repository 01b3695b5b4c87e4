/** The panel where the network is changed: switches, and every weight as a table to edit. */

import { createSwitches } from "./weights/switches.js";
import { createWeightTables } from "./weights/tables.js";

export const panel = {
  id: "weights",
  order: 35,
  mount(container, app) {
    const parts = [createSwitches(container, app), createWeightTables(container, app)];
    return {
      update(state, view) {
        for (const part of parts) part.update(state, view);
      },
    };
  },
};
