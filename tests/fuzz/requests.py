"""Requests that look like the page's own, with something wrong in most of them."""

from __future__ import annotations

import ast
import base64
import functools
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import ui
from model.corpus import LESSON_CORPUS
from model.switches import switch_names
from model.teaching import teaching_state
from model.trace import trace_shapes
from tests.fuzz.files import configs, weights
from tests.fuzz.junk import anything, numbers, texts
from ui.models import model_entry

_CONFIG = model_entry("teaching").config
_STAGES = [*trace_shapes(_CONFIG.num_layers), "", "blocks.7.query", "logits.logits"]
_PARAMETERS = [*teaching_state(), "lm_head", "blocks.0.attention.qkv.weight.x"]

_id = st.integers(-1, 5)
_cell = st.lists(st.integers(-1, 6), max_size=4)
_sentence = st.lists(_id, max_size=9)
_edits = st.dictionaries(
    st.sampled_from(_PARAMETERS),
    st.dictionaries(
        st.one_of(_cell.map(lambda cell: ",".join(map(str, cell))), texts), numbers, max_size=3
    ),
    max_size=3,
)

_words = st.lists(st.sampled_from(["我", "喜欢", "ai", "学习", "猫", "狗", ""]), max_size=6).map(
    " ".join
)
_task = st.fixed_dictionaries(
    {
        "corpus": st.one_of(st.just(LESSON_CORPUS), texts),
        "steps": st.one_of(st.just(10), numbers),
        "learning_rate": st.one_of(st.just(0.01), numbers),
        "seed": st.one_of(st.just(0), numbers),
        "model": st.fixed_dictionaries(
            {
                "num_layers": st.one_of(st.just(1), numbers),
                "num_heads": st.one_of(st.just(2), numbers),
                "model_dim": st.one_of(st.just(4), numbers),
                "context_length": st.one_of(st.just(2), numbers),
                "dropout": st.one_of(st.just(0.0), numbers),
            }
        ),
    },
    optional={
        "start": st.one_of(st.sampled_from(["random", "teaching"]), anything),
        "watched": st.one_of(st.lists(_sentence, max_size=5), anything),
    },
)

_PLAUSIBLE: dict[str, st.SearchStrategy[Any]] = {
    "tokens": st.one_of(_sentence, st.lists(st.integers(0, 4), min_size=1, max_size=8)),
    "engine": st.sampled_from(["onnxruntime", "torch"]),
    "model": st.sampled_from(["teaching", "trained", "poems", "own:1", "own:ffffffff"]),
    "lang": st.sampled_from(["zh", "en"]),
    "text": st.one_of(st.sampled_from(["我喜欢", "我 喜欢 ai", "猫dog"]), texts),
    "edits": _edits,
    "switches": st.dictionaries(
        st.sampled_from([*switch_names(_CONFIG), "dropout", "dropout_seed", "x"]),
        st.one_of(st.booleans(), numbers),
        max_size=4,
    ),
    "sampling": st.fixed_dictionaries(
        {},
        optional={
            "mode": st.sampled_from(["argmax", "sample"]),
            "temperature": numbers,
            "top_k": numbers,
            "top_p": numbers,
            "seed": numbers,
        },
    ),
    "stage": st.sampled_from(_STAGES),
    "key": st.sampled_from(_STAGES),
    "keys": st.lists(st.sampled_from(_STAGES), max_size=3),
    "name": st.sampled_from(_PARAMETERS),
    "parameter": st.sampled_from(_PARAMETERS),
    "cell": _cell,
    "content": weights.map(lambda content: base64.b64encode(content).decode()),
    "config": configs,
    "corpus": st.one_of(st.just(LESSON_CORPUS), st.lists(_words, max_size=5).map("\n".join), texts),
    "task": _task,
    "id": st.sampled_from(["0" * 32, "x", ""]),
    "steps": numbers,
    "since": numbers,
    "answer": st.one_of(numbers, st.sampled_from(["0.5", "1/3", "−0,25", "猫"])),
}


@functools.cache
def known_keys() -> tuple[str, ...]:
    """Every key that the page's code reads from something a browser sent."""
    keys = set(_PLAUSIBLE)
    folder = Path(ui.__file__).parent
    for path in (folder / "requests.py", folder / "views.py", *folder.glob("panels/*.py")):
        keys |= set(_texts_used_as_keys(ast.parse(path.read_text(encoding="utf-8"))))
    return tuple(sorted(keys))


def _texts_used_as_keys(tree: ast.AST) -> list[str]:
    """X in `request["X"]` and in `request.get("X", …)`."""
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            found.append(node.slice)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "get":
            found += node.args[:1]
    constants = (node.value for node in found if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str)]


def _value_of(key: str) -> st.SearchStrategy[Any]:
    plausible = _PLAUSIBLE.get(key, st.one_of(numbers, texts))
    return st.one_of(plausible, plausible, plausible, anything)


requests = st.one_of(
    st.fixed_dictionaries(
        {"tokens": _value_of("tokens")},
        optional={key: _value_of(key) for key in known_keys() if key != "tokens"},
    ),
    anything,
)
"""What a browser might send; now and then no object at all."""
