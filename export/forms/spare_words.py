"""Spare rows in the token table, for converters that test a file with their own ids."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper

_TABLE = "token_embedding.weight"


def with_spare_words(proto: onnx.ModelProto, rows: int) -> onnx.ModelProto:
    """A copy of `proto` whose token table has `rows` rows, those beyond the words all zero.

    No id of the vocabulary reads them. pnnx tests a file with random ids below 10 and fails
    on one with fewer words.

    Raises:
        ValueError: the table has more rows already, or is missing.
    """
    result = onnx.ModelProto()
    result.CopyFrom(proto)
    (table,) = (tensor for tensor in result.graph.initializer if tensor.name == _TABLE)
    weights = numpy_helper.to_array(table)
    spare = rows - len(weights)
    if spare < 0:
        raise ValueError(f"{_TABLE} has {len(weights)} rows, more than {rows}")
    padded = np.concatenate([weights, np.zeros((spare, weights.shape[1]), weights.dtype)])
    table.CopyFrom(numpy_helper.from_array(padded, _TABLE))
    onnx.checker.check_model(result, full_check=True)
    return result
