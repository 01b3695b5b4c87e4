"""Which modules the page needs, found by following their imports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui import modules
from ui.modules import WEB, contents, entry, first_modules, is_stamp, needed_modules, stamp
from ui.page import panels


def test_the_first_view_is_one_file_and_every_panel_another() -> None:
    assert first_modules() == [entry()] == ["bundle/start.js"]
    made = {f"bundle/panels/{name}.js" for name in panels()}
    assert {entry(), "formulas.json", *made} <= set(contents())
    assert all(name.startswith("bundle/") for name in set(contents()) - {"formulas.json"})


def test_the_sources_can_be_served_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(modules.SOURCES, "1")
    contents.cache_clear()
    served = contents()
    contents.cache_clear()
    assert entry() == first_modules()[0] == "start.js"
    assert {"dom.js", "state.js", "viewer.js"} <= set(first_modules()) <= set(served)
    assert {f"panels/{name}.js" for name in panels()} <= set(served)
    assert all((WEB / module).is_file() for module in served)


def test_every_panel_has_its_module() -> None:
    assert {path.stem for path in modules.own_files("panels/*.js")} == set(panels())


def test_imports_are_followed_across_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "panels").mkdir()
    files = {
        "page.js": 'import {\n  a,\n  b,\n} from "./a.js";\nimport("./late.js");',
        "a.js": 'export { c } from "./deep/c.js";\n// import x from "./comment.js"',
        "deep/c.js": 'import { p } from "../panels/p.js";',
        "panels/p.js": 'import { a } from "../a.js";',
        "unused.js": "",
    }
    for name, source in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    monkeypatch.setattr(modules, "WEB", tmp_path)
    assert needed_modules(["page.js", "panels/p.js"]) == [
        "page.js",
        "panels/p.js",
        "a.js",
        "deep/c.js",
    ]


def test_the_stamp_is_short_and_recognised() -> None:
    assert re.fullmatch("[0-9a-f]{12}", stamp())
    assert is_stamp(stamp())
    assert not is_stamp("panels")
    assert not is_stamp("abcdefabcdef.js")
