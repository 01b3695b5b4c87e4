"""The stages of the network in the order of the computation, and their texts.

A stage is named after its result: `residual_0`, `blocks.0.ln1`, …, `next_id`. The title and
sentence of each stage and the names of all values and weights are in
`languages/*/network.json`, the formulas (LaTeX) in `formulas.json`. No torch here.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from operator import getitem
from typing import Any

import languages
from languages import LANGUAGES
from model.config import MiniGPTConfig
from model.values import Placed, bare_name, block_key, placed_values, weight_axes


@dataclass(frozen=True)
class Stage:
    """One stage. The last of `values` is its result.

    key: the result's key; name: the key without its block; block: its index, or None.
    values: trace and derived keys, in the order of the computation; reads: the trace keys of
    its inputs; weights: state_dict names it uses.
    """

    key: str
    name: str
    block: int | None
    values: tuple[str, ...]
    reads: tuple[str, ...]
    weights: tuple[str, ...]


@functools.cache
def stages(config: MiniGPTConfig) -> tuple[Stage, ...]:
    """Every stage of a network of these sizes, in order: 5 + 14 per block."""
    places = placed_values(config.num_layers).values()
    groups = itertools.groupby(places, lambda placed: (placed.block, placed.value.stage))
    return tuple(_stage(name, block, list(values)) for (block, name), values in groups)


def _stage(name: str, block: int | None, values: list[Placed]) -> Stage:
    """The stage `name` with the values shown at it; it reads values of other stages only."""
    own = {placed.key for placed in values}
    reads = [read for placed in values for read in (*placed.reads, *placed.looks_at)]
    return Stage(
        key=name if block is None else block_key(block, name),
        name=name,
        block=block,
        values=tuple(placed.key for placed in values),
        reads=tuple(dict.fromkeys(read for read in reads if read not in own)),
        weights=tuple(dict.fromkeys(name for placed in values for name in placed.weights)),
    )


@functools.cache
def _homes(config: MiniGPTConfig) -> dict[str, Stage]:
    return {key: stage for stage in stages(config) for key in (*stage.values, *stage.weights)}


def stage_of(key: str, config: MiniGPTConfig) -> Stage | None:
    """The stage at which a value (trace, derived) or a weight is shown; None if there is none."""
    return _homes(config).get(key)


@functools.cache
def value_axes(config: MiniGPTConfig) -> dict[str, tuple[str, ...]]:
    """The axes of every value that a stage shows, in the lesson's letters, without batch."""
    places = placed_values(config.num_layers)
    return {key: placed.value.axes for key, placed in places.items()}


def axis_sizes(config: MiniGPTConfig, sequence: int) -> dict[str, int]:
    """Every axis letter and its size for a prompt of `sequence` words."""
    return {
        "B": 1,
        "T": sequence,
        "C": config.model_dim,
        "H": config.num_heads,
        "D": config.head_size,
        "F": config.ffn_dim,
        "V": config.vocab_size,
    }


@functools.cache
def texts() -> dict[str, dict[str, Any]]:
    """All texts about the network, each as `{language: text}`.

    `{stages: {name: {title, sentence}}, values: {name: …}, weights: {name: …}}`
    """
    files = {language: languages.texts(language, "network") for language in LANGUAGES}
    shown = placed_values(1).values()
    names = dict.fromkeys(placed.value.name.rpartition(".")[2] for placed in shown)

    def said(*path: str) -> dict[str, str]:
        found: dict[str, Any] = {}
        for language, file in files.items():
            found[language] = functools.reduce(getitem, path, file)
        return found

    return {
        "stages": {
            stage: {part: said("stages", stage, part) for part in ("title", "sentence")}
            for stage in dict.fromkeys(placed.value.stage for placed in shown)
        },
        "values": {name: {lang: value_name(name, lang) for lang in files} for name in names},
        "weights": {name: said("weights", name) for name in map(bare_name, weight_axes(1))},
    }


def value_name(name: str, language: str) -> str:
    """The displayed name of a value; without a translation, its trace name with spaces."""
    called: str = languages.texts(language, "network")["values"].get(name, name.replace("_", " "))
    return called
