"""A trained model as files: weights at once, ONNX files after parity with PyTorch is checked."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any

from export.workers.wire import Head
from model.checkpoint import config_text, state_bytes
from model.config import MiniGPTConfig
from model.errors import InputError
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE
from ui.session import current_session
from ui.training import limits
from ui.training.own import OwnModel
from ui.training.process import Spare
from ui.training.queue import Work, WorkQueue

ARCHIVE = "mini_gpt_own.zip"
FORMS = "forms"
"""Folder of the archive for the ONNX forms of `export`; beside it is what loaders take."""
WAITING, PREPARING, READY, FAILED = "waiting", "preparing", "ready", "failed"

Templates = MutableMapping[MiniGPTConfig, bytes]
"""By sizes, without dropout; see `export.forms.filled`."""

_LOG = logging.getLogger(__name__)
_READABLE_BY_ALL = 0o100644 << 16  # a regular file's mode in a zip entry; the default is 0600
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # fixed, so that the archive is reproducible


class Files:
    """Makes the files of one model after another, in a worker process."""

    def __init__(self, spare: Spare, templates: Templates | None = None) -> None:
        """templates: of sizes that were exported before; others are added to it."""
        self._queue = WorkQueue(spare, limits.FILES)
        self._templates: Templates = {} if templates is None else templates
        self._under_way: dict[OwnModel, _Making] = {}

    def state(self, own: OwnModel) -> dict[str, Any]:
        """The state of the files of `own`; the first request for it starts making them.

        {"state", "place", "files": [{"name", "bytes"}], "proof", "trouble"}; `place` is the
        place in the queue. A failure's InputError is returned once as `trouble`; the next
        request starts again.

        Raises:
            InputError: too many models are waiting.
        """
        with self._queue.lock:
            state = self._state(own)
            trouble, own.trouble = own.trouble, None
            making = self._under_way.get(own)
            listed = own.files if state == READY else {}
            return {
                "state": state,
                "place": self._queue.place(making) if making else 0,
                "files": [{"name": name, "bytes": len(file)} for name, file in listed.items()],
                "proof": own.proof,
                "trouble": trouble,
            }

    def end(self) -> None:
        """Kill the running process; for the end of the server."""
        self._queue.end()

    def _state(self, own: OwnModel) -> str:
        if own.proof is not None:
            return READY
        if own not in self._under_way and own.trouble is None:
            self._want(own)
        if own in self._under_way:
            making = self._under_way[own]
            self._queue.ask(making, current_session())
            return WAITING if self._queue.place(making) else PREPARING
        return FAILED

    def _want(self, own: OwnModel) -> None:
        making = self._under_way[own] = _Making(own, self._under_way, self._templates)
        try:
            self._queue.put(making)
        except InputError:
            del self._under_way[own]
            raise


class _Making(Work):
    """The work of making one model's files."""

    seconds = limits.MAKING_SECONDS

    def __init__(
        self, own: OwnModel, under_way: dict[OwnModel, _Making], templates: Templates
    ) -> None:
        super().__init__(current_session())
        self._own = own
        self._under_way = under_way
        self._templates = templates
        self._sizes = replace(own.entry.config, dropout=0.0)
        self._told: InputError | None = None
        self._folder: dict[str, bytes] = {}

    def order(self) -> tuple[Head, bytes]:
        self._own.files = weights_files(self._own)
        weights = self._own.files[WEIGHTS_FILE]
        template = self._templates.get(self._sizes, b"")
        return {"kind": "files", "weights": len(weights)}, weights + template

    def hear(self, head: Head, content: bytes) -> None:
        if head["kind"] == "file":
            files = self._folder if head.get("in_folder") else self._own.files
            files[head["name"]] = content
        elif head["kind"] == "template":
            self._templates[self._sizes] = content
        elif head["error"]:
            self._told = InputError(head["error"]["code"], **head["error"]["details"])
        else:
            self._finish()
            self._own.proof = head["proof"]

    def _finish(self) -> None:
        """List the folder's weights and configuration beside the forms, and pack everything."""
        own = (WEIGHTS_FILE, CONFIG_FILE)
        listed = self._own.files
        listed |= {name: self._folder[name] for name in own if name in self._folder}
        folder = {name: listed[name] for name in own} | self._folder
        forms = {f"{FORMS}/{name}": made for name, made in listed.items() if name not in folder}
        listed[ARCHIVE] = archive(folder | forms)

    def ended(self, error: InputError | None) -> None:
        del self._under_way[self._own]
        if self._own.proof is None:
            trouble = error or self._told or InputError("files_failed")
            _LOG.warning("the files of a model could not be made: %s", trouble.code)
            self._own.files, self._own.trouble = {}, trouble

    def dropped(self) -> None:
        del self._under_way[self._own]


def weights_files(own: OwnModel) -> dict[str, bytes]:
    """`model.safetensors` and `config.json`, as `MiniGPT.from_pretrained` loads them."""
    config, words = own.entry.config, own.entry.vocabulary
    return {
        WEIGHTS_FILE: state_bytes(config, own.entry.weights(), words),
        CONFIG_FILE: config_text(config, words).encode(),
    }


def archive(files: dict[str, bytes]) -> bytes:
    """All of `files` as one zip archive, in a folder; readable by all, as web servers need."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            entry = zipfile.ZipInfo(f"mini_gpt_own/{name}", _ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = _READABLE_BY_ALL
            packed.writestr(entry, content)
    return buffer.getvalue()
