"""Messages between this process and a worker."""

from __future__ import annotations

import io

import numpy as np
import pytest

from export.runtimes.wire import read_message, write_message


def test_a_message_comes_out_as_it_went_in() -> None:
    stream = io.BytesIO()
    arrays: dict[str, np.ndarray] = {
        "token_ids": np.arange(6, dtype=np.int64).reshape(2, 3),
        "a scalar": np.array(4, dtype=np.int64),
        "empty": np.zeros((2, 0, 3), dtype=np.float32),
        "transposed": np.arange(6, dtype=np.float32).reshape(2, 3).T,
    }
    write_message(stream, {"do": "run", "字": "猫"}, arrays)
    write_message(stream, {"do": "next"}, {})
    stream.seek(0)
    head, found = read_message(stream)
    assert head == {"do": "run", "字": "猫"}
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        np.testing.assert_array_equal(found[name], array)
        assert found[name].flags.writeable
    assert read_message(stream) == ({"do": "next"}, {})


def test_an_ended_worker_is_told_from_a_slow_one() -> None:
    stream = io.BytesIO()
    write_message(stream, {"do": "run"}, {"a": np.zeros(4)})
    cut = io.BytesIO(stream.getvalue()[:-1])
    with pytest.raises(EOFError):
        read_message(cut)
    with pytest.raises(EOFError):
        read_message(io.BytesIO())
