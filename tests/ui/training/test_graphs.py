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
from ui.training import queue
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
    assert spare.taken[0].head == {"kind": "graph", "config": SIZES.as_dict()}
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
    assert spare.taken[1].head["config"] == other.as_dict()


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


def test_after_a_hundred_uploads_the_next_person_waits_for_one_graph() -> None:
    spare = FakeSpare()
    graphs = Graphs(spare)
    all_sizes = [
        MiniGPTConfig(5, context, model_dim, 1, num_layers)
        for context in range(1, 17)
        for model_dim in (5, 7)
        for num_layers in range(1, 5)
    ][:100]
    assert len(all_sizes) == 100
    for sizes in all_sizes:
        graphs.prepare(sizes, "attacker")
    graphs.prepare(SIZES, "me")
    for _ in range(2):
        spare.taken[-1].reports(None)
    assert spare.taken[-1].head["config"] == SIZES.as_dict()
    for process in spare.taken[2:]:
        process.reports({"kind": "graph"}, b"graph")
    assert graphs.source(SIZES) == b"graph"


def test_the_same_sizes_wanted_by_two_are_made_once_in_the_better_turn() -> None:
    spare = FakeSpare()
    graphs = Graphs(spare)
    others = [MiniGPTConfig(5, context, 5, 1, 1) for context in (1, 2)]
    for sizes in (*others, SIZES):
        graphs.prepare(sizes, "attacker")
    graphs.prepare(SIZES, "me")
    for _ in range(2):
        spare.taken[-1].reports(None)
    assert [process.head["config"] for process in spare.taken[1:]] == [
        others[1].as_dict(),
        SIZES.as_dict(),
    ]


def test_a_process_that_cannot_start_fails_these_sizes_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue, "PAUSE_SECONDS", 0.0)
    spare = FakeSpare()
    graphs = Graphs(spare)
    spare.fails = OSError(24, "Too many open files")
    assert code_of(graphs, SIZES) == "onnx_failed"
    spare.fails = None
    assert code_of(graphs, replace(SIZES, num_layers=2)) == "onnx_preparing"
    assert len(spare.taken) == 1


def test_a_disk_that_cannot_be_read_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(sizes: MiniGPTConfig) -> None:
        raise OSError(24, "Too many open files")

    graphs = Graphs(FakeSpare())
    with monkeypatch.context() as patched:
        patched.setattr(graphs_module, "shipped_file", fail)
        assert code_of(graphs, SIZES) == "onnx_preparing"
    assert code_of(graphs, SIZES) == "onnx_preparing"


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


def test_the_template_comes_with_the_graph() -> None:
    spare = FakeSpare()
    graphs = Graphs(spare)
    graphs.prepare(SIZES)
    spare.taken[0].reports({"kind": "graph"}, b"graph")
    spare.taken[0].reports({"kind": "template"}, b"template")
    spare.taken[0].reports(None)
    assert graphs.source(SIZES) == b"graph"
    assert graphs.templates[SIZES] == b"template"
