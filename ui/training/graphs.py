"""The ONNX form of sizes that are not shipped, exported in a process of its own.

An export keeps a core busy for seconds; in the page's own process every click would wait.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

from export.runtimes.editable import shipped_file
from model.config import MiniGPTConfig
from model.errors import InputError
from ui.training.process import Spare
from ui.training.wire import Header

KEPT_GRAPHS = 64  # about 30 KB each
RETRY_SECONDS = 60.0  # after a failure

_LOG = logging.getLogger(__name__)


class Graphs:
    """The forms made so far, by sizes; they hold nobody's weights, so all share them."""

    def __init__(self, spare: Spare) -> None:
        self._spare = spare
        self._lock = threading.Lock()
        self._made: OrderedDict[MiniGPTConfig, bytes] = OrderedDict()
        self._failed: dict[MiniGPTConfig, float] = {}
        self._wanted: list[MiniGPTConfig] = []  # the first is being made

    def source(self, config: MiniGPTConfig) -> Path | bytes:
        """The form of these sizes, for `export.runtimes.editable.use_source`.

        Raises:
            InputError: it is being made, or could not be made.
        """
        self.prepare(config)
        sizes = replace(config, dropout=0.0)
        with self._lock:
            if sizes in self._made:
                self._made.move_to_end(sizes)
                return self._made[sizes]
            raise InputError("onnx_failed" if sizes in self._failed else "onnx_preparing")

    def prepare(self, config: MiniGPTConfig) -> None:
        """Have the form made unless it is there; returns at once."""
        sizes = replace(config, dropout=0.0)
        with self._lock:
            retry = time.monotonic() - self._failed.get(sizes, -RETRY_SECONDS) >= RETRY_SECONDS
            if sizes in self._made or sizes in self._wanted or not retry:
                return
            if shipped_file(sizes) is not None:
                return
            self._failed.pop(sizes, None)
            self._wanted.append(sizes)
            if len(self._wanted) == 1:
                self._make(sizes)

    def _make(self, sizes: MiniGPTConfig) -> None:
        process = self._spare.take()
        task = {"kind": "graph", "config": sizes.as_dict()}
        process.run(task, b"", lambda header, content: self._hear(sizes, header, content))

    def _hear(self, sizes: MiniGPTConfig, header: Header | None, content: bytes) -> None:
        with self._lock:
            if header is not None:
                self._made[sizes] = content
                if len(self._made) > KEPT_GRAPHS:
                    self._made.popitem(last=False)
                return
            if sizes not in self._made:
                _LOG.warning("the ONNX form of %s could not be made", sizes)
                self._failed[sizes] = time.monotonic()
            self._wanted.remove(sizes)
            if self._wanted:
                self._make(self._wanted[0])
