"""The forward pass as spreadsheet formulas: the content of each cell of each trace value.

The layout suits the lesson's sizes; the formulas work for any network. The cells of a position
beyond the prompt are empty texts, and no earlier position reads them.
"""

from __future__ import annotations

from collections.abc import Callable

from export.pack.sheet import Content, Index, Sheet
from export.pack.worked import as_formula
from model.config import LAYER_NORM_EPS, MiniGPTConfig
from model.values import Placed, traced_reads
from model.working import Source, equations_of
from model.working.expression import Ref

MASKED = "−∞"
EMPTY = '""'


class Formulas:
    """Formulas of one network.

    values, weights: the sheets of the values and of the weights.
    source: a prompt as long as the context, whose workings give the expressions.
    used: the condition that position t is part of the prompt.
    token_id: the cell of position t's id.
    """

    def __init__(
        self,
        config: MiniGPTConfig,
        values: Sheet,
        weights: Sheet,
        source: Source,
        used: Callable[[int], str],
        token_id: Callable[[int], str],
    ) -> None:
        self.config = config
        self.values = values
        self.weights = weights
        self.source = source
        self._used = used
        self._token_id = token_id

    def of(self, placed: Placed) -> Content | None:
        """The content of a value's cells; None for a step that is part of another formula.

        A traced value without a formula here gets the expression of its working.
        """
        default = Formulas.worked if placed.value.is_traced else None
        find = CONTENT_BY_NAME.get(placed.value.name.rpartition(".")[2], default)
        return None if find is None else find(self, placed)

    def reads(self, placed: Placed) -> tuple[str, ...]:
        """The values on the sheet that a value is computed from."""
        return traced_reads(placed.key, self.config.num_layers)

    def token_embeddings(self, _: Placed) -> Content:
        """[T, C]: the token's row."""
        table = self.weights.area("token_embedding.weight")
        return self._if_used(0, lambda t, c: f"INDEX({table},{self._token_id(t)}+1,{c + 1})")

    def position_embeddings(self, _: Placed) -> Content:
        """[T, C]: the position's row."""
        return self._if_used(0, lambda t, c: self.weights.at("position_embedding.weight", t, c))

    def worked(self, placed: Placed) -> Content:
        """The expression of the value's working, with cells as its operands."""

        def place(ref: Ref) -> str:
            sheet = self.weights if ref.key in self.source.weights else self.values
            return sheet.at(ref.key, *ref.cell)

        def cell(*index: int) -> str:
            return as_formula(equations_of(self.source, placed.key, index)[-1].node, place)

        return self._if_used(placed.value.axes.index("T"), cell)

    def mean(self, placed: Placed) -> Content:
        """[T, 1]: the mean of a row of the norm's input."""
        (read,) = self.reads(placed)
        return self._if_used(0, lambda t, _: f"AVERAGE({self.values.across(read, t)})")

    def variance(self, placed: Placed) -> Content:
        """[T, 1]: the variance of a row of the norm's input, divided by C."""
        (read,) = self.reads(placed)
        return self._if_used(0, lambda t, _: f"VARP({self.values.across(read, t)})")

    def normalised(self, placed: Placed) -> Content:
        """[T, C]: (x - mean) / sqrt(variance + eps) * gain + shift."""
        (read,), name, (gains, shifts) = self.reads(placed), placed.key, placed.weights

        def cell(t: int, c: int) -> str:
            deviation = f"({self.values.at(read, t, c)}-{self.values.at(f'{name}.mean', t, 0)})"
            std = f"SQRT({self.values.at(f'{name}.variance', t, 0)}+{LAYER_NORM_EPS})"
            gain = self.weights.at(gains, c)
            return f"{deviation}/{std}*{gain}+{self.weights.at(shifts, c)}"

        return self._if_used(0, cell)

    def projected(self, placed: Placed) -> Content:
        """[H, T, D]: query, key or value, head by head."""
        (read,), (weight,) = self.reads(placed), placed.weights
        part = ("query", "key", "value").index(placed.value.name)
        size, channels = self.config.head_size, self.config.model_dim

        def cell(h: int, t: int, d: int) -> str:
            line = self.weights.across(weight, part * channels + h * size + d)
            return f"SUMPRODUCT({self.values.across(read, t)},{line})"

        return self._if_used(1, cell)

    def scores(self, placed: Placed) -> Content:
        """[H, T, T]: query · key / sqrt(D)."""
        query, key = self.reads(placed)

        def cell(h: int, t: int, s: int) -> str:
            pair = f"{self.values.across(query, h, t)},{self.values.across(key, h, s)}"
            return f"SUMPRODUCT({pair})/SQRT({self.config.head_size})"

        return self._if_used(1, cell, 2)

    def masked(self, placed: Placed) -> Content:
        """[H, T, T]: minus infinity at later positions."""
        (scores,) = self.reads(placed)
        return self._if_used(
            1, lambda h, t, s: self.values.at(scores, h, t, s) if s <= t else f'"{MASKED}"', 2
        )

    def attention(self, placed: Placed) -> Content:
        """[H, T, T]: softmax of a row; a masked score counts as 0."""
        (masked,) = self.reads(placed)

        def cell(h: int, t: int, s: int) -> str:
            if s > t:
                return "0"
            largest = f"MAX({self.values.across(masked, h, t)})"
            terms = [f"EXP({self.values.at(masked, h, t, i)}-{largest})" for i in range(t + 1)]
            return f"{terms[s]}/({'+'.join(terms)})"

        return self._if_used(1, cell, 2)

    def head_outputs(self, placed: Placed) -> Content:
        """[H, T, D]: values weighted by the attention probabilities."""
        probs, value = self.reads(placed)

        def cell(h: int, t: int, d: int) -> str:
            return "+".join(
                f"{self.values.at(probs, h, t, s)}*{self.values.at(value, h, s, d)}"
                for s in range(t + 1)
            )

        return self._if_used(1, cell)

    def joined(self, placed: Placed) -> Content:
        """[T, C]: the concatenated heads."""
        (heads,) = self.reads(placed)
        size = self.config.head_size
        return self._if_used(0, lambda t, c: self.values.at(heads, c // size, t, c % size))

    def linear(self, placed: Placed) -> Content:
        """[T, out]: a row of the input times a row of the weight, plus the bias if any."""
        (read,), (weight, *bias) = self.reads(placed), placed.weights

        def cell(t: int, j: int) -> str:
            line = f"{self.values.across(read, t)},{self.weights.across(weight, j)}"
            shift = "".join(f"+{self.weights.at(name, j)}" for name in bias)
            return f"SUMPRODUCT({line}){shift}"

        return self._if_used(0, cell)

    def gelu(self, placed: Placed) -> Content:
        """[T, F]: x * 0.5 * (1 + erf(x / sqrt 2))."""
        (hidden,) = self.reads(placed)

        def cell(t: int, f: int) -> str:
            x = self.values.at(hidden, t, f)
            return f"{x}*0.5*(1+ERF({x}/SQRT(2)))"

        return self._if_used(0, cell)

    def softmax(self, placed: Placed) -> Content:
        """[T, V]: exp of each logit divided by their sum, the largest subtracted first."""
        (logits,) = self.reads(placed)

        def cell(t: int, v: int) -> str:
            line = self.values.across(logits, t)
            top = f"EXP({self.values.at(logits, t, v)}-MAX({line}))"
            return f"{top}/SUMPRODUCT(EXP({line}-MAX({line})))"

        return self._if_used(0, cell)

    def _if_used(
        self, axis: int, cell: Callable[..., str], other_axis: int | None = None
    ) -> Content:
        """`cell` if every position in the index is part of the prompt, else an empty text."""

        def content(index: Index) -> str:
            positions = {index[axis], *([index[other_axis]] if other_axis is not None else [])}
            latest = max(positions)
            formula = cell(*index)
            return f"=IF({self._used(latest)},{formula},{EMPTY})"

        return content


CONTENT_BY_NAME: dict[str, Callable[[Formulas, Placed], Content]] = {
    "token_embeddings": Formulas.token_embeddings,
    "position_embeddings": Formulas.position_embeddings,
    "mean": Formulas.mean,
    "variance": Formulas.variance,
    "ln1": Formulas.normalised,
    "query": Formulas.projected,
    "key": Formulas.projected,
    "value": Formulas.projected,
    "scores": Formulas.scores,
    "masked_scores": Formulas.masked,
    "attention_probs": Formulas.attention,
    "head_outputs": Formulas.head_outputs,
    "heads_joined": Formulas.joined,
    "attention_update": Formulas.linear,
    "ln2": Formulas.normalised,
    "ffn_hidden": Formulas.linear,
    "ffn_activation": Formulas.gelu,
    "ffn_update": Formulas.linear,
    "final_hidden": Formulas.normalised,
    "logits": Formulas.linear,
    "vocabulary_probs": Formulas.softmax,
}
