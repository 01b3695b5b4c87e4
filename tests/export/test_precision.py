"""PyTorch's own distance from float64, and the bound made from it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from export.compare import RELATIVE_FACTOR, failures
from export.precision import bounds, own_distance
from export.shipped import compared_prompts, prove, proven_forms, trace_file
from model.config import MiniGPTConfig
from model.teaching import teaching_model
from model.trace import trace_shapes
from model.training import new_model
from model.vocabulary import LESSON_WORDS

NAMES = tuple(trace_shapes(1))


def test_distance_of_one_operation_by_hand() -> None:
    model = teaching_model()
    prompt = np.array([[0, 1]])
    single = np.float32(0.2) + np.float32(0.05)
    double = np.float64(np.float32(0.2)) + np.float64(np.float32(0.05))
    found = own_distance(model, ("token_embeddings", "residual_0"), [prompt])
    assert found["token_embeddings"] == 0  # read, not computed
    assert 0 < abs(float(single) - double) <= found["residual_0"] < 1e-7


def test_the_largest_over_all_prompts_counts() -> None:
    model = teaching_model()
    prompts = list(compared_prompts(5, 2, 4096))
    each = [own_distance(model, NAMES, [prompt]) for prompt in prompts]
    whole = own_distance(model, NAMES, prompts)
    assert whole == {name: max(one[name] for one in each) for name in NAMES}
    assert bounds(whole) == {name: RELATIVE_FACTOR * whole[name] for name in NAMES}


def test_the_model_stays_float32() -> None:
    model = teaching_model()
    own_distance(model, ("logits",), [np.array([[0]])])
    assert {weight.dtype for weight in model.parameters()} == {torch.float32}


def test_every_prompt_or_a_seeded_sample() -> None:
    shapes = [prompts.shape for prompts in compared_prompts(5, 4, 125)]
    assert shapes == [(5, 1), (25, 2), (125, 3), (125, 4)]
    first, again = (list(compared_prompts(5, 4, 125)) for _ in range(2))
    assert all(np.array_equal(one, two) for one, two in zip(first, again, strict=True))


@pytest.mark.long("an export of its own")
def test_any_weights_are_proven_within_their_own_bound() -> None:
    model = new_model(MiniGPTConfig(5, 3, 4, 2, 1, 0.1), 0).eval()
    for weight in model.parameters():
        weight.data *= 3  # far from the lesson's
    contents, proofs = proven_forms("own", model, LESSON_WORDS, None, every=64)
    assert [(proof.prompts, proof.drawn) for proof in proofs] == [(5 + 25 + 64, 64)] * 2
    assert not failures(proofs[1].differences)
    nudged = new_model(MiniGPTConfig(5, 3, 4, 2, 1, 0.1), 0).eval()
    nudged.load_state_dict(model.state_dict())
    nudged.get_parameter("blocks.0.ffn.0.bias").data[0] += 1e-3
    with pytest.raises(AssertionError, match=r"blocks\.0\.ffn_hidden: DIFFERS"):
        prove("twin", contents[trace_file("own")], nudged, NAMES, None)
