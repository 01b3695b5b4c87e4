/**
 * One training, followed from here: what the server said last, the curve so far, and the calls
 * that change it. It goes on while other tabs are open; a page that is left stops asking, and
 * the server then stops training.
 *
 * `get()` is null before the first training, otherwise the server's last answer with the whole
 * curve in `points`; its `status` is "waiting", "starting", "running", "stopped", "finished",
 * "failed", "lost", or "gone" (the server no longer knows it).
 */

const POLL_MS = 300;
const RETRY_MS = 1500;
const ACTIVE = ["waiting", "starting", "running"];

/** @param {(training: object) => void} onEnd called when it has learned something and is at rest */
export function createSession({ server }, { remember, onEnd }) {
  const refusals = new Set();
  const subscribers = new Set();
  let training = null;
  let timer = null;
  let asking = false;

  function tell(next) {
    const before = training;
    training = next;
    remember(next && next.status !== "gone" ? next.id : null);
    for (const subscriber of [...subscribers]) subscriber(training);
    if (isActive(before) && !isActive(next) && next.status !== "gone" && next.kept.length) onEnd(next);
  }

  function accept(answer) {
    tell({ ...answer, points: joined(training?.id === answer.id ? training.points : [], answer) });
    if (isActive(training)) later(POLL_MS);
  }

  function later(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(poll, milliseconds);
  }

  async function poll() {
    if (asking || !training) return;
    asking = true;
    const { id } = training;
    try {
      const answer = await server.training_progress({ id, since: nextStep(training) });
      if (training?.id === id) accept(answer);
    } catch (error) {
      failed(error);
    } finally {
      asking = false;
    }
  }

  function failed(error) {
    if (!error.code) throw error;
    if (error.code === "training_unknown") tell(training && { ...training, status: "gone" });
    else if (isActive(training)) later(RETRY_MS); // the connection; it is shown already
  }

  /** A call that changes the training; its answer says where it stands. */
  async function change(name, request, since) {
    clearTimeout(timer);
    try {
      accept(await server[name]({ ...request, since }));
    } catch (error) {
      failed(error);
      if (error.code) for (const told of refusals) told(error);
      if (isActive(training)) later(POLL_MS);
    }
  }

  return {
    get: () => training,
    subscribe: (subscriber) => subscribers.add(subscriber),
    /** `told(error)`: what was asked for is refused. */
    onRefused: (told) => refusals.add(told),
    start: (task) => change("training_start", { task }, 0),
    stop: () => change("training_stop", { id: training.id }, nextStep(training)),
    resume: (steps) => change("training_resume", { id: training.id, steps }, nextStep(training)),
    rewind: () => change("training_rewind", { id: training.id }, 0),
    /** Follow a training that an earlier visit of this tab started. */
    async attach(id) {
      try {
        accept(await server.training_progress({ id, since: 0 }));
      } catch (error) {
        if (!error.code) throw error;
        if (error.code === "training_unknown") remember(null);
      }
    },
  };
}

export function isActive(training) {
  return training !== null && ACTIVE.includes(training.status);
}

/** Where a curve that was cut (rewound, or gone on from an earlier step) meets the new points. */
function joined(points, answer) {
  const from = answer.points.length ? answer.points[0][0] : answer.step + 1;
  return [...points.filter(([step]) => step < from && step <= answer.step), ...answer.points];
}

function nextStep({ points }) {
  return points.length ? points.at(-1)[0] + 1 : 0;
}
