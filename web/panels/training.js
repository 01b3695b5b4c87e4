/** Train a network, replay its training, keep it. */

import { createBeside } from "./training/beside.js";
import { createCurve } from "./training/curve.js";
import { createForm } from "./training/form.js";
import { createKeeping } from "./training/keeping.js";
import { createLookBack } from "./training/look_back.js";
import { createMemory } from "./training/memory.js";
import { createSession } from "./training/session.js";
import { createStatus } from "./training/status.js";
import { answered, refusal } from "../asking.js";
import { el } from "../dom.js";

export function mount(container, app) {
  const memory = createMemory();
  const session = createSession(app, {
    remember: memory.rememberTraining,
    onEnd: (ended) => inPlace(container, app, () => learned(ended, app)),
  });
  const run = el("section", { class: "mg-training" });
  container.append(run);
  const form = createForm(run, app, { session, memory });
  const result = el("div", { class: "mg-training-result" });
  run.append(result);
  const status = createStatus(result, app, session);
  const curve = createCurve(result, app, session);
  const parts = [
    form,
    status,
    curve,
    createLookBack(result, app, session, curve.mark),
    createKeeping(container, app),
    createBeside(container, app),
  ];
  const update = () => {
    for (const part of parts) part.update(app.store.get(), app.viewer.view());
  };
  session.subscribe((training) => training?.words && app.vocabularies.know(modelOf(training, 0), training.words, training.watched));
  session.subscribe(update);
  open(session, memory.training(), app.server);
  return { update };
}

/** Follow the training of an earlier visit if there is one still, else show the recorded run. */
async function open(session, followed, server) {
  const isFree = () => !session.get() && !session.isAsking();
  if (followed) await session.attach(followed);
  const recorded = isFree() && (await answered(server.training_recorded({})));
  if (recorded && isFree()) session.show(recorded);
}

/** A network of other sizes changes the map's height; scroll so that this panel stays in place. */
function inPlace(container, { viewer }, change) {
  const before = container.getBoundingClientRect().top;
  const unsubscribe = viewer.subscribe(() => {
    unsubscribe();
    requestAnimationFrame(() => {
      const moved = container.getBoundingClientRect().top - before;
      if (container.offsetParent && Math.abs(moved) > 1) window.scrollBy({ top: moved, behavior: "instant" });
    });
  });
  change();
}

/** Use the trained model in the whole page, and store it in this browser. */
async function learned(training, { own }) {
  const id = modelOf(training, training.kept.at(-1));
  own.use(id);
  try {
    await own.keep(id, { steps: training.kept.at(-1), corpusLoss: corpusLossAt(training, training.kept.at(-1)) });
  } catch (error) {
    refusal(error);
  }
}

/** The page's model id of a training at `step`. */
export function modelOf(training, step) {
  return `own:${training.id}-${step}`;
}

/** Corpus loss without dropout at `step`; null if it was not evaluated at that step. */
export function corpusLossAt({ points }, step) {
  return points.find((point) => point[0] === step)?.[3] ?? null;
}
