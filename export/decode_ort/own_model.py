"""`python -m export --form decode-ort --model FOLDER`: the user's own model, of any size.

FOLDER holds `config.json` and `model.safetensors`. Each weight is read from the file when it is
written, so the whole network is never in memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import safetensors
from numpy.typing import NDArray

from export.decode_ort.file import EIGHT_BIT_FORM, write_decode_ort
from export.graph import metadata_of
from model.checkpoint import check_header
from model.errors import InputError
from model.gpt2.reading import translation
from model.older_names import currently_named
from model.parameters import check_values
from model.weights_file import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    WeightsHeader,
    check_start,
    description_in,
    read_description,
    read_file,
)

Array = NDArray[Any]


class StoredWeights(Mapping[str, Array]):
    """The tensors of a `.safetensors` file, each read on access.

    description: the content of the `config.json` beside it. `config` and `vocabulary` are what
    the two files state.

    Raises:
        InputError: the file is missing, damaged, or see `check_header`.
    """

    def __init__(self, path: Path, description: dict[str, Any]) -> None:
        self._file = _opened(path)
        self._stored = currently_named({name: name for name in self._file.keys()})  # noqa: SIM118
        slices = {name: self._file.get_slice(stored) for name, stored in self._stored.items()}
        header = WeightsHeader(
            shapes={name: tuple(piece.get_shape()) for name, piece in slices.items()},
            dtypes={name: str(piece.get_dtype()) for name, piece in slices.items()},
            description=description_in(self._file.metadata()),
        )
        self._translated = translation(header, description)
        self.config, self.vocabulary = check_header(self._translated.header, description)
        self._translated.check(self._get)

    def __getitem__(self, name: str) -> Array:
        return self._translated.read(name, self._get)

    def __iter__(self) -> Iterator[str]:
        return iter(self._translated.sources)

    def __len__(self) -> int:
        return len(self._translated.sources)

    def _get(self, name: str) -> Array:
        """A tensor by its name in the file, or by the current one of an older name."""
        array: Array = self._file.get_tensor(self._stored[name])
        return array


def _opened(path: Path) -> Any:
    try:
        with path.open("rb") as stream:
            check_start(stream.read(64))
    except OSError as error:
        raise InputError("checkpoint_missing", file=path.name) from error
    try:
        return safetensors.safe_open(path, framework="np")
    except (OSError, safetensors.SafetensorError) as error:
        raise InputError("checkpoint_broken", reason=str(error)[:120]) from error


def write_own(folder: Path, form: str, out: Path) -> list[Path]:
    """Write `<folder name>_<form>.onnx` and its weights into `out`; return the files written.

    Raises:
        InputError: a file of the folder is missing, does not hold a MiniGPT, or holds a value
            that is not finite.
    """
    description = read_description(read_file(folder / CONFIG_FILE))
    weights = StoredWeights(folder / WEIGHTS_FILE, description)
    for name in weights:
        check_values({name: weights[name]})  # all of them, before a file is created
    out.mkdir(parents=True, exist_ok=True)
    name = _text(folder.resolve().name)
    # The name in the file system's encoding, which in an old locale is not UTF-8.
    file = os.fsdecode(f"{name}_{form.replace('-', '_')}.onnx".encode())
    return write_decode_ort(
        weights.config,
        weights,
        metadata_of(weights.config, name, weights.vocabulary),
        out / file,
        eight_bits=form == EIGHT_BIT_FORM,
    )


def _text(name: str) -> str:
    """A folder's name as text; undecodable bytes (GBK from another system's archive) as `_`."""
    return os.fsencode(name).decode(errors="replace").replace("\ufffd", "_")
