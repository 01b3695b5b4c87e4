"""Parsing the browser's requests: every value is checked before it is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.config import MiniGPTConfig
from model.edits import check_edits
from model.errors import InputError
from model.parameters import parameter_shapes
from model.sampling import SamplingSettings
from model.switches import DROPOUT, DROPOUT_SEED, read_switches
from ui.changes import Change
from ui.engines import check_engine
from ui.fields import as_number
from ui.model_entry import ModelEntry
from ui.models import model_entry
from ui.sentences import read_tokens

COUNT_LIMIT = 64  # the most words one call appends


@dataclass(frozen=True)
class Prompt:
    """A sentence, the weights and the engine that run it, and changes to the network."""

    tokens: list[int]
    entry: ModelEntry
    engine: str
    change: Change

    @property
    def window_start(self) -> int:
        """Index in `tokens` of the first word the model sees."""
        return max(0, len(self.tokens) - self.entry.config.context_length)

    @property
    def window(self) -> list[int]:
        """The words the model sees, at positions 0, 1, …."""
        return self.tokens[self.window_start :]


def read_prompt(request: dict[str, Any]) -> Prompt:
    """`{tokens, engine, model, edits, switches}` -> Prompt; missing keys have defaults."""
    entry = model_entry(request.get("model", "teaching"))
    return Prompt(
        tokens=read_tokens(request.get("tokens", []), entry),
        entry=entry,
        engine=check_engine(request.get("engine", "onnxruntime")),
        change=read_change(request, entry.config),
    )


def read_sampling(sampling: Any) -> SamplingSettings:
    """`{mode, temperature, top_k, top_p}` -> settings; mode "argmax" is temperature 0."""
    given = sampling if isinstance(sampling, dict) else {}
    mode = given.get("mode", "argmax")
    if mode not in ("argmax", "sample"):
        raise InputError("choice", name="mode", choices="argmax, sample", value=repr(mode))
    if mode == "argmax":
        return SamplingSettings()
    return SamplingSettings(
        temperature=as_number(given.get("temperature", 1.0)),
        top_k=as_number(given.get("top_k", 0)),
        top_p=as_number(given.get("top_p", 1.0)),
    )


def read_index(index: Any) -> int:
    """The row of the seeded random numbers: how many words were sampled before."""
    if type(index) is not int or index < 0:
        raise InputError("count", value=repr(index), lowest=0, highest="…")
    return index


def read_block(block: Any, config: MiniGPTConfig) -> int | None:
    """The number of a block; None where none is named."""
    if block is None:
        return None
    if type(block) is not int or not 0 <= block < config.num_layers:
        raise InputError("count", value=repr(block), lowest=0, highest=config.num_layers - 1)
    return block


def read_change(request: dict[str, Any], config: MiniGPTConfig) -> Change:
    """`edits` and `switches` for a network of these sizes.

    Raises:
        InputError: one of them is invalid.
    """
    edits, switches = request.get("edits") or {}, request.get("switches") or {}
    for name, value in (("edits", edits), ("switches", switches)):
        if not isinstance(value, dict):
            raise InputError("choice", name=name, choices="{…}", value=type(value).__name__)
    typed = {
        name: as_number(switches[name]) for name in (DROPOUT, DROPOUT_SEED) if name in switches
    }
    return Change(
        check_edits(edits, parameter_shapes(config)) if edits else {},
        read_switches({**switches, **typed}, config),
    )
