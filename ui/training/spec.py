"""The specification of a training, checked before it enters the queue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from model.config import MiniGPTConfig
from model.corpus import WORD, Corpus, corpus_of, entropy_floor
from model.errors import InputError
from model.teaching import TEACHING_CONFIG
from model.training_settings import DEFAULTS, TrainingSettings
from model.units import LINE_END
from model.vocabulary import Vocabulary
from ui.fields import as_number
from ui.training import limits

RANDOM, TEACHING = "random", "teaching"
STARTS = (RANDOM, TEACHING)

_SIZES = {
    "vocab_size": limits.MAX_WORDS,
    "num_layers": limits.MAX_LAYERS,
    "model_dim": limits.MAX_MODEL_DIM,
    "context_length": limits.MAX_CONTEXT,
    "num_heads": limits.MAX_MODEL_DIM,
}
_BEGINNING = 2  # words of a line that are watched
_LOOKS = 100  # evaluations without dropout, during a whole training


@dataclass(frozen=True)
class TrainingSpec:
    """A training: sizes, corpus (parsed, and as typed), settings, initial weights.

    unit: None for the lesson's words, else see `model.corpus.own_corpus`.
    """

    config: MiniGPTConfig
    corpus: Corpus
    corpus_text: str
    unit: str | None
    line_ends: str
    settings: TrainingSettings
    start: str
    watched: tuple[tuple[int, ...], ...]

    def as_dict(self) -> dict[str, Any]:
        """As it is sent to a training process."""
        return {
            "config": self.config.as_dict(),
            "corpus": self.corpus_text,
            "unit": self.unit,
            "line_ends": self.line_ends,
            "settings": vars(self.settings),
            "start": self.start,
            "watched": self.watched,
        }

    @cached_property
    def floor(self) -> float:
        """The lowest loss that is possible on the corpus; see `entropy_floor`."""
        return entropy_floor(self.corpus, self.config.context_length)

    def with_steps(self, steps: int) -> TrainingSpec:
        """The same, with another total number of updates."""
        return replace(self, settings=replace(self.settings, steps=check_steps(steps)))


def read_spec(given: Any) -> TrainingSpec:
    """`{corpus, start, watched, model: {sizes, dropout}, steps, learning_rate, seed}`, checked.

    The last three have the defaults of `model.training_settings`. With `unit` (and `line_ends`)
    the corpus is a text of one's own, trained without a bias of the logits; what is watched are
    then its first words.

    Raises:
        InputError: something is missing, of the wrong type or over its limit.
    """
    if not isinstance(given, dict) or not isinstance(given.get("model"), dict):
        raise InputError("request_type", kind=type(given).__name__)
    unit, line_ends = given.get("unit"), given.get("line_ends", WORD)
    corpus = read_text(given)
    vocabulary = corpus.vocabulary
    config = _read_config(given["model"], len(vocabulary))
    steps = check_steps(as_number(given.get("steps", DEFAULTS.steps)))
    start = given.get("start", RANDOM)
    if start not in STARTS:
        raise InputError("choice", name="start", choices=", ".join(STARTS), value=repr(start))
    of_lesson = unit is None and replace(config, dropout=0.0) == TEACHING_CONFIG
    if start == TEACHING and not of_lesson:
        raise InputError("training_start", sizes=_sizes_text(TEACHING_CONFIG))
    return TrainingSpec(
        config=config,
        corpus=corpus,
        corpus_text=str(given["corpus"]),
        unit=unit,
        line_ends=line_ends,
        settings=TrainingSettings(
            steps=steps,
            learning_rate=as_number(given.get("learning_rate", DEFAULTS.learning_rate)),
            seed=as_number(given.get("seed", DEFAULTS.seed)),
            watch_every=max(1, steps // _LOOKS),
            decay=unit is not None,
            output_bias=unit is None,
        ),
        start=start,
        watched=_beginnings(corpus) if unit else _read_watched(given, vocabulary),
    )


def read_text(given: dict[str, Any]) -> Corpus:
    """The `corpus` of `given` in its `unit` and `line_ends`.

    Raises:
        InputError: see `corpus_of`; or it has more different words than a model may have.
    """
    unit = given.get("unit")
    limit = limits.MAX_CORPUS_WORDS if unit is None else limits.MAX_TEXT_WORDS
    corpus = corpus_of(given.get("corpus"), unit, given.get("line_ends", WORD), limit)
    if corpus.vocab_size > limits.MAX_WORDS:
        raise InputError("text_words", count=corpus.vocab_size, limit=limits.MAX_WORDS)
    return corpus


def _beginnings(corpus: Corpus) -> tuple[tuple[int, ...], ...]:
    """The first words of the text's first lines, as prompts."""
    starts = corpus.starts or ((),) * len(corpus.sentences)
    lines = (
        sentence[start : start + _BEGINNING]
        for sentence, later in zip(corpus.sentences, starts, strict=True)
        for start in (0, *later)
    )
    decode = corpus.vocabulary.decode
    whole = (each for each in lines if len(each) == _BEGINNING and LINE_END not in decode(each))
    found = tuple(dict.fromkeys(whole))[: limits.MAX_WATCHED]
    return found or (corpus.sentences[0][:1],)


def check_steps(steps: Any) -> int:
    """`steps`, or InputError unless it is an integer from 1 to MAX_STEPS."""
    if type(steps) is not int or not 1 <= steps <= limits.MAX_STEPS:
        raise InputError("training_size", name="steps", value=_short(steps), limit=limits.MAX_STEPS)
    return steps


def check_sizes(config: MiniGPTConfig) -> None:
    """Raise InputError if one of the sizes is over the page's limit."""
    for name, limit in _SIZES.items():
        if getattr(config, name) > limit:
            raise InputError("training_size", name=name, value=getattr(config, name), limit=limit)


def _read_config(given: dict[str, Any], vocab_size: int) -> MiniGPTConfig:
    names = [name for name in _SIZES if name != "vocab_size"]
    sizes = {name: as_number(given.get(name)) for name in names}
    for name, limit in ((name, _SIZES[name]) for name in names):
        if type(sizes[name]) is not int or not 1 <= sizes[name] <= limit:
            raise InputError("training_size", name=name, value=_short(sizes[name]), limit=limit)
    return MiniGPTConfig(vocab_size, dropout=as_number(given.get("dropout")), **sizes)


def _read_watched(given: dict[str, Any], vocabulary: Vocabulary) -> tuple[tuple[int, ...], ...]:
    watched = given.get("watched", [])
    if not isinstance(watched, list):
        raise InputError("ids_rank", shape=_short(watched))
    prompts: list[tuple[int, ...]] = []
    for prompt in watched[: limits.MAX_WATCHED]:
        if not isinstance(prompt, list) or not prompt:
            raise InputError("ids_rank", shape=_short(prompt))
        if not all(type(token) is int for token in prompt):
            raise InputError("ids_dtype", dtype=_short(prompt))
        vocabulary.decode(prompt)
        prompts.append(tuple(prompt[-limits.MAX_CONTEXT :]))  # the model sees no more
    return tuple(prompts)


def _sizes_text(config: MiniGPTConfig) -> str:
    names = ("context_length", "model_dim", "num_heads", "num_layers")
    return ", ".join(f"{name} {getattr(config, name)}" for name in names)


def _short(value: Any) -> str:
    return repr(value)[:40]
