"""The folder that is served: complete, from npm what npm holds, and named by its content."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from export.runtimes.onnxruntime_javascript import WEB as PACKAGE
from ui import serving
from ui.modules import WEB
from ui.page import initial
from ui.static_page import served
from ui.static_page.assemble import assemble

OWN = {"page.js", "map.js", "bars.js", "colours.js"}


def test_modules_are_the_very_ones_of_the_page(folder: Path) -> None:
    modules = sorted(path.relative_to(folder / "web") for path in (folder / "web").rglob("*.js"))
    assert {str(module) for module in modules} >= OWN
    for module in modules:
        assert (folder / "web" / module).read_bytes() == (WEB / module).read_bytes()


def test_everything_is_listed_for_keeping(folder: Path) -> None:
    listed = json.loads((folder / "files.json").read_text(encoding="utf-8"))["files"]
    there = {f"./{path.relative_to(folder)}" for path in folder.rglob("*") if path.is_file()}
    assert set(listed) - {"./"} == there - {"./service_worker.js", "./files.json"}


def test_the_runtime_is_npms(folder: Path) -> None:
    about = json.loads((folder / "ort" / "about.json").read_text(encoding="utf-8"))
    assert f"{about['name']}@{about['version']}" == PACKAGE.packages[0]
    assert (folder / "ort" / "ort-wasm-simd-threaded.wasm").read_bytes()[:4] == b"\0asm"


def test_no_other_host_is_named_in_what_is_ours(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and path.parent.name not in ("ort", "files"):
            text = path.read_text(encoding="utf-8")
            hosts = set(re.findall(r"https?://([\w.-]+)", text))
            assert hosts <= {"www.w3.org"}, path  # the name of MathML and SVG, never asked for


def test_the_version_follows_the_content(folder: Path, tmp_path: Path) -> None:
    def version(path: Path) -> str:
        return str(json.loads((path / "page.json").read_text(encoding="utf-8"))["version"])

    assemble(tmp_path)
    assert version(tmp_path) == version(folder)
    assert re.fullmatch(r"[0-9a-f]{12}", version(folder))


def test_no_folder_no_third_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINI_GPT_PAGE", str(tmp_path))
    assert served.engine() is None
    assert initial()["engines"] == ["onnxruntime", "torch"]
    assert initial()["browser"] is None
    assert len(serving.routes()) == 2


def test_a_folder_is_a_third_engine(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("MINI_GPT_PAGE", str(folder))
    page = initial()
    assert page["engines"] == ["onnxruntime", "torch", "browser"]
    assert set(page["browser"]["descriptions"]) == {"teaching", "trained", "poems"}
    assert len(serving.routes()) == 3
