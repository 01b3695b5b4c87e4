"""The forward pass as spreadsheet formulas: what stands in each cell of each trace value.

Only the lesson's sizes matter for how it looks; the formulas are written for any network. A
position the prompt does not have is an empty text, and nothing to its left reads it.
"""

from __future__ import annotations

from collections.abc import Callable

from export.pack.sheet import Content, Index, Sheet
from model.config import LAYER_NORM_EPS, MiniGPTConfig
from model.trace import block_key

MASKED = "−∞"
EMPTY = '""'


class Formulas:
    """Formulas of one network.

    values, weights: the sheets the values and the weights stand in.
    used: the condition that position t is part of the prompt.
    token_id: the cell of position t's id.
    """

    def __init__(
        self,
        config: MiniGPTConfig,
        values: Sheet,
        weights: Sheet,
        used: Callable[[int], str],
        token_id: Callable[[int], str],
    ) -> None:
        self.config = config
        self.values = values
        self.weights = weights
        self._used = used
        self._token_id = token_id

    def token_embeddings(self) -> Content:
        """[T, C]: the row of the word."""
        table = self.weights.area("token_embedding.weight")
        return self._if_used(0, lambda t, c: f"INDEX({table},{self._token_id(t)}+1,{c + 1})")

    def position_embeddings(self) -> Content:
        """[T, C]: the row of the position."""
        return self._if_used(0, lambda t, c: self.weights.at("position_embedding.weight", t, c))

    def added(self, left: str, right: str) -> Content:
        """[T, C]: two values cell by cell."""
        return self._if_used(
            0, lambda t, c: f"{self.values.at(left, t, c)}+{self.values.at(right, t, c)}"
        )

    def mean(self, read: str) -> Content:
        """[T, 1]: of a line of `read`."""
        return self._if_used(0, lambda t, _: f"AVERAGE({self.values.across(read, t)})")

    def variance(self, read: str) -> Content:
        """[T, 1]: of a line of `read`, divided by C."""
        return self._if_used(0, lambda t, _: f"VARP({self.values.across(read, t)})")

    def normalised(self, name: str, read: str, weight: str) -> Content:
        """[T, C]: (x - mean) / sqrt(variance + eps) * gain + shift."""

        def cell(t: int, c: int) -> str:
            deviation = f"({self.values.at(read, t, c)}-{self.values.at(f'{name}.mean', t, 0)})"
            std = f"SQRT({self.values.at(f'{name}.variance', t, 0)}+{LAYER_NORM_EPS})"
            gain = self.weights.at(f"{weight}.weight", c)
            return f"{deviation}/{std}*{gain}+{self.weights.at(f'{weight}.bias', c)}"

        return self._if_used(0, cell)

    def projected(self, read: str, block: int, part: int) -> Content:
        """[H, T, D]: query, key or value (part 0, 1, 2), head by head."""
        weight = block_key(block, "attention.qkv.weight")
        size, channels = self.config.head_size, self.config.model_dim

        def cell(h: int, t: int, d: int) -> str:
            line = self.weights.across(weight, part * channels + h * size + d)
            return f"SUMPRODUCT({self.values.across(read, t)},{line})"

        return self._if_used(1, cell)

    def scores(self, query: str, key: str) -> Content:
        """[H, T, T]: query · key / sqrt(D)."""

        def cell(h: int, t: int, s: int) -> str:
            pair = f"{self.values.across(query, h, t)},{self.values.across(key, h, s)}"
            return f"SUMPRODUCT({pair})/SQRT({self.config.head_size})"

        return self._if_used(1, cell, 2)

    def masked(self, scores: str) -> Content:
        """[H, T, T]: a later position is minus infinity."""
        return self._if_used(
            1, lambda h, t, s: self.values.at(scores, h, t, s) if s <= t else f'"{MASKED}"', 2
        )

    def attention(self, masked: str) -> Content:
        """[H, T, T]: softmax of a line; a masked score counts nothing."""

        def cell(h: int, t: int, s: int) -> str:
            if s > t:
                return "0"
            largest = f"MAX({self.values.across(masked, h, t)})"
            terms = [f"EXP({self.values.at(masked, h, t, i)}-{largest})" for i in range(t + 1)]
            return f"{terms[s]}/({'+'.join(terms)})"

        return self._if_used(1, cell, 2)

    def head_outputs(self, probs: str, value: str) -> Content:
        """[H, T, D]: values weighted by attention."""

        def cell(h: int, t: int, d: int) -> str:
            return "+".join(
                f"{self.values.at(probs, h, t, s)}*{self.values.at(value, h, s, d)}"
                for s in range(t + 1)
            )

        return self._if_used(1, cell)

    def joined(self, heads: str) -> Content:
        """[T, C]: the heads side by side."""
        size = self.config.head_size
        return self._if_used(0, lambda t, c: self.values.at(heads, c // size, t, c % size))

    def linear(self, read: str, weight: str, bias: str | None) -> Content:
        """[T, out]: a line of `read` times a line of the weight, plus the bias."""

        def cell(t: int, j: int) -> str:
            line = f"{self.values.across(read, t)},{self.weights.across(weight, j)}"
            shift = f"+{self.weights.at(bias, j)}" if bias else ""
            return f"SUMPRODUCT({line}){shift}"

        return self._if_used(0, cell)

    def gelu(self, hidden: str) -> Content:
        """[T, F]: x * 0.5 * (1 + erf(x / sqrt 2))."""

        def cell(t: int, f: int) -> str:
            x = self.values.at(hidden, t, f)
            return f"{x}*0.5*(1+ERF({x}/SQRT(2)))"

        return self._if_used(0, cell)

    def softmax(self, logits: str) -> Content:
        """[T, V]: exp of each over the sum of all, the largest subtracted first."""

        def cell(t: int, v: int) -> str:
            line = self.values.across(logits, t)
            top = f"EXP({self.values.at(logits, t, v)}-MAX({line}))"
            return f"{top}/SUMPRODUCT(EXP({line}-MAX({line})))"

        return self._if_used(0, cell)

    def _if_used(
        self, axis: int, cell: Callable[..., str], other_axis: int | None = None
    ) -> Content:
        """`cell` where every position named by the index is part of the prompt."""

        def content(index: Index) -> str:
            positions = {index[axis], *([index[other_axis]] if other_axis is not None else [])}
            latest = max(positions)
            formula = cell(*index)
            return f"=IF({self._used(latest)},{formula},{EMPTY})"

        return content
