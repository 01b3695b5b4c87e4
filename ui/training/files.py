"""A person's model as files: weights at once, ONNX after it was shown to agree."""

from __future__ import annotations

import io
import logging
import threading
import zipfile
from typing import Any

from model.checkpoint import config_text, state_bytes
from model.vocabulary import Vocabulary
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE
from ui.training.own import OwnModel
from ui.training.process import Spare
from ui.training.wire import Header

ARCHIVE = "mini_gpt_own.zip"
PREPARING, READY, FAILED = "preparing", "ready", "failed"

_LOG = logging.getLogger(__name__)
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same archive every time


class Files:
    """Makes files, one model after another, in a process of its own."""

    def __init__(self, spare: Spare) -> None:
        self._spare = spare
        self._lock = threading.Lock()
        self._line: list[OwnModel] = []  # the first is being worked on
        self._failed: set[int] = set()  # by id(); tried again when asked again

    def state(self, own: OwnModel) -> dict[str, Any]:
        """Where the files of `own` stand; the first question has them made.

        {"state", "files": [{"name", "bytes"}], "proof"}.
        """
        with self._lock:
            if own.proof is not None:
                state = READY
            elif id(own) in self._failed:
                self._failed.discard(id(own))
                state = FAILED
            else:
                self._want(own)
                state = PREPARING
            listed = own.files if state == READY else {}
            files = [{"name": name, "bytes": len(content)} for name, content in listed.items()]
            return {"state": state, "files": files, "proof": own.proof}

    def _want(self, own: OwnModel) -> None:
        if own in self._line:
            return
        self._line.append(own)
        if len(self._line) == 1:
            self._make(own)

    def _make(self, own: OwnModel) -> None:
        own.files = weights_files(own)
        process = self._spare.take()
        content = own.files[WEIGHTS_FILE]
        process.run({"kind": "files"}, content, lambda *heard: self._hear(own, *heard))

    def _hear(self, own: OwnModel, header: Header | None, content: bytes) -> None:
        with self._lock:
            if header is None:
                self._ended(own)
            elif header["kind"] == "file":
                own.files[header["name"]] = content
            else:
                own.files[ARCHIVE] = archive(own.files)
                own.proof = header["proof"]

    def _ended(self, own: OwnModel) -> None:
        if own.proof is None:
            _LOG.warning("the files of a model could not be made")
            own.files = {}
            self._failed.add(id(own))
        self._line.remove(own)
        if self._line:
            self._make(self._line[0])


def weights_files(own: OwnModel) -> dict[str, bytes]:
    """`model.safetensors` and `config.json`: what `MiniGPT.from_pretrained` takes."""
    config, words = own.entry.config, Vocabulary()
    return {
        WEIGHTS_FILE: state_bytes(config, own.entry.weights(), words),
        CONFIG_FILE: config_text(config, words).encode(),
    }


def archive(files: dict[str, bytes]) -> bytes:
    """All of `files` as one zip, in a folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            entry = zipfile.ZipInfo(f"mini_gpt_own/{name}", _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)
    return buffer.getvalue()
