"""Check my answer: the working area's call when a learner has calculated a number."""

from __future__ import annotations

from typing import Any

from model.answers import judge as judge_number
from model.answers import read_answer
from model.answers.printed import printed_otherwise
from model.answers.reading import Answer
from model.errors import InputError
from model.vocabulary import LESSON_A
from model.working import CHOICE
from ui.calls import Request, Response, server_call
from ui.model_entry import ModelEntry
from ui.panels.working import read_cell
from ui.requests import Prompt, read_prompt
from ui.sources import source_of

TEACHING = "teaching"


@server_call
def check_answer(request: Request) -> Response:
    """Grade `answer` against the number in `cell`: right, nearly or wrong, and a hint.

    For the chosen word, the word itself is accepted as well as its id.
    """
    prompt = read_prompt(request)
    key, cell = read_cell(request.get("cell"))
    answer = _read(request.get("answer"), key, prompt.entry)
    source = source_of(prompt)
    verdict = judge_number(source, key, cell, answer)
    hint = (is_of_lesson(prompt) and printed_otherwise(source, key, cell, answer)) or verdict.hint
    return {
        "grade": verdict.grade,
        "hint": None if hint is None else {"key": hint.key, "values": dict(hint.values)},
    }


SERVER_FUNCTIONS = [check_answer]


def is_of_lesson(prompt: Prompt) -> bool:
    """Whether the lesson prints these numbers: its weights, unchanged, on 我 喜欢."""
    return prompt.entry.id == TEACHING and not prompt.change and tuple(prompt.window) == LESSON_A


def _read(text: Any, key: str, entry: ModelEntry) -> Answer:
    if key == CHOICE and isinstance(text, str):
        try:
            (word,) = entry.vocabulary.encode(text)
        except (InputError, ValueError):  # not exactly one word: then it must be an id
            return read_answer(text)
        return Answer(float(word), 0)
    return read_answer(text)
