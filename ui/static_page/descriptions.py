"""Descriptions of the shipped models, for a browser that runs them itself."""

from __future__ import annotations

from typing import Any

from model.trace import trace_shapes
from ui.models import model_entry
from ui.shipped_models import model_ids


def descriptions() -> dict[str, Any]:
    """By model id: the model's description as in a view, and the axes of its trace."""
    found: dict[str, Any] = {}
    for name in model_ids():
        entry = model_entry(name)
        shapes = trace_shapes(entry.config.num_layers)
        axes = {key: list(shape) for key, shape in shapes.items()}
        found[name] = {**entry.description, "axes": axes}
    return found
