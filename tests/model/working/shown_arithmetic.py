"""Working out a line as a reader would: from its text alone, with a parser of its own.

Written apart from `model.working`, of which it knows only the signs: + − × ÷ √ ² ( ) , exp,
ln, erf, max, ∞ and powers of ten with raised digits.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|∞|exp|ln|erf|max|[+−×÷√²(),]|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_RAISED = dict(zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True))
_FUNCTIONS = {"exp": math.exp, "ln": math.log, "erf": math.erf}


def worked_out(text: str) -> float:
    """The value of an expression as it is written.

    Raises:
        ValueError: the text is no expression.
    """
    reader = _Reader(_tokens(text))
    value = float(reader.sum())
    if reader.next is not None:
        raise ValueError(f"left over at {reader.next!r} in {text!r}")
    return value


def last_unit(text: str) -> float:
    """One step in the last figure of a number: 0.0001 for 0.9944."""
    mantissa, _, power = text.partition("×10")
    decimals = len(mantissa.partition(".")[2])
    raised = re.sub("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]", lambda found: _RAISED[found[0]], power)
    return float(10.0 ** (int(raised or 0) - decimals))


def reads(expression: str, result: str, decimals: int = 4) -> bool:
    """Whether working out `expression` and rounding gives `result`, as written.

    decimals: the fewest that count; 0.3 is 0.3000, as everywhere on a card.
    """
    worked, shown = worked_out(expression), worked_out(result)
    if math.isinf(shown):
        return worked == shown
    unit = last_unit(result)
    return abs(worked - shown) < 0.5 * (unit if "×" in result else min(unit, 10.0**-decimals))


def is_equal(expression: str, result: str) -> bool:
    """Whether both sides are the same number, without any rounding at all."""
    return bool(_exactly(expression) == _exactly(result))


def _exactly(text: str) -> Any:
    """A Fraction, ±inf, or NaN (equal to nothing) where only a rounded number could be told."""
    return _ExactReader(_tokens(text)).sum()


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"cannot read {text[at:]!r}")
        tokens.append(found[1])
        at = found.end()
    return tokens


class _Reader:
    """Recursive descent: a sum of products of factors."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def next(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def take(self, *wanted: str) -> str | None:
        """The next token if it is one of `wanted`."""
        if self.next not in wanted:
            return None
        self._at += 1
        return self._tokens[self._at - 1]

    def sum(self) -> Any:
        value = self.product()
        while sign := self.take("+", "−"):
            value = value + self.product() if sign == "+" else value - self.product()
        return value

    def product(self) -> Any:
        value = -self.factor() if self.take("−") else self.factor()
        while sign := self.take("×", "÷"):
            value = value * self.factor() if sign == "×" else value / self.factor()
        return value

    def factor(self) -> Any:
        value = self.atom()
        return value * value if self.take("²") else value

    def atom(self) -> Any:
        token = self.take(*self._tokens[self._at : self._at + 1])
        if token == "(":
            return self.closed(self.sum())
        if token == "√":
            return self.root(self.atom())
        if token == "max":
            return self.largest()
        if token in _FUNCTIONS:
            self.expect("(")
            return self.function(token, self.closed(self.sum()))
        if token == "∞":
            return math.inf
        if token is None or not token[0].isdigit():
            raise ValueError(f"expected a number, met {token!r}")
        raised = self.next is not None and self.next[0] in _RAISED
        number = self.number(token)
        return number ** self.power() if raised else number

    def number(self, token: str) -> Any:
        return float(token)

    def root(self, value: Any) -> Any:
        return math.sqrt(value)

    def function(self, name: str, value: Any) -> Any:
        return _FUNCTIONS[name](value)

    def power(self) -> int:
        text = "".join(_RAISED[sign] for sign in self._tokens[self._at])
        self._at += 1
        return int(text)

    def largest(self) -> Any:
        self.expect("(")
        values = [self.sum()]
        while self.take(","):
            values.append(self.sum())
        return self.closed(max(values))

    def closed(self, value: Any) -> Any:
        self.expect(")")
        return value

    def expect(self, sign: str) -> None:
        if self.take(sign) is None:
            raise ValueError(f"expected {sign!r}, met {self.next!r}")


class _ExactReader(_Reader):
    """In fractions; what is no fraction is NaN, and so is what is made of it."""

    def number(self, token: str) -> Any:
        return Fraction(token)

    def root(self, value: Any) -> Any:
        if not isinstance(value, Fraction):
            return math.nan
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        return root if root**2 == value else math.nan

    def function(self, name: str, value: Any) -> Any:
        whole = {("exp", 0): 1, ("exp", -math.inf): 0, ("ln", 1): 0, ("erf", 0): 0}
        return Fraction(whole[name, value]) if (name, value) in whole else math.nan
