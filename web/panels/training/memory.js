/** Kept in this tab across a reload: the form, and the training it follows. */

import { createStorage } from "../../browser_storage.js";

export function createMemory(tab = () => window.sessionStorage) {
  const form = createStorage("mini-gpt.training.form", tab);
  const training = createStorage("mini-gpt.training.keys", tab);
  return {
    /** The form's last values, or null. */
    form() {
      const found = form.read();
      return typeof found === "object" ? found : null;
    },
    rememberForm: (typed) => form.write(typed),
    /** `{id, key}` of the training followed last, or null. */
    training() {
      const found = training.read();
      return typeof found?.id === "string" ? found : null;
    },
    rememberTraining: (keys) => training.write(keys),
  };
}
