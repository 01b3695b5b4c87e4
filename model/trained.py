"""The trained weights that are shipped, each made by `python -m model train --recipe`.

`trained`: the lesson's words, by model/recipes/trained.json; `poems`: four poems of the Tang in
characters, by model/recipes/poems.json.

They are shipped as files and not retrained: processors round differently, and after a thousand
steps the difference reaches every digit.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from model.weights_file import WEIGHTS_FILE

if TYPE_CHECKING:
    from model.network import MiniGPT


def trained_folder(name: str = "trained") -> Path:
    """Where the weights are: `config.json` and `model.safetensors`."""
    return Path(__file__).parent / "files" / name


def trained_model(name: str = "trained") -> MiniGPT:
    """The shipped model of this name with its words, in evaluation mode."""
    from model.model_files import load_folder

    return load_folder(trained_folder(name))


def trained_state(name: str = "trained") -> dict[str, NDArray[Any]]:
    """The same weights by state_dict name, without torch."""
    import safetensors.numpy

    return safetensors.numpy.load_file(trained_folder(name) / WEIGHTS_FILE)
