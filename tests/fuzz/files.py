"""Files that people might choose as weights: damaged ones, other kinds, and lying ones."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from typing import Any

import numpy as np
import safetensors.numpy
from hypothesis import strategies as st

from model.checkpoint import config_text, state_bytes
from model.teaching import TEACHING_CONFIG, teaching_state
from model.vocabulary import LESSON_WORDS
from tests.fuzz.junk import anything
from ui.shipped_models import FILES

GOOD = state_bytes(TEACHING_CONFIG, teaching_state(), LESSON_WORDS)
CONFIG = config_text(TEACHING_CONFIG, LESSON_WORDS)


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("archive/data.pkl", b"\x80\x02cos\nsystem\n.")
    return buffer.getvalue()


_OTHER_KINDS = (
    b"",
    b"\0" * 8,
    _zip(),
    b"\x80\x04\x95\x10\0\0\0\0\0\0\0cos\nsystem\n.",
    b"\x89PNG\r\n\x1a\n" + b"\0" * 40,
    b"%PDF-1.7\n",
    CONFIG.encode(),
    "我喜欢".encode("utf-16"),
    FILES.joinpath("mini_gpt_teaching.onnx").read_bytes(),
)


def _flipped(changes: list[tuple[int, int]]) -> bytes:
    content = bytearray(GOOD)
    for place, value in changes:
        content[place % len(content)] = value
    return bytes(content)


def _with_header(header: Any) -> bytes:
    """A file whose header says `header`, before the good file's values."""
    (length,) = struct.unpack("<Q", GOOD[:8])
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + GOOD[8 + length :]


def _lying(change: tuple[str, str, Any]) -> bytes:
    """The good file with one field of one entry of its header replaced."""
    (length,) = struct.unpack("<Q", GOOD[:8])
    header = json.loads(GOOD[8 : 8 + length])
    name, key, value = change
    header[name] = {**header.get(name, {}), key: value}
    return _with_header(header)


def _other_values(name: str, value: float) -> bytes:
    """A well-formed file with one tensor full of `value`."""
    state = {key: np.array(array, dtype=np.float32) for key, array in teaching_state().items()}
    state[name][...] = value
    # Not by `state_bytes`, which writes no value that would be refused when it is read.
    stated = json.loads(GOOD[8 : 8 + struct.unpack("<Q", GOOD[:8])[0]])["__metadata__"]
    return safetensors.numpy.save(state, stated)


_lies = st.tuples(
    st.sampled_from([*teaching_state(), "__metadata__", "x"]),
    st.sampled_from(["dtype", "shape", "data_offsets", "mini_gpt"]),
    st.one_of(
        st.sampled_from(["F64", "BF16", "I8", [0, 2**62], [5, 4], [], [2**40, 2**40], "{}"]),
        anything,
    ),
)

weights = st.one_of(
    st.just(GOOD),
    st.sampled_from(_OTHER_KINDS),
    st.binary(max_size=300),
    st.integers(0, len(GOOD)).map(lambda end: GOOD[:end]),
    st.lists(st.tuples(st.integers(0, len(GOOD)), st.integers(0, 255)), min_size=1, max_size=8).map(
        _flipped
    ),
    st.builds(
        lambda length, rest: struct.pack("<Q", length) + rest,
        st.integers(0, 2**64 - 1),
        st.binary(max_size=60),
    ),
    anything.map(_with_header),
    _lies.map(_lying),
    st.builds(
        _other_values,
        st.sampled_from(list(teaching_state())),
        st.sampled_from([float("nan"), float("inf"), 3e38, -3e38, 1e-45, 0.0]),
    ),
    st.just(safetensors.numpy.save({"x": np.zeros(3, dtype=np.float32)})),
)
"""The content of a file."""

configs = st.one_of(
    st.none(),
    st.just(CONFIG),
    st.text(max_size=60),
    anything.map(json.dumps),
    st.builds(
        lambda key, value: json.dumps({**json.loads(CONFIG), key: value}),
        st.sampled_from([*TEACHING_CONFIG.as_dict(), "vocabulary"]),
        anything,
    ),
)
"""The text beside it."""
