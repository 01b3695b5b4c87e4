"""The training benchmark: every contender trains the same sizes, and ours is among them."""

from __future__ import annotations

import pytest

from bench.training import CONFIG, PlainGPT, corpus, main, measure
from model.network import MiniGPT


def test_every_contender_is_measured() -> None:
    rates = measure(rounds=2)
    assert list(rates) == ["plain loop", "plain loop, plain network", "ours"]
    assert all(rate > 0 for rate in rates.values())


def test_the_contenders_have_the_same_sizes() -> None:
    ours = sorted(tuple(weight.shape) for weight in MiniGPT(**CONFIG.as_dict()).parameters())
    plain = sorted(tuple(weight.shape) for weight in PlainGPT().parameters())
    assert ours == plain
    assert {len(sentence) for sentence in corpus().sentences} == {CONFIG.context_length + 1}


def test_the_table_is_markdown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.training.measure", lambda rounds: {"a": 100.0, "ours": 150.0})
    main(["--rounds", "1"])
    assert "| ours | 150 | 1.50 |" in capsys.readouterr().out
