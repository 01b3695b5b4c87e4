/** One training step taken apart, on the lesson's batch. */

import { createGradients } from "./gradients/gradients.js";

export const panel = {
  id: "gradients",
  order: 55,
  showsResults: true,
  mount: (container, app) => createGradients(container, app),
};
