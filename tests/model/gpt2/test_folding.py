"""The bias of `lm_head` in the last LayerNorm's shift: the same probabilities, or said."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model import MiniGPT
from model.config import MiniGPTConfig
from model.errors import InputError
from model.gpt2.folder import check_folds
from model.gpt2.folding import folding
from model.parameters import weights_of
from model.teaching import teaching_model, teaching_state
from model.trained import trained_model
from model.training import new_model

CONFIG = MiniGPTConfig(5, 8, 4, 2, 2, 0.1)


def folded_twin(model: MiniGPT) -> MiniGPT:
    twin = MiniGPT(**model.config.as_dict()).eval()
    twin.load_state_dict(model.state_dict())
    with torch.no_grad():
        twin.final_norm.bias.copy_(torch.from_numpy(folding(weights_of(model)).shift))
        twin.lm_head.bias.zero_()
    return twin


def test_the_lessons_shift() -> None:
    folded = folding(teaching_state())
    np.testing.assert_allclose(folded.shift, [-0.2, 0.1, 0.3, -0.3], atol=1e-7)
    assert (folded.constant, folded.is_exact) == (0.0, True)


@pytest.mark.parametrize("make", [teaching_model, trained_model, lambda: new_model(CONFIG, 3)])
def test_probabilities_are_the_same_and_logits_differ_by_the_constant(make: object) -> None:
    model = make().eval()  # type: ignore[operator]
    token_ids = torch.randint(0, 5, (64, model.context_length))
    with torch.inference_mode():
        before, after = (network(token_ids)[0] for network in (model, folded_twin(model)))
    constant = folding(weights_of(model)).constant
    torch.testing.assert_close(after + constant, before, atol=2e-5, rtol=1e-5)
    torch.testing.assert_close(after.softmax(-1), before.softmax(-1), atol=3e-6, rtol=1e-5)


def test_a_bias_outside_the_span_is_not_exact_and_the_error_is_said() -> None:
    model = new_model(MiniGPTConfig(9, 4, 4, 2, 1), 0)
    folded = folding(weights_of(model))
    assert not folded.is_exact
    with pytest.raises(InputError) as caught:
        check_folds(folded, model.config)
    assert caught.value.code == "folding"
    assert caught.value.details["error"] == f"{folded.error:.2g}"
    token_ids = torch.randint(0, 9, (64, 4))
    with torch.inference_mode():
        before, after = (network(token_ids)[0] for network in (model, folded_twin(model)))
    worst = (after + folded.constant - before).abs().max()
    assert float(worst) == pytest.approx(folded.error, rel=1e-3)


def test_no_bias_is_exact_for_any_number_of_words() -> None:
    model = new_model(MiniGPTConfig(9, 4, 4, 2, 1), 0)
    with torch.no_grad():
        model.lm_head.bias.zero_()
    folded = folding(weights_of(model))
    assert (folded.error, folded.is_exact) == (0.0, True)
    np.testing.assert_array_equal(folded.shift, weights_of(model)["final_norm.bias"])


def test_words_that_cannot_be_told_apart_are_not_folded() -> None:
    """Two equal rows of the head with different biases: no shift tells them apart."""
    weights = {**teaching_state(), "lm_head.bias": np.arange(5, dtype=np.float32)}
    weights["lm_head.weight"][1] = weights["lm_head.weight"][0]
    assert not folding(weights).is_exact
