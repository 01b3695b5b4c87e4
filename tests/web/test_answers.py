"""The answers that the JavaScript tests get are those the server's functions give today."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.web.answers import FOLDER, files, today

ABSOLUTE = 2e-6  # another processor adds in another order
COMMAND = "python -m tests.web.answers"


def _parting(kept: Any, made: Any, path: str = "") -> list[str]:
    """Where the two are not the same."""
    if isinstance(kept, dict) and isinstance(made, dict):
        if kept.keys() != made.keys():
            return [f"{path}: {sorted(kept)} {sorted(made)}"]
        return [each for key in kept for each in _parting(kept[key], made[key], f"{path}.{key}")]
    if isinstance(kept, list) and isinstance(made, list):
        if len(kept) != len(made):
            return [f"{path}: {len(kept)} {len(made)}"]
        pairs = enumerate(zip(kept, made, strict=True))
        return [each for at, pair in pairs for each in _parting(*pair, f"{path}.{at}")]
    if isinstance(kept, float) or isinstance(made, float):
        numbers = all(type(each) in (int, float) for each in (kept, made))
        same = numbers and math.isclose(kept, made, rel_tol=1e-6, abs_tol=ABSOLUTE)
    else:
        same = type(kept) is type(made) and kept == made
    return [] if same else [f"{path}: {kept!r} {made!r}"]


def _stable(name: str, answer: Any) -> Any:
    """Without the rounding errors themselves, which are another processor's business."""
    if name == "differences" and answer.get("largest"):
        kept = [{key: value[key] for key in ("name", "ok")} for value in answer["values"]]
        return {**answer, "values": kept, "largest": sorted(answer["largest"])}
    if name == "cell_in_engines" and answer.get("values"):
        texts = answer["values"]
        return {
            **answer,
            "difference": None,
            "values": {each: _number(texts[each]) for each in texts},
        }
    return answer


def _number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-").replace("∞", "inf"))


def test_there_are_recorded_answers() -> None:
    assert list(files())


@pytest.mark.parametrize("file", [path.name for path in files()])
def test_the_answers_are_those_of_today(file: str) -> None:
    for entry in json.loads((FOLDER / file).read_text(encoding="utf-8")):
        name = entry["name"]
        kept, made = (_stable(name, answer) for answer in (entry["answer"], today(entry)))
        assert _parting(kept, made) == [], f"{name} {entry['request']}: {COMMAND}"
        assert type(kept) is type(made)


@pytest.mark.parametrize(
    ("kept", "made"),
    [
        ({"a": [1.0, 2.0]}, {"a": [1.0, 2.001]}),
        ({"a": [1.0]}, {"a": [1.0, 2.0]}),
        ({"a": "x"}, {"a": "y"}),
        ({"a": None}, {"a": 0.0}),
        ({"a": True}, {"a": 1}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, [1]),
    ],
)
def test_another_answer_is_found(kept: Any, made: Any) -> None:
    assert _parting(kept, made)
    assert not _parting(kept, kept)
