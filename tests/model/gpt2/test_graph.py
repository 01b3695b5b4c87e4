"""The ONNX file of the folder, in ONNX Runtime: with earlier tokens, padding and past the end."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
import torch

from export.runtimes.onnx_runtime import session_for
from model import MiniGPT
from model.gpt2.folding import folding
from model.gpt2.graph import cache_inputs, gpt2_graph
from model.gpt2.writing import gpt2_tensors
from model.parameters import weights_of
from model.trained import trained_model

WHOLE = np.array([[0, 1, 2, 4, 1, 3, 0, 1], [4, 4, 3, 2, 1, 0, 0, 2]])


@pytest.fixture(scope="module")
def model() -> MiniGPT:
    return trained_model()


def graph_of(model: MiniGPT, **how: bool) -> onnx.ModelProto:
    weights = weights_of(model)
    return gpt2_graph(
        model.config, gpt2_tensors(model.config, weights, folding(weights).shift), **how
    )


def expected(model: MiniGPT, token_ids: np.ndarray) -> np.ndarray:
    """The logits without folding's constant."""
    with torch.inference_mode():
        logits = model(torch.from_numpy(token_ids))[0].numpy()
    return np.asarray(logits - np.float32(folding(weights_of(model)).constant))


class Running:
    def __init__(self, model: MiniGPT, **how: bool) -> None:
        self.session = session_for(graph_of(model, **how).SerializeToString())
        self.config = model.config

    def __call__(
        self,
        token_ids: np.ndarray,
        past: list[np.ndarray] | None = None,
        mask: np.ndarray | None = None,
        positions: np.ndarray | None = None,
    ) -> list[Any]:
        batch, sequence = token_ids.shape
        shape = (batch, self.config.num_heads, 0, self.config.head_size)
        names = cache_inputs(self.config.num_layers)
        past = past or [np.zeros(shape, np.float32)] * len(names)
        begin = past[0].shape[2]
        end = begin + sequence
        feeds = {
            "input_ids": token_ids,
            "attention_mask": np.ones((batch, end), np.int64) if mask is None else mask,
            "position_ids": np.tile(np.arange(begin, end), (batch, 1))
            if positions is None
            else positions,
            **dict(zip(names, past, strict=True)),
        }
        results: list[Any] = self.session.run(None, feeds)
        return results


@pytest.fixture(scope="module")
def running(model: MiniGPT) -> Running:
    return Running(model)


def test_names_are_those_that_loaders_expect(model: MiniGPT) -> None:
    graph = graph_of(model).graph
    caches = [f"{{}}.{index}.{part}" for index in (0, 1) for part in ("key", "value")]
    assert [value.name for value in graph.input] == [
        "input_ids",
        "attention_mask",
        "position_ids",
        *(name.format("past_key_values") for name in caches),
    ]
    assert [value.name for value in graph.output] == [
        "logits",
        *(name.format("present") for name in caches),
    ]


def test_a_block_is_one_node_that_opens(model: MiniGPT) -> None:
    proto = graph_of(model)
    blocks = [node.name for node in proto.graph.node if node.op_type == "Block"]
    assert blocks == ["/h.0", "/h.1"]
    (function,) = proto.functions
    inside = [node.output[0] for node in function.node]
    assert {"ln1", "scores", "attention_probs", "ffn_activation"} <= set(inside)
    names = [node.name for node in (*proto.graph.node, *function.node)]
    assert all(name.startswith("/") for name in names)
    assert "transformer.h.1.mlp.c_fc.weight" in {tensor.name for tensor in proto.graph.initializer}


def test_logits_in_one_call_and_word_by_word(running: Running, model: MiniGPT) -> None:
    logits = expected(model, WHOLE)
    whole = running(WHOLE)
    np.testing.assert_allclose(whole[0], logits, atol=2e-5)
    past = None
    for place in range(8):
        step = running(WHOLE[:, place : place + 1], past)
        np.testing.assert_allclose(step[0][:, 0], logits[:, place], atol=2e-5)
        past = step[1:]
    rest = running(WHOLE[:, 3:], running(WHOLE[:, :3])[1:])
    np.testing.assert_allclose(rest[0], logits[:, 3:], atol=2e-5)


def test_padding_on_the_left_changes_nothing(running: Running, model: MiniGPT) -> None:
    short = WHOLE[:1, :3]
    padded = np.concatenate([np.zeros((1, 2), np.int64), short], axis=1)
    mask = np.array([[0, 0, 1, 1, 1]])
    positions = np.array([[1, 1, 0, 1, 2]])  # as transformers fills them
    given = running(padded, mask=mask, positions=positions)
    np.testing.assert_allclose(given[0][:, 2:], expected(model, short), atol=2e-5)
    assert np.isfinite(given[0]).all()


def test_past_the_context_nothing_is_silent(running: Running) -> None:
    past = running(WHOLE)[1:]
    with pytest.raises(Exception, match="out of data bounds"):
        running(WHOLE[:, :1], past)


def test_the_end_of_text_never_comes(model: MiniGPT) -> None:
    logits = Running(model, with_end=True)(WHOLE)[0]
    assert logits.shape == (2, 8, 6)
    np.testing.assert_allclose(logits[..., :5], expected(model, WHOLE), atol=2e-5)
    assert (logits[..., 5] < -3e38).all()


def test_eight_bits_are_what_the_card_measured(model: MiniGPT) -> None:
    from model.gpt2.quantising import eight_bits

    weights = weights_of(model)
    folded = {**weights, "final_norm.bias": folding(weights).shift}
    coarse = model.logits_with(
        {**eight_bits(model.config, folded), "lm_head.bias": np.zeros(5, np.float32)}, WHOLE
    )
    given = Running(model, eight_bits=True)(WHOLE)[0]
    np.testing.assert_allclose(given, coarse, atol=3e-5)
    assert np.abs(given - expected(model, WHOLE)).max() > 1e-3
