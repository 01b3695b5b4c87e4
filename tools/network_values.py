"""`python -m tools.network_values`: write web/network_values.js from the table of the network.

A test fails when the file is out of date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from model.values import BEFORE, BLOCK, END, ENTRANCE, Value

TARGET = Path(__file__).parents[1] / "web" / "network_values.js"
_HEAD = """\
/**
 * The values that an engine gives out, in the order of the computation; written from
 * model/values.py by `python -m tools.network_values`.
 *
 * name: without its block; axes: without batch, T sequence, C model_dim, H num_heads, D head_size,
 * F ffn units, V vocab_size; reads: the values it is computed from at its own position, looksAt: at
 * every position it may see; BEFORE stands for the residual stream as the block meets it.
 */

"""


def content() -> str:
    """The content of the file for the current table."""
    parts = {"ENTRANCE": ENTRANCE, "BLOCK": BLOCK, "END": END}
    lists = [
        f"export const {name} = [\n{''.join(_line(each, part) for each in _traced(part))}];\n"
        for name, part in parts.items()
    ]
    return _HEAD + f'export const BEFORE = "{BEFORE}";\n\n' + "\n".join(lists)


def _traced(part: tuple[Value, ...]) -> list[Value]:
    return [value for value in part if value.is_traced]


def _line(value: Value, part: tuple[Value, ...]) -> str:
    reads, looks_at = _sources(value, {each.name: each for each in part})
    told: dict[str, Any] = {
        "name": value.name,
        "axes": list(value.axes),
        "reads": list(reads),
        "looksAt": list(looks_at),
        "isProbability": value.is_probability,
    }
    members = ", ".join(f"{name}: {json.dumps(each)}" for name, each in told.items())
    return f"  {{ {members} }},\n"


def _sources(value: Value, part: dict[str, Value]) -> tuple[dict[str, None], dict[str, None]]:
    """The traced values that `value` reads and looks at, directly or through untraced values."""
    reads, looks_at = dict[str, None](), dict.fromkeys(value.looks_at)
    for name in value.reads:
        between = part.get(name)
        if between is None or between.is_traced:
            reads[name] = None
        else:
            further, seen = _sources(between, part)
            reads |= further
            looks_at |= seen
    return reads, looks_at


def main() -> None:
    """Write the file."""
    TARGET.write_text(content(), encoding="utf-8")


if __name__ == "__main__":
    main()
