"""Which modules the page needs, found by following their imports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui import modules
from ui.modules import WEB, is_stamp, needed_modules, panel_modules, stamp


def test_every_needed_module_exists_and_the_page_comes_first() -> None:
    needed = needed_modules()
    assert needed[0] == "page.js"
    assert {"dom.js", "state.js", "viewer.js"} <= set(needed)
    assert all((WEB / module).is_file() for module in needed)
    assert len(set(needed)) == len(needed)


def test_panels_and_what_they_import_are_needed() -> None:
    assert {f"panels/{name}.js" for name in panel_modules()} <= set(needed_modules())


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
    assert needed_modules() == ["page.js", "panels/p.js", "a.js", "deep/c.js"]


def test_the_stamp_is_short_and_recognised() -> None:
    assert re.fullmatch("[0-9a-f]{12}", stamp())
    assert is_stamp(stamp())
    assert not is_stamp("panels")
    assert not is_stamp("abcdefabcdef.js")
