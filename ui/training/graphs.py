"""ONNX graphs with weights as inputs for sizes that are not shipped, exported in a process.

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
    """The graphs made so far, by sizes; they contain no user's weights, so all users share them.

    templates: by sizes, see `export.forms.filled`; made with the graphs, and used for files.
    """

    def __init__(self, spare: Spare) -> None:
        self._queue = WorkQueue(spare, limits.GRAPHS)
        self._made: LRUCache[MiniGPTConfig, bytes] = LRUCache(KEPT_GRAPHS)
        self.templates: LRUCache[MiniGPTConfig, bytes] = LRUCache(KEPT_GRAPHS)
        self._failed: dict[MiniGPTConfig, float] = {}
        self._under_way: dict[MiniGPTConfig, _Export] = {}

    def source(self, config: MiniGPTConfig) -> Path | bytes:
        """The graph for these sizes, as `export.runtimes.editable.editable_runner` takes it.

        Raises:
            InputError: the export is not finished, or has failed.
        """
        self.prepare(config)
        sizes = replace(config, dropout=0.0)
        with self._queue.lock:
            if sizes in self._made:
                return self._made[sizes]
            raise InputError("onnx_failed" if sizes in self._failed else "onnx_preparing")

    def prepare(self, config: MiniGPTConfig, session: str | None = None) -> None:
        """Queue the export unless the graph exists; returns at once.

        session: for whom, by default the calling one. Never raises: a caller that needs the
        graph asks again.
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
        """Kill the running process; for the end of the server."""
        self._queue.end()

    def keep(self, sizes: MiniGPTConfig, graph: bytes) -> None:
        """Store a finished graph; the least recently used one may be dropped."""
        self._made[sizes] = graph

    def over(self, sizes: MiniGPTConfig, failed: bool) -> None:
        """The export for these sizes has ended, or was dropped from the queue."""
        del self._under_way[sizes]
        if failed and sizes not in self._made:
            _LOG.warning("the ONNX graph of %s could not be made", sizes)
            self._failed[sizes] = time.monotonic()

    def _is_there(self, sizes: MiniGPTConfig) -> bool:
        """Whether it is made or shipped, or failed less than RETRY_SECONDS ago."""
        failed = time.monotonic() - self._failed.get(sizes, -RETRY_SECONDS) < RETRY_SECONDS
        try:
            return failed or sizes in self._made or shipped_file(sizes) is not None
        except OSError as error:  # out of file descriptors
            _LOG.warning("the shipped files could not be listed: %s", error.strerror)
            return True

    def _want(self, sizes: MiniGPTConfig, session: str) -> None:
        export = self._under_way[sizes] = _Export(self, sizes, session)
        try:
            self._queue.put(export)
        except InputError as error:
            del self._under_way[sizes]
            _LOG.info("the ONNX graph of %s was not queued: %s", sizes, error.code)


class _Export(Work):
    """The export of the graph for one set of sizes."""

    seconds = limits.MAKING_SECONDS

    def __init__(self, graphs: Graphs, sizes: MiniGPTConfig, session: str) -> None:
        super().__init__(session)
        self._graphs = graphs
        self._sizes = sizes

    def order(self) -> tuple[Head, bytes]:
        return {"kind": "graph", "config": self._sizes.as_dict()}, b""

    def hear(self, head: Head, content: bytes) -> None:
        if head["kind"] == "template":
            self._graphs.templates[self._sizes] = content
        else:
            self._graphs.keep(self._sizes, content)

    def ended(self, error: InputError | None) -> None:
        self._graphs.over(self._sizes, failed=True)

    def dropped(self) -> None:
        self._graphs.over(self._sizes, failed=False)
