"""The ONNX form of sizes that are not shipped: made elsewhere, once, for everybody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from export.runtimes.editable import shipped_file
from model.config import MiniGPTConfig
from model.errors import InputError
from model.teaching import TEACHING_CONFIG
from tests.ui.training.fakes import FakeSpare
from ui.training import graphs as graphs_module
from ui.training.graphs import Graphs

SIZES = MiniGPTConfig(5, 3, 6, 2, 1)


def code_of(graphs: Graphs, config: MiniGPTConfig) -> str:
    with pytest.raises(InputError) as caught:
        graphs.source(config)
    return caught.value.code


def test_asked_for_it_is_made_and_then_there() -> None:
    spare = FakeSpare()
    graphs = Graphs(spare)
    assert code_of(graphs, SIZES) == "onnx_preparing"
    assert code_of(graphs, SIZES) == "onnx_preparing"
    assert len(spare.taken) == 1
    assert spare.taken[0].header == {"kind": "graph", "config": SIZES.as_dict()}
    spare.taken[0].reports({"kind": "graph"}, b"graph")
    assert graphs.source(SIZES) == b"graph"
    spare.taken[0].reports(None)
    assert graphs.source(replace(SIZES, dropout=0.5)) == b"graph"  # no part of the sizes


def test_one_after_another() -> None:
    spare = FakeSpare()
    graphs = Graphs(spare)
    other = replace(SIZES, num_layers=2)
    graphs.prepare(SIZES)
    graphs.prepare(other)
    assert len(spare.taken) == 1
    spare.taken[0].reports({"kind": "graph"}, b"one")
    spare.taken[0].reports(None)
    assert spare.taken[1].header["config"] == other.as_dict()


def test_a_failure_is_told_and_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    spare = FakeSpare()
    graphs = Graphs(spare)
    graphs.prepare(SIZES)
    spare.taken[0].reports(None)
    assert code_of(graphs, SIZES) == "onnx_failed"
    assert len(spare.taken) == 1
    monkeypatch.setattr(graphs_module, "RETRY_SECONDS", 0.0)
    assert code_of(graphs, SIZES) == "onnx_preparing"
    assert len(spare.taken) == 2


def test_shipped_sizes_need_no_process() -> None:
    spare = FakeSpare()
    Graphs(spare).prepare(TEACHING_CONFIG)
    assert shipped_file(TEACHING_CONFIG) is not None
    assert spare.taken == []


def test_the_oldest_goes_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs_module, "KEPT_GRAPHS", 1)
    spare = FakeSpare()
    graphs = Graphs(spare)
    for place, config in enumerate((SIZES, replace(SIZES, num_layers=2))):
        graphs.prepare(config)
        spare.taken[place].reports({"kind": "graph"}, b"graph")
        spare.taken[place].reports(None)
    assert code_of(graphs, SIZES) == "onnx_preparing"
