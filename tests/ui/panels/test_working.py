"""What the working area is told: stops, values between trace values, workings, and their texts."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import model.answers
import model.working
from model.stages import stages
from model.teaching import TEACHING_CONFIG
from tests.model.working.shown_arithmetic import reads
from ui import torch_loading
from ui.panels.engine_cell import cell_in_engines
from ui.panels.working import layer_norm_example, network_stages, stage_values
from ui.texts import strings

A: dict[str, Any] = {"tokens": [0, 1], "lang": "en"}


def working(key: str, cell: list[int], **more: Any) -> Any:
    return stage_values({**A, "cell": {"key": key, "cell": cell}, **more})["working"]


def test_every_stop_is_told_with_its_letters_and_sizes() -> None:
    told = network_stages({})
    assert [stage["key"] for stage in told["stages"]] == [
        stage.key for stage in stages(TEACHING_CONFIG)
    ]
    assert [stage["number"] for stage in told["stages"]] == list(range(1, 20))
    assert told["sizes"] == {"B": 1, "C": 4, "H": 2, "D": 2, "F": 16, "V": 5, "L": 2, "3C": 12}
    norm = told["stages"][1]
    assert [value["name"] for value in norm["values"]] == [
        "mean",
        "deviation",
        "variance",
        "std",
        "normalized",
        "ln1",
    ]
    assert [value["traced"] for value in norm["values"]] == [False] * 5 + [True]
    assert norm["weights"][0] == {
        "key": "blocks.0.ln1.weight",
        "name": "ln1.weight",
        "axes": ["C"],
        "shape": [4],
    }
    assert json.loads(json.dumps(told)) == told


def test_values_between_trace_values_and_weights_by_key() -> None:
    keys = ["blocks.0.ln1.mean", "blocks.0.masked_scores.mask", "lm_head.bias", "next_id"]
    values = stage_values({**A, "keys": keys})["values"]
    assert values["blocks.0.ln1.mean"] == pytest.approx([0.3, 0.2125])
    assert values["blocks.0.masked_scores.mask"] == [[0.0, None], [0.0, 0.0]]
    assert values["lm_head.bias"] == pytest.approx([-0.2, 0.1, 0, 0, 0])
    assert values["next_id"] == [1, 3]


def test_the_working_of_a_cell_points_at_its_operands() -> None:
    (line,) = working("blocks.0.head_outputs", [0, 1, 0])["lines"]
    assert line["expression"] == "0.1575×(−0.2156) + 0.8425×1.2206"
    assert line["result"] == "0.9944"
    refs = [piece["ref"] for piece in line["pieces"] if piece["ref"]]
    assert refs[0] == {"key": "blocks.0.attention_probs", "cell": [0, 1, 0]}
    assert "".join(piece["text"] for piece in line["pieces"]) == line["expression"]


def test_both_engines_numbers_work_out() -> None:
    torch_loading.wait()
    for engine in ("onnxruntime", "torch"):
        for line in working("vocabulary_probs", [1, 3], engine=engine)["lines"]:
            assert reads(line["expression"], line["result"])


def test_edits_and_switches_reach_the_working() -> None:
    edits = {"lm_head.bias": {"3": 0.5}}
    (line,) = working("logits", [1, 3], edits=edits)["lines"]
    assert line["expression"].endswith(" + 0.5")
    assert line["result"] == "2.6336"
    (off,) = working("blocks.0.ffn_update", [1, 0], switches={"blocks.0.ffn": False})["lines"]
    assert off["result"] == "0"
    assert "switched_off" in {note["key"] for note in off["notes"]}
    assert off["expression"].endswith("×0")
    (norm,) = working("blocks.0.ln1", [1, 0], switches={"blocks.0.ln1": False})["lines"]
    assert (norm["expression"], norm["notes"][0]["key"]) == ("0.5", "norm_off")


def test_zero_terms_can_be_written_out() -> None:
    (folded,) = working("blocks.0.ffn_update", [1, 0])["lines"]
    written = working("blocks.0.ffn_update", [1, 0], fold=False)["lines"]
    assert len(folded["expression"]) < len(written[0]["expression"])


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"keys": ["x"]}, "working_key"),
        ({"keys": [["x"]]}, "working_key"),
        ({"keys": "x"}, "working_key"),
        ({"keys": ["logits"] * 33}, "working_key"),
        ({"cell": {"key": "logits", "cell": [9, 9]}}, "working_cell"),
        ({"cell": {"key": "logits", "cell": "0"}}, "working_cell"),
        ({"cell": {"key": "logits", "cell": [True, 0]}}, "working_cell"),
        ({"cell": {"key": 5, "cell": [0]}}, "working_key"),
        ({"cell": "logits"}, "working_cell"),
        ({"tokens": []}, "empty_prompt"),
    ],
)
def test_what_a_browser_would_not_send_is_refused(more: dict[str, Any], code: str) -> None:
    assert stage_values({**A, **more})["error"]["code"] == code


def test_the_layer_norm_example() -> None:
    lines = layer_norm_example({})["working"]["lines"]
    assert [line["result"] for line in lines if line["label"] == "normalized"] == [
        "−1.342",
        "−0.447",
        "0.447",
        "1.342",
    ]


def test_one_cell_in_both_engines() -> None:
    torch_loading.wait()
    found = cell_in_engines({**A, "cell": {"key": "logits", "cell": [1, 3]}})
    assert found["state"] == "ready"
    assert set(found["values"]) == {"torch", "onnxruntime"}
    assert all(
        float(text) == pytest.approx(2.133567, abs=1e-6) for text in found["values"].values()
    )
    assert found["difference"] < 5e-6
    derived = cell_in_engines({**A, "cell": {"key": "blocks.0.ln1.mean", "cell": [1]}})
    assert derived == {"state": "derived", "values": None, "difference": None}
    outside = cell_in_engines({**A, "cell": {"key": "logits", "cell": [2, 0]}})
    assert outside["error"]["code"] == "working_cell"


def first_arguments(package: Any, name: str) -> set[str]:
    """The text literals that calls of `name` begin with, in the source of `package`."""
    found: set[str] = set()
    for path in Path(package.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found |= literals(node.args[0]) if node.func.id == name else set()
    return found


def literals(node: ast.expr) -> set[str]:
    """The texts an expression can be: of a conditional, both."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) | literals(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def test_every_note_and_every_hint_has_a_text() -> None:
    chosen_by_name = {"later", "seen", "mask_off"}  # in the working of the mask
    notes = first_arguments(model.working, "Note") | chosen_by_name
    assert len(notes) > 15
    hints = first_arguments(model.answers, "Hint")
    assert len(hints) > 5
    needed = {f"working.note.{key}" for key in notes}
    needed |= {f"working.mistake.{key}" for key in hints}
    assert needed - set(strings()) == set()
