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
from export.shipped import FILES
from model.parameters import weights_of
from model.shipped import SHIPPED
from model.teaching import teaching_model
from model.vocabulary import LESSON_A

PACK = "mini_gpt_proof_pack.zip"
EXAMPLES = Path(__file__).with_name("examples")

TOKENIZER = Path(__file__).parents[2] / "model" / "tokenizer.json"

_DATE = (2020, 1, 1, 0, 0, 0)
_READABLE_BY_ALL = 0o100644 << 16  # a web server can't serve the default, 0600


def contents() -> dict[str, bytes]:
    """Every file of the pack by its path in the zip."""
    import torch

    exact = teaching_model(torch.float64)
    assert exact.vocabulary is not None
    files = {path.name: path.read_bytes() for path in sorted(FILES.iterdir())}
    files[SPREADSHEET] = spreadsheet(
        exact.config, weights_of(exact), exact.vocabulary, exact.vocabulary.decode(LESSON_A)
    )
    files["expected.json"] = _compact(expected_values())
    files[TOKENIZER.name] = TOKENIZER.read_bytes()
    files |= {path.name: path.read_bytes() for path in sorted(RESULTS.glob("parity.*"))}
    files |= {f"examples/{path.name}": path.read_bytes() for path in sorted(EXAMPLES.iterdir())}
    sizes = {name: len(content) for name, content in files.items()}
    files["README.md"] = _card(sizes).encode()
    return files


@cache
def proof_pack() -> bytes:
    """The zip; made once per process."""
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as archive:
        for name, content in sorted(contents().items()):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.external_attr = _READABLE_BY_ALL
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return result.getvalue()


def _card(sizes: dict[str, int]) -> str:
    models = {name: shipped.load() for name, shipped in SHIPPED.items()}
    words = {name: model.vocabulary for name, model in models.items() if model.vocabulary}
    return model_card({name: model.config for name, model in models.items()}, words, sizes)


def _compact(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
