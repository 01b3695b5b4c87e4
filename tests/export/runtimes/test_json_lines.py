"""A Node script that is asked by lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from export.runtimes import json_lines
from export.runtimes.json_lines import NodeScript
from tests.needed import program

SCRIPT = """
import { answering } from %r;
await answering(async () => {
  console.log("a line of a package");
  process.stdout.write("and another\\n");
  if (process.argv[2] === "refuses") throw new Error("no such file\\nat build.cc:12");
  return async ({ say, fail, end }) => {
    console.log("more");
    if (end) process.exit(7);
    if (fail) throw new Error(fail);
    return say;
  };
});
"""


@contextmanager
def started(folder: Path, *arguments: object) -> Iterator[NodeScript]:
    program("node")
    path = folder / "script.mjs"
    side = Path(json_lines.__file__).with_suffix(".mjs").as_uri()
    path.write_text(SCRIPT % side, encoding="utf-8")
    with closing(NodeScript(path, *arguments)) as ask:
        yield ask


def test_questions_are_answered_in_order_whatever_packages_print(tmp_path: Path) -> None:
    with started(tmp_path) as ask:
        assert [ask({"say": word}) for word in ("我", ["猫"], 0.5)] == ["我", ["猫"], 0.5]
        assert ask({}) is None


def test_an_error_is_told_and_not_the_end(tmp_path: Path) -> None:
    with started(tmp_path) as ask:
        with pytest.raises(RuntimeError, match=r"^Error: no kernel$"):
            ask({"fail": "no kernel\nat line 3"})
        assert ask({"say": 1}) == 1


def test_a_script_that_cannot_open_says_why(tmp_path: Path) -> None:
    refused = pytest.raises(RuntimeError, match=r"^Error: no such file$")
    with refused, started(tmp_path, "refuses"):
        pass


def test_the_end_is_told(tmp_path: Path) -> None:
    with started(tmp_path) as ask:
        for _ in range(2):
            with pytest.raises(RuntimeError, match=r"^node ended with 7$"):
                ask({"end": True})
