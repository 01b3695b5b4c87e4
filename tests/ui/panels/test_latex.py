"""Every working as LaTeX is rendered: each cell of each value, also changed and switched off."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.values import bare_name
from tests.needed import program
from ui.panels.working import stage_values
from ui.views import view

ROOT = Path(__file__).parents[3]
RENDER = ROOT / "tests" / "web" / "render_latex.mjs"
FORMULAS = json.loads((ROOT / "model" / "formulas.json").read_text("utf-8"))

PROMPTS: dict[str, dict[str, Any]] = {
    "the lesson's": {"tokens": [0, 1]},
    "one word, trained": {"tokens": [3], "model": "trained"},
    "edited and cut": {
        "tokens": [4, 1],
        "edits": {"lm_head.bias": {"0": -1e-8}},
        "switches": {"blocks.0.head.1": False, "causal_mask": False, "dropout": 0.1},
    },
}


@pytest.mark.parametrize("name", PROMPTS)
def test_katex_renders_every_working(name: str) -> None:
    prompt = {"engine": "onnxruntime", "model": "teaching", "edits": {}, "switches": {}}
    prompt |= PROMPTS[name]
    workings = [_working(prompt, key, cell) for key, cell in _cells(prompt)]
    assert len(workings) > 100
    rendering = subprocess.run(
        [program("node"), str(RENDER)], input=json.dumps(workings), capture_output=True, text=True
    )
    assert rendering.returncode == 0, rendering.stderr
    formulas = sum(working["formula"] is not None for working in workings)
    assert int(rendering.stdout) == formulas + sum(len(working["lines"]) for working in workings)


def _cells(prompt: dict[str, Any]) -> list[tuple[str, list[int]]]:
    """Every cell of every value that the map shows."""
    trace = view(prompt)["trace"]
    return [
        (key, [int(place) for place in index])
        for key, values in trace.items()
        for index in np.ndindex(np.array(values, dtype=object).shape)
    ]


def _working(prompt: dict[str, Any], key: str, cell: list[int]) -> dict[str, Any]:
    told = stage_values({**prompt, "keys": [], "cell": {"key": key, "cell": cell}, "fold": True})
    working = told["working"]
    return {"formula": FORMULAS.get(bare_name(working["stage"])), "lines": working["lines"]}
