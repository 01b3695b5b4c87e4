"""Numbers of form fields, as the browser sends and receives them."""

from __future__ import annotations

import math
from typing import Any

from model.typed_numbers import read_number

LARGEST_IN_JSON = 2**53 - 1  # JavaScript rounds integers beyond it


def as_number(value: Any) -> Any:
    """`value` as a finite number if its text is one, otherwise unchanged; checked later.

    Raises:
        InputError: the text is ambiguous between two numbers.
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST_IN_JSON:
        return int(value)
    if not isinstance(value, str):
        return value
    typed = read_number(value)
    # An infinite number stays text, so that the error quotes what was typed.
    return value if typed is None or math.isinf(typed.value) else typed.value


def for_browser(number: int) -> int | str:
    """`number`, as text if JavaScript would round it; `as_number` reads both."""
    return number if abs(number) <= LARGEST_IN_JSON else str(number)
