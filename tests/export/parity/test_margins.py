"""The same text for ever: in every window the first word leads by more than two engines differ."""

from __future__ import annotations

import pytest
import torch

from export.parity.results import RESULTS, read
from export.runtimes.catalogue import RUNTIMES
from model.shipped import SHIPPED

_PIECE = 16_384  # windows at a time


def smallest_margin(name: str) -> float:
    """Between the first and the second word's logit, over all windows of all lengths."""
    model = SHIPPED[name].load()
    smallest = float("inf")
    words = torch.arange(model.config.vocab_size)
    for length in range(1, model.context_length + 1):
        windows = torch.cartesian_prod(*[words] * length).reshape(-1, length)
        for piece in torch.split(windows, _PIECE):
            with torch.inference_mode():
                first, second = model(piece)[0][:, -1].topk(2).values.unbind(-1)
            smallest = min(smallest, float((first - second).min()))
    return smallest


@pytest.mark.long("all 488,280 windows")
@pytest.mark.parametrize(("name", "margin"), [("teaching", 0.066), ("trained", 2.6e-4)])
def test_no_window_is_so_close_that_an_engine_could_choose_another_word(
    name: str, margin: float
) -> None:
    smallest = smallest_margin(name)
    assert smallest >= margin
    for record in read(RESULTS):
        counts = record.weights == name and record.max_abs_logits is not None
        if counts and RUNTIMES[record.runtime].approximate is None:
            assert record.max_abs_logits is not None
            assert 2 * record.max_abs_logits < smallest, record.title
