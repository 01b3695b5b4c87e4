"""The proof pack as one zip, byte-for-byte reproducible."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache
from pathlib import Path

from export.pack.card import model_card
from export.pack.expected import expected_values
from export.pack.spreadsheet import FILE as SPREADSHEET
from export.pack.spreadsheet import spreadsheet
from export.parity.results import RESULTS
from export.shipped import EXAMPLE_WORDS, FILES
from model.config import MiniGPTConfig
from model.parameters import weights_of
from model.teaching import TEACHING_CONFIG, teaching_model
from model.trained import trained_model
from model.vocabulary import Vocabulary

PACK = "mini_gpt_proof_pack.zip"
EXAMPLES = Path(__file__).with_name("examples")

TOKENIZER = Path(__file__).parents[2] / "model" / "tokenizer.json"

_DATE = (2020, 1, 1, 0, 0, 0)


def contents() -> dict[str, bytes]:
    """Every file of the pack by its path in the zip."""
    import torch

    vocabulary = Vocabulary()
    exact = teaching_model(torch.float64)
    files = {path.name: path.read_bytes() for path in sorted(FILES.iterdir())}
    files[SPREADSHEET] = spreadsheet(
        exact.config, weights_of(exact), vocabulary, list(EXAMPLE_WORDS)
    )
    files["expected.json"] = _compact(expected_values(vocabulary))
    files[TOKENIZER.name] = TOKENIZER.read_bytes()
    files |= {path.name: path.read_bytes() for path in sorted(RESULTS.glob("parity.*"))}
    files |= {f"examples/{path.name}": path.read_bytes() for path in sorted(EXAMPLES.iterdir())}
    sizes = {name: len(content) for name, content in files.items()}
    files["README.md"] = model_card(_configs(), vocabulary, sizes).encode()
    return files


@cache
def proof_pack() -> bytes:
    """The zip; made once per process."""
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as archive:
        for name, content in sorted(contents().items()):
            archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return result.getvalue()


def _configs() -> dict[str, MiniGPTConfig]:
    return {"teaching": TEACHING_CONFIG, "trained": trained_model().config}


def _compact(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
