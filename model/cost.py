"""The cost of the next word: multiplications and bytes, counted exactly, with and without a
KV cache.

The window holds T tokens. Without a cache all of them go through the network for one new
word; with one, only the last does, and the keys and values of the T - 1 before it are read
back. Letters as in `model.values`, except L: here the number of blocks. N is the number of
positions that are computed, T or 1.

Only the multiplications of matrix products are counted, including the scores above the
diagonal, which are computed before they are masked. Norms, softmax and GELU are left out: they
grow with C, the products with C * C.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from model.config import MiniGPTConfig, check_length, check_size
from model.parameters import parameter_shapes
from model.values import BLOCK, BLOCK_WEIGHTS, END, END_WEIGHTS, ENTRANCE_WEIGHTS, Value

FLOAT_BYTES = 4
_TABLES = tuple(name for name, _ in ENTRANCE_WEIGHTS)
_AXES = dict(BLOCK_WEIGHTS + END_WEIGHTS)


@dataclass(frozen=True)
class Product:
    """The matrix product at one stage: the letters whose sizes are multiplied, and the result."""

    name: str
    letters: tuple[str, ...]
    multiplications: int


@dataclass(frozen=True)
class StepCost:
    """The cost of one next word.

    weight_bytes: every weight once; of the two embedding tables only the rows looked up.
    cache_bytes: keys and values read back (those of earlier tokens) and written (the new ones).
    """

    sizes: Mapping[str, int]
    products: tuple[Product, ...]
    weight_bytes: int
    cache_bytes: int

    @property
    def multiplications(self) -> int:
        return sum(product.multiplications for product in self.products)

    @property
    def bytes_moved(self) -> int:
        return self.weight_bytes + self.cache_bytes


@functools.cache
def _products() -> dict[str, tuple[str, ...]]:
    """The letters of every matrix product, by stage."""
    in_blocks = {value.stage: ("L", *letters) for value in BLOCK if (letters := _letters(value))}
    at_end = {value.stage: letters for value in END if (letters := _letters(value))}
    return in_blocks | at_end


def _letters(value: Value) -> tuple[str, ...]:
    """The letters of a value's matrix product: a linear layer, or a sum over an axis."""
    if value.summed is not None:
        head, _, *inner = value.axes
        return (head, "N", *inner, value.summed)
    matrices = [axes for name in value.weights if len(axes := _AXES[name]) > 1]
    if not matrices or not value.reads:  # a table lookup multiplies nothing
        return ()
    out, read = matrices[0]
    return ("N", read, *out)  # 3C is 3 times C


def step_cost(config: MiniGPTConfig, length: int, *, cached: bool) -> StepCost:
    """The cost of the word after `length` tokens (T), 1 to context_length.

    Raises:
        InputError: `length` is out of range.
    """
    check_size("length", length)
    check_length(length, config.context_length)
    computed = 1 if cached else length
    sizes = {
        "T": length,
        "N": computed,
        "C": config.model_dim,
        "H": config.num_heads,
        "D": config.head_size,
        "F": config.ffn_dim,
        "V": config.vocab_size,
        "L": config.num_layers,
        "3": 3,
    }
    products = tuple(
        Product(name, letters, prod(sizes[letter] for letter in letters))
        for name, letters in _products().items()
    )
    key_and_value = 2 * config.num_layers * config.model_dim * FLOAT_BYTES  # of one token
    return StepCost(
        sizes,
        products,
        weight_bytes=_weight_bytes(config, computed),
        cache_bytes=length * key_and_value if cached else 0,
    )


def _weight_bytes(config: MiniGPTConfig, computed: int) -> int:
    shapes = parameter_shapes(config)
    values = sum(prod(shape) for name, shape in shapes.items() if name not in _TABLES)
    return FLOAT_BYTES * (values + len(_TABLES) * computed * config.model_dim)
