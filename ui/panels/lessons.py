"""Five guided lessons: what each step sets on the page, and the task at the end.

The texts are in `languages/*/page/lessons.json`: `lessons.<id>.title`, `.question`, `.step_1`, …,
`.task`, `.done`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from model.answers import Verdict, judge, read_answer
from model.answers.judging import Hint, judge_value
from model.answers.printed import printed_otherwise
from model.corpus import LESSON_CORPUS, read_corpus, windows_of
from model.errors import InputError
from model.lesson_batch import lesson_batch
from model.switches import Switches
from model.vocabulary import LESSON_A
from model.working.layer_norm import LESSON_ROW, lesson_source
from ui.calls import Request, Response, server_call
from ui.changes import Change
from ui.engines import ONNX_RUNTIME, runner
from ui.models import model_entry
from ui.panel import Panel, Way
from ui.panels.answers import is_of_lesson
from ui.requests import Prompt
from ui.sources import source_of
from ui.views import view_of

SAME_WORD = (0, 0)  # 我 我
LEARNING = 3  # 学习
_NEARLY_NOTHING = 5e-5  # shown as no change with four decimals
_HALF_A_THOUSANDTH = 5e-4  # the lesson calculates this example to three decimals


@dataclass(frozen=True)
class LessonStep:
    """What the page shows at one step: a sentence, a cell, and the switches that are off."""

    tokens: tuple[int, ...]
    stage: str
    cell: tuple[int, ...]
    off: tuple[str, ...] = ()

    def patch(self) -> dict[str, Any]:
        """The part of the page's state that the step sets."""
        return {
            "model": "teaching",
            "edits": {},
            "tokens": list(self.tokens),
            "stage": self.stage,
            "cell": list(self.cell),
            "switches": dict.fromkeys(self.off, False),
        }


Check = Callable[[str], Verdict]


@dataclass(frozen=True)
class Lesson:
    """Steps, then a task at the cell in `at`; `check` grades what a learner typed."""

    id: str
    steps: tuple[LessonStep, ...]
    at: LessonStep
    check: Check = field(repr=False)


def _teaching(tokens: tuple[int, ...], off: tuple[str, ...] = ()) -> Prompt:
    change = Change(switches=Switches(frozenset(off)))
    return Prompt(list(tokens), model_entry("teaching"), ONNX_RUNTIME, change)


def _cell(at: LessonStep) -> Check:
    """The task is the number in a cell."""

    def check(text: str) -> Verdict:
        prompt, answer = _teaching(at.tokens, at.off), read_answer(text)
        source = source_of(prompt)
        verdict = judge(source, at.stage, at.cell, answer)
        printed = printed_otherwise(source, at.stage, at.cell, answer)
        return replace(verdict, hint=printed) if printed and is_of_lesson(prompt) else verdict

    return check


def _most_probable_word(tokens: tuple[int, ...], off: tuple[str, ...]) -> Check:
    """The task is the word that comes next when `off` is switched off."""

    def check(text: str) -> Verdict:
        prompt = _teaching(tokens, off)
        probabilities = view_of(prompt)["probabilities"]
        right = prompt.entry.vocabulary.words[probabilities.index(max(probabilities))]
        given = prompt.entry.vocabulary.decode(prompt.entry.vocabulary.encode(text))
        return Verdict("right") if given == [right] else Verdict("wrong", Hint("try_switch"))

    return check


def _probability_change(tokens: tuple[int, ...], off: tuple[str, ...], word: int) -> Check:
    """The task is the change of a word's probability when `off` is switched off."""

    def check(text: str) -> Verdict:
        before, after = (
            view_of(_teaching(tokens, each))["probabilities"][word] for each in ((), off)
        )
        change = after - before if abs(after - before) > _NEARLY_NOTHING else 0.0
        return judge_value(change, read_answer(text)) or Verdict("wrong", Hint("try_switch"))

    return check


def _normalized_four(text: str) -> Verdict:
    """The task is the last number of LayerNorm of 1, 2, 3, 4, to three decimals."""
    answer, source = read_answer(text), lesson_source()
    key, cell = "blocks.0.ln1.normalized", (0, len(LESSON_ROW) - 1)
    if abs(answer.value - source.operand(key, *cell).value) <= _HALF_A_THOUSANDTH:
        return Verdict("right")
    return judge(source, key, cell, answer)


_UNPLACED = ("position_embedding",)
_TWICE = LessonStep(SAME_WORD, "blocks.0.attention_probs", (0, 1, 0), _UNPLACED)
_SUM = LessonStep(LESSON_A, "blocks.0.residual_after_attention", (1, 0))
_NORM = LessonStep(LESSON_A, "blocks.0.ln1", (1, 0))
_GELU = LessonStep(LESSON_A, "blocks.0.ffn_activation", (1, 0))

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "positions",
        (
            LessonStep(SAME_WORD, "residual_0", (1, 0)),
            LessonStep(SAME_WORD, "residual_0", (1, 0), _UNPLACED),
            LessonStep(SAME_WORD, "blocks.0.ln1", (1, 0), _UNPLACED),
        ),
        _TWICE,
        _cell(_TWICE),
    ),
    Lesson(
        "heads",
        (
            LessonStep(LESSON_A, "blocks.0.attention_probs", (0, 1, 0)),
            LessonStep(LESSON_A, "blocks.0.head_outputs", (1, 1, 0)),
            LessonStep(LESSON_A, "vocabulary_probs", (1, 3), ("blocks.0.head.1",)),
        ),
        LessonStep(LESSON_A, "vocabulary_probs", (1, 3)),
        _most_probable_word(LESSON_A, ("blocks.0.head.0",)),
    ),
    Lesson(
        "mask",
        (
            LessonStep(LESSON_A, "blocks.0.masked_scores", (0, 0, 1)),
            LessonStep(LESSON_A, "blocks.0.attention_probs", (0, 0, 1)),
            LessonStep(LESSON_A, "blocks.0.attention_probs", (0, 0, 1), ("causal_mask",)),
        ),
        LessonStep(LESSON_A, "vocabulary_probs", (1, 3), ("causal_mask",)),
        _probability_change(LESSON_A, ("causal_mask",), LEARNING),
    ),
    Lesson(
        "residual",
        (
            _SUM,
            LessonStep(LESSON_A, _SUM.stage, _SUM.cell, ("blocks.0.residual_attention",)),
            _NORM,
            LessonStep(LESSON_A, "blocks.0.ln1", (1, 0), ("blocks.0.ln1",)),
        ),
        _NORM,
        _normalized_four,
    ),
    Lesson(
        "ffn",
        (
            LessonStep(LESSON_A, "blocks.0.ffn_hidden", (1, 2)),
            LessonStep(LESSON_A, "blocks.0.ffn_activation", (1, 2)),
            LessonStep(LESSON_A, "vocabulary_probs", (1, 3), ("blocks.0.ffn",)),
        ),
        LessonStep(LESSON_A, "blocks.0.ffn_hidden", (1, 0)),
        _cell(_GELU),
    ),
)


@server_call
def lessons(request: Request) -> Response:
    """The lessons in order: what each step sets, and where the task is.

    `batch` is the lesson's two sentences as a batch: every array's shape, and its words or value.
    """
    return {
        "lessons": [
            {
                "id": lesson.id,
                "steps": [step.patch() for step in lesson.steps],
                "task": lesson.at.patch(),
            }
            for lesson in LESSONS
        ],
        "batch": _batch(),
    }


@server_call
def check_lesson(request: Request) -> Response:
    """Grade `answer` to the task of the lesson with id `lesson`."""
    by_id = {lesson.id: lesson for lesson in LESSONS}
    asked = request.get("lesson")
    if not isinstance(asked, str) or asked not in by_id:
        raise InputError("choice", name="lesson", choices=", ".join(by_id), value=repr(asked)[:40])
    verdict = by_id[asked].check(str(request.get("answer", "")))
    hint = verdict.hint
    return {
        "grade": verdict.grade,
        "hint": None if hint is None else {"key": hint.key, "values": dict(hint.values)},
    }


SERVER_FUNCTIONS = [lessons, check_lesson]
PANEL = Panel(Way.LESSONS, order=5, shows_results=False)


def _batch() -> dict[str, Any]:
    entry = model_entry("teaching")
    vocabulary = entry.vocabulary
    windows = windows_of(read_corpus(LESSON_CORPUS, vocabulary), entry.config.context_length)
    run = runner(entry, ONNX_RUNTIME, Change())
    arrays = vars(lesson_batch(windows, lambda ids: np.asarray(run(ids)["logits"])))
    told: dict[str, dict[str, Any]] = {name: {"shape": list(a.shape)} for name, a in arrays.items()}
    for name in ("token_ids", "targets", "next_id", "appended_ids"):
        told[name]["words"] = [" ".join(vocabulary.decode(row)) for row in arrays[name].tolist()]
    told["flat_targets"]["words"] = vocabulary.decode(arrays["flat_targets"].tolist())
    told["loss"]["value"] = arrays["loss"].item()
    return told
