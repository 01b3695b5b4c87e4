"""The sets of weights a page can show, by id: those of `model.shipped`, and "own:<key>"."""

from __future__ import annotations

from typing import Any

from ui.model_entry import ModelEntry
from ui.shipped_models import model_ids, shipped_entry, unknown_model
from ui.training.own import PREFIX
from ui.training.service import service


def model_entry(model_id: Any) -> ModelEntry:
    """The entry with this id.

    Raises:
        InputError: there is none.
    """
    if isinstance(model_id, str):
        if model_id in model_ids():
            return shipped_entry(model_id)
        if model_id.startswith(f"{PREFIX}:"):
            return service.own.get(model_id).entry
    raise unknown_model(model_id)
