"""What a token costs, as the browser calls it (the panel: tests/web/panel_cost.test.js)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.decode import all_peers
from tests.ui.panels.opening import LANGUAGES
from ui.measured import DECODE
from ui.panels import cost
from ui.texts import strings

STORED: dict[str, Any] = {
    "machine": {"cpu": "A Processor", "cores": 2, "memory_gb": 24},
    "titles": {},
    "versions": {"mini-gpt": "onnxruntime 1"},
    "sizes": {
        "gpt2-small": {
            "vocab_size": 50257,
            "context_length": 1024,
            "model_dim": 768,
            "num_heads": 12,
            "num_layers": 12,
            "threads": 2,
        }
    },
    "cells": [
        {"size": size, "measure": measure, "position": position, "batch": batch, "peer": peer}
        | ({"failed": "no"} if median is None else {"median": median})
        for size, measure, position, batch, peer, median in (
            ("gpt2-small", "step", 128, 1, "lesson", 0.5),
            ("gpt2-small", "step", 16, 1, "lesson", 0.2),
            ("gpt2-small", "step", 16, 1, "mini-gpt", 0.03),
            ("gpt2-small", "step", 128, 1, "mini-gpt", 0.031),
            ("gpt2-small", "step", 16, 1, "llama-cpp", 0.04),
            ("gpt2-small", "step", 128, 1, "llama-cpp", None),
            ("gpt2-small", "step", 16, 8, "mini-gpt", 0.1),
            ("gpt2-small", "prefill", 16, 1, "mini-gpt", 0.1),
            ("tiny", "step", 16, 1, "mini-gpt", 0.1),
        )
    ],
}


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Forget what was read; the returned function puts a file in place of the stored one."""
    path = tmp_path / "decode.json"
    monkeypatch.setattr(cost, "DECODE", path)

    def forget() -> None:
        cost._stored.cache_clear()
        cost._measured.cache_clear()

    forget()
    yield lambda: path.write_text(json.dumps(STORED), encoding="utf-8")
    forget()


def test_the_count_is_worked_out_with_its_numbers() -> None:
    answer = cost.token_cost({"length": 2})
    scores = next(row for row in answer["products"] if row["name"] == "scores")
    assert scores == {
        "name": "scores",
        "letters": "L·H·N·T·D",
        "without": {"numbers": "1·2·2·2·2", "result": 16},
        "cached": {"numbers": "1·2·1·2·2", "result": 8},
    }
    for row in answer["products"]:
        for kind in ("without", "cached"):
            result = 1
            for number in row[kind]["numbers"].split("·"):
                result *= int(number)
            assert result == row[kind]["result"]
    assert answer["multiplications"]["without"] == 456
    assert answer["multiplications"]["cached"] == 228


@pytest.mark.parametrize("length", range(1, 9))
def test_a_cache_saves_exactly_the_length(length: int) -> None:
    answer = cost.token_cost({"model": "trained", "length": length})
    sums = answer["multiplications"]
    assert sums["times"] * sums["cached"] == sums["without"]
    assert sums["times"] == answer["length"] == min(length, answer["context_length"])


def test_lengths_are_held_within_the_window() -> None:
    assert cost.token_cost({"length": 0})["length"] == 1
    assert cost.token_cost({"length": 99})["length"] == 2
    assert cost.token_cost({})["length"] == 2
    assert cost.token_cost({"length": "2", "lang": "en"})["error"]["code"] == "count"


def test_the_large_network_is_the_one_that_was_measured(stored: Any) -> None:
    refused = cost.token_cost({"network": "large"})
    assert refused["error"]["code"] == "choice"
    stored()
    cost._stored.cache_clear()
    answer = cost.token_cost({"network": "large", "length": 1024})
    assert answer["weight_bytes"]["cached"] == 494_673_220
    assert answer["cache_bytes"]["cached"] == 1024 * 2 * 12 * 768 * 4


def test_measured_steps_of_one_row_only_in_order(stored: Any) -> None:
    assert cost.measured_cost({}) == {"measured": None}
    stored()
    cost._stored.cache_clear()
    cost._measured.cache_clear()
    measured = cost.measured_cost({})["measured"]
    assert measured["positions"] == [16, 128]
    engines = {engine["name"]: engine["milliseconds"] for engine in measured["engines"]}
    assert engines == {
        "mini-gpt": [30.0, 31.0],
        "lesson": [200.0, 500.0],
        "llama-cpp": [40.0, None],
    }
    assert next(iter(engines)) == "mini-gpt"


def test_every_engine_has_a_name_in_both_languages() -> None:
    texts = strings()
    for peer in all_peers():
        assert set(texts[f"cost.peer.{peer.name}"]) == set(LANGUAGES)


def test_the_measurement_that_is_told_is_the_one_kept() -> None:
    """What tests/web/panel_cost.test.js shows is recorded from this answer."""
    cells = json.loads(DECODE.read_text(encoding="utf-8"))["cells"]
    measured = cost.measured_cost({})["measured"]
    for engine in measured["engines"]:
        for position, milliseconds in zip(
            measured["positions"], engine["milliseconds"], strict=True
        ):
            place = ("gpt2-small", "step", position, 1, engine["name"])
            (cell,) = (
                each
                for each in cells
                if tuple(each[k] for k in ("size", "measure", "position", "batch", "peer")) == place
            )
            median = cell.get("median")
            expected = None if median is None else pytest.approx(median * 1e3, rel=0.01)
            assert milliseconds == expected, place
