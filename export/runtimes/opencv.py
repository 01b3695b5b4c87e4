"""OpenCV's dnn module: version 5 with dynamic sizes, version 4 with constant ones."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from export.runtimes.declaration import (
    EVERY_USE,
    Arrays,
    Environment,
    Feeds,
    LoadRequest,
    Run,
    Runtime,
)

RUNTIMES = (
    Runtime(
        "opencv-5",
        "OpenCV 5",
        Environment("opencv-5", "pip", ("opencv-python-headless==5.0.0.93", "numpy==2.4.6")),
        __name__,
        quick=True,
    ),
    Runtime(
        "opencv-4",
        "OpenCV 4",
        Environment("opencv-4", "pip", ("opencv-python-headless==4.14.0.94", "numpy==2.4.6")),
        __name__,
        cannot={"decode": "no dynamic sizes", "generate": "no dynamic sizes"},
        forms=EVERY_USE | {"logits": "static", "trace": "static-trace"},
        quick=True,
    ),
)


def load(request: LoadRequest) -> Run:
    """Load the file as a `cv2.dnn` network."""
    cv2: Any = importlib.import_module("cv2")
    cv2.setNumThreads(1)
    net = cv2.dnn.readNetFromONNX(str(request.file))
    names = list(request.names)

    def run(feeds: Feeds) -> Arrays:
        for name, array in feeds.items():
            net.setInput(array, name)
        return {name: np.array(a) for name, a in zip(names, net.forward(names), strict=True)}

    return run


def version() -> str:
    """The library's version."""
    cv2: Any = importlib.import_module("cv2")
    return str(cv2.__version__)
