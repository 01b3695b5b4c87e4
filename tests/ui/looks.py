"""Which widths and languages the plain run looks at: the long one looks at all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def looks(every: Iterable[Any], short: Sequence[Any]) -> list[Any]:
    """`every` combination as a parameter; one that is not in `short` is a long test.

    Raises:
        ValueError: one of `short` is no combination.
    """
    combinations = list(every)
    if missing := [each for each in short if each not in combinations]:
        raise ValueError(f"not among the combinations: {missing}")
    return [_parameter(each, each in short) for each in combinations]


def _parameter(combination: Any, is_short: bool) -> Any:
    values = combination if isinstance(combination, tuple) else (combination,)
    marks = () if is_short else pytest.mark.long("another width or language")
    return pytest.param(*values, marks=marks)
