"""Files of a person's model: made in a process, handed out once they are proven."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from model.checkpoint import read_checkpoint
from model.config import MiniGPTConfig
from model.corpus import LESSON_CORPUS, read_corpus
from model.errors import InputError
from model.parameters import parameter_shapes, weights_of
from model.training import new_model
from model.vocabulary import LESSON_WORDS
from tests.ui.training.fakes import FakeSpare
from ui.session import enter_session
from ui.training import files as files_module
from ui.training import limits, queue
from ui.training.files import ARCHIVE, Files, archive, weights_files
from ui.training.own import OwnModel, OwnModels

LESSON_TEXT = read_corpus(LESSON_CORPUS, LESSON_WORDS)
CONFIG = MiniGPTConfig(5, 2, 4, 2, 1, 0.1)
PROOF = {"prompts": 30, "max_abs": 1e-7, "name": "logits"}


@pytest.fixture(autouse=True)
def no_session_is_left() -> Iterator[None]:
    yield
    enter_session({})


@pytest.fixture
def own() -> OwnModel:
    return OwnModels().load(CONFIG, weights_of(new_model(CONFIG, 3)), LESSON_WORDS)


def _count() -> int:
    return sum(int(np.prod(shape)) for shape in parameter_shapes(CONFIG).values())


def test_weights_are_what_from_pretrained_takes(own: OwnModel) -> None:
    files = weights_files(own)
    sizes, weights, _ = read_checkpoint(files["model.safetensors"], vocabulary=LESSON_WORDS)
    assert sizes == CONFIG
    for name, value in own.entry.weights().items():
        np.testing.assert_array_equal(weights[name], value)
    assert b'"dropout": 0.1' in files["config.json"]


def test_nothing_is_handed_out_before_the_proof(own: OwnModel) -> None:
    spare = FakeSpare()
    files = Files(spare)
    nothing = {"place": 0, "files": [], "proof": None, "trouble": None}
    assert files.state(own) == {"state": "preparing", **nothing}
    process = spare.taken[0]
    weights = weights_files(own)["model.safetensors"]
    assert (process.head, process.content) == ({"kind": "files", "weights": len(weights)}, weights)
    process.reports({"kind": "file", "name": "mini_gpt_own.onnx"}, b"onnx")
    assert files.state(own)["files"] == []
    process.reports({"kind": "end", "error": {}, "proof": PROOF})
    process.reports(None)
    state = files.state(own)
    assert (state["state"], state["proof"]) == ("ready", PROOF)
    names = [file["name"] for file in state["files"]]
    assert names == ["model.safetensors", "config.json", "mini_gpt_own.onnx", ARCHIVE]
    assert len(spare.taken) == 1


def test_files_that_do_not_agree_are_not_handed_out(own: OwnModel) -> None:
    spare = FakeSpare()
    files = Files(spare)
    files.state(own)
    spare.taken[0].reports({"kind": "file", "name": "mini_gpt_own.onnx"}, b"onnx")
    differ = {"code": "files_differ", "details": {"name": "blocks.0.scores"}}
    spare.taken[0].reports({"kind": "end", "error": differ})
    spare.taken[0].reports(None)
    state = files.state(own)
    assert (state["state"], state["files"], state["proof"]) == ("failed", [], None)
    assert state["trouble"].code == "files_differ"
    assert "blocks.0.scores" in state["trouble"].text("zh")
    assert own.files == {}
    again = files.state(own)
    assert (again["state"], again["trouble"]) == ("preparing", None)  # asked again, tried again
    assert len(spare.taken) == 2


def test_a_process_that_ends_without_a_word_is_told_as_that(own: OwnModel) -> None:
    spare = FakeSpare()
    files = Files(spare)
    files.state(own)
    spare.taken[0].reports(None)
    assert files.state(own)["trouble"].code == "files_failed"


def test_weights_that_no_file_may_hold_are_told(own: OwnModel) -> None:
    """As a training could leave them: the sentence says what is wrong with them."""
    spare = FakeSpare()
    files = Files(spare)
    broken = OwnModels().put(
        CONFIG, np.full(_count(), np.inf, np.float32), LESSON_TEXT, "0" * 32, 1
    )
    state = files.state(broken)
    assert (state["state"], state["trouble"].code) == ("failed", "checkpoint_not_finite")
    assert spare.taken == []
    assert files.state(own)["state"] == "preparing"


def test_one_model_after_another() -> None:
    spare, store = FakeSpare(), OwnModels()
    files = Files(spare)
    first, second = (
        store.load(CONFIG, weights_of(new_model(CONFIG, seed)), LESSON_WORDS) for seed in (1, 2)
    )
    files.state(first)
    files.state(second)
    files.state(second)
    assert len(spare.taken) == 1
    spare.taken[0].reports({"kind": "end", "error": {}, "proof": PROOF})
    spare.taken[0].reports(None)
    assert len(spare.taken) == 2
    assert spare.taken[1].content == weights_files(second)["model.safetensors"]


def brought(seed: int) -> OwnModel:
    return OwnModels().load(CONFIG, weights_of(new_model(CONFIG, seed)), LESSON_WORDS)


def sent_by(session: str) -> None:
    enter_session({"session_hash": session})


def test_after_a_hundred_requests_the_next_person_waits_for_one_model() -> None:
    spare = FakeSpare()
    files = Files(spare)
    sent_by("attacker")
    weights = weights_of(new_model(CONFIG, 0))
    models = [OwnModels().load(CONFIG, weights, LESSON_WORDS) for _ in range(100)]
    for own in models[: limits.FILES.each]:
        files.state(own)
    for own in models[limits.FILES.each :]:
        with pytest.raises(InputError, match="of yours"):
            files.state(own)
    mine = brought(1)
    sent_by("me")
    assert files.state(mine)["state"] == "waiting"
    assert files.state(mine)["place"] == 2
    for _ in range(2):
        spare.taken[-1].reports(None)
    assert files.state(mine)["state"] == "preparing"
    assert spare.taken[-1].content == weights_files(mine)["model.safetensors"]


def test_a_refused_request_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.FILES, "waiting", 1)
    files = Files(FakeSpare())
    first, second, third = brought(1), brought(2), brought(3)
    files.state(first)
    files.state(second)
    with pytest.raises(InputError) as caught:
        files.state(third)
    assert caught.value.code == "queue_full"
    monkeypatch.setattr(limits.FILES, "waiting", 2)
    assert files.state(third)["state"] == "waiting"


def test_files_nobody_asks_for_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.FILES, "unasked_seconds", 0.05)
    spare = FakeSpare()
    files = Files(spare)
    first, second, third = brought(1), brought(2), brought(3)
    files.state(first)
    files.state(second)
    time.sleep(0.1)
    files.state(third)
    spare.taken[0].reports(None)
    assert files.state(third)["state"] == "preparing"
    assert files.state(second)["state"] == "waiting"  # asked again, it waits again


def test_a_process_that_cannot_start_fails_one_model_and_the_others_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue, "PAUSE_SECONDS", 0.0)
    spare = FakeSpare()
    files = Files(spare)
    first, second = brought(1), brought(2)
    spare.fails = OSError(24, "Too many open files")
    failed = files.state(first)
    assert (failed["state"], failed["trouble"].code) == ("failed", "process_start")
    spare.fails = None
    assert files.state(second)["state"] == "preparing"
    spare.taken[0].reports({"kind": "end", "error": {}, "proof": PROOF})
    spare.taken[0].reports(None)
    assert files.state(second)["state"] == "ready"
    assert files.state(first)["state"] == "preparing"


def test_weights_that_cannot_be_written_fail_one_model_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spare = FakeSpare()
    files = Files(spare)
    first, second = brought(1), brought(2)

    def fail(own: OwnModel) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(files_module, "weights_files", fail)
        assert files.state(first)["state"] == "failed"
    assert files.state(second)["state"] == "preparing"


def test_the_archive_has_safe_names_and_the_same_bytes_every_time(own: OwnModel) -> None:
    files = weights_files(own)
    packed = archive(files)
    assert packed == archive(files)
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        assert opened.namelist() == ["mini_gpt_own/model.safetensors", "mini_gpt_own/config.json"]
        for name, content in files.items():
            assert opened.read(f"mini_gpt_own/{name}") == content
        assert {entry.external_attr >> 16 & 0o777 for entry in opened.infolist()} == {0o644}


def test_a_template_is_kept_for_the_next_model_of_its_sizes(own: OwnModel) -> None:
    spare = FakeSpare()
    templates: dict[MiniGPTConfig, bytes] = {}
    files = Files(spare, templates)
    files.state(own)
    spare.taken[0].reports({"kind": "template"}, b"template")
    spare.taken[0].reports({"kind": "end", "error": {}, "proof": PROOF})
    spare.taken[0].reports(None)
    assert templates == {replace(CONFIG, dropout=0.0): b"template"}
    assert all(file["name"] != "template" for file in files.state(own)["files"])
    other = OwnModels().load(CONFIG, weights_of(new_model(CONFIG, 8)), LESSON_WORDS)
    files.state(other)
    sent = spare.taken[1]
    assert sent.content[sent.head["weights"] :] == b"template"


def test_the_archive_is_a_folder_that_loaders_take_with_the_forms_in_one_of_their_own(
    own: OwnModel,
) -> None:
    spare = FakeSpare()
    files = Files(spare)
    files.state(own)
    process = spare.taken[0]
    for name in ("config.json", "model.safetensors", "onnx/model.onnx"):
        process.reports({"kind": "file", "name": name, "in_folder": True}, name.encode())
    process.reports({"kind": "file", "name": "mini_gpt_own.onnx"}, b"form")
    process.reports({"kind": "end", "error": {}, "proof": PROOF})
    listed = [file["name"] for file in files.state(own)["files"]]
    assert listed == ["model.safetensors", "config.json", "mini_gpt_own.onnx", ARCHIVE]
    assert own.files["config.json"] == b"config.json"
    with zipfile.ZipFile(io.BytesIO(own.files[ARCHIVE])) as opened:
        assert sorted(opened.namelist()) == [
            "mini_gpt_own/config.json",
            "mini_gpt_own/forms/mini_gpt_own.onnx",
            "mini_gpt_own/model.safetensors",
            "mini_gpt_own/onnx/model.onnx",
        ]
        assert opened.read("mini_gpt_own/forms/mini_gpt_own.onnx") == b"form"
