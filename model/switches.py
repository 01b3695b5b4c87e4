"""What can be switched off in the network, and the gate values of each switch.

The user sees *switches*: `causal_mask`, `blocks.0.head.1`, `final_norm`, …, each on or off,
and dropout with a seed. The network sees *gates*: arrays that values are multiplied by
(`model.gates`). This file turns switches into gates, in NumPy, so that every engine gets the
same gates, dropout masks included.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig, check_dropout
from model.errors import InputError
from model.sampling import check_seed
from model.values import block_key

DROPOUT, DROPOUT_SEED = "dropout", "dropout_seed"

_BLOCK_SWITCHES = ("attention", "ffn", "residual_attention", "residual_ffn", "ln1", "ln2")
_DROPOUT_AXES = {  # in the order of the forward pass
    "attention_probs.dropout": ("H", "T", "T"),
    "attention_update.dropout": ("T", "C"),
    "ffn_update.dropout": ("T", "C"),
}


@dataclass(frozen=True)
class Switches:
    """What is off, and the dropout; the default is the unmodified network.

    off: names of `switch_names`.
    dropout: the probability with which a value is dropped, in [0, 1).
    dropout_seed: the seed of the dropout masks.
    """

    off: frozenset[str] = frozenset()
    dropout: float = 0.0
    dropout_seed: int = 0

    @property
    def active(self) -> bool:
        """Whether anything differs from the unmodified network."""
        return bool(self.off) or self.dropout > 0

    def as_dict(self, config: MiniGPTConfig) -> dict[str, Any]:
        """The form that `read_switches` reads, without defaults."""
        given: dict[str, Any] = {name: False for name in switch_names(config) if name in self.off}
        if self.dropout > 0:
            given |= {DROPOUT: self.dropout, DROPOUT_SEED: self.dropout_seed}
        return given


ALL_ON = Switches()


def switch_names(config: MiniGPTConfig) -> tuple[str, ...]:
    """Every on/off switch of a network of these sizes, in the order of the computation."""
    return (
        "position_embedding",
        "causal_mask",
        *(name for index in range(config.num_layers) for name in _names_in_block(config, index)),
        "final_norm",
    )


def _names_in_block(config: MiniGPTConfig, index: int) -> list[str]:
    heads = [f"head.{head}" for head in range(config.num_heads)]
    in_order = ("ln1", *heads, "attention", "residual_attention", "ln2", "ffn", "residual_ffn")
    return [block_key(index, name) for name in in_order]


def read_switches(given: Any, config: MiniGPTConfig) -> Switches:
    """The switches of a request: `{name: bool, "dropout": rate, "dropout_seed": seed}`.

    Switches that are not named are on; None and {} are the unmodified network.

    Raises:
        InputError: a name is not one of these sizes' switches, or a value is out of range.
    """
    if given is None:
        return ALL_ON
    if not isinstance(given, Mapping):
        raise InputError("switches_form", value=repr(given)[:40])
    names = switch_names(config)
    for name, value in given.items():
        if name in (DROPOUT, DROPOUT_SEED):
            continue
        if name not in names:
            raise InputError("switch_name", name=str(name)[:40], names=", ".join(names))
        if not isinstance(value, bool):
            raise InputError("switch_value", name=name, value=repr(value)[:40])
    rate, seed = given.get(DROPOUT, 0.0), given.get(DROPOUT_SEED, 0)
    check_dropout(rate)
    check_seed(seed)
    off = frozenset(name for name in names if given.get(name) is False)
    return Switches(off, float(rate), int(seed))


def gate_axes(config: MiniGPTConfig) -> dict[str, tuple[str, ...]]:
    """The axes of every gate, in the order of the graph's inputs; () is a scalar.

    Letters as in `model.values`; the gate of head h is row h of [H, 1, 1].
    """
    blocks: dict[str, tuple[str, ...]] = {}
    for index in range(config.num_layers):
        within: dict[str, tuple[str, ...]] = {
            "heads.gate": ("H", "1", "1"),
            **{f"{name}.gate": () for name in _BLOCK_SWITCHES},
            **_DROPOUT_AXES,
        }
        blocks |= {block_key(index, name): axes for name, axes in within.items()}
    return {
        "causal_mask": ("T", "T"),
        "position_embedding.gate": (),
        **blocks,
        "final_norm.gate": (),
    }


def gate_arrays(
    switches: Switches, config: MiniGPTConfig, sequence: int
) -> dict[str, NDArray[np.float32]]:
    """Every gate as float32, for prompts of `sequence` tokens: 1 is on, 0 is off.

    `causal_mask` is added to the scores; it is all zeros when switched off.
    """
    gates = {
        name: np.ones(_shape(axes, config, sequence), dtype=np.float32)
        for name, axes in gate_axes(config).items()
    }
    gates["causal_mask"] = _mask(sequence, on="causal_mask" not in switches.off)
    for name in switches.off - {"causal_mask"}:
        owner, _, head = name.rpartition(".head.")
        if owner:
            gates[f"{owner}.heads.gate"][int(head)] = 0
        else:
            gates[f"{name}.gate"][...] = 0
    if switches.dropout > 0:
        gates |= _dropout_masks(switches, config, sequence)
    return gates


def _mask(sequence: int, on: bool) -> NDArray[np.float32]:
    """[T, T]: minus infinity at later positions, 0 elsewhere."""
    fill = -math.inf if on else 0.0
    return np.triu(np.full((sequence, sequence), fill, dtype=np.float32), k=1)


def _dropout_masks(
    switches: Switches, config: MiniGPTConfig, sequence: int
) -> dict[str, NDArray[np.float32]]:
    """1 / (1 - rate) where a value is kept, 0 where it is dropped (Srivastava et al. 2014).

    Drawn for the longest prompt and cut, so a shorter prompt gets the same numbers; every row
    of a batch gets the same mask.
    """
    draw = np.random.Generator(np.random.PCG64(switches.dropout_seed))
    masks: dict[str, NDArray[np.float32]] = {}
    for name, axes in gate_axes(config).items():
        if not name.endswith(".dropout"):
            continue
        uniform = draw.random(_shape(axes, config, config.context_length))
        kept = (uniform >= switches.dropout) / (1 - switches.dropout)
        cut = tuple(slice(sequence) if axis == "T" else slice(None) for axis in axes)
        masks[name] = np.ascontiguousarray(kept[cut], dtype=np.float32)
    return masks


def _shape(axes: tuple[str, ...], config: MiniGPTConfig, sequence: int) -> tuple[int, ...]:
    sizes = {"H": config.num_heads, "T": sequence, "C": config.model_dim, "1": 1}
    return tuple(sizes[axis] for axis in axes)
