"""The tree of continuations: every level sums to 1, and each share is a product of steps."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from export.runtimes.onnx_runtime import onnxruntime_runner
from export.runtimes.pytorch import pytorch_runner
from model import InputError, teaching_model
from model.continuations import LONGEST_DEPTH, continuation_tree, deepest
from model.generation import Ids, NextLogits
from model.sampling import Floats, SamplingSettings, sampling_steps
from ui.shipped_models import FILES

PLAIN = SamplingSettings(temperature=1.0)


@pytest.fixture(scope="module")
def next_logits() -> NextLogits:
    run = onnxruntime_runner(FILES / "mini_gpt_teaching.onnx")
    return lambda window: run(window)["logits"][:, -1]


@pytest.mark.parametrize("prompt", [[0, 1], [3], [4, 4, 2, 0, 1]])
def test_625_leaves_sum_to_one(next_logits: NextLogits, prompt: list[int]) -> None:
    levels = continuation_tree(next_logits, prompt, 2, PLAIN, 4)
    assert [len(level.share) for level in levels] == [5, 25, 125, 625]
    for level in levels:
        assert level.share.sum() == pytest.approx(1.0, abs=1e-12)


def test_a_leaf_is_the_product_of_its_steps(next_logits: NextLogits) -> None:
    leaves = continuation_tree(next_logits, [0, 1], 2, PLAIN, 3)[-1]
    found = dict(zip(map(tuple, leaves.words.tolist()), leaves.share.tolist(), strict=True))
    torch_run = pytorch_runner(teaching_model(), ("logits",))
    for words in product(range(5), repeat=3):
        sentence, share = [0, 1], 1.0
        for word in words:
            logits = torch_run(np.array([sentence[-2:]]))["logits"][:, -1]
            share *= sampling_steps(logits, PLAIN).probabilities[0, word]
            sentence.append(word)
        assert found[words] == pytest.approx(share, abs=1e-5)


def test_a_node_is_its_parent_and_one_word(next_logits: NextLogits) -> None:
    levels = continuation_tree(next_logits, [0], 2, PLAIN, 4)
    for above, below in pairwise(levels):
        np.testing.assert_array_equal(below.words[:, :-1], above.words[below.parent])
        np.testing.assert_array_equal(below.share, above.share[below.parent] * below.step)


def test_words_that_cannot_be_drawn_have_no_node(next_logits: NextLogits) -> None:
    levels = continuation_tree(next_logits, [0, 1], 2, SamplingSettings(1.0, top_k=2), 4)
    assert [len(level.share) for level in levels] == [2, 4, 8, 16]
    assert levels[-1].share.sum() == pytest.approx(1.0, abs=1e-12)
    certain = continuation_tree(next_logits, [0, 1], 2, SamplingSettings(), 4)
    assert [level.share.tolist() for level in certain] == [[1.0]] * 4
    assert certain[-1].words.tolist() == [[3, 1, 3, 1]]


def test_one_run_a_depth() -> None:
    batches: list[tuple[int, ...]] = []

    def counted(window: Ids) -> Floats:
        batches.append(window.shape)
        return np.zeros((len(window), 5))

    continuation_tree(counted, [0, 1, 2], 2, PLAIN, 4)
    assert batches == [(1, 2), (5, 2), (25, 2), (125, 2)]


def test_depth_is_checked_and_limited(next_logits: NextLogits) -> None:
    assert [deepest(size) for size in (1, 5, 6, 11, 50)] == [4, 4, 3, 2, 1]
    for depth in (0, LONGEST_DEPTH + 1, True):
        with pytest.raises(InputError, match="1 to 4"):
            continuation_tree(next_logits, [0], 2, PLAIN, depth)
