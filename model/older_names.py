"""Names under which weights were saved before they were called as in the lesson's listing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

_OLDER = {"ffn.expand.": "ffn.0.", "ffn.contract.": "ffn.2."}

T = TypeVar("T")


def current_name(name: str) -> str:
    """`blocks.0.ffn.expand.weight` -> `blocks.0.ffn.0.weight`; any other name as it is."""
    for older, current in _OLDER.items():
        name = name.replace(f".{older}", f".{current}")
    return name


def currently_named(values: Mapping[str, T]) -> dict[str, T]:
    """`values` under the names of today; who names one weight in both ways keeps both."""
    return {kept_name(name, values): value for name, value in values.items()}


def kept_name(name: str, among: Iterable[str]) -> str:
    """The name of today, unless `among` holds that one too."""
    current = current_name(name)
    return name if current in set(among) else current
