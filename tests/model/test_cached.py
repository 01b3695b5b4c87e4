"""PyTorch with a cache against PyTorch without, and what of a cache may be reused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from model import InputError, MiniGPT, generate
from model.cached import CachedTorch
from model.cached_prefix import reusable


def random_model(*sizes: int) -> MiniGPT:
    torch.manual_seed(0)
    return MiniGPT(*sizes).eval()


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("length", [1, 2, 7, 8, 11])
def test_token_for_token_until_long_after_the_window_slides(length: int, batch: int) -> None:
    model = random_model(5, 8, 4, 2, 2)
    ids = np.random.default_rng(length).integers(0, 5, (batch, length))
    expected = generate(model, ids, 12)
    actual = generate(model.config, ids, 12, next_logits=CachedTorch(model))
    np.testing.assert_array_equal(actual.token_ids, expected.token_ids)
    for theirs, ours in zip(expected.steps, actual.steps, strict=True):
        np.testing.assert_allclose(ours.last_logits, theirs.last_logits, rtol=0, atol=5e-6)


def test_only_new_tokens_are_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    model = random_model(5, 8, 4, 2, 2)
    traced: list[int] = []
    trace = model.trace

    def counting(ids: torch.Tensor, **given: Any) -> Any:
        traced.append(ids.shape[1])
        return trace(ids, **given)

    monkeypatch.setattr(model, "trace", counting)
    generate(model.config, [[0, 1, 2, 3, 4, 0]], 5, next_logits=CachedTorch(model))
    assert traced == [6, 1, 1, 8, 8]  # then the window slides, and nothing stands where it stood


@pytest.mark.parametrize("window", [[[0, 1]], torch.tensor([[0, 1]]), None])
def test_what_is_no_array_is_called_so(window: Any) -> None:
    with pytest.raises(InputError, match=type(window).__name__) as caught:
        CachedTorch(random_model(5, 8, 4, 2, 2))(window)
    assert caught.value.code == "window_array"


def test_bad_windows_are_refused() -> None:
    with pytest.raises(InputError):
        CachedTorch(random_model(5, 8, 4, 2, 2))(np.array([[5]]))


@pytest.mark.parametrize(
    ("seen", "window", "kept"),
    [
        ([[1, 2, 3]], [[1, 2, 3, 4]], 3),
        ([[1, 2, 3]], [[1, 2, 3]], 2),  # the last is always computed: its logits were not kept
        ([[1, 2, 3]], [[1, 2]], 1),
        ([[1, 2, 3]], [[1, 9, 3, 4]], 1),
        ([[1, 2, 3]], [[2, 3, 4]], 0),  # slid
        ([[1, 1, 1]], [[1, 1, 1]], 2),  # slid, but the same words stand at the same places
        ([[1, 2], [1, 3]], [[1, 2, 0], [1, 4, 0]], 1),  # as far as every row agrees
        ([[1, 2]], [[1, 2, 3], [1, 2, 3]], 0),
    ],
)
def test_what_may_be_reused(seen: list[list[int]], window: list[list[int]], kept: int) -> None:
    assert reusable(np.array(seen), np.array(window)) == kept
