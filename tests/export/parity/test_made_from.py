"""The kept results fit the code: the same graphs, in the same packages."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import onnx
import pytest

from export.parity.files import FormFiles
from export.parity.made_from import keep, read, stamp
from export.parity.results import RESULTS
from export.runtimes.catalogue import RUNTIMES
from export.shipped import FILES, logits_file

FASTEST = RUNTIMES["onnxruntime"]


@pytest.mark.long("every form of the lesson's file is made")
def test_the_kept_results_are_of_the_graphs_that_are_made_today(tmp_path: Path) -> None:
    files = FormFiles(FILES, tmp_path)
    stale = [name for name in RUNTIMES if read(RESULTS)[name] != stamp(RUNTIMES[name], files)]
    assert stale == [], f"run `python -m export parity {' '.join(stale)} --install --out {RESULTS}`"


def test_a_stamp_changes_with_the_graph_and_with_the_packages(tmp_path: Path) -> None:
    one_form = dataclasses.replace(FASTEST, forms={"logits": "plain"})
    now = stamp(one_form, FormFiles(FILES, tmp_path))
    assert now == stamp(one_form, FormFiles(FILES, tmp_path))

    other = dataclasses.replace(one_form.environment, packages=("onnxruntime==0.0.1",))
    assert (
        stamp(dataclasses.replace(one_form, environment=other), FormFiles(FILES, tmp_path)) != now
    )

    proto = onnx.load(FILES / logits_file("teaching"))
    proto.doc_string = "only a text"
    onnx.save(proto, tmp_path / logits_file("teaching"))
    assert stamp(one_form, FormFiles(tmp_path, tmp_path)) == now
    assert renamed_weights(proto) > 0
    onnx.save(proto, tmp_path / logits_file("teaching"))
    assert stamp(one_form, FormFiles(tmp_path, tmp_path)) == now
    proto.graph.node[0].name += "_"
    onnx.save(proto, tmp_path / logits_file("teaching"))
    assert stamp(one_form, FormFiles(tmp_path, tmp_path)) != now


def renamed_weights(proto: onnx.ModelProto) -> int:
    """Give every weight of the graph another name; how many."""
    names = {weight.name: f"{weight.name}_renamed" for weight in proto.graph.initializer}
    for weight in proto.graph.initializer:
        weight.name = names[weight.name]
    for node in proto.graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
    return len(names)


def test_a_stamp_changes_with_a_weight(tmp_path: Path) -> None:
    one_form = dataclasses.replace(FASTEST, forms={"logits": "plain"})
    now = stamp(one_form, FormFiles(FILES, tmp_path))
    proto = onnx.load(FILES / logits_file("teaching"))
    weight = next(each for each in proto.graph.initializer if each.name == "lm_head.bias")
    values = onnx.numpy_helper.to_array(weight).copy()
    values[0] += 1
    weight.CopyFrom(onnx.numpy_helper.from_array(values, weight.name))
    onnx.save(proto, tmp_path / logits_file("teaching"))
    assert stamp(one_form, FormFiles(tmp_path, tmp_path)) != now


def test_stamps_are_kept_beside_those_of_other_engines(tmp_path: Path) -> None:
    assert read(tmp_path) == {}
    keep(tmp_path, {"one": "1", "other": "2"})
    keep(tmp_path, {"one": "3"})
    assert read(tmp_path) == {"one": "3", "other": "2"}
