"""Static files: any prompt becomes one of full length, and its padding is cut off again."""

from __future__ import annotations

import numpy as np

from export.runtimes.declaration import Arrays, Feeds
from export.runtimes.pytorch import pytorch_runner
from export.runtimes.rows import row_by_row
from export.shipped import all_prompts
from model.teaching import teaching_model


def test_padding_on_the_right_changes_nothing_that_is_left() -> None:
    whole = pytorch_runner(teaching_model())
    seen: list[tuple[int, ...]] = []

    def run_one(feeds: Feeds) -> Arrays:
        seen.append(feeds["token_ids"].shape)
        return whole(feeds["token_ids"])

    run = row_by_row(run_one, context_length=2, num_layers=1)
    for prompts in all_prompts(5, 2):
        expected, actual = whole(prompts), run({"token_ids": prompts})
        assert list(actual) == list(expected)
        for name, value in expected.items():
            assert actual[name].shape == value.shape, name
            np.testing.assert_allclose(actual[name], value, rtol=0, atol=1e-6, err_msg=name)
    assert set(seen) == {(1, 2)}
    assert len(seen) == 30
