"""The page's words: one Chinese term for one thing, full-width punctuation, no raw identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from languages import FOLDER, LANGUAGES, parts, texts

HAN = r"[\u3400-\u9fff]"
# Between Chinese characters, or between one and a bracket that belongs to the sentence.
HALF_WIDTH = re.compile(rf"{HAN}[,;:!?()]|[,;:!?()]{HAN}|{HAN} ?[,;:!?] |[)）] ?[,;:!?] ?{HAN}")
TERM = {  # another word for it: the page's word
    "遮罩|遮蔽|掩膜|面具|屏蔽": "掩码",
    "抽样|取样": "采样",
    "归一层|层规范化|层标准化|规范化|标准化": "层归一化",
    "注意头|关注头": "注意力头",
    "剩余流|残余流|残差主干": "残差流",
    "令牌|标记|词符": "词元",
    "前向网络|前馈层|前馈神经": "前馈网络",
    "打分": "分数",
}
FIRST_USE = "层归一化（LayerNorm）"  # the English name once, where the thing is met
IDENTIFIER = re.compile(r"(?<![\w{])[A-Za-z]\w*_\w+(?![\w}])", re.ASCII)
SYMBOL = re.compile(r"[A-Z]_(?:[A-Z]|out|token|pos)")  # W_Q, E_pos: of the formulas
ALLOWED = {
    # The settings' own names, in the field, in the API and in every library.
    "top_k": r"(sampling|shell)\..*",
    "top_p": r"(sampling|shell)\..*",
    # A label names the parameter of the lesson's code beside the word for it.
    "num_layers|num_heads|model_dim|context_length|learning_rate": r"training\.field_.*",
    # A file's name.
    "mini_gpt": r"runtimes\.pack_about",
}
SAID = ("network", "glosses", *parts("page"))


def said(language: str) -> Iterator[tuple[str, str]]:
    """The key and the text of all that the page says in a language."""
    for part in SAID:
        if (FOLDER / language / f"{part}.json").exists():
            yield from _leaves(texts(language, part))


def _leaves(part: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(part, str):
        yield path, part
        return
    for key, inner in part.items():
        yield from _leaves(inner, f"{path}/{key}" if path else key)


def _without_values(text: str) -> str:
    return re.sub(r"\{\w+\}", "字", text)  # what stands there may be Chinese


def half_width(text: str) -> bool:
    """Whether punctuation of English stands in a Chinese sentence."""
    return bool(HALF_WIDTH.search(_without_values(text)))


def other_terms(text: str) -> list[str]:
    """The words for which the page has another one."""
    found = [other for others in TERM for other in re.findall(others, text)]
    return found + re.findall("LayerNorm", text.replace(FIRST_USE, ""))


def identifiers(key: str, text: str) -> list[str]:
    """The names of the code in a text, but for those allowed at `key`."""
    found = IDENTIFIER.findall(_without_values(text).replace("字", " "))
    return [
        name
        for name in found
        if not SYMBOL.fullmatch(name)
        and not any(re.fullmatch(n, name) and re.fullmatch(k, key) for n, k in ALLOWED.items())
    ]


def test_chinese_has_the_punctuation_of_chinese() -> None:
    assert {key: text for key, text in said("zh") if half_width(text)} == {}


def test_chinese_has_one_term_for_one_thing() -> None:
    assert {key: text for key, text in said("zh") if other_terms(text)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_of_the_code_stands_in_a_sentence(language: str) -> None:
    found = {key: identifiers(key, text) for key, text in said(language)}
    assert {key: names for key, names in found.items() if names} == {}


def test_every_exception_is_needed() -> None:
    keys = {
        (names, name)
        for language in LANGUAGES
        for key, text in said(language)
        for name in IDENTIFIER.findall(text)
        for names, where in ALLOWED.items()
        if re.fullmatch(names, name) and re.fullmatch(where, key)
    }
    for names in ALLOWED:
        assert {name for found, name in keys if found == names}, names


def test_the_checks_find_what_they_look_for() -> None:
    for text in ("残差流(residual)", "头 1,头 2", "{word}:数", "位置 0), 通道", "先算, 再比"):
        assert half_width(text), text
    for text in ("GELU(h) 是 h×Φ(h)", "给 1, 2, 3 做", "（位置 0），通道", "(p − y) ÷ 位置数"):
        assert not half_width(text), text
    assert other_terms("因果遮罩") == ["遮罩"]
    assert other_terms("做 LayerNorm") == ["LayerNorm"]
    assert other_terms(f"{FIRST_USE}：减去均值") == []
    assert identifiers("shell.lead", "见 attention_probs 和 {a_b}，W_Q") == ["attention_probs"]
