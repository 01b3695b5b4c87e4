"""`from_pretrained`, `save_pretrained`, `push_to_hub`: huggingface_hub's own mixin.

The mixin does the downloading, the uploading and the model card; what a file must satisfy is
checked by `model.checkpoint`, and a pickle is never opened.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from huggingface_hub import PyTorchModelHubMixin, hf_hub_download

from model.errors import InputError
from model.vocabulary import LESSON_WORDS, Vocabulary
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE, described_config, read_description

_CARD = """---
{{ card_data }}
---

# MiniGPT

A tiny GPT. `config.json` holds its sizes and words, `model.safetensors` its weights.

```python
from model import MiniGPT

network = MiniGPT.from_pretrained("this folder or repository")
```
"""


class HubModel(
    PyTorchModelHubMixin,
    model_card_template=_CARD,
    library_name="mini-gpt",
    license="mit",
    tags=["education"],
):
    """What `MiniGPT` gains: its place on a disk and on the Hub."""

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path: str | Path, **options: Any) -> Any:
        """The model of a folder or of a Hub repository, in evaluation mode.

        A folder is read without a network. options: the mixin's (`revision`, `token`,
        `local_files_only`, …) and arguments of `MiniGPT` such as `dropout`.

        Raises:
            InputError: a file of the folder is missing, broken, or of another model.
        """
        folder = Path(pretrained_model_name_or_path)
        no_repository = str(pretrained_model_name_or_path).startswith(("/", "."))
        if no_repository or folder.is_dir():
            _check_config(folder)
        return super().from_pretrained(pretrained_model_name_or_path, **options)

    @classmethod
    def _from_pretrained(
        cls,
        *,
        model_id: str,
        map_location: str = "cpu",
        strict: bool = True,
        revision: str | None = None,
        cache_dir: str | Path | None = None,
        force_download: bool = False,
        local_files_only: bool = False,
        token: str | bool | None = None,
        **sizes: Any,
    ) -> Any:
        """The mixin's hook: `sizes` is what config.json holds. Always strict."""
        from model.checkpoint import load_weights

        path = Path(model_id) / WEIGHTS_FILE
        if not Path(model_id).is_dir():
            path = Path(
                hf_hub_download(
                    model_id,
                    WEIGHTS_FILE,
                    revision=revision,
                    cache_dir=cache_dir,
                    force_download=force_download,
                    local_files_only=local_files_only,
                    token=token,
                )
            )
        if not path.is_file():
            raise InputError("checkpoint_missing", file=path.name)
        network: Any = cls(**sizes)
        load_weights(network, path.read_bytes())
        return network.to(map_location).eval()

    def _save_pretrained(self, save_directory: Path) -> None:
        """The mixin's hook: writes both files."""
        from model.checkpoint import save_folder

        network: Any = self
        lesson = network.config.vocab_size == len(LESSON_WORDS)
        save_folder(network, save_directory, Vocabulary() if lesson else None)


def _check_config(folder: Path) -> None:
    """Raise InputError unless the folder's config.json states sizes a MiniGPT can have."""
    path = folder / CONFIG_FILE
    if not path.is_file():
        raise InputError("checkpoint_missing", file=CONFIG_FILE)
    described_config(read_description(path.read_bytes()))
