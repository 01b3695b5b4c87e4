"""Switches: names, checks, and that each does what it says, against an independent network."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from model import InputError, MiniGPT, MiniGPTConfig, teaching_model
from model.parameters import weights_of
from model.switches import (
    ALL_ON,
    Switches,
    gate_arrays,
    gate_axes,
    read_switches,
    switch_names,
)
from model.teaching import TEACHING_CONFIG
from tests.switched_reference import switched_logits

TWO_BLOCKS = MiniGPTConfig(5, 8, 4, 2, 2)
PROMPT = [0, 1, 4, 2]

ORDERED_NAMES = [
    "position_embedding",
    "causal_mask",
    "blocks.0.ln1",
    "blocks.0.head.0",
    "blocks.0.head.1",
    "blocks.0.attention",
    "blocks.0.residual_attention",
    "blocks.0.ln2",
    "blocks.0.ffn",
    "blocks.0.residual_ffn",
    "final_norm",
]


def random_model() -> MiniGPT:
    torch.manual_seed(3)
    return MiniGPT(**TWO_BLOCKS.as_dict()).eval().double()


def traced(model: MiniGPT, tokens: list[int], switches: Switches) -> dict[str, torch.Tensor]:
    gates = gate_arrays(switches, model.config, len(tokens))
    tensors = {name: torch.from_numpy(values).double() for name, values in gates.items()}
    with torch.inference_mode():
        return model.trace(torch.tensor([tokens]), tensors)


def test_names_in_order() -> None:
    assert list(switch_names(TEACHING_CONFIG)) == ORDERED_NAMES
    assert len(switch_names(TWO_BLOCKS)) == 3 + 2 * 8


@pytest.mark.parametrize("name", switch_names(TWO_BLOCKS))
def test_each_switch_is_what_is_left_when_the_part_is_left_out(name: str) -> None:
    model = random_model()
    off = traced(model, PROMPT, Switches(off=frozenset({name})))["logits"][0].numpy()
    expected = switched_logits(weights_of(model), PROMPT, 2, 2, off=name)
    np.testing.assert_allclose(off, expected, rtol=0, atol=1e-12)
    on = switched_logits(weights_of(model), PROMPT, 2, 2, off="nothing")
    assert np.abs(off - on).max() > 1e-4  # a switch that changes nothing proves nothing


def test_all_on_is_the_network_as_it_is_bit_for_bit() -> None:
    model = teaching_model()
    plain = model.trace(torch.tensor([[0, 1]]))
    gates = gate_arrays(ALL_ON, model.config, 2)
    gated = model.trace(torch.tensor([[0, 1]]), {k: torch.from_numpy(v) for k, v in gates.items()})
    assert all(torch.equal(plain[name], gated[name]) for name in plain)


def test_what_a_switch_shows_in_the_trace() -> None:
    values = traced(random_model(), PROMPT, Switches(off=frozenset({"blocks.1.head.0"})))
    assert not values["blocks.1.head_outputs"][:, 0].any()
    assert values["blocks.1.head_outputs"][:, 1].all()
    values = traced(random_model(), PROMPT, Switches(off=frozenset({"final_norm"})))
    assert torch.equal(values["final_hidden"], values["blocks.1.residual_after_ffn"])
    values = traced(random_model(), PROMPT, Switches(off=frozenset({"causal_mask"})))
    assert torch.equal(values["blocks.0.masked_scores"], values["blocks.0.scores"])


def test_gates_are_all_named_and_shaped() -> None:
    gates = gate_arrays(ALL_ON, TWO_BLOCKS, 3)
    assert list(gates) == list(gate_axes(TWO_BLOCKS))
    assert {str(values.dtype) for values in gates.values()} == {"float32"}
    assert gates["blocks.0.heads.gate"].shape == (2, 1, 1)
    assert gates["blocks.1.attention_probs.dropout"].shape == (2, 3, 3)
    expected = [[0, -math.inf, -math.inf], [0, 0, -math.inf], [0, 0, 0]]
    assert gates["causal_mask"].tolist() == expected


def test_dropout_is_drawn_from_its_seed() -> None:
    first, again, other = (
        gate_arrays(Switches(dropout=0.25, dropout_seed=seed), TWO_BLOCKS, 8) for seed in (1, 1, 2)
    )
    dropped = [name for name in first if name.endswith(".dropout")]
    assert len(dropped) == 6
    assert all(np.array_equal(first[name], again[name]) for name in dropped)
    assert not all(np.array_equal(first[name], other[name]) for name in dropped)
    values = np.concatenate([first[name].ravel() for name in dropped])
    assert set(values.tolist()) == {0.0, float(np.float32(1 / 0.75))}
    assert 0.65 < np.count_nonzero(values) / values.size < 0.85


def test_a_shorter_prompt_meets_the_same_dropout() -> None:
    switches = Switches(dropout=0.5, dropout_seed=7)
    long, short = (gate_arrays(switches, TWO_BLOCKS, length) for length in (8, 3))
    name = "blocks.1.attention_probs.dropout"
    np.testing.assert_array_equal(long[name][:, :3, :3], short[name])


def test_dropout_thins_what_training_would_thin() -> None:
    model, switches = random_model(), Switches(dropout=0.5, dropout_seed=7)
    values = traced(model, PROMPT, switches)
    masks = gate_arrays(switches, model.config, len(PROMPT))
    kept = values["blocks.0.attention_probs"].numpy() * masks["blocks.0.attention_probs.dropout"]
    outputs = kept @ values["blocks.0.value"].numpy()
    np.testing.assert_allclose(values["blocks.0.head_outputs"].numpy(), outputs, atol=1e-12)
    update = values["blocks.0.ffn_update"][0].numpy()
    assert not update[masks["blocks.0.ffn_update.dropout"] == 0].any()


def test_reading_and_writing_are_inverse() -> None:
    given = {"blocks.0.head.1": False, "final_norm": True, "dropout": 0.5, "dropout_seed": 9}
    switches = read_switches(given, TEACHING_CONFIG)
    assert switches == Switches(frozenset({"blocks.0.head.1"}), 0.5, 9)
    assert read_switches(switches.as_dict(TEACHING_CONFIG), TEACHING_CONFIG) == switches
    for nothing in (None, {}, {"final_norm": True}, {"dropout": 0}):
        assert not read_switches(nothing, TEACHING_CONFIG).active


@pytest.mark.parametrize(
    ("given", "code", "figure"),
    [
        ([], "switches_form", "[]"),
        ({"blocks.1.ffn": False}, "switch_name", "blocks.1.ffn"),
        ({3: False}, "switch_name", "3"),
        ({"final_norm": 0}, "switch_value", "final_norm"),
        ({"dropout": 1.0}, "dropout", "1.0"),
        ({"dropout": math.nan}, "dropout", "nan"),
        ({"dropout": 0.5, "dropout_seed": -1}, "seed", "-1"),
        ({"dropout_seed": 0.5}, "seed", "0.5"),
    ],
)
def test_wrong_switches_are_named(given: Any, code: str, figure: str) -> None:
    with pytest.raises(InputError) as caught:
        read_switches(given, TEACHING_CONFIG)
    assert caught.value.code == code
    assert figure in str(caught.value)
    assert figure in caught.value.text("zh")
