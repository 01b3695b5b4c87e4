"""The curve and the kept weights of a training."""

from __future__ import annotations

import numpy as np
import pytest

from model.errors import InputError
from ui.training import limits
from ui.training.history import History, keep_every


def filled(steps: range, every: int = 1) -> History:
    history = History()
    kept = [step for step in steps if step % every == 0]
    content = np.repeat(np.array(kept, np.float32), 3).tobytes()
    history.add([[step, 0.0, 0.0, None, None] for step in steps], kept, content)
    return history


def test_weights_of_a_kept_step() -> None:
    history = filled(range(10), every=3)
    assert history.step == 9
    assert history.kept_steps == [0, 3, 6, 9]
    assert history.weights_at(6).tolist() == [6.0, 6.0, 6.0]
    for step in (-1, 1, 10):
        with pytest.raises(InputError, match="0 to 9"):
            history.weights_at(step)


def test_a_step_that_is_reached_again_replaces_the_old() -> None:
    history = filled(range(10))
    again = np.full(3, 99, np.float32).tobytes()
    history.add([[5, 7.0, 0.0, None, None]], [5], again)
    assert [point[0] for point in history.points] == [0, 1, 2, 3, 4, 5]
    assert history.points[-1][1] == 7.0
    assert history.weights_at(5).tolist() == [99.0] * 3
    assert history.step == 5


def test_nothing_is_there_at_the_beginning() -> None:
    assert History().step == 0
    with pytest.raises(InputError):
        History().weights_at(0)


@pytest.mark.parametrize(("steps", "size"), [(2000, 4_000), (2000, 205_000), (1, 205_000)])
def test_what_is_kept_is_bounded(steps: int, size: int) -> None:
    every = keep_every(steps, size)
    count = steps // every + 2  # step 0, and the last
    assert count * size <= limits.KEPT_BYTES + size
    assert every == 1 or (steps + 1) * size > limits.KEPT_BYTES
