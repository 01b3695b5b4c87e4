"""The header of a `.safetensors` file, read and checked before its values.

The format: eight bytes, the length of a JSON header; the header, `{name: {dtype, shape,
data_offsets}}` plus `__metadata__`; then the values. For a file of another kind the error says
which kind it is. Needs no torch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.config import MiniGPTConfig
from model.errors import InputError
from model.gpt2.settings import in_our_keys, is_gpt2
from model.older_names import currently_named
from model.units import LONGEST
from model.vocabulary import Vocabulary

CONFIG_FILE, WEIGHTS_FILE = "config.json", "model.safetensors"  # a Hub repository holds both
WORDS_KEY = "vocabulary"  # in a description; the words are optional
UNIT_KEY = "unit"  # how a text is cut into them, if it is not the lesson's way
METADATA_KEY = "mini_gpt"
"""A single key, because the library writes several in an order that changes every time."""

_LENGTH_BYTES = 8
_ZIP = b"PK\x03\x04"
_STARTS = {  # the first bytes of files that users mistake for weights
    _ZIP: "checkpoint_pickle",  # torch.save writes a zip of pickles
    b"\x80\x02": "checkpoint_pickle",
    b"\x80\x04": "checkpoint_pickle",
    b"\x80\x05": "checkpoint_pickle",
    b"\x08": "checkpoint_onnx",  # ir_version, the first field of a ModelProto
    b"{": "checkpoint_json",
}
FLOAT32 = "F32"


@dataclass(frozen=True)
class WeightsHeader:
    """Names, dtypes and shapes of the stored tensors, and the model's description if any."""

    shapes: dict[str, tuple[int, ...]]
    dtypes: dict[str, str]
    description: dict[str, Any] | None


def read_file(path: Path) -> bytes:
    """The content of a model's file.

    Raises:
        InputError: it is missing or not readable.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError("checkpoint_missing", file=path.name) from error


def read_header(content: bytes) -> WeightsHeader:
    """The header of a whole `.safetensors` file.

    Raises:
        InputError: it is another kind of file, or its header is damaged.
    """
    header = _json_header(content)
    metadata = header.pop("__metadata__", {})
    shapes: dict[str, tuple[int, ...]] = {}
    dtypes: dict[str, str] = {}
    for name, entry in header.items():
        if not isinstance(entry, dict) or not _are_sizes(entry.get("shape")):
            raise InputError("checkpoint_broken", reason=f"entry {name[:60]!r}")
        shapes[name] = tuple(entry["shape"])
        dtypes[name] = str(entry.get("dtype"))
    return WeightsHeader(currently_named(shapes), currently_named(dtypes), description_in(metadata))


def check_start(content: bytes) -> None:
    """Raise InputError, naming the kind of file if known, unless this begins like safetensors."""
    if content[_LENGTH_BYTES : _LENGTH_BYTES + 1] == b"{":
        return
    # A zip, such as the page's own, states the names in it as they are; it is not opened.
    if content.startswith(_ZIP) and WEIGHTS_FILE.encode() in content:
        raise InputError("checkpoint_zip")
    for start, code in _STARTS.items():
        if content.lstrip().startswith(start):
            raise InputError(code)
    raise InputError("checkpoint_format")


def check_tensors(header: WeightsHeader, expected: dict[str, tuple[int, ...]], layers: int) -> None:
    """Raise InputError unless the file holds exactly `expected`, names and shapes, as float32."""
    check_names("checkpoint_names", list(expected), list(header.shapes), layers)
    for name, shape in expected.items():
        met = header.shapes[name]
        if met != shape:
            raise InputError("checkpoint_shape", name=name, met=list(met), expected=list(shape))
        if header.dtypes[name] != FLOAT32:
            raise InputError("checkpoint_dtype", name=name, met=header.dtypes[name])


def check_names(code: str, expected: list[str], met: list[str], layers: int) -> None:
    """Raise InputError `code` unless both name the same tensors."""
    missing = [name for name in expected if name not in met]
    extra = [name for name in met if name not in expected]
    if missing or extra:
        raise InputError(code, num_layers=layers, missing=_some(missing), extra=_some(extra))


def read_description(text: str | bytes) -> dict[str, Any]:
    """The JSON object of a config.json.

    Raises:
        InputError: not JSON, or not an object.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise InputError("checkpoint_config", reason=_short(error)) from error
    if not isinstance(value, dict):
        raise InputError("checkpoint_config", reason=type(value).__name__)
    return value


def described_config(description: dict[str, Any]) -> MiniGPTConfig:
    """The sizes that a description states, in our keys or in GPT-2's; other keys are ignored.

    Raises:
        InputError: a size is missing or impossible, or see `in_our_keys`.
    """
    if is_gpt2(description):
        description = in_our_keys(description)
    names = MiniGPTConfig.__dataclass_fields__
    stated = {name: description[name] for name in names if name in description}
    missing = [name for name in names if name not in stated and name != "dropout"]
    if missing:
        raise InputError("checkpoint_config", reason="no " + ", ".join(missing))
    return MiniGPTConfig(**stated)


def words_described(vocabulary: Vocabulary | None) -> dict[str, Any]:
    """The words as a description states them; nothing if there are none.

    Their unit is left out if it is the one that files mean that state none.
    """
    if vocabulary is None:
        return {}
    unit = {} if vocabulary.unit == LONGEST else {UNIT_KEY: vocabulary.unit}
    return {WORDS_KEY: list(vocabulary.words), **unit}


def words_stated(description: Mapping[str, Any]) -> Vocabulary | None:
    """The words that a description states; None if it states none.

    Raises:
        InputError: they are not a list of words, or their unit is unknown.
    """
    if description.get(WORDS_KEY) is None:
        return None
    return vocabulary_of(description[WORDS_KEY], description.get(UNIT_KEY, LONGEST))


def vocabulary_of(words: Any, unit: Any) -> Vocabulary:
    """The vocabulary of words and their unit as a file states them.

    Raises:
        InputError: they are not a list of words, or the unit is unknown.
    """
    if not isinstance(words, list):
        raise InputError("checkpoint_config", reason=f"{WORDS_KEY}: {type(words).__name__}")
    return Vocabulary(words, unit)


def _json_header(content: bytes) -> dict[str, Any]:
    check_start(content)
    length = int.from_bytes(content[:_LENGTH_BYTES], "little")
    body = content[_LENGTH_BYTES:]
    if length > len(body):
        raise InputError("checkpoint_broken", reason=f"{length} > {len(body)}")
    try:
        header = json.loads(body[:length])
    except (ValueError, RecursionError) as error:
        raise InputError("checkpoint_broken", reason=_short(error)) from error
    if not isinstance(header, dict):
        raise InputError("checkpoint_broken", reason=type(header).__name__)
    return header


def description_in(metadata: Any) -> dict[str, Any] | None:
    """The model's description in the file's metadata; None if there is none.

    Raises:
        InputError: it is not a JSON object.
    """
    stated = metadata.get(METADATA_KEY) if isinstance(metadata, dict) else None
    return read_description(stated) if isinstance(stated, str) else None


def _are_sizes(shape: Any) -> bool:
    return isinstance(shape, list) and all(type(size) is int and size >= 0 for size in shape)


def _some(names: list[str]) -> str:
    """At most three names, cut to a readable length; a dash for none."""
    shown = ", ".join(name[:60] for name in names[:3])
    more = f" (+{len(names) - 3})" if len(names) > 3 else ""
    return shown + more if names else "–"


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:120]
