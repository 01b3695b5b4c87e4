/**
 * The tour: six steps, each done by the person and checked by the page.
 *
 * scene: the state it begins with. hides: the stages whose results it hides. target: what it
 * rings, a cell of the map ({key, cell}) or a tool ({tab}). shows: what is brought into view. isDone: whether the person has done it.
 */

import { LESSON_A } from "../state.js";

const TEACHING = { model: "teaching", edits: {}, switches: {}, tokens: LESSON_A };
const CLOSED = { stage: null, cell: null, panel: null, film: null };

const LIKED = LESSON_A.length - 1; // the position of 喜欢
const LEARNED = 2; // AI, which follows 我 喜欢 in what is learned
const LEARNING = 3; // 学习, which the hand-set weights prefer
const HEAD = "blocks.0.head.1";
const SUM = { key: "blocks.0.residual_after_attention", cell: [LIKED, 0] };
const SCORE = { key: "logits", cell: [LIKED, LEARNING] };
const PROBABILITY = { key: "vocabulary_probs", cell: [LIKED, LEARNING] };
const OWN_WORDS = 3;

const isOpen = ({ stage, cell }, target) => stage === target.key && `${cell}` === `${target.cell}`;
const isLessonsA = ({ tokens }) => `${tokens}` === `${LESSON_A}`;

export const STEPS = Object.freeze([
  {
    id: "guess",
    scene: { ...TEACHING, ...CLOSED },
    hides: ["logits"],
    shows: PROBABILITY,
    asksWord: true,
    isDone: (state, view, { guess }) => guess !== null,
  },
  {
    id: "why",
    scene: { ...TEACHING, ...CLOSED },
    target: SCORE,
    isDone: (state) => isOpen(state, SCORE),
  },
  {
    id: "break",
    scene: { ...TEACHING, ...CLOSED, stage: PROBABILITY.key, cell: PROBABILITY.cell },
    target: { tab: "weights" },
    isDone: ({ switches }) => switches[HEAD] === false,
  },
  {
    id: "train",
    scene: { ...TEACHING, ...CLOSED },
    target: { tab: "training" },
    isDone: (state, view) => state.model !== "teaching" && isLessonsA(state) && winnerOf(view) === LEARNED,
  },
  {
    id: "pencil",
    scene: { ...TEACHING, ...CLOSED, stage: SUM.key, cell: SUM.cell },
    target: SUM,
    hides: [SUM.key],
    isDone: (state, view, { isSolved }) => view.trace !== null && isSolved(SUM),
  },
  {
    id: "yours",
    scene: { ...TEACHING, ...CLOSED, tokens: Object.freeze([]) },
    isDone: ({ tokens }) => tokens.length >= OWN_WORDS,
  },
]);

/** The id of the most probable next word; null where there is none. */
export function winnerOf({ probabilities }) {
  return probabilities ? probabilities.indexOf(Math.max(...probabilities)) : null;
}

/** What of the state a step sets, and what is put back at the end. */
export const SET_BY_STEPS = Object.keys(STEPS[0].scene);
