"""The trained weights, made by `python -m model train --recipe model/recipes/trained.json`.

They are shipped as a file and not retrained: processors round differently, and after a
thousand steps the difference reaches every digit.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from model.vocabulary import Vocabulary
from model.weights_file import WEIGHTS_FILE

if TYPE_CHECKING:
    from model.network import MiniGPT

TRAINED_FOLDER = Path(__file__).parent / "files" / "trained"


def trained_model() -> MiniGPT:
    """The shipped MiniGPT(5, 8, 4, 2, 2, 0.1), in evaluation mode."""
    from model.model_files import load_folder

    return load_folder(TRAINED_FOLDER, Vocabulary())


def trained_state() -> dict[str, NDArray[Any]]:
    """The same weights by state_dict name, without torch."""
    import safetensors.numpy

    return safetensors.numpy.load_file(TRAINED_FOLDER / WEIGHTS_FILE)
