/**
 * One training as this page follows it: the server's last answer, the curve so far, and the calls
 * that change it. Polling continues while other tabs of the page are open; a page that is left stops
 * polling, and the server then stops the training.
 *
 * `words` are the training's own, which the server sends with step 0.
 *
 * `get()` is null before the first training, otherwise the server's last answer with the whole
 * curve in `points`; its `status` is "waiting", "starting", "running", "stopped", "finished",
 * "failed", "lost", "gone" (the server no longer knows it), or "recorded" (only to be looked at). While a start,
 * stop, resume or rewind is unanswered, `isAsking()` is true: the known state is about to be outdated,
 * and further clicks are ignored.
 *
 * Its `id` allows viewing and is part of addresses; its `key`, which only the answer to the start
 * contains, allows changing it. The key is kept in this tab and sent only with changes.
 */

import { refusal } from "../../asking.js";

const POLL_MS = 100; // from question to question: as often as the server's process reports
const REST_MS = 300; // at most: where answers are slow, many are asking
const REST = 3; // times as long as an answer was late, until the next is asked for
const RETRY_MS = 1500;
const ACTIVE = ["waiting", "starting", "running"];

/** @param {(training: object) => void} onEnd called when it has learned something and has stopped */
export function createSession({ server }, { remember, onEnd }) {
  const refusals = new Set();
  const subscribers = new Set();
  let training = null;
  let timer = null;
  let pause = POLL_MS; // between an answer and the next question
  let changing = false;
  let turn = 0; // number of the last call: answers to earlier calls are ignored

  const draw = () => [...subscribers].forEach((subscriber) => subscriber(training));

  function tell(next) {
    const before = training;
    training = next;
    remember(next && !["gone", "recorded"].includes(next.status) ? { id: next.id, key: next.key } : null);
    draw();
    if (isActive(before) && !isActive(next) && next.status !== "gone" && next.kept.length) onEnd(next);
  }

  function accept(answer, key = null) {
    const before = training?.id === answer.id ? training : { points: [], key };
    tell({ key: before.key, words: before.words, ...answer, points: joined(before.points, answer) });
    if (isActive(training)) later(pause);
  }

  function later(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(poll, milliseconds);
  }

  async function poll() {
    const mine = ++turn;
    try {
      const began = performance.now();
      const answer = await server.training_progress({ id: training.id, since: nextStep(training) });
      pause = pauseAfter(performance.now() - began);
      if (mine === turn) accept(answer);
    } catch (error) {
      if (mine === turn || !error.code) failed(error);
    }
  }

  function failed(error) {
    if (refusal(error) === "training_unknown") tell(training && { ...training, status: "gone" });
    else if (isActive(training)) later(RETRY_MS); // the connection was lost, which the page shows already
  }

  /** A call that changes the training; its answer is the new state. */
  async function change(name, request, since) {
    if (changing) return;
    clearTimeout(timer);
    turn += 1;
    changing = true;
    if (training?.status === "recorded") training = null; // a training is shown instead
    draw();
    try {
      const answer = await server[name]({ ...request, since });
      changing = false;
      accept(answer);
    } catch (error) {
      changing = false;
      draw();
      failed(error);
      for (const told of refusals) told(error);
      if (isActive(training)) later(pause);
    }
  }

  return {
    get: () => training,
    isAsking: () => changing,
    subscribe: (subscriber) => subscribers.add(subscriber),
    /** `told(error)` is called if the request is refused. */
    onRefused: (told) => refusals.add(told),
    start: (task) => change("training_start", { task }, 0),
    stop: () => change("training_stop", keysOf(training), nextStep(training)),
    resume: (steps) => change("training_resume", { ...keysOf(training), steps }, nextStep(training)),
    rewind: () => change("training_rewind", keysOf(training), 0),
    /** Show the recorded run. */
    show: (answer) => accept(answer),
    /** Follow a training that an earlier visit of this tab started. */
    async attach({ id, key }) {
      const mine = ++turn;
      try {
        const answer = await server.training_progress({ id, since: 0 });
        if (mine === turn) accept(answer, key);
      } catch (error) {
        if (refusal(error) === "training_unknown" && mine === turn) remember(null);
      }
    },
  };
}

/** How long to wait after an answer that took so long, in ms. */
export function pauseAfter(took) {
  return took <= POLL_MS ? POLL_MS - took : Math.min(REST_MS, REST * (took - POLL_MS));
}

export function isActive(training) {
  return training !== null && ACTIVE.includes(training.status);
}

/** The curve with new points; a rewind or a continuation from an earlier step cuts it there first. */
function joined(points, answer) {
  const from = answer.points.length ? answer.points[0][0] : answer.step + 1;
  return [...points.filter(([step]) => step < from && step <= answer.step), ...answer.points];
}

function keysOf({ id, key }) {
  return { id, key };
}

function nextStep({ points }) {
  return points.length ? points.at(-1)[0] + 1 : 0;
}
