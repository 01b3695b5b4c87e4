"""`from_pretrained`, `save_pretrained`, `push_to_hub`: huggingface_hub's own mixin.

The mixin does the downloading, the uploading and the model card; what a file must satisfy is
checked by `model.checkpoint`, and a pickle is never opened.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from huggingface_hub import PyTorchModelHubMixin, hf_hub_download
from huggingface_hub.errors import (
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
)
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined] # no __all__

from model.errors import InputError
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE, read_description, read_file

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
        """The model of a folder or of a Hub repository, in evaluation mode, with its words.

        A folder is read without a network. options: the mixin's (`revision`, `token`,
        `local_files_only`, …) and `dropout`.

        Raises:
            InputError: there is no such folder or repository, or a file of it is missing,
                broken, or of another model.
        """
        place = _place(pretrained_model_name_or_path)
        try:
            return super().from_pretrained(place, **options)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:  # the mixin's own reading
            raise InputError("checkpoint_config", reason=str(error)[:120]) from error
        except (HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled) as error:
            reason = str(error).strip().partition("\n")[0][:200]
            raise InputError("hub_missing", name=place, reason=reason) from error

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
        **arguments: Any,
    ) -> Any:
        """The mixin's hook: `arguments` are config.json's, and those given. Always strict."""
        from model.checkpoint import put, read_checkpoint

        def read(name: str) -> bytes:
            path = Path(model_id) / name
            if not Path(model_id).is_dir():
                path = Path(
                    hf_hub_download(
                        model_id,
                        name,
                        revision=revision,
                        cache_dir=cache_dir,
                        force_download=force_download,
                        local_files_only=local_files_only,
                        token=token,
                    )
                )
            return read_file(path)

        stated = read_description(read(CONFIG_FILE))
        for name, value in arguments.items():
            if name != "dropout" and stated.get(name, value) != value:
                raise InputError("hub_argument", name=name, value=value, stated=stated[name])
        checkpoint = read_checkpoint(read(WEIGHTS_FILE), config={**stated, **arguments})
        network = put(checkpoint, lambda sizes: cls(**{**arguments, **sizes}))
        return network.to(map_location)

    def save_pretrained(self, save_directory: str | Path, **options: Any) -> str | None:
        """Write `config.json`, `model.safetensors` and a card; see the mixin for `options`.

        Raises:
            InputError: what would be written could not be loaded; nothing was touched.
        """
        from model.checkpoint import weights_bytes

        network: Any = self
        weights_bytes(network)  # before the mixin removes the config.json that may be there
        return super().save_pretrained(save_directory, **options)

    def _save_pretrained(self, save_directory: Path) -> None:
        """The mixin's hook: writes both files."""
        from model.checkpoint import save_folder

        network: Any = self
        save_folder(network, save_directory)


def _place(given: str | Path) -> str:
    """The folder, or the name of a repository.

    Raises:
        InputError: neither; or a folder without config.json.
    """
    folder = Path(given).expanduser()
    if folder.is_dir():
        if not (folder / CONFIG_FILE).is_file():
            raise InputError("checkpoint_missing", file=CONFIG_FILE)
        read_description(read_file(folder / CONFIG_FILE))  # before the mixin takes it for an object
        return str(folder)
    looks_like_a_path = str(given).startswith(("/", ".", "~"))
    try:
        validate_repo_id(str(given))
    except HFValidationError as error:
        raise InputError("folder_missing", folder=str(given)) from error
    if looks_like_a_path or folder.exists():
        raise InputError("folder_missing", folder=str(given))
    return str(given)
