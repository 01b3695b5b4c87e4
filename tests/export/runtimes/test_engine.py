"""The near side of a worker: answers, patience, and the end of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from export.runtimes.catalogue import RUNTIMES
from export.runtimes.declaration import Environment, Feeds, LoadRequest, Runtime
from export.runtimes.engine import Engine, SlowError
from export.shipped import FILES
from export.workers.child import WorkerError
from model.teaching import TEACHING_CONFIG
from tests.export.parity import stub_engine
from tests.needed import program

SIZES = {key: value for key, value in TEACHING_CONFIG.as_dict().items() if key != "dropout"}


def request(file: Path, scratch: Path) -> LoadRequest:
    return LoadRequest(file, "plain", ("token_ids",), ("logits",), SIZES, scratch)


def test_an_engine_answers_and_times(tmp_path: Path) -> None:
    with Engine(RUNTIMES["onnxruntime"], None) as engine:
        with pytest.raises(WorkerError, match="nothing is loaded"):
            engine.run({"token_ids": np.array([[0, 1]])})
        assert engine.load(request(FILES / "mini_gpt_teaching.onnx", tmp_path)) > 0
        logits = engine.run({"token_ids": np.array([[0, 1]])})["logits"]
        assert logits.shape == (1, 2, 5)
        assert int(logits[0, -1].argmax()) == 3
        assert engine.time({"token_ids": np.array([[0, 1]])}, 3) > 0
        with pytest.raises(WorkerError, match="InvalidArgument"):
            engine.run({"token_ids": np.array([0, 1])})
        # A refused run is not the end of it.
        assert engine.run({"token_ids": np.array([[4]])})["logits"].shape == (1, 1, 5)


def test_an_engine_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    file = tmp_path / "mini_gpt_teaching.onnx"
    file.write_bytes((FILES / file.name).read_bytes())
    (tmp_path / "behaviour").write_text("sleeps", encoding="utf-8")
    slow = Runtime("slow", "Slow", Environment("here", "here", ()), stub_engine.__name__)
    with Engine(slow, None) as engine:
        engine.load(request(file, tmp_path))
        engine.give(0.2)
        with pytest.raises(SlowError, match=r"^slow: not done within 0 s$"):
            engine.run({"token_ids": np.array([[0, 1]])})


PACKAGE = """
console.log("a line");
process.stdout.write("x".repeat(1 << 20));
exports.Tensor = class {
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims });
  }
};
exports.InferenceSession = {
  create: async (content) => ({
    run: async (feeds) => {
      console.info("runs");
      if (content.length === 0) process.exit(7);
      return feeds;
    },
  }),
};
"""


@pytest.fixture
def npm_folder(tmp_path: Path) -> Path:
    """With one package, `talker`, that gives back what it is given and prints a lot."""
    folder = tmp_path / "node_modules" / "talker"
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"version": "1.2.3"}', encoding="utf-8")
    (folder / "index.js").write_text(PACKAGE, encoding="utf-8")
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    return tmp_path


def test_what_a_package_of_node_prints_is_no_answer(npm_folder: Path) -> None:
    program("node")
    talker = Runtime("talker", "Talker", Environment("talker", "npm", ()), "talker")
    file = npm_folder / "file"
    file.write_bytes(b"anything")
    feeds: Feeds = {
        "token_ids": np.arange(6).reshape(2, 3),
        "large": np.zeros((512, 1024), np.float32),
        "none": np.zeros((0, 2), np.float32),
    }
    with Engine(talker, npm_folder, patience=60) as engine:
        engine.load(request(file, npm_folder))
        assert engine.version == "1.2.3"
        results = engine.run(feeds)
    assert {name: array.shape for name, array in results.items()} == {
        name: array.shape for name, array in feeds.items()
    }
    np.testing.assert_array_equal(results["token_ids"], feeds["token_ids"])
    log = (npm_folder / "talker.log").read_text(encoding="utf-8")
    assert log.startswith("a line\nxxx")
    assert log.endswith("x" * 1000 + "runs\n")


def test_an_engine_in_node_that_ends_is_told(npm_folder: Path) -> None:
    program("node")
    talker = Runtime("talker", "Talker", Environment("talker", "npm", ()), "talker")
    (npm_folder / "file").write_bytes(b"")
    with Engine(talker, npm_folder, patience=60) as engine:
        engine.load(request(npm_folder / "file", npm_folder))
        with pytest.raises(WorkerError, match=r"^the engine crashed \(exit code 7\)$"):
            engine.run({"token_ids": np.array([[0, 1]])})
