"""The weights as editable tables, the switches, and each switch's effect on the next word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.edits import LARGEST_WEIGHT, index_of, typed_edits
from model.parameters import parameter_shapes
from model.switches import DROPOUT, DROPOUT_SEED, Switches, read_switches, switch_names
from model.training_settings import LESSON_DROPOUT
from model.values import block_key
from ui.calls import Request, Response, server_call
from ui.engines import run
from ui.fields import as_number, for_browser
from ui.panel import Panel, Way
from ui.requests import Prompt, read_prompt

SHOWN_DROPOUT = LESSON_DROPOUT
"""The rate whose effect is shown while dropout is off: the one the lesson trains with."""


@dataclass(frozen=True)
class WeightTable:
    """One table of the page: a parameter, or the third of `qkv` that is Q, K or V.

    name: the lesson's name, a key of the page's texts. rows, columns: what an index means,
    also keys; columns is None for a vector, which is shown as one row.
    """

    name: str
    block: int | None
    parameter: str
    rows: str
    columns: str | None
    first: int = 0
    count: int | None = None


def weight_tables(config: MiniGPTConfig) -> Iterator[WeightTable]:
    """Every weight once, in order of computation."""
    yield WeightTable("token_table", None, "token_embedding.weight", "word", "channel")
    yield WeightTable("position_table", None, "position_embedding.weight", "position", "channel")
    for block in range(config.num_layers):
        yield from _block_tables(config.model_dim, block)
    yield from _norm_tables("final_norm", None, "final_norm")
    yield WeightTable("output_weight", None, "lm_head.weight", "word", "input")
    yield WeightTable("output_bias", None, "lm_head.bias", "word", None)


def _block_tables(channels: int, block: int) -> Iterator[WeightTable]:
    def at(name: str) -> str:
        return block_key(block, name)

    yield from _norm_tables("ln1", block, at("ln1"))
    for place, name in enumerate(("query", "key", "value")):
        yield WeightTable(
            name,
            block,
            at("attention.qkv.weight"),
            "head_output",
            "input",
            place * channels,
            channels,
        )
    yield WeightTable("attention_output", block, at("attention.output.weight"), "output", "input")
    yield from _norm_tables("ln2", block, at("ln2"))
    yield WeightTable("ffn_expand", block, at("ffn.0.weight"), "hidden", "input")
    yield WeightTable("ffn_expand_bias", block, at("ffn.0.bias"), "hidden", None)
    yield WeightTable("ffn_contract", block, at("ffn.2.weight"), "output", "hidden")
    yield WeightTable("ffn_contract_bias", block, at("ffn.2.bias"), "output", None)


def _norm_tables(name: str, block: int | None, parameter: str) -> Iterator[WeightTable]:
    yield WeightTable(f"{name}_gain", block, f"{parameter}.weight", "channel", None)
    yield WeightTable(f"{name}_shift", block, f"{parameter}.bias", "channel", None)


@server_call
def weights(request: Request) -> Response:
    """Every weight of the model without edits, table by table."""
    prompt = read_prompt({**request, "tokens": []})
    config, originals = prompt.entry.config, prompt.entry.weights()
    tables = []
    for table in weight_tables(config):
        last = None if table.count is None else table.first + table.count
        part = slice(table.first, last)
        tables.append(
            {
                "name": table.name,
                "block": table.block,
                "parameter": table.parameter,
                "first": table.first,
                "rows": table.rows,
                "columns": table.columns,
                "originals": _shortest(originals[table.parameter][part]),
            }
        )
    return {"tables": tables, "limit": LARGEST_WEIGHT, "head_size": config.head_size}


@server_call
def edit_weight(request: Request) -> Response:
    """The edits made by `text`, typed or pasted into cell `index` of `parameter`.

    `edits` has only these cells, None for one that equals its original. Refused if a cell is
    invalid or a value of the network would no longer be finite.
    """
    prompt = read_prompt(request)
    shapes, originals = parameter_shapes(prompt.entry.config), prompt.entry.weights()
    parameter = request.get("parameter")
    typed = typed_edits(request.get("text"), parameter, request.get("index"), shapes)
    edits = dict(prompt.change.edits)
    for name, cells in typed.items():
        edits[name] = {**edits.get(name, {}), **cells}
    run(prompt.entry, prompt.engine, prompt.window or [0], replace(prompt.change, edits=edits))
    return {
        "edits": {
            name: {
                key: _unless_original(value, originals[name], key) for key, value in cells.items()
            }
            for name, cells in typed.items()
        }
    }


@server_call
def switch_effects(request: Request) -> Response:
    """Each switch's effect on the next word, with the other switches as they are now.

    `on`, `off` and `delta` = off - on are probabilities by word; for dropout, "off" is the
    network with dropout, as its switch adds something instead of removing it.
    """
    prompt = read_prompt(request)
    now = prompt.change.switches
    names = switch_names(prompt.entry.config)
    shown = [_effect(prompt, name, now) for name in names] if prompt.tokens else []
    return {
        "names": list(names),
        "off": [name for name in names if name in now.off],
        "dropout": now.dropout,
        "dropout_seed": for_browser(now.dropout_seed),
        "shown_dropout": now.dropout or SHOWN_DROPOUT,
        "effects": shown,
        "dropout_effect": _dropout_effect(prompt, now) if prompt.tokens else None,
    }


@server_call
def set_dropout(request: Request) -> Response:
    """The switches with this dropout rate and seed, checked; the seed is kept also at rate 0."""
    prompt = read_prompt({**request, "tokens": []})
    config = prompt.entry.config
    given = {
        **prompt.change.switches.as_dict(config),
        DROPOUT: as_number(request.get("rate", 0)),
        DROPOUT_SEED: as_number(request.get("seed", 0)),
    }
    switches = read_switches(given, config)
    return {
        "switches": switches.as_dict(config) | {DROPOUT_SEED: for_browser(switches.dropout_seed)}
    }


SERVER_FUNCTIONS = [weights, edit_weight, switch_effects, set_dropout]
PANEL = Panel(Way.LAB, order=35, shows_results=False)


def _effect(prompt: Prompt, name: str, now: Switches) -> dict[str, Any]:
    on = _probabilities(prompt, replace(now, off=now.off - {name}))
    off = _probabilities(prompt, replace(now, off=now.off | {name}))
    return _change_of(name, on, off)


def _dropout_effect(prompt: Prompt, now: Switches) -> dict[str, Any]:
    without = _probabilities(prompt, replace(now, dropout=0.0))
    dropped = _probabilities(prompt, replace(now, dropout=now.dropout or SHOWN_DROPOUT))
    return _change_of(DROPOUT, without, dropped)


def _probabilities(prompt: Prompt, switches: Switches) -> NDArray[np.float64]:
    change = replace(prompt.change, switches=switches)
    arrays = run(prompt.entry, prompt.engine, prompt.window, change)
    return np.asarray(arrays["vocabulary_probs"][0, -1], dtype=np.float64)


def _change_of(name: str, on: NDArray[np.float64], off: NDArray[np.float64]) -> dict[str, Any]:
    return {"name": name, "on": on.tolist(), "off": off.tolist(), "delta": (off - on).tolist()}


def _unless_original(value: float, original: NDArray[Any], key: str) -> float | None:
    """`value`, or None if it equals the original in float32."""
    same = np.float32(value) == original[index_of(key, "", original.shape)]
    return None if same else value


def _shortest(values: NDArray[Any]) -> Any:
    """Each float32 as the shortest decimal that reads back as it: 0.2, not 0.20000000298."""
    if values.ndim > 1:
        return [_shortest(row) for row in values]
    return [float(str(value)) for value in np.asarray(values, dtype=np.float32)]
