"""What the browser gets: the view of a sentence, the next word, text as ids, differences."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest

from model.config import MiniGPTConfig
from model.generation import generate
from model.parameters import weights_of
from model.trace import trace_shapes
from model.training import new_model
from model.vocabulary import LESSON_WORDS
from tests.lesson import HALF_A_DIGIT, LESSON
from ui import torch_loading
from ui.engines import TORCH, run
from ui.models import model_entry
from ui.training.service import service
from ui.views import MOST_LISTED, differences, read, step, view

PROMPT_A = LESSON["prompts"]["A"]


@pytest.fixture(scope="module", autouse=True)
def _torch() -> None:
    torch_loading.wait()


@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
def test_a_view_holds_the_whole_trace_in_json(engine: str) -> None:
    shown = view({"tokens": [4, 0, 1], "engine": engine})
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert shown["model"]["words"] == LESSON["vocabulary"]
    assert shown["model"]["config"]["context_length"] == 2
    assert (shown["engine"], shown["window"], shown["window_start"]) == (engine, [0, 1], 1)
    assert list(shown["trace"]) == list(trace_shapes(1))
    assert shown["trace"]["blocks.0.masked_scores"][0][0][1] is None
    assert np.shape(shown["trace"]["position_embeddings"]) == (2, 4)
    assert shown["logits"] == shown["trace"]["logits"][-1]
    assert np.allclose(shown["logits"], PROMPT_A["logits"], atol=HALF_A_DIGIT)
    assert np.allclose(shown["probabilities"], PROMPT_A["vocabulary_probs_derived"], atol=1e-6)


@pytest.fixture(scope="module")
def large() -> dict[str, Any]:
    """A request for more numbers than are listed, in PyTorch, which needs no file for its sizes."""
    config = MiniGPTConfig(5, 16, 16, 2, 2)
    own = service.own.load(config, weights_of(new_model(config, 0)), LESSON_WORDS)
    return {"tokens": [0, 1, 4, 2] * 4, "model": own.entry.id, "engine": TORCH}


def arrays_of(request: dict[str, Any]) -> Any:
    return run(model_entry(request["model"]), TORCH, request["tokens"])


def of_bytes(trace: dict[str, str]) -> Any:
    return np.frombuffer(base64.b64decode(trace["float32"]), dtype="<f4")


def test_many_numbers_travel_as_the_bytes_of_the_trace(large: dict[str, Any]) -> None:
    arrays = arrays_of(large)
    ordered = np.concatenate([arrays[name].ravel() for name in trace_shapes(2)])
    assert ordered.size > MOST_LISTED
    shown = view(large)
    assert list(shown["trace"]) == ["float32"]
    np.testing.assert_array_equal(of_bytes(shown["trace"]), ordered)
    assert shown["logits"] == arrays["logits"][0, -1].tolist()
    assert shown["probabilities"] == arrays["vocabulary_probs"][0, -1].tolist()
    assert "block" not in shown


def test_of_a_named_block_come_its_values_and_the_residual_stream_of_all(
    large: dict[str, Any],
) -> None:
    arrays = arrays_of(large)
    kept = [
        name
        for name in trace_shapes(2)
        if name.startswith("blocks.1.") or "residual" in name or "." not in name
    ]
    shown = view({**large, "block": 1, "switches": {"final_norm": False}})
    assert shown["block"] == 1
    expected = np.concatenate([arrays[name].ravel() for name in kept])
    np.testing.assert_array_equal(of_bytes(shown["baseline"]), expected)
    assert of_bytes(shown["trace"]).size == expected.size
    assert step({**large, "block": 0})["view"]["block"] == 0


@pytest.mark.parametrize("block", [-1, 99, "0", True, 0.0])
def test_a_block_that_there_is_not(large: dict[str, Any], block: Any) -> None:
    assert view({**large, "block": block})["error"]["code"] == "count"


def test_few_numbers_are_lists_whatever_block_is_named() -> None:
    assert view({"tokens": [0, 1], "block": 0}) == view({"tokens": [0, 1]})


def test_an_empty_sentence_has_a_view_without_numbers() -> None:
    shown = view({"tokens": []})
    assert shown["model"]["id"] == "teaching"
    assert (shown["trace"], shown["logits"], shown["probabilities"]) == (None, None, None)


@pytest.mark.parametrize("sampling", [{"mode": "argmax"}, {"mode": "sample", "temperature": 1.7}])
def test_steps_give_the_words_of_one_long_generation(sampling: dict[str, Any]) -> None:
    tokens, count, seed = [0, 1], 20, 11
    for index in range(count):
        answer = step({"tokens": tokens, "sampling": sampling, "seed": seed, "index": index})
        tokens = [*tokens, answer["next_id"]]
        assert answer["view"]["tokens"] == tokens
    entry = model_entry("teaching")
    whole = generate(
        entry.config,
        [[0, 1]],
        count,
        temperature=sampling.get("temperature", 0.0),
        seed=seed,
        next_logits=lambda window: run(entry, TORCH, window[0].tolist())["logits"][:, -1],
    )
    assert tokens == whole.token_ids[0].tolist()


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"tokens": []}, "empty_prompt"),
        ({"tokens": [0] * 256}, "token_limit"),
        ({"tokens": [0], "sampling": {"mode": "sample"}, "seed": "x"}, "seed"),
        ({"tokens": [0], "index": -1}, "count"),
        ({"tokens": [0], "index": 1.5}, "count"),
    ],
)
def test_a_step_that_cannot_be_made_is_explained(request_: dict[str, Any], code: str) -> None:
    assert step(request_)["error"]["code"] == code


def test_text_is_read_as_people_type_it() -> None:
    assert read({"text": "我　喜欢ａｉ"}) == {"tokens": [0, 1, 2]}
    error = read({"text": "我 狗", "lang": "en"})["error"]
    assert "“狗” at character 3" in error["text"]


def test_differences_name_every_value_and_the_largest() -> None:
    found = differences({"tokens": [0, 1]})
    assert found["state"] == "ready"
    assert [value["name"] for value in found["values"]] == list(trace_shapes(1))
    assert all(value["ok"] for value in found["values"])
    assert found["largest"]["max_abs"] == max(value["max_abs"] for value in found["values"])


def test_nothing_is_compared_for_an_empty_sentence() -> None:
    assert differences({"tokens": []}) == {"state": "ready", "values": [], "largest": None}
