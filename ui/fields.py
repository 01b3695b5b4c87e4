"""A field's number on its way from and to a browser."""

from __future__ import annotations

import math
from typing import Any

from model.typed_numbers import read_number

LARGEST_IN_JSON = 2**53 - 1  # whole numbers beyond it are rounded by a browser


def as_number(value: Any) -> Any:
    """What a field holds, as a finite number where its text is one; checks come later.

    Raises:
        InputError: the text could be two numbers.
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST_IN_JSON:
        return int(value)
    if not isinstance(value, str):
        return value
    typed = read_number(value)
    # Of what is not finite an error says what was typed.
    return value if typed is None or math.isinf(typed.value) else typed.value


def for_browser(number: int) -> int | str:
    """`number`, as its digits where a browser's numbers would round it; `as_number` reads both."""
    return number if abs(number) <= LARGEST_IN_JSON else str(number)
