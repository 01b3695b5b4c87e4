"""The training benchmark: every contender trains the same sizes, and ours is among them."""

from __future__ import annotations

import pytest

from bench.training import SIZES, PlainGPT, Size, corpus, main, measure
from model.network import MiniGPT
from ui.training import limits


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_every_contender_is_measured(size: Size, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.training.STEPS_A_ROUND", 1)
    monkeypatch.setattr("bench.training.WARM_UP", 1)
    rates = measure(rounds=2, size=size)
    assert list(rates) == ["plain loop", "plain loop, plain network", "ours"]
    assert all(rate > 0 for rate in rates.values())


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_contenders_have_the_same_sizes(size: Size) -> None:
    config = size.config
    ours = sorted(tuple(weight.shape) for weight in MiniGPT(**config.as_dict()).parameters())
    plain = sorted(tuple(weight.shape) for weight in PlainGPT(config).parameters())
    assert ours == plain
    assert {len(sentence) for sentence in corpus(config).sentences} == {config.context_length + 1}


def test_the_largest_is_the_pages() -> None:
    config = SIZES["largest"].config
    assert (config.vocab_size, config.context_length) == (limits.MAX_WORDS, limits.MAX_CONTEXT)
    assert (config.model_dim, config.num_layers) == (limits.MAX_MODEL_DIM, limits.MAX_LAYERS)


def test_the_table_is_markdown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.training.measure", lambda rounds, size: {"a": 100.0, "ours": 150.0})
    main(["--rounds", "1"])
    assert "| largest | ours | 150 | 1.50 |" in capsys.readouterr().out
