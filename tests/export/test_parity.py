"""PyTorch against ONNX Runtime: every prompt, every value, and the twin that must be caught."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from export.compare import ABSOLUTE_BOUND, compare, failures
from export.graph import LOGITS_ONLY, model_metadata, to_onnx
from export.runtimes import Runner
from export.runtimes.onnx_runtime import onnxruntime_runner
from export.runtimes.pytorch import pytorch_runner
from export.shipped import FILES, all_prompts, logits_file, trace_file
from model import MiniGPT, teaching_model
from model.trace import trace_shapes
from model.vocabulary import LESSON_WORDS

BATCH = 4096
ALL_PROMPTS = 488_280  # of 1 to 8 tokens over five words
NUDGE = 1e-3


def random_model() -> MiniGPT:
    torch.manual_seed(0)
    return MiniGPT(5, 8, 4, 2, 2, 0.1).eval()


def onnx_of(model: MiniGPT, names: tuple[str, ...]) -> Runner:
    metadata = model_metadata(model, "random", LESSON_WORDS)
    return onnxruntime_runner(to_onnx(model, names, metadata).SerializeToString())


@pytest.fixture(scope="module")
def random_logits() -> Runner:
    return onnx_of(random_model(), LOGITS_ONLY)


@pytest.fixture(scope="module")
def random_trace() -> Runner:
    return onnx_of(random_model(), tuple(trace_shapes(2)))


@pytest.mark.parametrize("file", [logits_file("teaching"), trace_file("teaching")])
def test_all_30_prompts_of_the_teaching_model(file: str) -> None:
    actual = onnxruntime_runner(FILES / file)
    names = LOGITS_ONLY if file == logits_file("teaching") else tuple(trace_shapes(1))
    expected = pytorch_runner(teaching_model(), names)
    prompts = 0
    for token_ids in all_prompts(5, 2):
        assert not failures(compare(expected(token_ids), actual(token_ids), ABSOLUTE_BOUND))
        prompts += len(token_ids)
    assert prompts == 30


@pytest.mark.long("all 488,280 prompts")
def test_all_488280_prompts_of_the_random_model(random_logits: Runner) -> None:
    expected = pytorch_runner(random_model(), LOGITS_ONLY)
    prompts, worst = 0, 0.0
    for token_ids in all_prompts(5, 8):
        for start in range(0, len(token_ids), BATCH):
            batch = token_ids[start : start + BATCH]
            (difference,) = compare(expected(batch), random_logits(batch), ABSOLUTE_BOUND)
            assert difference.ok, difference.reason()
            worst = max(worst, difference.max_abs)
            prompts += len(batch)
    assert prompts == ALL_PROMPTS
    assert 0 < worst <= ABSOLUTE_BOUND  # two engines that never differ are one engine


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (5, 2), (3, 7), (2, 8)])
def test_every_trace_value_away_from_the_export_example(
    random_trace: Runner, shape: tuple[int, int]
) -> None:
    token_ids = np.random.default_rng(0).integers(0, 5, shape)
    expected = pytorch_runner(random_model())(token_ids)
    assert not failures(compare(expected, random_trace(token_ids), ABSOLUTE_BOUND))


@pytest.mark.parametrize(
    ("weight", "first_key"),
    [
        ("token_embedding.weight", "token_embeddings"),
        ("position_embedding.weight", "position_embeddings"),
        ("blocks.0.ln1.weight", "blocks.0.ln1"),
        ("blocks.0.attention.qkv.weight", "blocks.0.query"),
        ("blocks.0.attention.output.weight", "blocks.0.attention_update"),
        ("blocks.0.ln2.bias", "blocks.0.ln2"),
        ("blocks.1.ffn.0.weight", "blocks.1.ffn_hidden"),
        ("blocks.1.ffn.0.bias", "blocks.1.ffn_hidden"),
        ("blocks.1.ffn.2.weight", "blocks.1.ffn_update"),
        ("final_norm.weight", "final_hidden"),
        ("lm_head.weight", "logits"),
        ("lm_head.bias", "logits"),
    ],
)
def test_the_twin_with_one_nudged_weight_is_caught(
    random_trace: Runner, weight: str, first_key: str
) -> None:
    twin = random_model()
    with torch.no_grad():
        twin.state_dict()[weight].flatten()[0] += NUDGE
    token_ids = np.array([[0, 1, 2, 3, 4, 0, 1, 2]])
    failed = failures(compare(pytorch_runner(twin)(token_ids), random_trace(token_ids)))
    assert failed[0].name == first_key
    assert "logits" in [difference.name for difference in failed]


def test_rows_of_a_batch_do_not_touch_each_other(random_logits: Runner) -> None:
    token_ids = np.random.default_rng(1).integers(0, 5, (16, 8))
    together = random_logits(token_ids)["logits"]
    for row in range(16):
        alone = random_logits(token_ids[row : row + 1])["logits"]
        np.testing.assert_array_equal(alone[0], together[row])
