"""`from_pretrained`, `save_pretrained`, `push_to_hub`: a MiniGPT on disk and on the Hub.

huggingface_hub is imported only for downloads and uploads; a local folder does not need it.
`model.checkpoint` checks the files; a pickle is never opened.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.checkpoint import put, read_checkpoint
from model.config import MiniGPTConfig
from model.errors import InputError
from model.gpt2.folder import FolderFiles, folder_files
from model.gpt2.settings import in_our_keys, is_gpt2
from model.parameters import Weights, weights_of
from model.vocabulary import Vocabulary
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE, read_description, read_file
from model.whole_file import write_whole

Read = Callable[[str], bytes]
"""Reads a file of a folder or a repository: its name -> its content."""


class HubModel:
    """Mixin of `MiniGPT`: loading and saving, on disk and on the Hub."""

    config: MiniGPTConfig
    vocabulary: Vocabulary | None
    causal_mask: Any

    @classmethod
    def from_pretrained(
        cls,
        pretrained_model_name_or_path: str | Path,
        *,
        map_location: str = "cpu",
        revision: str | None = None,
        cache_dir: str | Path | None = None,
        force_download: bool = False,
        local_files_only: bool = False,
        token: str | bool | None = None,
        **arguments: Any,
    ) -> Any:
        """The model of a folder or of a Hub repository, in evaluation mode, with its words.

        The files are a MiniGPT's, a GPT-2's (exact GELU, no attention biases) or nanoGPT's.
        A folder is read without a connection; revision to token are passed to `hf_hub_download`.
        arguments: `dropout`; other arguments of `MiniGPT` must equal what the files state.

        Raises:
            InputError: there is no such folder or repository, or a file of it is missing,
                broken, or of another model.
        """
        place = _place(pretrained_model_name_or_path)
        if isinstance(place, Path):
            read: Read = lambda name: read_file(place / name)  # noqa: E731
        else:
            read = _repository(
                place,
                revision=revision,
                cache_dir=cache_dir,
                force_download=force_download,
                local_files_only=local_files_only,
                token=token,
            )
        stated = read_description(read(CONFIG_FILE))
        own = in_our_keys(stated) if is_gpt2(stated) else stated
        for name, value in arguments.items():
            if name != "dropout" and own.get(name, value) != value:
                raise InputError("hub_argument", name=name, value=value, stated=own[name])
        described = stated if is_gpt2(stated) else {**stated, **arguments}
        checkpoint = read_checkpoint(read(WEIGHTS_FILE), config=described)
        if "dropout" in arguments:
            sizes = replace(checkpoint.config, dropout=arguments["dropout"])
            checkpoint = checkpoint._replace(config=sizes)
        network = put(checkpoint, lambda sizes: cls(**{**arguments, **sizes}))
        return network.to(map_location)

    def save_pretrained(
        self,
        save_directory: str | Path,
        *,
        repo_id: str | None = None,
        push_to_hub: bool = False,
        **options: Any,
    ) -> str | None:
        """Write the folder of `model.gpt2.folder`; return the commit's URL if pushed.

        transformers, optimum, transformers.js and `from_pretrained` read it. If the bias of
        `lm_head` can't be folded exactly, it is written in our own form, as its card says.

        repo_id: where to push to, by default the folder's name; options: passed to
            `push_to_hub`.

        Raises:
            InputError: the files could not be loaded again; nothing was written.
        """
        folder = Path(save_directory)
        files = self.folder_files()  # checks everything before anything is written
        folder.mkdir(parents=True, exist_ok=True)
        files.write(folder, write_whole)
        return self.push_to_hub(repo_id or folder.name, **options) if push_to_hub else None

    def folder_files(self, *, plain: bool = False) -> FolderFiles:
        """The files that `save_pretrained` writes; plain: in our own form in any case.

        Raises:
            InputError: the files could not be loaded again.
        """
        return folder_files(
            self.config, weights_of(self), self.vocabulary, self.logits_with, plain=plain
        )

    def logits_with(self, weights: Weights, token_ids: NDArray[np.int64]) -> NDArray[Any]:
        """logits [batch, sequence, vocab_size] of this network with other weights."""
        import torch

        sizes, mask = self.config.as_dict(), self.causal_mask
        with torch.device("meta"):  # without drawing weights that are replaced
            network: Any = type(self)(**sizes)
        state = {name: torch.tensor(np.asarray(values)) for name, values in weights.items()}
        network.load_state_dict(state, assign=True)
        network.causal_mask = mask.to("cpu", torch.float32)
        with torch.inference_mode():
            logits = network.eval()(torch.from_numpy(token_ids))[0]
        result: NDArray[Any] = logits.numpy()
        return result

    def push_to_hub(
        self,
        repo_id: str,
        *,
        commit_message: str = "Push model using huggingface_hub.",
        private: bool | None = None,
        token: str | None = None,
        branch: str | None = None,
        create_pr: bool | None = None,
    ) -> str:
        """Upload what `save_pretrained` writes; return the commit's URL.

        private to create_pr: passed to huggingface_hub's `create_repo` and `upload_folder`.

        Raises:
            InputError: the files could not be loaded again, and nothing was uploaded; or the
                Hub refused, or can't be reached.
        """
        from huggingface_hub import HfApi

        with tempfile.TemporaryDirectory() as folder, _hub_errors("hub_push", repo_id):
            self.save_pretrained(folder)
            api = HfApi(token=token)
            made = api.create_repo(repo_id=repo_id, private=private, exist_ok=True)
            commit = api.upload_folder(
                repo_id=made.repo_id,
                folder_path=Path(folder),
                commit_message=commit_message,
                revision=branch,
                create_pr=create_pr,
            )
        return str(commit)


def _repository(repo_id: str, **options: Any) -> Read:
    """A reader of the repository's files, downloaded or from the cache."""
    from huggingface_hub import hf_hub_download

    def read(name: str) -> bytes:
        with _hub_errors("hub_missing", repo_id):
            return read_file(Path(hf_hub_download(repo_id, name, **options)))

    return read


def no_connection() -> tuple[type[Exception], ...]:
    """The exceptions of huggingface_hub's HTTP client if the Hub can't be reached."""
    import httpx2  # not httpx, which Gradio uses

    return (
        httpx2.HTTPError,
        httpx2.InvalidURL,  # an invalid proxy URL
        ImportError,  # a SOCKS proxy without the package it needs
    )


@contextmanager
def _hub_errors(code: str, repo_id: str) -> Iterator[None]:
    """Turn refusals of the Hub and connection failures into an InputError."""
    from huggingface_hub.errors import (
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        LocalTokenNotFoundError,
        OfflineModeIsEnabled,
    )

    refusals: tuple[type[Exception], ...] = (
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        LocalTokenNotFoundError,
        OfflineModeIsEnabled,
        *no_connection(),
    )
    try:
        yield
    except refusals as error:
        reason = str(error).strip().partition("\n")[0][:200]
        raise InputError(code, name=repo_id, reason=reason) from error


def _place(given: str | Path) -> Path | str:
    """The folder, or the name of a repository.

    Raises:
        InputError: neither.
    """
    folder = Path(given).expanduser()
    if folder.is_dir():
        return folder

    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined] # no __all__

    looks_like_a_path = str(given).startswith(("/", ".", "~"))
    try:
        validate_repo_id(str(given))
    except HFValidationError as error:
        raise InputError("folder_missing", folder=str(given)) from error
    if looks_like_a_path or folder.exists():
        raise InputError("folder_missing", folder=str(given))
    return str(given)
