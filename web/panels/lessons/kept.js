/** The finished lessons, stored in this browser. */

import { createStorage } from "../../browser_storage.js";

const kept = createStorage("mini-gpt.lessons");

export function finishedLessons() {
  const found = kept.read();
  return Array.isArray(found) ? found.filter((id) => typeof id === "string") : [];
}

export function finishLesson(id) {
  kept.write([...finishedLessons().filter((each) => each !== id), id]);
}
