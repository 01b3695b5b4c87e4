"""The decode form for ONNX Runtime: token for token the PyTorch loop, at every kind of length."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from onnx import helper

from export.decode_ort import decoder as decoder_module
from export.decode_ort.decoder import OrtDecoder
from export.decode_ort.file import decode_ort, decode_ort_int8, weight_views, write_decode_ort
from export.decode_ort.node_list import NodeList
from export.decode_ort.stored_weights import Layout, fold_transposes
from export.graph import model_metadata
from export.shipped import FILES
from model import InputError, MiniGPT, generate
from model.vocabulary import LESSON_WORDS

BOUND = 5e-6
NUDGE = 1e-3
SIZES = {
    "tiny": (5, 8, 4, 2, 2),  # heads of 2 channels, widened to 8
    "wide heads": (7, 12, 24, 2, 1),  # 12 channels, widened to 16
    "as it is": (11, 9, 16, 2, 3),  # 8 channels, stored unchanged
    "one word": (3, 1, 8, 1, 1),  # a context of one token: no cache is ever reused
    "long context": (7, 66, 16, 2, 2),  # attention in whole matrices
    "teaching": (5, 2, 4, 2, 1),
}


@cache
def random_model(name: str) -> MiniGPT:
    torch.manual_seed(0)
    return MiniGPT(*SIZES[name]).eval()


@cache
def file_of(name: str) -> bytes:
    model = random_model(name)
    metadata = model_metadata(model, "random", LESSON_WORDS)
    content: bytes = decode_ort(model, metadata).SerializeToString()
    return content


def lengths(context_length: int) -> list[int]:
    wanted = (1, 2, context_length - 1, context_length, context_length + 3)
    return sorted({length for length in wanted if length > 0})


def prompt(vocab_size: int, batch: int, length: int) -> np.ndarray:
    return np.random.default_rng(length).integers(0, vocab_size, (batch, length))


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("name", SIZES)
def test_token_for_token_until_long_after_the_window_slides(name: str, batch: int) -> None:
    model, decoder = random_model(name), OrtDecoder(file_of(name))
    context_length = model.config.context_length
    for length in lengths(context_length):
        ids = prompt(model.config.vocab_size, batch, length)
        # From one word the window passes every length; from the others it goes on for a while.
        count = context_length + 3 if length == 1 else 5
        expected = generate(model, ids, count)
        actual = generate(model.config, ids, count, next_logits=decoder)
        np.testing.assert_array_equal(actual.token_ids, expected.token_ids)
        for theirs, ours in zip(expected.steps, actual.steps, strict=True):
            np.testing.assert_array_equal(ours.window, theirs.window)
            np.testing.assert_allclose(ours.last_logits, theirs.last_logits, rtol=0, atol=BOUND)


def test_sampled_text_is_the_same_too() -> None:
    model, decoder = random_model("tiny"), OrtDecoder(file_of("tiny"))
    settings: dict[str, Any] = {"temperature": 1.3, "top_k": 4, "seed": 7}
    expected = generate(model, [[0, 1]], 40, **settings)
    actual = generate(model.config, [[0, 1]], 40, next_logits=decoder, **settings)
    np.testing.assert_array_equal(actual.token_ids, expected.token_ids)


def test_a_step_reads_the_cache_and_not_the_window() -> None:
    """With keys and values of block 0 wiped, the next step must come out differently."""
    model, decoder = random_model("tiny"), OrtDecoder(file_of("tiny"))
    window = prompt(5, 1, 4)
    longer = np.concatenate([window, [[2]]], axis=1)
    decoder(window)
    right = decoder(longer)
    decoder(window)
    assert decoder.cached.tolist() == window.tolist()
    decoder.cache["blocks.0.value"][...] = 0
    assert np.abs(decoder(longer) - right).max() > 1e-3
    with torch.inference_mode():
        expected = model(torch.from_numpy(longer))[0][:, -1]
    np.testing.assert_allclose(right, expected, rtol=0, atol=BOUND)


@pytest.mark.parametrize("change", ["edited", "shorter", "slid", "another batch", "the same"])
def test_what_changed_is_computed_anew(change: str) -> None:
    model, decoder = random_model("as it is"), OrtDecoder(file_of("as it is"))
    window = prompt(11, 1, 6)
    edited = window.copy()
    edited[0, 2] = (edited[0, 2] + 1) % 11
    given = {
        "edited": edited,
        "shorter": window[:, :3],
        "slid": window[:, 1:],
        "another batch": prompt(11, 2, 6),
        "the same": window,
    }[change]
    decoder(window)
    with torch.inference_mode():
        expected = model(torch.from_numpy(np.ascontiguousarray(given)))[0][:, -1]
    np.testing.assert_allclose(decoder(given), expected, rtol=0, atol=BOUND)
    assert decoder.cached.tolist() == given.tolist()


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_other_integers_are_the_same_words(dtype: type[np.integer[Any]]) -> None:
    decoder, window = OrtDecoder(file_of("as it is")), prompt(11, 1, 6)
    expected = [decoder(window[:, :length]) for length in (3, 4, 6)]
    decoder.reset()
    actual = [decoder(window[:, :length].astype(dtype)) for length in (3, 4, 6)]
    np.testing.assert_array_equal(actual, expected)
    assert decoder.cached.tolist() == window.tolist()


def test_the_buffers_begin_where_vectors_do() -> None:
    decoder = OrtDecoder(file_of("wide heads"))
    decoder(prompt(7, 3, 4))
    starts = [array.ctypes.data % decoder_module.ALIGNMENT for array in decoder.cache.values()]
    assert starts == [0, 0]


# In the larger network the first query weight moves the logits by less than BOUND for 1e-3.
@pytest.mark.parametrize(("name", "nudge"), [("tiny", NUDGE), ("long context", 10 * NUDGE)])
@pytest.mark.parametrize(
    "weight",
    [
        "token_embedding.weight",
        "position_embedding.weight",
        "blocks.0.attention.qkv.weight",
        "blocks.1.attention.output.weight",
        "blocks.0.ffn.0.bias",
        "blocks.1.ffn.2.bias",
        "blocks.1.ln2.bias",
        "final_norm.weight",
        "lm_head.bias",
    ],
)
def test_the_twin_with_one_nudged_weight_is_caught(weight: str, name: str, nudge: float) -> None:
    torch.manual_seed(0)
    twin = MiniGPT(*SIZES[name]).eval()
    with torch.no_grad():
        twin.state_dict()[weight].view(-1)[0] += nudge
    decoder, config = OrtDecoder(file_of(name)), twin.config
    whole = np.arange(config.context_length)[None] % config.vocab_size  # all words, all positions
    worst = 0.0
    for window in (whole, whole[:, :3]):  # among 66 words, the share of one nudge is small
        with torch.inference_mode():
            expected = twin(torch.from_numpy(window))[0][:, -1].numpy()
        worst = max(worst, float(np.abs(decoder(window) - expected).max()))
    assert worst > BOUND


@pytest.mark.parametrize("part", [1, 2, 5])
def test_a_long_prompt_in_parts_is_the_same(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model, window = random_model("wide heads"), prompt(7, 1, 12)
    whole = OrtDecoder(file_of("wide heads"))
    expected = whole(window)
    monkeypatch.setattr(decoder_module, "PART", part)
    in_parts = OrtDecoder(file_of("wide heads"))
    np.testing.assert_allclose(in_parts(window), expected, atol=BOUND, rtol=0)
    for name, cache_of_whole in whole.cache.items():
        np.testing.assert_allclose(in_parts.cache[name], cache_of_whole, atol=BOUND, rtol=0)
    with torch.inference_mode():
        logits = model.trace(torch.from_numpy(window))["logits"][:, -1].numpy()
    np.testing.assert_allclose(expected, logits, atol=BOUND, rtol=0)


def test_the_form_beside_its_weights_is_the_same_network(tmp_path: Path) -> None:
    model, path = random_model("as it is"), tmp_path / "model.onnx"
    metadata = model_metadata(model, "random", LESSON_WORDS)
    files = write_decode_ort(model.config, weight_views(model), metadata, path)
    assert [file.name for file in files] == ["model.onnx", "model.onnx.data"]
    window = prompt(11, 2, 5)
    np.testing.assert_array_equal(OrtDecoder(path)(window), OrtDecoder(file_of("as it is"))(window))


def test_the_pass_leaves_one_attention_node_a_block_and_no_transpose() -> None:
    import onnx

    nodes = onnx.load_from_string(file_of("as it is")).graph.node
    kinds = [node.op_type for node in nodes]
    assert kinds.count("GroupQueryAttention") == 3
    assert not {"Transpose", "Softmax", "Slice", "Shape"} & set(kinds)


def test_a_weight_that_is_read_both_ways_is_not_stored_transposed() -> None:
    transposed = helper.make_node("Transpose", ["weight"], ["transposed"])
    product = helper.make_node("MatMul", ["weight", "transposed"], ["product"])
    with pytest.raises(ValueError, match="2 nodes read 'weight'"):
        fold_transposes(NodeList([transposed, product]), {"weight": Layout("weight", (2, 2))})


def test_only_a_long_context_is_worth_whole_matrices() -> None:
    import onnx

    graphs = {name: onnx.load_from_string(file_of(name)).graph for name in ("tiny", "long context")}
    sinks = {
        name: [node.input[-1] for node in graph.node if node.op_type == "GroupQueryAttention"]
        for name, graph in graphs.items()
    }
    assert sinks == {"tiny": ["total_length"] * 2, "long context": ["no_sink"] * 2}


@pytest.mark.long("a network of many words")
def test_eight_bits_are_near_and_not_exact() -> None:
    torch.manual_seed(0)
    model = MiniGPT(64, 32, 64, 4, 2).eval()
    metadata = model_metadata(model, "random", LESSON_WORDS)
    exact = OrtDecoder(decode_ort(model, metadata).SerializeToString())
    rounded = OrtDecoder(decode_ort_int8(model, metadata).SerializeToString())
    windows = [prompt(64, 1, length) for length in range(1, 33)]
    worst = max(float(np.abs(exact(w) - rounded(w)).max()) for w in windows)
    assert 1e-4 < worst < 0.1


@pytest.mark.parametrize(
    ("window", "code"),
    [
        (np.array([[-1]]), "ids_range"),
        (np.array([[5]]), "ids_range"),
        (np.zeros((1, 9), dtype=np.int64), "ids_length"),
        (np.zeros((1, 0), dtype=np.int64), "ids_empty"),
        (np.array([[0.0]]), "ids_dtype"),
    ],
)
def test_bad_windows_are_refused(window: np.ndarray, code: str) -> None:
    with pytest.raises(InputError) as caught:
        OrtDecoder(file_of("tiny"))(window)
    assert caught.value.code == code


def test_a_file_without_its_sizes_is_refused() -> None:
    bare = decode_ort(random_model("tiny"), {}).SerializeToString()
    with pytest.raises(InputError, match="not in the decode-ort form"):
        OrtDecoder(bare)


def test_another_form_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        OrtDecoder(FILES / "mini_gpt_teaching.onnx")
    assert caught.value.code == "decoder_file"


@pytest.mark.parametrize("window", [[[0, 1]], torch.tensor([[0, 1]]), None, "我"])
def test_what_is_no_array_is_called_so(window: Any) -> None:
    with pytest.raises(InputError, match=type(window).__name__) as caught:
        OrtDecoder(file_of("tiny"))(window)
    assert caught.value.code == "window_array"
