"""The form whose weights and switches are inputs, beside PyTorch and the shipped trace file."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from numpy.typing import NDArray

from export.compare import ABSOLUTE_BOUND, compare, failures
from export.forms.editable import EDITABLE_FORM
from export.forms.editable_proof import editable_differences, proof_prompts, single_switches
from export.runtimes.editable import editable_runner, editable_session, shipped_file
from export.runtimes.onnx_runtime import onnxruntime_runner
from export.runtimes.pytorch_editable import pytorch_editable_runner
from export.shipped import FILES, all_prompts, editable_file, trace_file
from model import InputError, MiniGPT, MiniGPTConfig
from model.edits import apply_edits
from model.parameters import parameter_shapes, weights_of
from model.switches import ALL_ON, Switches, gate_axes
from model.teaching import TEACHING_CONFIG, teaching_state
from model.trace import trace_shapes

OTHER_SIZES = MiniGPTConfig(5, 8, 4, 2, 2)
NUDGE = 1e-3
CASES = {"as it is": ALL_ON, **single_switches(TEACHING_CONFIG)}


def random_edits(seed: int) -> dict[str, dict[str, float]]:
    """A few edits of every parameter."""
    draw = np.random.default_rng(seed)
    edits: dict[str, dict[str, float]] = {}
    for name, shape in parameter_shapes(TEACHING_CONFIG).items():
        cells = [",".join(str(draw.integers(size)) for size in shape) for _ in range(3)]
        edits[name] = {cell: float(draw.normal()) for cell in cells}
    return edits


@pytest.mark.parametrize("case", CASES)
def test_both_engines_agree_under_every_switch_for_all_30_prompts(case: str) -> None:
    weights = teaching_state()
    expected = pytorch_editable_runner(TEACHING_CONFIG, weights, CASES[case])
    actual = editable_runner(TEACHING_CONFIG, weights, CASES[case])
    prompts = 0
    for token_ids in all_prompts(5, 2):
        found = compare(expected(token_ids), actual(token_ids), ABSOLUTE_BOUND)
        assert not failures(found), failures(found)[0].reason()
        prompts += len(token_ids)
    assert prompts == 30


@pytest.mark.parametrize("seed", range(6))
def test_both_engines_agree_under_random_edits_and_switches(seed: int) -> None:
    weights = apply_edits(teaching_state(), random_edits(seed))
    draw = np.random.default_rng(seed)
    names = [name for name in single_switches(TEACHING_CONFIG) if name.startswith("without ")]
    off = frozenset(name.removeprefix("without ") for name in names if draw.random() < 0.3)
    switches = Switches(off, dropout=0.25, dropout_seed=seed)
    expected = pytorch_editable_runner(TEACHING_CONFIG, weights, switches)
    actual = editable_runner(TEACHING_CONFIG, weights, switches)
    for token_ids in all_prompts(5, 2):
        found = compare(expected(token_ids), actual(token_ids), ABSOLUTE_BOUND)
        assert not failures(found), failures(found)[0].reason()


def test_the_plain_run_is_the_shipped_trace_file_bit_for_bit() -> None:
    shipped = onnxruntime_runner(FILES / trace_file("teaching"))
    plain = editable_runner(TEACHING_CONFIG, teaching_state())
    for token_ids in all_prompts(5, 2):
        for name, values in shipped(token_ids).items():
            np.testing.assert_array_equal(plain(token_ids)[name], values, err_msg=name)


@pytest.mark.parametrize("weight", parameter_shapes(TEACHING_CONFIG))
def test_the_twin_with_one_nudged_weight_is_caught_and_named(weight: str) -> None:
    twin = teaching_state()
    twin[weight].flat[0] += NUDGE
    expected = pytorch_editable_runner(TEACHING_CONFIG, twin)
    actual = editable_runner(TEACHING_CONFIG, teaching_state())
    failed = [
        difference
        for token_ids in all_prompts(5, 2)
        for difference in failures(compare(expected(token_ids), actual(token_ids), ABSOLUTE_BOUND))
    ]
    first_keys = {
        "token_embedding.weight": "token_embeddings",
        "position_embedding.weight": "position_embeddings",
        "blocks.0.attention.qkv.weight": "blocks.0.query",
        "blocks.0.attention.output.weight": "blocks.0.attention_update",
        "blocks.0.ffn.0.weight": "blocks.0.ffn_hidden",
        "blocks.0.ffn.0.bias": "blocks.0.ffn_hidden",
        "blocks.0.ffn.2.weight": "blocks.0.ffn_update",
        "blocks.0.ffn.2.bias": "blocks.0.ffn_update",
        "lm_head.weight": "logits",
        "lm_head.bias": "logits",
    }
    norm = weight.rpartition(".")[0].replace("final_norm", "final_hidden")
    assert failed[0].name == first_keys.get(weight, norm)


@pytest.mark.parametrize("case", single_switches(TEACHING_CONFIG))
def test_a_switch_that_only_one_engine_sees_is_caught(case: str) -> None:
    expected = pytorch_editable_runner(TEACHING_CONFIG, teaching_state(), CASES[case])
    actual = editable_runner(TEACHING_CONFIG, teaching_state())
    found = [compare(expected(ids), actual(ids)) for ids in all_prompts(5, 2)]
    assert any(failures(differences) for differences in found)


def test_both_engines_meet_the_same_dropout() -> None:
    def run(seed: int, torch_engine: bool) -> NDArray[Any]:
        make = pytorch_editable_runner if torch_engine else editable_runner
        switches = Switches(dropout=0.5, dropout_seed=seed)
        values = make(TEACHING_CONFIG, teaching_state(), switches)(np.array([[0, 1]]))
        return np.asarray(values["logits"][0, -1])

    by_seed = [run(seed, torch_engine=False) for seed in range(6)]
    for seed, logits in enumerate(by_seed):
        np.testing.assert_allclose(logits, run(seed, torch_engine=True), rtol=0, atol=5e-6)
    assert any(np.abs(one - other).max() > 0.1 for one, other in pairwise(by_seed))


def test_sizes_that_are_not_shipped_are_exported_once() -> None:
    assert shipped_file(TEACHING_CONFIG) == FILES / editable_file("teaching")
    assert editable_session(OTHER_SIZES) is editable_session(OTHER_SIZES)
    torch.manual_seed(0)
    model = MiniGPT(**OTHER_SIZES.as_dict()).eval()
    switches = Switches(frozenset({"blocks.1.head.0", "blocks.0.ln2"}), 0.1, 3)
    expected = pytorch_editable_runner(OTHER_SIZES, weights_of(model), switches)
    actual = editable_runner(OTHER_SIZES, weights_of(model), switches)
    for token_ids in proof_prompts(OTHER_SIZES):
        assert not failures(compare(expected(token_ids), actual(token_ids), ABSOLUTE_BOUND))


def test_a_prompt_is_checked_and_no_weight_may_be_missing() -> None:
    weights = teaching_state()
    with pytest.raises(InputError):
        editable_runner(TEACHING_CONFIG, weights)(np.array([[5]]))
    del weights["lm_head.bias"]
    with pytest.raises(KeyError, match=r"lm_head\.bias"):
        editable_runner(TEACHING_CONFIG, weights)(np.array([[0]]))


def test_the_file_says_what_it_takes() -> None:
    proto = onnx.load(FILES / editable_file("teaching"))
    inputs = [value.name for value in proto.graph.input]
    assert inputs == ["token_ids", *parameter_shapes(TEACHING_CONFIG), *gate_axes(TEACHING_CONFIG)]
    assert [value.name for value in proto.graph.output] == list(trace_shapes(1))
    stated = {entry.key: entry.value for entry in proto.metadata_props}
    assert stated["form"] == EDITABLE_FORM
    assert [stated[size] for size in ("vocab_size", "context_length", "num_heads")] == list("522")
    assert json.loads(stated["vocabulary"])[0] == "我"
    # No weight is left inside: the largest constant is a shape or a single number.
    assert max(int(np.prod(tensor.dims)) for tensor in proto.graph.initializer) <= 4


def test_the_proof_finds_weights_that_are_not_the_trace_files() -> None:
    content = (FILES / editable_file("teaching")).read_bytes()
    plain = onnxruntime_runner(FILES / trace_file("teaching"))
    nudged = apply_edits(teaching_state(), {"lm_head.bias": {"2": 0.001}})
    _, found = editable_differences(content, plain, TEACHING_CONFIG, nudged, ABSOLUTE_BOUND)
    assert [difference.name for difference in failures(found)][:2] == ["logits", "vocabulary_probs"]


def test_an_edit_needs_no_torch() -> None:
    program = (
        "import sys, numpy as np\n"
        "from export.runtimes.editable import editable_runner\n"
        "from model.edits import apply_edits\n"
        "from model.switches import Switches\n"
        "from model.teaching import TEACHING_CONFIG, teaching_state\n"
        "weights = apply_edits(teaching_state(), {'lm_head.bias': {'0': 1.0}})\n"
        "run = editable_runner(TEACHING_CONFIG, weights, Switches(frozenset({'final_norm'})))\n"
        "run(np.array([[0, 1]]))\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3], check=True)
