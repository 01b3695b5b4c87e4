/** What this tab remembers across a reload: the form, and the training it follows. */

const FORM = "mini-gpt.training.form";
const TRAINING = "mini-gpt.training.id";

export function createMemory(storage = safeStorage()) {
  return {
    /** What was typed last, or null. */
    form() {
      try {
        const form = JSON.parse(storage?.getItem(FORM) ?? "null");
        return form !== null && typeof form === "object" ? form : null;
      } catch {
        return null;
      }
    },
    rememberForm: (form) => storage?.setItem(FORM, JSON.stringify(form)),
    training: () => storage?.getItem(TRAINING) ?? null,
    rememberTraining(id) {
      if (id) storage?.setItem(TRAINING, id);
      else storage?.removeItem(TRAINING);
    },
  };
}

/** A page whose storage is blocked forgets at a reload, and works. */
function safeStorage() {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
