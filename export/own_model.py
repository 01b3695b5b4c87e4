"""`python -m export --form decode-ort --model FOLDER`: a model of one's own, of any size.

FOLDER holds `config.json` and `model.safetensors`. Each weight is read from the file when it is
written, so the whole network is in memory neither once nor twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import safetensors
from numpy.typing import NDArray

from export.decode_ort_file import EIGHT_BIT_FORM, write_decode_ort
from model.checkpoint import expected_shapes
from model.config import MiniGPTConfig
from model.errors import InputError
from model.weights_file import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    WeightsHeader,
    check_tensors,
    described_config,
    read_description,
)

Array = NDArray[Any]


class StoredWeights(Mapping[str, Array]):
    """The tensors of a `.safetensors` file, each read when it is asked for.

    Raises:
        InputError: the file is missing, damaged, or holds other tensors than `config` needs.
    """

    def __init__(self, path: Path, config: MiniGPTConfig) -> None:
        self._file = _opened(path)
        slices = {name: self._file.get_slice(name) for name in self._file.keys()}  # noqa: SIM118
        header = WeightsHeader(
            shapes={name: tuple(piece.get_shape()) for name, piece in slices.items()},
            dtypes={name: str(piece.get_dtype()) for name, piece in slices.items()},
            description=None,
        )
        check_tensors(header, expected_shapes(config, header), config.num_layers)
        self._names = list(header.shapes)

    def __getitem__(self, name: str) -> Array:
        array: Array = self._file.get_tensor(name)
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _opened(path: Path) -> Any:
    if not path.exists():
        raise InputError("checkpoint_missing", file=path.name)
    try:
        return safetensors.safe_open(path, framework="np")
    except (OSError, safetensors.SafetensorError) as error:
        raise InputError("checkpoint_broken", reason=str(error)[:120]) from error


def write_own(folder: Path, form: str, out: Path) -> list[Path]:
    """Write `<folder name>_<form>.onnx` and its weights into `out`; the files written.

    Raises:
        InputError: a file of the folder is missing or does not hold a MiniGPT.
    """
    if not (folder / CONFIG_FILE).exists():
        raise InputError("checkpoint_missing", file=CONFIG_FILE)
    config = described_config(read_description((folder / CONFIG_FILE).read_bytes()))
    weights = StoredWeights(folder / WEIGHTS_FILE, config)
    sizes = {name: str(value) for name, value in config.as_dict().items() if name != "dropout"}
    out.mkdir(parents=True, exist_ok=True)
    name = _text(folder.resolve().name)
    # The name as this system writes it, which in an old locale is not the text itself.
    file = os.fsdecode(f"{name}_{form.replace('-', '_')}.onnx".encode())
    return write_decode_ort(
        config,
        weights,
        {**sizes, "weights": name},
        out / file,
        eight_bits=form == EIGHT_BIT_FORM,
    )


def _text(name: str) -> str:
    """A folder's name as text; what is none (GBK from another system's archive) as `_`."""
    return os.fsencode(name).decode(errors="replace").replace("\ufffd", "_")
