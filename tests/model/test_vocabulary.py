"""Words as people type them, and the same reading by the `tokenizers` library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

import model.vocabulary
from model import InputError, Vocabulary
from model.tokenizer import tokenizer_definition
from model.vocabulary import LESSON_WORDS

TOKENIZER_FILE = Path(model.vocabulary.__file__).parent / "tokenizer.json"

READINGS = [
    ("我喜欢AI", [0, 1, 2]),
    ("我 喜欢 ai", [0, 1, 2]),
    ("我　喜欢　ＡＩ", [0, 1, 2]),
    ("ａｉ学习猫", [2, 3, 4]),
    ("  猫\t喜欢\n学习 ", [4, 1, 3]),
    ("Ai aI", [2, 2]),
    ("我我我", [0, 0, 0]),
    ("", []),
    (" \t　", []),
]


@pytest.mark.parametrize(("text", "token_ids"), READINGS)
def test_readings(text: str, token_ids: list[int]) -> None:
    assert LESSON_WORDS.encode(text) == token_ids


@pytest.mark.parametrize(("text", "token_ids"), READINGS)
def test_the_tokenizers_library_reads_the_same(text: str, token_ids: list[int]) -> None:
    assert Tokenizer.from_file(str(TOKENIZER_FILE)).encode(text).ids == token_ids


@pytest.mark.parametrize(
    "words", [LESSON_WORDS.words, ("喜", "喜欢", "a", "AI", "rain", "##c", "C++")]
)
def test_the_tokenizers_library_writes_words_as_they_are(words: tuple[str, ...]) -> None:
    vocabulary = Vocabulary(words)
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_definition(vocabulary)))
    everything = list(range(len(words)))
    assert tokenizer.decode(everything) == " ".join(words)
    for text in ("".join(words), " ".join(words).lower(), " ".join(words).upper()):
        assert tokenizer.encode(text).ids == vocabulary.encode(text)
        assert tokenizer.decode(tokenizer.encode(text).ids) == " ".join(
            vocabulary.decode(vocabulary.encode(text))
        )
    assert set(tokenizer.get_vocab()) == set(words)


@pytest.mark.parametrize("text", ["我喜欢ai", "ＡＩ 喜欢 Ai", "aiAIａｉ"])
def test_the_librarys_tokens_are_the_words(text: str) -> None:
    encoded = Tokenizer.from_file(str(TOKENIZER_FILE)).encode(text)
    assert (
        encoded.tokens
        == LESSON_WORDS.decode(encoded.ids)
        == LESSON_WORDS.decode(LESSON_WORDS.encode(text))
    )


@pytest.mark.parametrize(
    ("words", "text", "tokens"),
    [
        (("Paris", "LONDON", "x"), "paris London X", ["Paris", "LONDON", "x"]),
        (("Paris", "PARMA"), "PARIS parma", ["paris", "parma"]),
        (("USA", "GPU", "猫"), "usa猫gpu", ["USA", "猫", "GPU"]),
        (("AI", "ain", "İ"), "AIN Ai İ", ["ain", "ai", "i̇"]),
        (("ＡＢ", "c"), "ab C", ["ＡＢ", "c"]),
    ],
)
def test_words_that_spell_a_character_in_two_ways_stay_folded(
    words: tuple[str, ...], text: str, tokens: list[str]
) -> None:
    vocabulary = Vocabulary(words)
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_definition(vocabulary)))
    encoded = tokenizer.encode(text)
    assert encoded.tokens == tokens
    assert encoded.ids == vocabulary.encode(text)
    assert tokenizer.decode(encoded.ids) == " ".join(vocabulary.decode(encoded.ids))


def test_tokenizer_file_is_what_the_vocabulary_says() -> None:
    assert json.loads(TOKENIZER_FILE.read_text("utf-8")) == tokenizer_definition(LESSON_WORDS)


SPELLINGS = [
    [*LESSON_WORDS.words],
    ["我", "喜欢", "ａｉ", "学习", "猫"],
    ["我", "喜欢", "Ai", "学习", "猫"],
]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4), st.sampled_from(SPELLINGS), st.sampled_from(["", " ", "　", "\n"])
        ),
        max_size=12,
    )
)
def test_any_spelling_of_any_sentence_reads_back(pieces: list[tuple[int, list[str], str]]) -> None:
    text = "".join(spelling[token_id] + space for token_id, spelling, space in pieces)
    expected = [token_id for token_id, _, _ in pieces]
    assert LESSON_WORDS.encode(text) == expected
    assert Tokenizer.from_file(str(TOKENIZER_FILE)).encode(text).ids == expected


@pytest.mark.parametrize(
    ("text", "piece", "place"),
    [
        ("我爱AI", "爱", 2),
        ("我 喜", "喜", 3),
        ("我 喜 欢", "喜", 3),
        ("hello 我", "hello", 1),
        ("我\u200b", "U+200B", 2),
        ("\u202e我", "U+202E", 1),
        ("喜欢🐱猫", "🐱", 3),
        ("我 <b>x</b>", "<b>x</b>", 3),
        ("A", "A", 1),
        ("我" + "x" * 100, "x" * 24 + "…", 2),
    ],
)
def test_an_unknown_piece_is_shown_with_its_place(text: str, piece: str, place: int) -> None:
    with pytest.raises(InputError) as caught:
        LESSON_WORDS.encode(text)
    assert (caught.value.details["piece"], caught.value.details["place"]) == (piece, place)
    for language in ("zh", "en"):
        sentence = caught.value.text(language)
        assert piece in sentence
        assert str(place) in sentence
        assert "我 喜欢 AI 学习 猫" in sentence
    with pytest.raises(Exception, match="UNK"):
        Tokenizer.from_file(str(TOKENIZER_FILE)).encode(text)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_with_a_place_inside_it(text: str) -> None:
    error: InputError | None = None
    token_ids: list[int] = []
    try:
        token_ids = LESSON_WORDS.encode(text)
    except InputError as refused:
        error = refused
    assert all(0 <= token_id < 5 for token_id in token_ids)
    if error is not None:
        assert error.code == "unknown_word"
        assert 1 <= error.details["place"] <= len(text)


def test_longest_match_wins() -> None:
    assert Vocabulary(("喜", "喜欢", "欢")).encode("喜欢喜") == [1, 0]


def test_decode_and_its_error() -> None:
    assert LESSON_WORDS.decode([3, 0]) == ["学习", "我"]
    for token_id in (5, -1):
        with pytest.raises(ValueError, match=str(token_id)):
            LESSON_WORDS.decode([token_id])


@pytest.mark.parametrize("words", [(), ("我", "我"), ("AI", "ai"), ("我", " "), ("我", 1)])
def test_a_vocabulary_needs_distinct_words(words: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        Vocabulary(words)
    assert caught.value.code == "words"
