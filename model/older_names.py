"""Older names of weights, used in files from before the names of the lesson's listing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

_OLDER = {"ffn.expand.": "ffn.0.", "ffn.contract.": "ffn.2."}

T = TypeVar("T")


def current_name(name: str) -> str:
    """`blocks.0.ffn.expand.weight` -> `blocks.0.ffn.0.weight`; other names are unchanged."""
    for older, current in _OLDER.items():
        name = name.replace(f".{older}", f".{current}")
    return name


def currently_named(values: Mapping[str, T]) -> dict[str, T]:
    """`values` under current names; if both names of one weight occur, both are kept."""
    return {kept_name(name, values): value for name, value in values.items()}


def kept_name(name: str, among: Iterable[str]) -> str:
    """The current name, or `name` itself if `among` contains the current one too."""
    current = current_name(name)
    return name if current in set(among) else current
