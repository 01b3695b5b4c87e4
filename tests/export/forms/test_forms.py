"""Every form: what it is, that nothing foreign is in it, and that it computes the same."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from numpy.typing import NDArray

from export.compare import compare, failures
from export.decode_ort.file import FORM as DECODE_ORT
from export.forms.catalogue import FORMS
from export.forms.command import proven_form, write_form
from export.forms.decode import cache_names, past_name
from export.forms.portable_decoder import NamedRun, PortableDecoder
from export.forms.spare_words import with_spare_words
from export.graph import IR_VERSION, OPSET, model_metadata
from export.parity.record import OK
from export.parity.subjects import subjects
from export.runtimes import Arrays
from export.runtimes.onnx_runtime import named_run, session_for
from export.runtimes.pytorch import pytorch_runner
from model.config import MiniGPTConfig
from model.errors import InputError
from model.generation import generate
from model.network import MiniGPT
from model.teaching import teaching_model
from model.training import new_model
from model.vocabulary import LESSON_WORDS

SIZE_LIMIT = 16_000  # bytes: the largest form of the lesson's model is well below


PORTABLE = [form.name for form in FORMS.values() if form.use != DECODE_ORT]
"""Of ONNX's own operators alone; `decode-ort` has tests of its own."""


@functools.cache
def random_model() -> MiniGPT:
    """Two blocks, context 5, and no weight that is the identity."""
    torch.manual_seed(3)
    return MiniGPT(5, 5, 4, 2, 2).eval()


@functools.cache
def built(form: str) -> onnx.ModelProto:
    """The lesson's model in that form; built once."""
    model = teaching_model()
    return FORMS[form].build(model, model_metadata(model, "some", LESSON_WORDS))


@functools.cache
def run_of(form: str) -> NamedRun:
    """The random model in that form, in ONNX Runtime."""
    proto = FORMS[form].build(random_model(), {})
    return named_run(session_for(proto.SerializeToString()))


@pytest.mark.parametrize("form", PORTABLE)
def test_hygiene(form: str) -> None:
    proto = built(form)
    onnx.checker.check_model(proto, full_check=True)
    content = proto.SerializeToString()
    assert len(content) < SIZE_LIMIT
    assert re.search(rb"/\w+/|\.py", content) is None  # no path of whoever wrote it
    assert proto.ir_version == IR_VERSION
    assert [(entry.domain, entry.version) for entry in proto.opset_import] == [("", OPSET)]
    stated = {entry.key: entry.value for entry in proto.metadata_props}
    assert stated["context_length"] == "2"
    assert stated["licence"] == "MIT"
    assert all(not node.metadata_props and not node.doc_string for node in proto.graph.node)


@pytest.mark.parametrize("form", ["no-layernorm", "no-layernorm-trace", "no-layernorm-decode"])
def test_no_layer_normalization_is_left(form: str) -> None:
    operators = {node.op_type for node in built(form).graph.node}
    assert "LayerNormalization" not in operators
    assert {"ReduceMean", "Sqrt", "Div"} <= operators


def test_a_static_form_has_no_dynamic_axis() -> None:
    for form in ("static", "static-trace", "static-16-words"):
        graph = built(form).graph
        axes = [axis for value in graph.input for axis in value.type.tensor_type.shape.dim]
        assert [axis.dim_value for axis in axes] == [1, 2]


def test_spare_words_are_zero_and_too_many_words_are_refused() -> None:
    proto = built("static-16-words")
    (table,) = (t for t in proto.graph.initializer if t.name == "token_embedding.weight")
    weights = onnx.numpy_helper.to_array(table)
    assert weights.shape == (16, 4)
    assert not weights[5:].any()
    with pytest.raises(ValueError, match="16 rows, more than 8"):
        with_spare_words(proto, 8)


def test_more_words_than_sixteen_need_no_spare_ones() -> None:
    model = new_model(MiniGPTConfig(20, 3, 4, 2, 1), 0).eval()
    proto = FORMS["static-16-words"].build(model, {})
    (table,) = (each for each in proto.graph.initializer if each.name == "token_embedding.weight")
    assert list(table.dims) == [20, 4]


@pytest.mark.parametrize("form", ["static-trace", "no-layernorm-trace"])
def test_a_form_is_proven_in_onnx_runtime(form: str) -> None:
    record, content = proven_form(form, subjects()[0])
    assert record.verdict == OK
    assert (record.prompts, record.trace_values) == (30, 22)
    onnx.load_from_string(content)


def test_a_wrong_form_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = teaching_model()
    with torch.no_grad():
        other.lm_head.bias.add_(1e-3)
    right = FORMS["static"]
    wrong = type(right)(right.name, right.suffix, right.use, lambda _, m: right.build(other, m))
    monkeypatch.setitem(FORMS, "static", wrong)
    with pytest.raises(AssertionError, match="WRONG"):
        write_form("static", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.long("an export of its own")
def test_decode_token_by_token_is_the_whole_window_at_once() -> None:
    run = run_of("decode")
    token_ids = np.random.default_rng(0).integers(0, 5, (3, 5))
    names = cache_names(2)
    past = {past_name(name): np.zeros((3, 2, 0, 2), np.float32) for name in names}
    logits: list[np.ndarray] = []
    for start, end in ((0, 1), (1, 3), (3, 4), (4, 5)):
        results = run({"token_ids": token_ids[:, start:end], **past})
        past = {past_name(name): results[name] for name in names}
        logits.append(results["logits"])
    trace = pytorch_runner(random_model())(token_ids)
    expected = {"logits": trace["logits"]} | {name: trace[name] for name in names}
    actual = {"logits": np.concatenate(logits, axis=1)} | {
        name: past[past_name(name)] for name in names
    }
    assert failures(compare(expected, actual)) == []


def test_the_decoder_starts_again_when_the_window_slides() -> None:
    lengths: list[tuple[int, int]] = []

    def noted(feeds: Mapping[str, NDArray[Any]]) -> Arrays:
        lengths.append((feeds["token_ids"].shape[1], feeds["past.blocks.0.key"].shape[2]))
        return run_of("decode")(feeds)

    decoder = PortableDecoder(noted, random_model().config)
    sentence = np.array([[0, 3, 1, 4, 2, 0, 3]])
    whole = pytorch_runner(random_model(), ("logits",))
    for length in range(2, 8):
        window = sentence[:, max(0, length - 5) : length]
        expected = whole(window)["logits"][:, -1]
        np.testing.assert_allclose(decoder(window), expected, rtol=0, atol=5e-6)
    # New tokens and past: two, then one by one to the limit, then whole windows without a past.
    assert lengths == [(2, 0), (1, 2), (1, 3), (1, 4), (5, 0), (5, 0)]


def test_another_sentence_keeps_what_it_begins_with() -> None:
    decoder = PortableDecoder(run_of("decode"), random_model().config)
    whole = pytorch_runner(random_model(), ("logits",))
    for window in ([[0, 3, 1, 4]], [[0, 3, 2]], [[1, 3, 2]], [[1], [2]], [[1, 0], [2, 0]]):
        expected = whole(np.array(window))["logits"][:, -1]
        np.testing.assert_allclose(decoder(np.array(window)), expected, rtol=0, atol=5e-6)


def test_a_cache_for_other_positions_would_be_wrong() -> None:
    """What the decoder must not do: keep the cache and drop the oldest token."""
    run = run_of("decode")
    token_ids = np.array([[0, 3, 1, 4, 2, 2]])
    empty = {past_name(name): np.zeros((1, 2, 0, 2), np.float32) for name in cache_names(2)}
    full = run({"token_ids": token_ids[:, :5], **empty})
    stale = {past_name(name): full[name][:, :, 1:] for name in cache_names(2)}
    reused = run({"token_ids": token_ids[:, 5:], **stale})["logits"][:, -1]
    right = pytorch_runner(random_model())(token_ids[:, 1:])["logits"][:, -1]
    assert np.abs(reused - right).max() > 1e-2


def test_a_decoder_refuses_more_than_the_context() -> None:
    run = run_of("decode")
    with pytest.raises(InputError, match="context_length is 5"):
        PortableDecoder(run, random_model().config)(np.zeros((1, 6), dtype=np.int64))


def test_the_trace_refuses_a_past_that_leaves_no_room() -> None:
    values = random_model().trace(torch.zeros((1, 5), dtype=torch.int64))
    past = [(values[f"blocks.{i}.key"], values[f"blocks.{i}.value"]) for i in range(2)]
    with pytest.raises(InputError, match="6 tokens, and context_length is 5"):
        random_model().trace(torch.zeros((1, 1), dtype=torch.int64), past=past)


@pytest.mark.parametrize(("batch", "sequence", "count"), [(1, 1, 1), (2, 5, 6), (3, 9, 8)])
def test_generate_writes_what_the_loop_outside_writes(
    batch: int, sequence: int, count: int
) -> None:
    run = run_of("generate")
    token_ids = np.random.default_rng(sequence).integers(0, 5, (batch, sequence))
    made = run({"token_ids": token_ids, "new_tokens": np.array(count)})["generated_ids"]
    np.testing.assert_array_equal(made, generate(random_model(), token_ids, count).token_ids)
