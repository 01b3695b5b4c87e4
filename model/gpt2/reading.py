"""A weights file in GPT-2's or nanoGPT's names, read as a MiniGPT.

A file is translated tensor by tensor, so that a large one need not be in memory. What MiniGPT
cannot compute is refused, and the error names the first thing that does not fit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.errors import InputError
from model.gpt2.names import (
    ATTENTION_BIASES,
    BODY,
    HEAD,
    HEAD_BIAS,
    MASKS,
    SHIFT,
    Named,
    block,
    body,
)
from model.weights_file import FLOAT32, WeightsHeader

Array = NDArray[Any]
Get = Callable[[str], Array]
"""A tensor by its name in the file."""

ORIGINAL = "mini_gpt"
"""The key of config.json for what folding changed: `{"lm_head.bias": [...], "final_norm.bias":
[...], "of": digest}`; valid as long as `digest` is that of the file's head and shift."""

_COMPILED = "_orig_mod."  # prefix that torch.compile adds


@dataclass(frozen=True)
class Translation:
    """A file's weights under our names.

    header: names, dtypes and shapes as ours. sources: our name -> the file's, or None for zeros
    that the file lacks. transposed: our names of matrices that the file stores as [in, out].
    zero: the file's tensors that must be zero. original: see `ORIGINAL`.
    """

    header: WeightsHeader
    sources: Mapping[str, str | None]
    transposed: frozenset[str] = frozenset()
    zero: tuple[str, ...] = ()
    original: Mapping[str, Array] = field(default_factory=dict)
    digest: str = ""

    def check(self, get: Get) -> None:
        """Raise InputError unless every tensor that must be zero is."""
        for name in self.zero:
            if get(name).any():
                raise InputError("gpt2_not_zero", name=name)

    def read(self, name: str, get: Get) -> Array:
        """The weight that we call `name`."""
        if name in self.original and self._is_as_folded(get):
            return self.original[name]
        source = self.sources[name]
        if source is None:
            return np.zeros(self.header.shapes[name], np.float32)
        array = get(source)
        return np.ascontiguousarray(array.T) if name in self.transposed else array

    def _is_as_folded(self, get: Get) -> bool:
        """Whether head and shift are those that the bias was folded into: no later training."""
        head, shift = self.sources[HEAD], self.sources[SHIFT]
        if head is None or shift is None:
            return False
        return folded_digest(get(head), get(shift)) == self.digest


def folded_digest(head: Array, shift: Array) -> str:
    """Identifies a head [V, C] and the shift [C] that its bias was folded into."""
    digest = hashlib.sha256()
    for array in (head, shift):
        digest.update(np.ascontiguousarray(array, "<f4").tobytes())
    return digest.hexdigest()


def translation(header: WeightsHeader, description: Mapping[str, Any] | None) -> Translation:
    """How the file with this header is read as ours; our own names are read as they are.

    description: of the model, from `config.json` or the file.

    Raises:
        InputError: a tensor is missing, is not known, or has another dtype or shape than GPT-2's.
    """
    plain = {_plain(name): name for name in header.shapes}
    if "wte.weight" not in plain:
        return Translation(header, {name: name for name in header.shapes})
    _check_twice(header, plain)
    layers = _layers(plain)
    entries = body(layers)
    zero = tuple(plain[name] for name in _of_blocks(ATTENTION_BIASES, layers) if name in plain)
    _check_names(plain, entries, layers)
    _check_dtypes(header)
    vocab_size, channels = _table_shape(header, plain["wte.weight"])
    is_transposed = header.shapes.get(plain.get("h.0.attn.c_attn.weight", "")) != (
        3 * channels,
        channels,
    )
    sources: dict[str, str | None] = {entry.ours: plain.get(entry.theirs) for entry in entries}
    sources[HEAD] = plain.get(HEAD, plain["wte.weight"])
    sources[HEAD_BIAS] = plain.get(HEAD_BIAS)
    transposed = frozenset(entry.ours for entry in entries if entry.is_matrix and is_transposed)
    absent = {entry.ours: channels for entry in entries if entry.may_lack}
    absent |= {name: 4 * channels for name in absent if name.endswith("ffn.0.bias")}
    absent[HEAD_BIAS] = vocab_size
    shapes: dict[str, tuple[int, ...]] = {}
    for name, source in sources.items():
        shape = (absent[name],) if source is None else header.shapes[source]
        shapes[name] = shape[::-1] if name in transposed else shape
    original, digest = _original(description, shapes)
    translated = replace(header, shapes=shapes, dtypes=dict.fromkeys(shapes, FLOAT32))
    return Translation(translated, sources, transposed, zero, original, digest)


def _plain(name: str) -> str:
    return name.removeprefix(_COMPILED).removeprefix(BODY)


def _check_twice(header: WeightsHeader, plain: Mapping[str, str]) -> None:
    for name in header.shapes:
        if (other := plain[_plain(name)]) != name:
            raise InputError("gpt2_twice", name=name[:80], other=other[:80])


def _layers(names: Iterable[str]) -> int:
    """The blocks in the file: as many as there are consecutive `h.{i}.ln_1.weight`."""
    names = set(names)
    count = 0
    while block(count, "ln_1.weight") in names:
        count += 1
    return count


def _of_blocks(names: Iterable[str], layers: int) -> list[str]:
    return [block(index, name) for index in range(layers) for name in names]


def _check_names(plain: Mapping[str, str], entries: list[Named], layers: int) -> None:
    for entry in entries:
        if entry.theirs not in plain and not entry.may_lack:
            raise InputError("gpt2_missing", name=entry.theirs)
    known = {entry.theirs for entry in entries} | {HEAD, HEAD_BIAS}
    known |= set(_of_blocks((*ATTENTION_BIASES, *MASKS), layers))
    for name, written in plain.items():
        if name not in known:
            raise InputError("gpt2_unknown", name=written[:80])


def _check_dtypes(header: WeightsHeader) -> None:
    for name, dtype in header.dtypes.items():
        if dtype != FLOAT32 and not name.endswith(MASKS):
            raise InputError("checkpoint_dtype", name=name[:80], met=dtype)


def _table_shape(header: WeightsHeader, name: str) -> tuple[int, int]:
    shape = header.shapes[name]
    if len(shape) != 2:
        raise InputError("checkpoint_shape", name=name, met=list(shape), expected="[V, C]")
    return shape[0], shape[1]


def _original(
    description: Mapping[str, Any] | None, shapes: Mapping[str, tuple[int, ...]]
) -> tuple[dict[str, Array], str]:
    """The bias and the shift before folding, if the description states them."""
    stated = (description or {}).get(ORIGINAL)
    if not isinstance(stated, Mapping):
        return {}, ""
    return {
        name: _vector(name, stated.get(name), shapes[name]) for name in (SHIFT, HEAD_BIAS)
    }, str(stated.get("of"))


def _vector(name: str, values: Any, shape: tuple[int, ...]) -> Array:
    try:
        array = np.array(values, np.float32)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError("checkpoint_config", reason=f"{ORIGINAL}: {name}") from error
    if array.shape != shape:
        raise InputError("checkpoint_config", reason=f"{ORIGINAL}: {name} {list(array.shape)}")
    return array
