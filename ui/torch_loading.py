"""Loading PyTorch beside the running page.

Importing torch takes longer than everything the first view needs (1.0 to 1.5 s of CPU), so it
happens in a thread that the first page in a browser starts.
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
    """Begin to load torch unless that has begun already; returns at once."""
    global _thread
    with _lock:
        if _thread is None:
            _thread = threading.Thread(target=_load, name="load-torch", daemon=True)
            _thread.start()


def state() -> TorchState:
    """Whether PyTorch can be used; "loading" also before `start`."""
    return _state


def wait() -> None:
    """Return when PyTorch can be used, loading it first if need be.

    Raises:
        InputError: torch cannot be imported.
    """
    start()
    assert _thread is not None
    _thread.join()
    require()


def require() -> None:
    """Raise InputError unless PyTorch can be used now; starts loading it."""
    start()
    if _state == "loading":
        raise InputError("torch_loading")
    if _state == "missing":
        raise InputError("torch_missing")


def _load() -> None:
    global _state
    try:
        torch = importlib.import_module("torch")
        # A run of a network this small is all overhead: a second thread makes it 5 times
        # slower as soon as its core is busy elsewhere.
        torch.set_num_threads(1)
        importlib.import_module("export.runtimes.pytorch")
    except Exception:  # not only ImportError: a broken build raises OSError and others
        _LOG.warning("PyTorch cannot be loaded; ONNX Runtime goes on alone", exc_info=True)
        _state = "missing"
    else:
        _state = "ready"
