"""Loaders of whole folders: the same words, and the twin with one changed weight is caught.

They need the environments of `python -m export parity NAMES --install`; one that is not there is
skipped by its name, and fails in CI.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from export.compare import ABSOLUTE_BOUND
from export.parity.files import FormFiles
from export.parity.folders import is_loader, log_probs, measure_loader
from export.parity.measure import Settings, loaded
from export.parity.record import OK, WRONG
from export.parity.subjects import Subject, every_prompt, subjects
from export.runtimes.catalogue import RUNTIMES
from export.runtimes.declaration import Feeds, Run
from export.runtimes.environments import default_root, folder_of, is_ready, python_of
from export.runtimes.folders import (
    FOLDER,
    IDS_FEED,
    TEXT_FEED,
    TOKEN_IDS,
    folder_run,
    packed_texts,
    unpacked_texts,
)
from export.shipped import FILES
from export.workers.child import WorkerError
from model import MiniGPT
from model.config import MiniGPTConfig
from model.training import new_model
from model.vocabulary import LESSON_WORDS, Vocabulary
from tests.needed import missing

LOADERS = [name for name, runtime in RUNTIMES.items() if is_loader(runtime)]
SECONDS = 5
NUDGE = 1e-3
OTHER_WORDS = ("The", "cat", "Ain", "AI", "C++")  # a letter spelt in two ways, and signs


def measured(name: str, subject: Subject, made: Path) -> dict[str, str]:
    """The verdicts by use."""
    if not is_ready(RUNTIMES[name], default_root()):
        missing(f"the loader {name}: {' && '.join(RUNTIMES[name].install_lines())}")
    settings = Settings(FormFiles(FILES, made), default_root(), SECONDS)
    records = measure_loader(RUNTIMES[name], subject, settings)
    return {record.use: f"{record.verdict} {record.reason}" for record in records}


def teaching() -> Subject:
    return subjects()[0]


def spoken() -> Subject:
    """A small network with words of its own."""
    model = new_model(MiniGPTConfig(5, 4, 4, 2, 1), 5).eval()
    model.vocabulary = Vocabulary(OTHER_WORDS)
    return Subject("spoken", model, 64, 5e-6, shipped=False)


@pytest.mark.long("every loader, each in its own environment")
@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize("make", [teaching, spoken])
def test_the_same_words(name: str, make: Callable[[], Subject], tmp_path: Path) -> None:
    verdicts = measured(name, make(), tmp_path)
    assert len(verdicts) == 2
    for use, verdict in verdicts.items():
        assert verdict.startswith(OK), f"{use}: {verdict}"


@pytest.mark.long("every loader, each in its own environment")
@pytest.mark.parametrize("name", LOADERS)
def test_the_twin_with_one_changed_weight_is_caught(name: str, tmp_path: Path) -> None:
    twin = MiniGPT(**teaching().model.config.as_dict())
    twin.load_state_dict(teaching().model.state_dict())
    twin.vocabulary = teaching().model.vocabulary
    # Of an approximate loader a weight is changed by more than its approximation is off.
    nudge = 1.0 if RUNTIMES[name].approximate else NUDGE
    with torch.no_grad():
        twin.blocks[0].ffn[2].bias[0] += nudge  # type: ignore[index,union-attr]
    twin.save_pretrained(tmp_path / f"teaching_{FOLDER}")
    assert measured(name, teaching(), tmp_path)["logits"].startswith(f"{WRONG} log_probs: DIFFERS")


@pytest.mark.long("every loader, each in its own environment")
@pytest.mark.parametrize("name", LOADERS)
def test_past_the_context_nothing_is_silent(name: str, tmp_path: Path) -> None:
    runtime = RUNTIMES[name]
    if not is_ready(runtime, default_root()):
        missing(f"the loader {name}")
    settings = Settings(FormFiles(FILES, tmp_path), default_root(), SECONDS)
    with loaded(runtime, teaching(), FOLDER, settings) as (engine, _):
        engine.run({TOKEN_IDS: np.array([[0, 1]])})
        with pytest.raises(WorkerError):
            engine.run({TOKEN_IDS: np.array([[0, 1, 2]])})


class _TableGelu(torch.nn.Module):
    """llama.cpp's GELU: the approximation by tanh, of a float16 number and in one."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.gelu(x.half().float(), approximate="tanh").half().float()


@pytest.mark.long("llama.cpp, in its own environment")
@pytest.mark.parametrize(("gelu", "agrees"), [(_TableGelu, True), (torch.nn.GELU, False)])
def test_llama_cpps_gelu_is_all_that_is_another(
    gelu: type[torch.nn.Module], agrees: bool, tmp_path: Path
) -> None:
    runtime = RUNTIMES["llama-cpp"]
    if not is_ready(runtime, default_root()):
        missing(f"the loader {runtime.name}")
    own = MiniGPT(**teaching().model.config.as_dict()).eval()
    own.load_state_dict(teaching().model.state_dict())
    feed_forward = own.blocks[0].ffn
    assert isinstance(feed_forward, torch.nn.Sequential)
    feed_forward[1] = gelu()
    settings = Settings(FormFiles(FILES, tmp_path), default_root(), SECONDS)
    with loaded(runtime, teaching(), FOLDER, settings) as (engine, _):
        for prompts in every_prompt(teaching()).prompts:
            actual = log_probs(engine.run({TOKEN_IDS: prompts})["logits"])
            with torch.inference_mode():
                expected = log_probs(own(torch.from_numpy(prompts))[0].numpy())
            # A logit and the logarithm of the sum of all may each be off by as much.
            is_close = np.abs(actual - expected).max() <= 2 * ABSOLUTE_BOUND
            assert is_close == agrees


class _Stub:
    """A loader in this process, in place of `export.parity.folders.loaded`."""

    version = "1"

    def __init__(self, run: Run) -> None:
        self.run = run

    def __enter__(self) -> tuple[_Stub, float]:
        return self, 0.0

    def __exit__(self, *_: object) -> None:
        pass

    def time(self, feeds: Feeds, repeat: int) -> float:
        return 0.0

    def give(self, seconds: float) -> None:
        """Never slow."""


def network(token_ids: np.ndarray) -> np.ndarray:
    with torch.inference_mode():
        return np.asarray(teaching().model(torch.from_numpy(token_ids))[0].numpy() + 3.0)


def greedy(prompts: list[str], say: Callable[[str], str] = str) -> list[str]:
    words = teaching().model.vocabulary or LESSON_WORDS
    ids = [words.encode(prompt) for prompt in prompts]
    return [say(words.decode([int(network(np.array([row]))[0, -1].argmax())])[0]) for row in ids]


@pytest.mark.parametrize(
    ("logits", "texts", "expected"),
    [
        (network, greedy, (OK, OK)),  # logits that are all larger by a constant are the same
        (lambda ids: network(ids) * 1.001, greedy, (WRONG, OK)),
        (network, partial(greedy, say=lambda word: "猫"), (OK, WRONG)),
        (network, partial(greedy, say=lambda word: word + "狗"), (OK, WRONG)),
        (network, partial(greedy, say=lambda word: ""), (OK, WRONG)),
    ],
)
def test_wrong_numbers_and_wrong_words_are_found(
    logits: Callable[[np.ndarray], np.ndarray],
    texts: Callable[[list[str]], list[str]],
    expected: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = _Stub(folder_run(logits, texts))
    monkeypatch.setattr("export.parity.folders.loaded", lambda *_: stub)
    settings = Settings(FormFiles(FILES, tmp_path), tmp_path, SECONDS)
    records = measure_loader(RUNTIMES["transformers"], teaching(), settings)
    assert tuple(record.verdict for record in records) == expected
    assert [record.prompts_of for record in records] == [30, 5]


def test_texts_and_ids_are_passed_as_arrays() -> None:
    run = folder_run(network, lambda lines: [line[::-1] for line in lines], lambda ids: ids + 1)
    given = run({TEXT_FEED: packed_texts(["我 喜欢", "猫"])})[TEXT_FEED]
    assert unpacked_texts(given) == ["欢喜 我", "猫"]
    assert run({IDS_FEED: np.array([[1]])})[IDS_FEED].tolist() == [[2]]


def test_log_probs_are_those_of_a_softmax() -> None:
    values = log_probs(np.array([[1.0, 2.0, 1000.0]], np.float32))
    np.testing.assert_allclose(np.exp(values).sum(), 1.0)
    assert np.isfinite(values).all()


@pytest.mark.long("transformers, in its own environment")
def test_the_card_s_snippet_runs(tmp_path: Path) -> None:
    runtime = RUNTIMES["transformers"]
    if not is_ready(runtime, default_root()):
        missing("the loader transformers")
    subjects()[1].model.save_pretrained(tmp_path)
    card = (tmp_path / "README.md").read_text("utf-8")
    snippet = re.findall(r"```python\n(.*?)```", card, re.DOTALL)[0]
    python = python_of(runtime.environment, folder_of(runtime.environment, default_root()))
    said = subprocess.run(
        [python, "-c", snippet.replace("this folder or repository", str(tmp_path))],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "我喜欢 AI 猫 喜欢 学习 我 喜欢" in said.stdout


def test_a_loader_that_stops_early_counts_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = _Stub(folder_run(network, greedy))
    monkeypatch.setattr("export.parity.folders.loaded", lambda *_: stub)
    settings = Settings(FormFiles(FILES, tmp_path), tmp_path, 0)
    slow = replace(teaching(), every=4096)
    logits, texts = measure_loader(RUNTIMES["transformers"], slow, settings)
    assert (logits.prompts, logits.prompts_of) == (5, 30)
    assert (texts.prompts, texts.prompts_of) == (5, 5)
