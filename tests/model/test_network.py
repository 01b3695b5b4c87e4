"""What the network promises beside its numbers: names, errors, dropout, threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch

from model import CausalSelfAttention, InputError, MiniGPT, TransformerBlock, teaching_model
from model.trace import trace_shapes
from model.values import BLOCK

ORDERED_KEYS = [
    "token_embeddings",
    "position_embeddings",
    "residual_0",
    "blocks.0.ln1",
    "blocks.0.query",
    "blocks.0.key",
    "blocks.0.value",
    "blocks.0.scores",
    "blocks.0.masked_scores",
    "blocks.0.attention_probs",
    "blocks.0.head_outputs",
    "blocks.0.heads_joined",
    "blocks.0.attention_update",
    "blocks.0.residual_after_attention",
    "blocks.0.ln2",
    "blocks.0.ffn_hidden",
    "blocks.0.ffn_activation",
    "blocks.0.ffn_update",
    "blocks.0.residual_after_ffn",
    "final_hidden",
    "logits",
    "vocabulary_probs",
]


def small(dropout: float = 0.0, seed: int = 0) -> MiniGPT:
    torch.manual_seed(seed)
    return MiniGPT(5, 8, 4, 2, 2, dropout)


def test_trace_keys_in_order() -> None:
    assert list(teaching_model().trace(torch.tensor([[0, 1]]))) == ORDERED_KEYS
    assert list(trace_shapes(1)) == ORDERED_KEYS
    two = list(small().trace(torch.tensor([[0]])))
    assert two == list(trace_shapes(2))
    assert two[19:21] == ["blocks.1.ln1", "blocks.1.query"]


@pytest.mark.parametrize(("batch", "sequence"), [(1, 1), (3, 5), (2, 8)])
def test_trace_shapes_hold(batch: int, sequence: int) -> None:
    model = small()
    figures = {"B": batch, "T": sequence, "C": 4, "H": 2, "D": 2, "F": 16, "V": 5}
    values = model.trace(torch.zeros((batch, sequence), dtype=torch.int64))
    for name, letters in trace_shapes(2).items():
        assert tuple(values[name].shape) == tuple(figures[letter] for letter in letters), name


def test_forward_reads_the_trace() -> None:
    model = small().eval()
    token_ids = torch.tensor([[0, 1, 2], [4, 1, 3]])
    logits, loss = model(token_ids)
    assert loss is None
    assert torch.equal(logits, model.trace(token_ids)["logits"])


def test_state_dict_holds_the_lessons_parameters_only() -> None:
    names = set(teaching_model().state_dict())
    assert names == {
        "token_embedding.weight",
        "position_embedding.weight",
        "blocks.0.ln1.weight",
        "blocks.0.ln1.bias",
        "blocks.0.attention.qkv.weight",
        "blocks.0.attention.output.weight",
        "blocks.0.ln2.weight",
        "blocks.0.ln2.bias",
        "blocks.0.ffn.0.weight",
        "blocks.0.ffn.0.bias",
        "blocks.0.ffn.2.weight",
        "blocks.0.ffn.2.bias",
        "final_norm.weight",
        "final_norm.bias",
        "lm_head.weight",
        "lm_head.bias",
    }


def test_a_position_sees_nothing_that_comes_later() -> None:
    model = small().eval()
    short = model.trace(torch.tensor([[3, 0, 1]]))["logits"]
    for later in range(5):
        longer = model.trace(torch.tensor([[3, 0, 1, later]]))["logits"]
        torch.testing.assert_close(longer[:, :3], short, rtol=0, atol=1e-6)


def test_attention_probs_are_before_dropout_in_training() -> None:
    model = small(dropout=0.5).train()
    token_ids = torch.tensor([[0, 1, 2, 3]])
    first, second = model.trace(token_ids), model.trace(token_ids)
    probs = first["blocks.0.attention_probs"]
    torch.testing.assert_close(probs.sum(-1), torch.ones(1, 2, 4))
    assert torch.equal(probs, second["blocks.0.attention_probs"])
    assert not torch.equal(first["logits"], second["logits"])


def test_loss_ignores_minus_100() -> None:
    model = small().eval()
    token_ids = torch.tensor([[0, 1, 2]])
    _, all_counted = model(token_ids[:, :2], torch.tensor([[1, 2]]))
    _, last_ignored = model(token_ids, torch.tensor([[1, 2, -100]]))
    assert all_counted is not None
    assert last_ignored is not None
    torch.testing.assert_close(all_counted, last_ignored)


def test_threads_share_one_model() -> None:
    model = small().eval()
    prompts = [torch.randint(0, 5, (1, 1 + index % 8)) for index in range(64)]
    with torch.inference_mode():
        alone = [model.trace(prompt)["logits"] for prompt in prompts]

        def run(prompt: torch.Tensor) -> torch.Tensor:
            with torch.inference_mode():  # the mode belongs to a thread
                return model.trace(prompt)["logits"]

        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(run, prompts))
    assert all(torch.equal(a, b) for a, b in zip(alone, together, strict=True))


@pytest.mark.parametrize(
    ("sizes", "figures"),
    [
        ((5, 8, 5, 2, 1), ("5", "2")),
        ((0, 8, 4, 2, 1), ("vocab_size", "0")),
        ((5, -1, 4, 2, 1), ("context_length", "-1")),
        ((5, 8, 0, 2, 1), ("model_dim", "0")),
        ((5, 8, 4, 0, 1), ("num_heads", "0")),
        ((5, 8, 4, 2, 0), ("num_layers", "0")),
        ((5, 8, 4.0, 2, 1), ("model_dim", "4.0")),
        ((True, 8, 4, 2, 1), ("vocab_size", "True")),
        ((5, 8, 4, 2, 1, 1.0), ("dropout", "1.0")),
        ((5, 8, 4, 2, 1, -0.1), ("dropout", "-0.1")),
        ((5, 8, 4, 2, 1, float("nan")), ("dropout", "nan")),
    ],
)
def test_wrong_sizes(sizes: tuple[int, ...], figures: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        MiniGPT(*sizes)
    assert all(figure in str(caught.value) for figure in figures)


@pytest.mark.parametrize("part", [CausalSelfAttention, TransformerBlock])
def test_parts_check_their_sizes_too(part: type[torch.nn.Module]) -> None:
    for sizes, figure in (((5, 2, 0.0), "5"), ((0, 2, 0.0), "0"), ((4, 0, 0.0), "0")):
        with pytest.raises(ValueError, match=figure):
            part(*sizes)


@pytest.mark.parametrize(
    ("token_ids", "figures"),
    [
        (torch.tensor([[5]]), ("5", "4")),
        (torch.tensor([[0, -1]]), ("-1", "4")),
        (torch.tensor([[0.0]]), ("float32",)),
        (torch.tensor([[True]]), ("bool",)),
        (torch.tensor([0, 1]), ("[2]",)),
        (torch.tensor(0), ("[]",)),
        (torch.zeros((1, 0), dtype=torch.int64), ("[1, 0]",)),
        (torch.zeros((0, 1), dtype=torch.int64), ("[0, 1]",)),
        (torch.zeros((1, 9), dtype=torch.int64), ("9", "8")),
    ],
)
def test_wrong_token_ids(token_ids: torch.Tensor, figures: tuple[str, ...]) -> None:
    for call in (small().trace, small().forward):
        with pytest.raises(InputError) as caught:
            call(token_ids)
        assert all(figure in str(caught.value) for figure in figures)


@pytest.mark.parametrize(
    ("targets", "code"),
    [
        (torch.tensor([[0]]), "targets_shape"),
        (torch.tensor([[0, 5]]), "targets_range"),
        (torch.tensor([[0, -1]]), "targets_range"),
        (torch.tensor([[0.0, 1.0]]), "targets_dtype"),
        (torch.tensor([[0, 1]], dtype=torch.int16), "targets_dtype"),
    ],
)
def test_wrong_targets(targets: torch.Tensor, code: str) -> None:
    with pytest.raises(InputError) as caught:
        small()(torch.tensor([[0, 1]]), targets)
    assert caught.value.code == code


@pytest.mark.parametrize("given", [[[0, 1]], np.array([[0, 1]]), (0, 1), None, "我"])
def test_what_is_no_tensor_is_called_by_its_name(given: Any) -> None:
    network, ids = teaching_model(), torch.tensor([[0, 1]])
    calls: list[tuple[str, Callable[[], object]]] = [
        ("token_ids", lambda: network(given)),
        ("token_ids", lambda: network.trace(given)),
        ("residual", lambda: network.blocks[0](given)),
    ]
    if given is not None:
        calls.append(("targets", lambda: network(ids, given)))
    for name, call in calls:
        with pytest.raises(InputError) as caught:
            call()
        assert caught.value.code == "tensor"
        assert f"{name} must be a torch tensor, got {type(given).__name__}" in str(caught.value)


def test_targets_may_be_int32_as_ids_may() -> None:
    network, token_ids = small().eval(), torch.tensor([[0, 1]])
    targets = torch.tensor([[1, -100]])
    (_, loss), (_, of_int) = network(token_ids, targets), network(token_ids.int(), targets.int())
    assert torch.equal(loss, of_int)


def test_an_empty_prompt_is_called_empty() -> None:
    with pytest.raises(InputError) as caught:
        small()(torch.tensor([[]]))
    assert caught.value.code == "ids_empty"


def test_a_block_refuses_another_width() -> None:
    with pytest.raises(ValueError, match=r"\[2, 2, 3\]"):
        TransformerBlock(4, 2, 0.0)(torch.zeros(2, 2, 3))


def test_block_shapes_are_the_blocks_trace() -> None:
    block = TransformerBlock(4, 2, 0.0)
    values = block.trace(torch.zeros(1, 2, 4), torch.zeros(2, 2))
    assert list(values) == [value.name for value in BLOCK if value.is_traced]


def test_teaching_model_in_float64_holds_the_decimals() -> None:
    weight = teaching_model(torch.float64).token_embedding.weight.detach().numpy()
    assert weight.dtype == np.float64
    assert weight[0].tolist() == [0.2, -0.1, 0.7, 0.3]
