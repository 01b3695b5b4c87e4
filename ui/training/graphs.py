"""The ONNX form of sizes that are not shipped, exported in a process of its own.

An export keeps a core busy for seconds; in the page's own process every click would wait.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from pathlib import Path

from cachetools import LRUCache

from export.runtimes.editable import shipped_file
from export.workers.wire import Head
from model.config import MiniGPTConfig
from model.errors import InputError
from ui.session import current_session
from ui.training import limits
from ui.training.process import Spare
from ui.training.queue import Work, WorkQueue

KEPT_GRAPHS = 64  # about 30 KB each
RETRY_SECONDS = 60.0  # after a failure

_LOG = logging.getLogger(__name__)


class Graphs:
    """The forms made so far, by sizes; they hold nobody's weights, so all share them."""

    def __init__(self, spare: Spare) -> None:
        self._queue = WorkQueue(spare, limits.GRAPHS)
        self._made: LRUCache[MiniGPTConfig, bytes] = LRUCache(KEPT_GRAPHS)
        self._failed: dict[MiniGPTConfig, float] = {}
        self._under_way: dict[MiniGPTConfig, _Export] = {}

    def source(self, config: MiniGPTConfig) -> Path | bytes:
        """The form of these sizes, as `export.runtimes.editable.editable_runner` asks for it.

        Raises:
            InputError: it is being made, or could not be made.
        """
        self.prepare(config)
        sizes = replace(config, dropout=0.0)
        with self._queue.lock:
            if sizes in self._made:
                return self._made[sizes]
            raise InputError("onnx_failed" if sizes in self._failed else "onnx_preparing")

    def prepare(self, config: MiniGPTConfig, session: str | None = None) -> None:
        """Have the form made unless it is there; returns at once.

        session: for whom, if it is not the one that calls. Whatever is in the way, nothing is
        raised: whoever needs the form asks again.
        """
        sizes = replace(config, dropout=0.0)
        session = current_session() if session is None else session
        with self._queue.lock:
            if sizes in self._under_way:
                self._queue.ask(self._under_way[sizes], session)
            elif not self._is_there(sizes):
                self._failed.pop(sizes, None)
                self._want(sizes, session)

    def end(self) -> None:
        """End the process at work, as the server ends."""
        self._queue.end()

    def keep(self, sizes: MiniGPTConfig, graph: bytes) -> None:
        """Have a form that was made; the longest unused one may have to go."""
        self._made[sizes] = graph

    def over(self, sizes: MiniGPTConfig, failed: bool) -> None:
        """Nothing more is to be heard of these sizes."""
        del self._under_way[sizes]
        if failed and sizes not in self._made:
            _LOG.warning("the ONNX form of %s could not be made", sizes)
            self._failed[sizes] = time.monotonic()

    def _is_there(self, sizes: MiniGPTConfig) -> bool:
        """Whether it is made, shipped, or has failed a moment ago."""
        failed = time.monotonic() - self._failed.get(sizes, -RETRY_SECONDS) < RETRY_SECONDS
        try:
            return failed or sizes in self._made or shipped_file(sizes) is not None
        except OSError as error:  # no descriptor to look with
            _LOG.warning("the shipped files could not be looked at: %s", error.strerror)
            return True

    def _want(self, sizes: MiniGPTConfig, session: str) -> None:
        export = self._under_way[sizes] = _Export(self, sizes, session)
        try:
            self._queue.put(export)
        except InputError as error:
            del self._under_way[sizes]
            _LOG.info("the ONNX form of %s does not wait: %s", sizes, error.code)


class _Export(Work):
    """The form of one network's sizes."""

    seconds = limits.MAKING_SECONDS

    def __init__(self, graphs: Graphs, sizes: MiniGPTConfig, session: str) -> None:
        super().__init__(session)
        self._graphs = graphs
        self._sizes = sizes

    def order(self) -> tuple[Head, bytes]:
        return {"kind": "graph", "config": self._sizes.as_dict()}, b""

    def hear(self, head: Head, content: bytes) -> None:
        self._graphs.keep(self._sizes, content)

    def ended(self, error: InputError | None) -> None:
        self._graphs.over(self._sizes, failed=True)

    def dropped(self) -> None:
        self._graphs.over(self._sizes, failed=False)
