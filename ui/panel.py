"""What the page must know of a panel before its module is loaded: where its tab stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Way(StrEnum):
    """The ways into the page, as they stand at its top after the tour."""

    LESSONS = "lessons"
    LAB = "lab"
    PROOF = "proof"


@dataclass(frozen=True)
class Panel:
    """A tab of the page: `PANEL` in `ui/panels/NAME.py`, mounted by `web/panels/NAME.js`.

    way: the group of tabs that it belongs to. order: tabs stand in ascending order.
    shows_results: the panel shows numbers that a learner may have hidden to work them out; it is
    covered as long as they are hidden.
    """

    way: Way
    order: int
    shows_results: bool = True
