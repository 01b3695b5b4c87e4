"""Both runners refuse what an engine would swallow, and give copies under the trace's names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import pytest
import torch

from export.graph import to_onnx
from export.runtimes import Runner
from export.runtimes.onnx_runtime import onnxruntime_runner
from export.runtimes.pytorch import pytorch_runner
from export.shipped import FILES, trace_file
from model import InputError, teaching_model
from model.trace import trace_shapes

RUNNERS: dict[str, Callable[[], Runner]] = {
    "torch": lambda: pytorch_runner(teaching_model()),
    "onnxruntime": lambda: onnxruntime_runner(FILES / trace_file("teaching")),
}


@pytest.mark.parametrize("engine", RUNNERS)
@pytest.mark.parametrize(
    ("token_ids", "code"),
    [
        (np.array([[-1]]), "ids_range"),
        (np.array([[5]]), "ids_range"),
        (np.array([[0, 1, 2]]), "ids_length"),
        (np.zeros((1, 0), dtype=np.int64), "ids_empty"),
        (np.zeros((0, 1), dtype=np.int64), "ids_empty"),
        (np.array([[0.0]]), "ids_dtype"),
        (np.array([0]), "ids_rank"),
    ],
)
def test_bad_ids_are_refused(engine: str, token_ids: np.ndarray, code: str) -> None:
    with pytest.raises(InputError) as caught:
        RUNNERS[engine]()(token_ids)
    assert caught.value.code == code


@pytest.mark.parametrize("engine", RUNNERS)
def test_names_and_dtypes(engine: str) -> None:
    arrays = RUNNERS[engine]()(np.array([[0, 1]]))
    assert list(arrays) == list(trace_shapes(1))
    assert {str(array.dtype) for array in arrays.values()} == {"float32"}


def test_torch_arrays_are_no_views_of_weights() -> None:
    model = teaching_model()
    arrays = pytorch_runner(model)(np.array([[0, 1]]))
    before = arrays["position_embeddings"].copy()
    with torch.no_grad():
        model.position_embedding.weight.fill_(9.0)
    np.testing.assert_array_equal(arrays["position_embeddings"], before)


def test_a_file_without_its_sizes_is_refused() -> None:
    bare = to_onnx(teaching_model())
    with pytest.raises(ValueError, match="vocab_size, context_length"):
        onnxruntime_runner(bare.SerializeToString())


def test_onnxruntime_takes_bytes_as_well_as_a_path() -> None:
    path = FILES / trace_file("teaching")
    token_ids = np.array([[4, 1]])
    from_path, from_bytes = onnxruntime_runner(path), onnxruntime_runner(path.read_bytes())
    np.testing.assert_array_equal(from_path(token_ids)["logits"], from_bytes(token_ids)["logits"])
    assert onnx.load(path).ir_version == 8
