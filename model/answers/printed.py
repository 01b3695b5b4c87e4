"""Figures that the lesson computes from rounded values: recognised, and explained in a hint.

The lesson's W2 takes a quarter of the first four units, so the GELU values it prints are four
times the rounded FFN update; and it computes one logit by hand from rounded inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.answers.reading import Answer
from model.working.source import Source

if TYPE_CHECKING:
    from model.answers.judging import Hint

DECIMALS = 4
_QUARTER = 4  # 1 / W2
GELU, UPDATE = "blocks.0.ffn_activation", "blocks.0.ffn_update"
LOGIT = ("logits", (1, 3))


def printed_otherwise(
    source: Source, key: str, cell: tuple[int, ...], answer: Answer
) -> Hint | None:
    """A hint if `answer` is the lesson's figure for this cell and differs from the cell's value.

    source: the hand-set network, unchanged, on 我 喜欢; the lesson prints its last position.
    """
    from model.answers.judging import Hint

    printed = _printed(source, key, cell)
    value = source.operand(key, *cell).value
    if (
        printed is None
        or _shown(printed) != _shown(answer.value)
        or _shown(printed) == _shown(value)
    ):
        return None
    name = "printed_gelu" if key == GELU else "printed_logit"
    return Hint(
        name, {"printed": _shown(printed), "value": _shown(value), **_from(source, key, cell)}
    )


def _printed(source: Source, key: str, cell: tuple[int, ...]) -> float | None:
    if key == GELU and cell[0] == 1 and cell[1] < source.array(UPDATE).shape[-1]:
        return _QUARTER * round(source.operand(UPDATE, *cell).value, DECIMALS)
    if (key, cell) == LOGIT:
        hidden = [round(source.operand("final_hidden", 1, at).value, DECIMALS) for at in range(4)]
        weights = [source.operand("lm_head.weight", cell[1], at).value for at in range(4)]
        return sum(weight * value for weight, value in zip(weights, hidden, strict=True))
    return None


def _from(source: Source, key: str, cell: tuple[int, ...]) -> dict[str, str]:
    return {"update": _shown(source.operand(UPDATE, *cell).value)} if key == GELU else {}


def _shown(value: float) -> str:
    return f"{round(value, DECIMALS) + 0.0:.{DECIMALS}f}".replace("-", "\N{MINUS SIGN}")
