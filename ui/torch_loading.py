"""Importing PyTorch in the background.

Importing torch takes 1.0 to 1.5 s of CPU, longer than everything the first view needs, so it
runs in a thread that is started once the page is open in a browser.
"""

from __future__ import annotations

import importlib
import logging
import threading
from typing import Literal

from model.errors import InputError

TorchState = Literal["loading", "ready", "missing"]

_LOG = logging.getLogger(__name__)
_lock = threading.Lock()
_thread: threading.Thread | None = None
_state: TorchState = "loading"


def start() -> None:
    """Start importing torch unless that has started; returns at once."""
    global _thread
    with _lock:
        if _thread is None:
            _thread = threading.Thread(target=_load, name="load-torch", daemon=True)
            _thread.start()


def state() -> TorchState:
    """Whether PyTorch is available; "loading" also before `start`."""
    return _state


def wait() -> None:
    """Block until PyTorch is available; starts importing it if necessary.

    Raises:
        InputError: torch cannot be imported.
    """
    start()
    assert _thread is not None
    _thread.join()
    require()


def require() -> None:
    """Raise InputError unless PyTorch is available now; starts importing it."""
    start()
    if _state == "loading":
        raise InputError("torch_loading")
    if _state == "missing":
        raise InputError("torch_missing")


def _load() -> None:
    global _state
    try:
        torch = importlib.import_module("torch")
        # Running a network this small is all overhead: a second thread makes it 5 times slower
        # as soon as another process uses that core.
        torch.set_num_threads(1)
        importlib.import_module("export.runtimes.pytorch")
    except Exception:  # not only ImportError: a broken installation raises OSError and others
        _LOG.warning("PyTorch cannot be loaded; only ONNX Runtime can be used", exc_info=True)
        _state = "missing"
    else:
        _state = "ready"
