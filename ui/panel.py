"""What the page must know of a panel before its module is loaded: its place among the tabs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Panel:
    """A tab of the page: `PANEL` in `ui/panels/NAME.py`, mounted by `web/panels/NAME.js`.

    order: tabs stand in ascending order. shows_results: the panel shows numbers that a learner
    may have hidden to work them out; it is covered as long as they are hidden.
    """

    order: int
    shows_results: bool = True
