/** Which lessons have been finished, kept in this browser. */

const KEY = "mini-gpt.lessons";

export function finishedLessons() {
  try {
    const found = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((id) => typeof id === "string") : [];
  } catch {
    return []; // forbidden, or not ours
  }
}

export function finishLesson(id) {
  try {
    const others = finishedLessons().filter((each) => each !== id);
    window.localStorage.setItem(KEY, JSON.stringify([...others, id]));
  } catch {
    // Full or forbidden: it is finished for this visit only.
  }
}
