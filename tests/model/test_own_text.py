"""Words taken from a text: read back as they were, also by the `tokenizers` library, or refused."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from model.checkpoint import read_checkpoint, state_bytes
from model.config import IGNORED_TARGET, MiniGPTConfig
from model.corpus import BREAK, WORD, entropy_floor, own_corpus, windows_of
from model.errors import InputError
from model.own_sizes import own_config, own_settings
from model.parameters import parameter_shapes, weights_of
from model.tokenizer import tokenizer_definition
from model.training import new_model
from model.units import CHARACTERS, OWN_UNITS, WORDS, tidied
from model.vocabulary import MOST_WORDS, Vocabulary, words_of

POEM = "床前明月光，\n疑是地上霜。"
REFUSALS = {"text_blank", "text_one_word", "text_short", "text_surrogate"}
# Letters of several scripts, joiners, marks, controls, HTML, spaces of many kinds, surrogates.
TEXTS = st.text(
    st.one_of(
        st.sampled_from(
            "aAbé\u0301 \n\r\t\u3000\u2028\x00\x0b\x1cشש\u200f\u200b\u200d👩💻🇨🇳猫<>&\u0600"
        ),
        st.characters(),
    ),
    max_size=40,
)


def refusal(text: str, unit: str, line_ends: str = WORD) -> str | None:
    """The code with which a text is refused."""
    try:
        own_corpus(text, unit, line_ends)
    except InputError as error:
        return error.code
    return None


@given(TEXTS, st.sampled_from(OWN_UNITS))
@example("a \u0301b", CHARACTERS)
@example("👩\u200d💻 é e\u0301", CHARACTERS)
@example("\u0600 a", CHARACTERS)
@example("\r\n \r a  b\u3000c \n\n", WORDS)
def test_any_text_reads_back_up_to_runs_of_spaces_or_is_refused(text: str, unit: str) -> None:
    refused = refusal(text, unit)
    if refused is not None:
        assert refused in REFUSALS
        return
    corpus = own_corpus(text, unit)
    words, (ids,) = corpus.vocabulary, corpus.sentences
    assert words.text(ids) == tidied(text).strip("\n")
    assert words.encode(words.text(ids)) == list(ids)
    assert "".join(words.text(ids).split()) == "".join(text.split())
    read = Tokenizer.from_str(json.dumps(tokenizer_definition(words)))
    assert read.encode(words.text(ids)).ids == list(ids)
    assert read.decode(list(ids)) == words.text(ids)


@given(TEXTS, st.sampled_from(OWN_UNITS))
def test_words_survive_a_file(text: str, unit: str) -> None:
    if refusal(text, unit) is not None:
        return
    words = own_corpus(text, unit).vocabulary
    config = MiniGPTConfig(len(words), 2, 2, 1, 1)
    weights = weights_of(new_model(config, 0))
    assert read_checkpoint(state_bytes(config, weights, words)).vocabulary == words
    assert all(words.shown)


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("Be be AI ai", WORDS, ("Be", "be", "AI", "ai")),
        ("Aa", CHARACTERS, ("A", "a")),
        ("👩\u200d💻👍🏽🇨🇳", CHARACTERS, ("👩\u200d💻", "👍🏽", "🇨🇳")),
        ("नमस्ते", CHARACTERS, ("न", "म", "स्ते")),
        ("שלום", CHARACTERS, ("ש", "ל", "ו", "ם")),
        ("<b>x</b> y", WORDS, ("<b>x</b>", "y")),
        ("a  b\nc", CHARACTERS, ("a", " ", "b", "\n", "c")),
        ("a\x00b", CHARACTERS, ("a", "\x00", "b")),
        (POEM, WORDS, ("床前明月光，", "\n", "疑是地上霜。")),
    ],
)
def test_words_are_what_a_reader_counts(text: str, unit: str, words: tuple[str, ...]) -> None:
    assert own_corpus(text, unit).vocabulary.words == words


def test_line_ends_and_spaces_are_shown_and_can_be_typed() -> None:
    words = own_corpus("a b\nc", CHARACTERS).vocabulary
    assert words.shown == ("a", "␣", "b", "↵", "c")
    assert words.encode("b↵c␣a") == words.encode("b\nc a") == [2, 3, 4, 1, 0]
    assert Vocabulary(("\u200b", "\u200dx", "\x07\x00"), WORDS).shown == (
        "U+200B",
        "\u200dx",
        "U+0007U+0000",
    )
    assert own_corpus("a↵\nb", CHARACTERS).vocabulary.encode("↵") == [1]  # the character itself


def test_spaces_that_are_no_words_are_skipped() -> None:
    words = own_corpus("床前明月", CHARACTERS).vocabulary
    assert words.encode(" 床\n前　明 ") == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "place"), [("床 狗", 3), ("\r\n床\r\n\r\n狗", 8), ("  狗", 3), ("床前狗床", 3)]
)
def test_an_unknown_piece_is_named_with_its_place(text: str, place: int) -> None:
    words = own_corpus("床前明月", CHARACTERS).vocabulary
    with pytest.raises(InputError) as caught:
        words.encode(text)
    assert caught.value.details["piece"] == "狗"
    assert caught.value.details["place"] == place


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "text_blank"),
        (" \t\u3000\n\r\n", "text_blank"),
        ("猫", "text_one_word"),
        ("猫猫猫", "text_one_word"),
        ("a\ud800b", "text_surrogate"),
        (None, "text_type"),
        (3, "text_type"),
        ("猫\n" + "a" * 2_000_000, "text_length"),
    ],
)
def test_what_is_no_text_is_said(text: object, code: str) -> None:
    assert refusal(text, CHARACTERS) == code  # type: ignore[arg-type]


def test_lines_of_one_word_have_nothing_to_learn() -> None:
    assert refusal("a\nb", WORDS, BREAK) == "text_short"
    corpus = own_corpus("a b\nc\na", WORDS, BREAK)
    assert (corpus.sentences, corpus.left_out) == (((0, 1),), 2)


def test_a_million_different_words_are_too_many() -> None:
    text = " ".join(map(str, range(MOST_WORDS + 1)))
    with pytest.raises(InputError, match=f"{MOST_WORDS + 1} different words") as caught:
        own_corpus(text, WORDS)
    assert len(caught.value.text("en")) < 200


def test_many_words_are_not_all_listed_in_an_error() -> None:
    words = words_of([" ".join(map(str, range(10_000)))], WORDS)
    with pytest.raises(InputError, match=r"\(10000\)") as caught:
        words.encode("x")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        (("a b",), WORDS),
        (("a", " "), WORDS),
        (("ab",), CHARACTERS),
        (("a", ""), CHARACTERS),
        (("a", "\r\n"), CHARACTERS),
        (("a", "\ud800"), CHARACTERS),
        (("a", "\ud800"), "longest"),
        (("a", "a"), WORDS),
        (("a",), "sentences"),
        (("a",), ["words"]),
    ],
)
def test_words_that_no_text_contains_are_refused(words: tuple[str, ...], unit: str) -> None:
    with pytest.raises(InputError):
        Vocabulary(words, unit)


def test_letter_case_counts_but_for_the_lessons_unit() -> None:
    assert Vocabulary(("AI",)).encode("ai") == [0]
    for unit in OWN_UNITS:
        with pytest.raises(InputError):
            Vocabulary(("A", "I"), unit).encode("a")


def test_the_same_words_in_another_unit_are_another_vocabulary() -> None:
    assert Vocabulary(("a", "b"), WORDS) != Vocabulary(("a", "b"), CHARACTERS)
    assert len({Vocabulary(("a", "b"), unit) for unit in ("longest", *OWN_UNITS)}) == 3


# Windows of a text whose line ends are words.


def test_each_line_is_also_learned_from_its_beginning() -> None:
    corpus = own_corpus("abc\nde", CHARACTERS)  # a b c ↵ d e
    assert corpus.sentences == ((0, 1, 2, 3, 4, 5),)
    assert corpus.starts == ((4,),)
    windows = windows_of(corpus, 4)
    n = IGNORED_TARGET
    assert windows.token_ids.tolist() == [[0, 1, 2, 3], [1, 2, 3, 4], [4, 0, 0, 0]]
    assert windows.targets.tolist() == [[1, 2, 3, 4], [n, n, n, 5], [5, n, n, n]]
    assert entropy_floor(corpus, 4) == 0


def test_a_line_that_begins_like_the_text_leaves_its_beginning_alone() -> None:
    corpus = own_corpus("abc\nabd", CHARACTERS)
    windows = windows_of(corpus, 5)
    n = IGNORED_TARGET
    # a b agrees with the beginning: only what follows a b d would count, and nothing does.
    assert windows.targets.tolist() == [[1, 2, 3, 0, 1], [n, n, n, n, 4]]
    assert entropy_floor(corpus, 5) == 0


@given(st.text("ab\n", min_size=2, max_size=30), st.integers(1, 6))
def test_no_line_contradicts_the_beginning_of_the_text(text: str, context: int) -> None:
    if refusal(text, CHARACTERS) is not None:
        return
    corpus = own_corpus(text, CHARACTERS)
    windows = windows_of(corpus, context)
    first = corpus.sentences[0]
    assert (windows.targets != IGNORED_TARGET).sum() >= len(first) - 1
    for ids, targets in zip(windows.token_ids, windows.targets, strict=True):
        for place in range(min(context - 1, len(first) - 1)):
            seen = tuple(ids[: place + 1])
            if seen == first[: place + 1] and targets[place] != IGNORED_TARGET:
                assert targets[place] == first[place + 1]


# Sizes that follow from the text.


def test_sizes_follow_from_the_text_and_what_is_given_stays() -> None:
    corpus = own_corpus(POEM, CHARACTERS)
    config = own_config(corpus, {})
    assert (config.context_length, config.model_dim, config.dropout) == (8, 16, 0.0)
    given_sizes = own_config(corpus, {"model_dim": 12, "context_length": 3, "dropout": 0.5})
    assert (given_sizes.model_dim, given_sizes.num_heads) == (12, 1)
    assert (given_sizes.context_length, given_sizes.dropout) == (3, 0.5)
    settings = own_settings(corpus, config, {"steps": 7, "seed": 3})
    assert (settings.steps, settings.seed, settings.decay) == (7, 3, True)
    assert not settings.output_bias


def test_the_context_is_as_long_as_the_text_needs() -> None:
    unclear = "x" + "a" * 12 + "y" + "a" * 12 + "z"  # 12 a's after x lead to y, after y to z
    assert own_config(own_corpus(unclear, CHARACTERS), {}).context_length == 16
    assert own_config(own_corpus("ab", CHARACTERS), {}).context_length == 1


@pytest.mark.parametrize("wrong", [{"model_dim": 0}, {"model_dim": -8}, {"num_heads": 0}])
def test_impossible_sizes_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError, match=re.escape(next(iter(wrong)))):
        own_config(own_corpus(POEM, CHARACTERS), wrong)


def test_the_bias_of_the_logits_stays_at_zero_unless_asked_for() -> None:
    shapes = parameter_shapes(MiniGPTConfig(5, 2, 2, 1, 1))
    assert "lm_head.bias" in shapes
    for output_bias in (False, True):
        model = new_model(MiniGPTConfig(5, 2, 2, 1, 1), 0, output_bias)
        assert bool(model.lm_head.bias.any()) == output_bias
