"""Code and checkpoints written after the lesson's listing fit this network, and the reverse."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from model import MiniGPT, teaching_model
from tests.model.listing import NAMES, Listing

SIZES = (5, 8, 4, 2, 2, 0.1)
IDS = torch.tensor([[0, 1, 4], [3, 1, 2]])


def test_the_names_are_the_listing_s() -> None:
    assert list(teaching_model().state_dict()) == NAMES
    assert list(MiniGPT(*SIZES).state_dict()) == list(Listing(*SIZES).state_dict())


@pytest.mark.parametrize("ours_first", [True, False])
def test_a_checkpoint_of_one_loads_strictly_into_the_other(ours_first: bool) -> None:
    torch.manual_seed(1)
    ours, listing = MiniGPT(*SIZES).eval(), Listing(*SIZES).eval()
    one, other = (ours, listing) if ours_first else (listing, ours)
    with torch.inference_mode():
        assert (ours(IDS)[0] - listing(IDS)).abs().max() > 1e-2
        other.load_state_dict(one.state_dict(), strict=True)
        assert (ours(IDS)[0] - listing(IDS)).abs().max() < 1e-6


def test_modules_are_reached_as_in_the_listing() -> None:
    model = MiniGPT(*SIZES)
    assert model.context_length == 8
    widen, gelu, narrow, dropout = model.blocks[0].ffn  # type: ignore[misc]
    assert isinstance(widen, nn.Linear)
    assert isinstance(narrow, nn.Linear)
    assert (widen.out_features, narrow.out_features) == (16, 4)
    assert isinstance(gelu, nn.GELU)
    assert gelu.approximate == "none"
    assert isinstance(dropout, nn.Dropout)
    assert model.blocks[0].ffn[0] is widen  # type: ignore[index]


def test_the_two_errors_begin_with_the_rule_that_is_broken() -> None:
    with pytest.raises(ValueError, match=r"^model_dim must be divisible by num_heads"):
        MiniGPT(5, 8, 4, 3, 2, 0.1)
    with pytest.raises(ValueError, match=r"^sequence length exceeds context_length"):
        MiniGPT(*SIZES)(torch.zeros(1, 9, dtype=torch.int64))
