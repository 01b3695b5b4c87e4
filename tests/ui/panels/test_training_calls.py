"""The page's calls for training, own models and gradients, as a browser makes them."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from languages import LANGUAGES
from model.checkpoint import read_checkpoint, state_bytes
from model.config import MiniGPTConfig
from model.corpus import LESSON_CORPUS, LINE_ENDS, own_corpus
from model.errors import InputError
from model.parameters import weights_of
from model.training import new_model
from model.units import WORDS
from model.vocabulary import LESSON_WORDS, words_of
from tests.ui.training.fakes import FakeSpare, form, spec
from ui import torch_loading
from ui.models import model_entry
from ui.panels import gradients, training
from ui.training import limits
from ui.training.files import Files
from ui.training.graphs import Graphs
from ui.training.jobs import Jobs
from ui.training.own import OwnModels
from ui.training.service import Service
from ui.training.service import service as the_service
from ui.training.spec import read_spec
from ui.views import differences, view

CONFIG = MiniGPTConfig(5, 2, 4, 2, 1, 0.1)


@pytest.fixture
def spare(monkeypatch: pytest.MonkeyPatch) -> FakeSpare:
    """The server's trainings over fake processes, and nothing kept from other tests."""
    torch_loading.wait()
    service: Service = the_service
    fake = FakeSpare()
    monkeypatch.setattr(service, "spare", fake)
    monkeypatch.setattr(service, "graphs", Graphs(fake))
    monkeypatch.setattr(service, "files", Files(fake))
    monkeypatch.setattr(service, "own", OwnModels())
    monkeypatch.setattr(service, "jobs", Jobs(service._learned, fake))
    service.own.jobs = service.jobs
    return fake


def in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def content_of(seed: int = 3, config: MiniGPTConfig = CONFIG) -> bytes:
    return state_bytes(config, weights_of(new_model(config, seed)), LESSON_WORDS)


_SIX = MiniGPTConfig(6, 2, 4, 2, 1)
SIX_WORDS = in_base64(state_bytes(_SIX, weights_of(new_model(_SIX, 0))))


def code(answer: dict[str, Any]) -> str:
    return str(answer["error"]["code"])


def test_the_form_comes_with_defaults_that_can_be_trained(spare: FakeSpare) -> None:
    answer = training.training_form({})
    given = answer["defaults"]
    sizes = {name: given[name] for name in ("num_layers", "num_heads", "model_dim",
                                            "context_length", "dropout")}  # fmt: skip
    started = training.training_start({"task": {**given, "model": sizes}})
    assert started["status"] == "starting"
    assert given["corpus"] == LESSON_CORPUS
    assert {**sizes, "vocab_size": 5} == MiniGPTConfig(5, 8, 4, 2, 2, 0.1).as_dict()


def test_what_a_corpus_is_worth(spare: FakeSpare) -> None:
    answer = training.training_corpus({"corpus": "我喜欢AI\n我喜欢学习", "context_length": "8"})
    assert answer["problem"] is None
    assert (answer["sentences"], answer["targets"]) == (2, 4)
    assert answer["floor"] == pytest.approx(np.log(2) / 2)
    for language in LANGUAGES:
        wrong = training.training_corpus({"corpus": "我\n狗", "lang": language})
        assert "1" in wrong["problem"]
    assert training.training_corpus({"corpus": LESSON_CORPUS, "context_length": "x"})["floor"] == 0


def test_a_training_from_start_to_the_whole_page(spare: FakeSpare) -> None:
    started = training.training_start({"task": form()})
    process = spare.taken[0]
    process.progresses(range(41), spec())
    followed = training.training_progress({"id": started["id"], "since": 39})
    assert [point[0] for point in followed["points"]] == [39, 40]
    process.finishes(40, spec())
    assert training.training_progress({"id": started["id"]})["status"] == "finished"
    model = f"own:{started['id']}-40"
    for engine in ("torch", "onnxruntime"):
        shown = view({"tokens": [0, 1], "model": model, "engine": engine})
        assert shown["model"]["id"] == model
        assert len(shown["probabilities"]) == 5
    found = differences({"tokens": [0, 1], "model": model})
    assert found["state"] == "ready"


def test_an_earlier_step_is_a_model_too(spare: FakeSpare) -> None:
    started = training.training_start({"task": form()})
    spare.taken[0].progresses(range(10), spec())
    shown = view({"tokens": [0], "model": f"own:{started['id']}-7"})
    assert shown["trace"]["position_embeddings"][0] == [7.0] * 4
    assert code(view({"tokens": [0], "model": f"own:{started['id']}-11"})) == "training_step"


def test_nothing_of_one_person_is_another_s(spare: FakeSpare) -> None:
    started = training.training_start({"task": form()})
    spare.taken[0].progresses(range(41), spec())
    spare.taken[0].finishes(40, spec())
    other = "f" * 32
    assert code(training.training_progress({"id": other})) == "training_unknown"
    assert code(view({"tokens": [0], "model": f"own:{other}-40"})) == "own_unknown"
    assert code(training.own_weights({"model": "own:"})) == "own_none"
    assert started["id"] not in json.dumps(training.training_form({}))


def test_stop_resume_and_rewind(spare: FakeSpare) -> None:
    started = training.training_start({"task": form()})
    keys = {"id": started["id"], "key": started["key"]}
    assert training.training_stop(keys)["status"] == "starting"
    spare.taken[0].progresses(range(6), spec())
    spare.taken[0].finishes(5, spec())
    assert training.training_progress(keys)["status"] == "stopped"
    assert training.training_resume({**keys, "steps": "50"})["steps"] == 50
    spare.taken[1].finishes(5, spec())
    assert training.training_rewind(keys)["step"] == 0
    assert code(training.training_resume({**keys, "steps": "many"})) == "training_size"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_opens_for_looking_and_changes_nothing(spare: FakeSpare, language: str) -> None:
    started = training.training_start({"task": form()})
    spare.taken[0].progresses(range(8), spec())
    spare.taken[0].finishes(7, spec())
    model = f"own:{started['id']}-7"
    linked = {"id": model.removeprefix("own:").partition("-")[0], "lang": language}
    looked: list[Any] = [
        view({"tokens": [0, 1], "model": model, "engine": "torch"}),
        view({"tokens": [0, 1], "model": f"own:{started['id']}-3", "engine": "torch"}),
        training.training_progress(linked),
        training.own_weights({"model": model}),
        training.own_files({"model": model}),
    ]
    for answer in looked:
        assert "error" not in answer
        assert started["key"] not in json.dumps(answer)
    for change in (training.training_stop, training.training_resume, training.training_rewind):
        for key in ({}, {"key": started["id"]}, {"key": None}):
            refused = change({**linked, "steps": 50, **key})
            assert code(refused) == "training_look_only"
            text = refused["error"]["text"]
            assert bool(re.search("[一-鿿]", text)) == (language == "zh")
    assert training.training_progress(linked)["step"] == 7
    assert training.training_progress(linked)["steps"] == 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_went_wrong_is_told_in_the_person_s_language(spare: FakeSpare, language: str) -> None:
    token = training.training_start({"task": form()})["id"]
    spare.taken[0].progresses(range(6), spec())
    spare.taken[0].reports(None)
    answer = training.training_progress({"id": token, "lang": language})
    assert "error" not in answer
    assert answer["trouble"]["code"] == "training_lost"
    assert "5" in answer["trouble"]["text"]
    assert bool(re.search("[一-鿿]", answer["trouble"]["text"])) == (language == "zh")


def test_weights_for_the_browser_to_keep_and_to_bring_back(spare: FakeSpare) -> None:
    kept = training.own_load({"content": in_base64(content_of())})["model"]
    assert kept["config"]["model_dim"] == 4
    given = training.own_weights({"model": kept["id"]})
    assert base64.b64decode(given["content"]) == state_bytes(
        MiniGPTConfig(5, 2, 4, 2, 1, 0.1), weights_of(new_model(CONFIG, 3)), LESSON_WORDS
    )
    again = training.own_load({"content": given["content"]})["model"]
    assert again["id"] != kept["id"]
    first, second = (view({"tokens": [0, 1], "model": model["id"]}) for model in (kept, again))
    assert first["trace"] == second["trace"]


def test_a_plain_file_needs_its_config(spare: FakeSpare) -> None:
    plain = in_base64(safetensors.numpy.save(weights_of(new_model(CONFIG, 3))))
    assert code(training.own_load({"content": plain})) == "checkpoint_no_config"
    beside = json.dumps(CONFIG.as_dict())
    assert "model" in training.own_load({"content": plain, "config": beside})
    other = json.dumps(CONFIG.as_dict() | {"context_length": 3})
    assert code(training.own_load({"content": plain, "config": other})) == "checkpoint_shape"


def gpt2_folder(tmp_path: Path) -> dict[str, str]:
    """A request with the files that `save_pretrained` wrote."""
    model = new_model(CONFIG, 3)
    model.vocabulary = LESSON_WORDS
    model.save_pretrained(tmp_path)
    return {
        "content": in_base64((tmp_path / "model.safetensors").read_bytes()),
        "config": (tmp_path / "config.json").read_text("utf-8"),
    }


def test_a_gpt2_folder_is_taken_bit_for_bit(spare: FakeSpare, tmp_path: Path) -> None:
    given = gpt2_folder(tmp_path)
    plain = training.own_load({"content": in_base64(content_of())})["model"]["id"]
    for request in (given, {"content": given["content"]}):  # the file alone states its sizes
        brought = training.own_load(request)["model"]["id"]
        first, second = (view({"tokens": [0, 1], "model": id_}) for id_ in (plain, brought))
        assert first["trace"] == second["trace"]


@pytest.mark.parametrize(
    ("change", "expected", "named"),
    [
        ({"activation_function": "gelu_new"}, "gpt2_setting", "activation_function"),
        ({"model_type": "llama"}, "gpt2_kind", "llama"),
        ({"n_layer": 9}, "checkpoint_config_differs", "num_layers"),
    ],
)
def test_a_gpt2_that_does_not_fit_is_told_what_does_not(
    spare: FakeSpare, tmp_path: Path, change: dict[str, Any], expected: str, named: str
) -> None:
    given = gpt2_folder(tmp_path)
    config = json.dumps(json.loads(given["config"]) | change)
    answer = training.own_load({**given, "config": config})
    assert code(answer) == expected
    assert named in answer["error"]["text"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "file_base64"),
        (3, "file_base64"),
        ("not base64!", "file_base64"),
        ("AAA", "file_base64"),
        ("é" * 8, "file_base64"),
        ("", "checkpoint_format"),
        (in_base64(b"hello"), "checkpoint_format"),
        (in_base64(b"PK\x03\x04" + bytes(99)), "checkpoint_pickle"),
        (in_base64(content_of()[:-9]), "checkpoint_broken"),
        (in_base64(content_of(config=MiniGPTConfig(5, 33, 4, 2, 1))), "training_size"),
        (in_base64(content_of(config=MiniGPTConfig(5, 2, 4, 2, 5))), "training_size"),
        (SIX_WORDS, "checkpoint_vocab_size"),
        ("A" * (limits.MAX_FILE_BYTES * 2), "checkpoint_too_large"),
    ],
)
def test_every_wrong_file_is_explained(spare: FakeSpare, content: Any, expected: str) -> None:
    for language in LANGUAGES:
        answer = training.own_load({"content": content, "lang": language})
        assert code(answer) == expected
        assert answer["error"]["text"]


def test_files_are_listed_when_they_are_proven_and_no_other_is_given(spare: FakeSpare) -> None:
    model = training.own_load({"content": in_base64(content_of())})["model"]["id"]
    assert training.own_files({"model": model})["state"] == "preparing"
    assert code(training.own_file({"model": model, "name": "config.json"})) == "choice"
    process = spare.taken[-1]
    process.reports({"kind": "file", "name": "mini_gpt_own.onnx"}, b"onnx")
    process.reports(
        {"kind": "end", "error": {}, "proof": {"prompts": 1, "max_abs": 0.0, "name": "logits"}}
    )
    process.reports(None)
    names = [file["name"] for file in training.own_files({"model": model})["files"]]
    assert "mini_gpt_own.onnx" in names
    given = training.own_file({"model": model, "name": "mini_gpt_own.onnx"})
    assert base64.b64decode(given["content"]) == b"onnx"
    for name in ("../app.py", "/etc/passwd", "", None, 3, "mini_gpt_own.onnx/"):
        assert code(training.own_file({"model": model, "name": name})) == "choice"


def test_why_there_are_no_files_is_said_in_the_language_of_the_request(spare: FakeSpare) -> None:
    model = training.own_load({"content": in_base64(content_of())})["model"]["id"]
    for language in LANGUAGES:
        assert training.own_files({"model": model, "lang": language})["trouble"] is None
        differ = InputError("files_differ", name="logits")
        told = {"code": differ.code, "details": differ.details}
        spare.taken[-1].reports({"kind": "end", "error": told})
        spare.taken[-1].reports(None)
        answer = training.own_files({"model": model, "lang": language})
        assert answer["state"] == "failed"
        assert answer["trouble"] == {"code": "files_differ", "text": differ.text(language)}


def test_new_sizes_wait_for_their_onnx_form_and_pytorch_goes_on(spare: FakeSpare) -> None:
    config = MiniGPTConfig(5, 3, 4, 2, 1)
    model = training.own_load({"content": in_base64(content_of(config=config))})["model"]["id"]
    asked = {"tokens": [0, 1], "model": model}
    assert code(view({**asked, "engine": "onnxruntime"})) == "onnx_preparing"
    assert "probabilities" in view({**asked, "engine": "torch"})
    assert differences(asked) == {"state": "preparing", "values": [], "largest": None}


@pytest.mark.parametrize("model", ["teaching", "trained"])
def test_gradients_of_the_lessons_batch(spare: FakeSpare, model: str) -> None:
    answer = gradients.gradients({"model": model, "parameter": "lm_head.bias"})
    assert answer["targets"] == [[1, 2], [1, 3]]
    assert answer["counted"] == 4
    assert answer["loss"] == pytest.approx(np.mean(answer["losses"]))
    one_hot = np.eye(5)[np.array(answer["targets"])]
    np.testing.assert_allclose(
        answer["logits_gradient"], (np.array(answer["probabilities"]) - one_hot) / 4, atol=1e-7
    )
    np.testing.assert_allclose(
        answer["gradient"], np.sum(answer["logits_gradient"], axis=(0, 1)), atol=1e-6
    )
    assert answer["parameters"][0] == "token_embedding.weight"
    assert gradients.gradients({"model": model, "parameter": "x"})["parameter"] == "lm_head.weight"


def test_gradients_of_a_model_that_sees_one_word(spare: FakeSpare) -> None:
    one = in_base64(content_of(config=MiniGPTConfig(5, 1, 4, 2, 1)))
    model = training.own_load({"content": one})["model"]["id"]
    answer = gradients.gradients({"model": model})
    assert answer["counted"] == 4
    assert np.array(answer["token_ids"]).shape == (4, 1)


def test_the_working_of_a_gradient(spare: FakeSpare) -> None:
    card = gradients.gradient_card(
        {"model": "teaching", "key": "gradients.logits", "cell": [0, 1, 2]}
    )
    line = card["lines"][-1]
    assert f"{line['expression']} {line['relation']} {line['result']}" == (
        "(0.0124 − 1) ÷ 4 = −0.2469"
    )


@pytest.mark.parametrize(
    ("key", "cell", "expected"),
    [
        (None, [], "working_key"),
        ("gradients.none", [], "working_key"),
        ("gradients.logits", [0, 1], "working_cell"),
        ("gradients.logits", [0, 1, "2"], "working_cell"),
        ("gradients.logits", None, "working_cell"),
        ("gradients.logits", [9, 9, 9], "working_cell"),
    ],
)
def test_what_has_no_working_is_explained(
    spare: FakeSpare, key: Any, cell: Any, expected: str
) -> None:
    answer = gradients.gradient_card({"model": "teaching", "key": key, "cell": cell})
    assert code(answer) == expected


def test_a_file_with_words_of_its_own_is_loaded_with_them(spare: FakeSpare) -> None:
    words = own_corpus("to be or\nnot", WORDS).vocabulary
    config = MiniGPTConfig(len(words), 2, 4, 2, 1)
    content = in_base64(state_bytes(config, weights_of(new_model(config, 0)), words))
    loaded = training.own_load({"content": content})["model"]
    assert loaded["words"] == ["to", "be", "or", "↵", "not"]
    assert loaded["unit"] == WORDS
    again = training.own_weights({"model": loaded["id"]})["content"]
    assert read_checkpoint(base64.b64decode(again)).vocabulary == words


def test_more_words_than_the_page_trains_are_refused(spare: FakeSpare) -> None:
    words = words_of([" ".join(map(str, range(257)))], WORDS)
    config = MiniGPTConfig(len(words), 2, 2, 1, 1)
    content = in_base64(state_bytes(config, weights_of(new_model(config, 0)), words))
    assert code(training.own_load({"content": content})) == "training_size"


def test_the_corpus_of_a_text_of_ones_own_is_described() -> None:
    told = training.training_corpus({"corpus": "ab\ncd", "unit": "characters", "context_length": 4})
    assert (told["sentences"], told["targets"], told["floor"]) == (1, 4, 0)


def test_a_step_is_on_the_text_of_the_model(spare: FakeSpare) -> None:
    words = model_entry("poems").vocabulary
    made = gradients.gradients({"model": "poems"})
    assert [words.text(row[:5]) for row in made["token_ids"]] == ["床前明月光", "疑是地上霜"]


def test_a_step_needs_a_text(spare: FakeSpare) -> None:
    words = own_corpus("to be or\nnot", WORDS).vocabulary
    config = MiniGPTConfig(len(words), 2, 4, 2, 1)
    content = in_base64(state_bytes(config, weights_of(new_model(config, 0)), words))
    loaded = training.own_load({"content": content})["model"]["id"]
    assert code(gradients.gradients({"model": loaded})) == "gradients_text"


def test_the_words_of_a_text_are_counted_and_a_form_follows_from_them() -> None:
    told = training.training_corpus(
        {"corpus": "ab a\nc\nb  a", "unit": "words", "line_ends": "break"}
    )
    assert told["counts"] == [["a", 2], ["ab", 1], ["b", 1]]
    assert (told["words"], told["vocabulary"], told["left_out"]) == (3, 4, 1)  # c has no next word
    sizes = told["suggested"]
    assert sizes["context_length"] == 1  # the longest sentence has two words
    assert sizes["steps"] <= limits.MAX_STEPS


def test_what_is_suggested_is_within_the_pages_limits() -> None:
    letters = "".join(chr(0x4E00 + place * 7 % 256) for place in range(6_000))
    told = training.training_corpus({"corpus": letters, "unit": "characters"})
    assert len(told["counts"]) == 30
    sizes = told["suggested"]
    names = ("num_layers", "num_heads", "model_dim", "context_length", "dropout")
    model = {name: sizes[name] for name in names}
    task = {"corpus": letters, "unit": "characters", "model": model}
    made = read_spec(task | {name: sizes[name] for name in ("steps", "learning_rate")})
    assert made.config.model_dim == limits.MAX_MODEL_DIM
    assert made.settings.steps == limits.MAX_STEPS


def test_the_lessons_words_have_no_suggestion() -> None:
    told = training.training_corpus({"corpus": "我 喜欢 AI"})
    assert told["suggested"] is None
    assert (told["words"], told["vocabulary"]) == (3, 5)


def test_a_trainings_words_are_its_texts_and_told_once(spare: FakeSpare) -> None:
    task = form(corpus="床前明月\n疑是地\n\n床前", unit="characters", watched=[[99]])
    started = training.training_start({"task": task})
    assert "".join(started["words"]) == "床前明月↵疑是地"
    assert started["watched"] == [[0, 1], [5, 6]]  # the beginnings of its lines, each once
    asked = {"id": started["id"], "since": 1}
    assert "words" not in training.training_progress(asked)
    assert training.training_progress({**asked, "since": 0})["words"] == started["words"]


_NEVER_TEXTS = ["", " \n\t\u3000", "x", "a\ud83d b", 7, None, ["a b"], "ab" * 130_001]
_BAD_TEXTS = [
    *((unit, text) for unit in ("words", "characters") for text in _NEVER_TEXTS),
    ("words", "one one one"),
    ("characters", "xxx"),
    ("words", " ".join(map(str, range(300)))),
    ("characters", "".join(chr(0x4E00 + place) for place in range(257))),
]


@pytest.mark.parametrize(("unit", "text"), _BAD_TEXTS)
def test_a_text_that_cannot_be_learned_is_explained(unit: str, text: Any) -> None:
    told = {
        lang: training.training_corpus({"corpus": text, "unit": unit, "lang": lang})["problem"]
        for lang in LANGUAGES
    }
    assert all(told.values())
    assert len(set(told.values())) == len(LANGUAGES)
    assert code(training.training_start({"task": form(corpus=text, unit=unit)})) is not None


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("שלום עולם", "words", ["שלום", "עולם"]),
        ("👩‍💻é👩‍💻", "characters", ["👩‍💻", "é"]),
        ("<b> &amp; <b>", "words", ["<b>", "&amp;"]),
        ("a\x00\x07b a\x00\x07b c", "words", ["a\x00\x07b", "c"]),
        ("\u202eab", "characters", ["U+202E", "a", "b"]),
    ],
)
def test_a_strange_text_has_its_words(text: str, unit: str, words: list[str]) -> None:
    told = training.training_corpus({"corpus": text, "unit": unit})
    assert told["problem"] is None
    assert [word for word, _ in told["counts"]] == words


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["words", "characters"]), st.sampled_from(LINE_ENDS))
def test_any_text_is_explained_or_can_be_trained(text: str, unit: str, line_ends: str) -> None:
    asked = {"corpus": text, "unit": unit, "line_ends": line_ends}
    told = training.training_corpus(asked)
    if told["problem"] is not None:
        return
    assert told["words"] <= told["vocabulary"]
    sizes = ("num_layers", "num_heads", "model_dim", "context_length", "dropout")
    model = {name: told["suggested"][name] for name in sizes}
    made = read_spec({**asked, "model": model, "steps": told["suggested"]["steps"]})
    assert made.watched


def test_a_model_of_a_text_says_how_it_begins() -> None:
    assert model_entry("poems").description["begins"] == [0, 1]
    assert "begins" not in model_entry("teaching").description
