"""The counts against what torch's own counter sees, and against sizes worked out by hand."""

from __future__ import annotations

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from model import InputError, MiniGPT, MiniGPTConfig
from model.cost import step_cost
from model.values import block_key

SIZES = [(5, 2, 4, 2, 1), (5, 8, 4, 2, 2), (11, 9, 24, 3, 3)]


def counted(model: MiniGPT, length: int, cached: bool) -> int:
    """Multiplications of the last token of `length`: half of torch's "flops"."""
    ids = torch.arange(length)[None] % model.config.vocab_size
    past = []
    with torch.inference_mode():
        if cached and length > 1:
            values = model.trace(ids[:, :-1])
            past = [
                (values[block_key(i, "key")], values[block_key(i, "value")])
                for i in range(model.config.num_layers)
            ]
        with FlopCounterMode(display=False) as counter:
            model.trace(ids[:, -1:] if cached else ids, past=past)
    return int(counter.get_total_flops()) // 2


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("sizes", SIZES)
def test_multiplications_are_those_that_are_done(sizes: tuple[int, ...], cached: bool) -> None:
    model = MiniGPT(*sizes).eval()
    for length in range(1, model.config.context_length + 1):
        cost = step_cost(model.config, length, cached=cached)
        assert cost.multiplications == counted(model, length, cached)


def test_the_teaching_network_by_hand() -> None:
    config = MiniGPTConfig(5, 2, 4, 2, 1)
    cost = step_cost(config, 2, cached=True)
    # qkv 4*12, scores 2*2*2, mixing 2*2*2, output 4*4, FFN 4*16 twice, head 4*5
    assert [product.multiplications for product in cost.products] == [48, 8, 8, 16, 64, 64, 20]
    assert cost.cache_bytes == 2 * 2 * 4 * 4  # key and value, two tokens, four channels
    # norms 3*8, qkv 48, output 16, FFN 64+16+64+4, head 20+5, a row of each table
    assert cost.weight_bytes == 4 * (24 + 48 + 16 + 148 + 25 + 8)
    whole = step_cost(config, 2, cached=False)
    assert whole.multiplications == 2 * (48 + 16 + 128 + 20) + 2 * 16
    assert whole.weight_bytes == cost.weight_bytes + 4 * 8  # a second row of each table


def test_at_length_one_a_cache_saves_nothing() -> None:
    config = MiniGPTConfig(5, 8, 4, 2, 2)
    with_cache, without = (step_cost(config, 1, cached=cached) for cached in (True, False))
    assert with_cache.multiplications == without.multiplications
    assert with_cache.bytes_moved > without.bytes_moved == without.weight_bytes


@pytest.mark.parametrize(("length", "code"), [(0, "size"), (9, "ids_length"), (True, "size")])
def test_lengths_out_of_range(length: int, code: str) -> None:
    with pytest.raises(InputError) as caught:
        step_cost(MiniGPTConfig(5, 8, 4, 2, 2), length, cached=True)
    assert caught.value.code == code
