"""Which working belongs to which key."""

from __future__ import annotations

from collections.abc import Callable

from model.working import attention, embedding, ffn, layer_norm, output, residual, softmax
from model.working.source import CHOICE, Source
from model.working.steps import Step

Recipe = Callable[[Source, str, tuple[int, ...]], list[Step]]

_BY_NAME: dict[str, Recipe] = {
    "token_embeddings": embedding.token_embeddings,
    "position_embeddings": embedding.position_embeddings,
    "residual_0": embedding.residual_0,
    "ln1": layer_norm.layer_norm,
    "query": attention.projected,
    "key": attention.projected,
    "value": attention.projected,
    "products": attention.products,
    "scores": attention.scores,
    "mask": attention.mask,
    "masked_scores": attention.masked_scores,
    "exponentials": softmax.exponential,
    "sum": softmax.total,
    "attention_probs": softmax.probabilities,
    "head_outputs": attention.head_outputs,
    "heads_joined": attention.heads_joined,
    "attention_update": attention.attention_update,
    "residual_after_attention": residual.after_attention,
    "ln2": layer_norm.layer_norm,
    "ffn_hidden": ffn.ffn_hidden,
    "phi": ffn.phi,
    "ffn_activation": ffn.ffn_activation,
    "ffn_update": ffn.ffn_update,
    "residual_after_ffn": residual.after_ffn,
    "final_hidden": layer_norm.layer_norm,
    "mean": layer_norm.mean,
    "deviation": layer_norm.deviation,
    "variance": layer_norm.variance,
    "std": layer_norm.std,
    "normalized": layer_norm.normalized,
    "logits": output.logits,
    "vocabulary_probs": softmax.probabilities,
    CHOICE: output.choice,
}


def steps_of(source: Source, key: str, cell: tuple[int, ...]) -> list[Step]:
    """The lines that lead to one cell, the cell's own last.

    Raises:
        InputError: there is no such value or cell.
    """
    source.operand(key, *cell)  # says so where there is none
    if source.kind(key) in ("weight", "gate"):
        return embedding.parameter(source, key, cell)
    return _BY_NAME[key.rpartition(".")[2]](source, key, cell)
