"""The page's part of the table of the network is what the table says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model.values import BLOCK
from tools import network_values


def test_the_file_is_what_would_be_written() -> None:
    assert network_values.TARGET.read_text("utf-8") == network_values.content()


def test_another_table_writes_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    longer = (*BLOCK, replace(BLOCK[-1], name="scaled", reads=("residual_after_ffn",)))
    monkeypatch.setattr(network_values, "BLOCK", longer)
    assert network_values.TARGET.read_text("utf-8") != network_values.content()
    assert '"scaled"' in network_values.content()
