"""What model/ answers, for the tests of web/static: `python -m tests.web.static_fixtures`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from model.errors import InputError
from model.sampling import SamplingSettings, draw_numbers, sample_next_token, sampling_steps
from model.units import CHARACTERS, WORDS
from model.vocabulary import LESSON_WORDS, Vocabulary, words_of

FILE = Path(__file__).parent / "fixtures" / "static.json"

SEEDS = (0, 1, 42, 2**31, 2**32 - 1, 2**32, 2**40 + 7, 2**63 - 1)
SETTINGS = (
    (1.0, 0, 1.0),
    (0.5, 0, 1.0),
    (1e-3, 0, 1.0),
    (100.0, 0, 1.0),
    (1.0, 1, 1.0),
    (1.0, 3, 1.0),
    (1.0, 9, 1.0),
    (1.0, 0, 0.5),
    (1.0, 0, 0.999999),
    (2.0, 4, 0.7),
)
TEXTS = (
    "我喜欢AI",
    " 我　喜欢 ai ",
    "ＡＩ學习",
    "猫猫\t学习\n我",
    "",
    "   ",
    "我爱猫",
    "hello 我",
    "a",
    "我\u200b喜欢",
    "喜",
    "我喜欢\U0001f600猫",
    "ﬁ我",
    "\x1c我\x85猫\xa0我",
    "我" + "x" * 40,
    "\ufeff我",
)
OWN_TEXTS = (
    "床前 明月\n光",
    "床↵前␣a",
    " a  é\r\n\r猫 e\u0301\t",
    "👩\u200d💻👍🏽🇨🇳 \u200b",
    "\r\n床\r\n\r\n狗",
    "A",
    "to be\u3000or <b>",
    "to\nBe",
)
VOCABULARIES = (
    words_of(["床前明月光\n"], CHARACTERS),
    words_of(["a é猫e\u0301👩\u200d💻👍🏽🇨🇳\u200b\n床"], CHARACTERS),
    words_of(["to be or <b>\nnot 我 猫"], WORDS),
    Vocabulary(tuple(f"w{number}" for number in range(60)), WORDS),
)


def fixtures() -> dict[str, Any]:
    """Draws by seed; logits, settings and what comes of them; texts and their ids or errors."""
    return {
        "draws": [{"seed": str(seed), "numbers": _draws(seed)} for seed in SEEDS],
        "samples": [_sample(number) for number in range(60)],
        "texts": [_read(text, LESSON_WORDS) for text in TEXTS],
        "vocabularies": [
            {
                "words": vocabulary.shown,
                "unit": vocabulary.unit,
                "texts": [_read(text, vocabulary) for text in (*TEXTS, *OWN_TEXTS)],
            }
            for vocabulary in VOCABULARIES
        ],
    }


def _draws(seed: int) -> list[float]:
    return [float(number) for number in draw_numbers(seed, 1, 5)[:, 0]]


def _sample(number: int) -> dict[str, Any]:
    draw = np.random.default_rng(number)
    # float32, as a file gives them; the last ones hold words of equal probability
    logits = draw.normal(0, 3, (1, 5)).astype(np.float32)
    if number % 7 == 0:
        logits = np.round(logits)
    temperature, top_k, top_p = SETTINGS[number % len(SETTINGS)]
    settings = SamplingSettings(temperature, top_k, top_p)
    seed, index = number * 1_000_003, number % 5
    uniforms = draw_numbers(seed, 1, 1, start=index)[0]
    return {
        "logits": logits[0].astype(float).tolist(),
        "temperature": temperature,
        "top_k": top_k,
        "top_p": top_p,
        "seed": seed,
        "index": index,
        "probabilities": sampling_steps(logits, settings).probabilities[0].tolist(),
        "next_id": int(sample_next_token(logits, settings, uniforms)[0, 0]),
        "most_probable": int(sample_next_token(logits, SamplingSettings())[0, 0]),
    }


def _read(text: str, vocabulary: Vocabulary) -> dict[str, Any]:
    try:
        return {"text": text, "tokens": vocabulary.encode(text)}
    except InputError as error:
        texts = {language: error.text(language) for language in ("zh", "en")}
        return {"text": text, "error": {"code": error.code, **texts}}


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(fixtures(), indent=1) + "\n", encoding="utf-8")
