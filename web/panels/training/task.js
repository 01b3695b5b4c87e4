/** The request for a training, from the form's values. */

import { LESSON_A, LESSON_B } from "../../state.js";

const LESSON_PROMPTS = [LESSON_A, LESSON_B];

/**
 * With the lesson's words the lesson's prompts and the page's sentence are watched; of a text of
 * one's own the server watches the first words.
 */
export function taskOf(corpus, start, { steps, learning_rate, seed, ...model }, app) {
  const task = { ...corpus.get(), start, model, steps, learning_rate, seed };
  return corpus.isOwn() ? task : { ...task, watched: watchedPrompts(app) };
}

function watchedPrompts({ store, vocabularies }) {
  const { tokens, model } = store.get();
  const known = LESSON_PROMPTS.some((prompt) => String(prompt) === String(tokens));
  const isSayable = tokens.length > 0 && vocabularies.isLessons(model);
  return isSayable && !known ? [...LESSON_PROMPTS, tokens] : LESSON_PROMPTS;
}
