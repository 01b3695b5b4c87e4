"""What a form may ask to have trained."""

from __future__ import annotations

from typing import Any

import pytest

from model.errors import InputError
from tests.ui.training.fakes import form
from ui.training import limits
from ui.training.spec import check_sizes, read_spec


def test_a_form_with_text_in_its_fields() -> None:
    typed = form(
        steps="40", learning_rate="1e-2", seed="7", num_layers="4", model_dim="32",
        num_heads="8", context_length="16", dropout="0.25",
    )  # fmt: skip
    spec = read_spec(typed)
    assert spec.config.as_dict() == {
        "vocab_size": 5,
        "context_length": 16,
        "model_dim": 32,
        "num_heads": 8,
        "num_layers": 4,
        "dropout": 0.25,
    }
    assert (spec.settings.steps, spec.settings.learning_rate, spec.settings.seed) == (40, 0.01, 7)
    assert spec.corpus.sentences == ((0, 1, 2), (4, 1, 3))


def test_the_fields_read_what_every_field_reads() -> None:
    typed = form(
        steps="４０", learning_rate="0,01", seed="9223372036854775807", num_layers=" 4 ",
        dropout="25%",
    )  # fmt: skip
    spec = read_spec(typed)
    assert (spec.config.num_layers, spec.config.dropout) == (4, 0.25)
    settings = spec.settings
    assert (settings.steps, settings.learning_rate, settings.seed) == (40, 0.01, 2**63 - 1)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"num_layers": 5}, "training_size"),
        ({"num_layers": 0}, "training_size"),
        ({"model_dim": 33}, "training_size"),
        ({"context_length": 33}, "training_size"),
        ({"context_length": "many"}, "training_size"),
        ({"num_heads": None}, "training_size"),
        ({"num_heads": True}, "training_size"),
        ({"num_heads": 3}, "heads"),
        ({"dropout": 1}, "dropout"),
        ({"dropout": "nan"}, "dropout"),
        ({"steps": 0}, "training_size"),
        ({"steps": 2001}, "training_size"),
        ({"steps": 1.5}, "training_size"),
        ({"learning_rate": 0}, "learning_rate"),
        ({"learning_rate": "x"}, "learning_rate"),
        ({"seed": -1}, "seed"),
        ({"corpus": "我 狗"}, "corpus_word"),
        ({"corpus": 3}, "text_type"),
        ({"corpus": "我喜欢" * 600}, "corpus_words"),
        ({"corpus": "我" * 20_000}, "text_length"),
        ({"start": "somewhere"}, "choice"),
        ({"start": "teaching", "num_layers": 2}, "training_start"),
        ({"unit": "letters"}, "choice"),
        ({"unit": 3}, "choice"),
        ({"unit": "words", "line_ends": "no"}, "choice"),
        ({"unit": "words", "corpus": ""}, "text_blank"),
        ({"unit": "words", "corpus": 3}, "text_type"),
        ({"unit": "words", "corpus": "a\ud800 b"}, "text_surrogate"),
        ({"unit": "words", "corpus": " ".join(map(str, range(257)))}, "text_words"),
        ({"unit": "words", "corpus": "a b " * 13_001}, "corpus_words"),
        ({"unit": "characters", "corpus": "ab" * 131_072}, "text_length"),
        ({"unit": "words", "corpus": "a b c d e", "start": "teaching"}, "training_start"),
        ({"watched": "我"}, "ids_rank"),
        ({"watched": [[]]}, "ids_rank"),
        ({"watched": [["我"]]}, "ids_dtype"),
        ({"watched": [[5]]}, "ids_range"),
    ],
)
def test_what_is_out_of_range_is_refused(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        read_spec(form(**changes))
    assert caught.value.code == code
    assert caught.value.text("zh")


@pytest.mark.parametrize("given", [None, [], "x", {}, {"model": 3}])
def test_what_is_no_form(given: Any) -> None:
    with pytest.raises(InputError) as caught:
        read_spec(given)
    assert caught.value.code == "request_type"


def test_hand_set_weights_fit_their_sizes_with_any_dropout() -> None:
    assert read_spec(form(start="teaching", dropout=0.3)).start == "teaching"


def test_watched_prompts_are_few_and_cut_to_what_can_be_seen() -> None:
    spec = read_spec(form(watched=[[0] * 40, [1], [2], [3], [4]]))
    assert spec.watched == ((0,) * limits.MAX_CONTEXT, (1,), (2,), (3,))


def test_a_spec_says_all_that_a_process_needs() -> None:
    told = read_spec(form()).as_dict()
    assert set(told) == {
        "config",
        "corpus",
        "unit",
        "line_ends",
        "settings",
        "start",
        "watched",
    }
    assert told["settings"]["watch_every"] == 1


def test_other_steps() -> None:
    spec = read_spec(form())
    assert spec.with_steps(99).settings.steps == 99
    with pytest.raises(InputError):
        spec.with_steps(0)


def test_sizes_of_a_file_are_checked_too() -> None:
    from model.config import MiniGPTConfig

    check_sizes(MiniGPTConfig(5, 16, 32, 32, 4))
    with pytest.raises(InputError, match="model_dim"):
        check_sizes(MiniGPTConfig(5, 16, 64, 2, 1))


def test_a_text_of_ones_own_brings_its_words_and_no_bias() -> None:
    spec = read_spec(form(corpus="床前明月\n疑是", unit="characters", watched=[[6, 5]]))
    assert spec.config.vocab_size == 7
    assert spec.corpus.vocabulary.shown == ("床", "前", "明", "月", "↵", "疑", "是")
    assert (spec.settings.decay, spec.settings.output_bias) == (True, False)
    assert spec.floor == 0
    told = spec.as_dict()
    assert (told["unit"], told["line_ends"]) == ("characters", "word")
    lesson = read_spec(form())
    assert (lesson.settings.decay, lesson.settings.output_bias) == (False, True)
