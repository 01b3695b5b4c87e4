"""The Markdown table, and results that survive a stop."""

from __future__ import annotations

from pathlib import Path

from bench.results import Results, summary
from bench.table import table


def filled(path: Path) -> Results:
    results = Results(path, fresh=False)
    results.data["titles"] = {"mini-gpt": "Ours", "lesson": "The lesson's"}
    results.data["sizes"]["tiny"] = {"vocab_size": 5}
    place = {"size": "tiny", "measure": "step", "position": 2, "batch": 1}
    results.add({**place, "peer": "lesson", "same_tokens": True} | summary([0.003, 0.001, 0.002]))
    results.add({**place, "peer": "mini-gpt"} | summary([0.0005]))
    results.add({**place, "peer": "genai", "same_tokens": False} | summary([0.00025]))
    results.add({**place, "peer": "optimum", "failed": "why"})
    results.data["missing"]["openvino"] = "not installed"
    return results


def test_ours_in_milliseconds_the_others_as_multiples(tmp_path: Path) -> None:
    lines = table(filled(tmp_path / "r.json").data).splitlines()
    assert "| Ours | **0.5 ms** |" in lines
    assert "| The lesson's | 4.00× |" in lines
    assert "| genai | 0.50× ≠ |" in lines  # other tokens than ours are marked
    assert "| optimum | failed |" in lines
    assert "- openvino: not installed" in lines


def test_a_stopped_run_goes_on_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "r.json"
    filled(path).save()
    again = Results(path, fresh=False)
    assert [cell["peer"] for cell in again.cells(size="tiny", position=2)] == [
        "lesson",
        "mini-gpt",
        "genai",
        "optimum",
    ]
    assert Results(path, fresh=True).cells() == []


def test_summary() -> None:
    assert summary([3.0, 1.0, 2.00004]) == {"median": 2.0, "fastest": 1.0, "count": 3}
