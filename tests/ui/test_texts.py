"""The page's texts: both languages complete, and every text a module asks for is there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from languages import FOLDER, LANGUAGES, PLAIN
from ui.modules import WEB
from ui.page import panels
from ui.texts import first_strings, panel_strings, strings, style

_CALL = re.compile(r"""\bt\(\s*["']([a-z_]+\.[\w.]+)["']""")


def test_every_text_is_there_in_every_language() -> None:
    for key, entry in strings().items():
        assert set(entry) == set(LANGUAGES), key
        assert all(entry[language].strip() for language in entry), key


def test_the_first_view_has_the_texts_that_its_modules_ask_for() -> None:
    """A panel's own come with the first panel; until then only its tab speaks."""
    first = first_strings(panels())
    assert first | panel_strings(panels()) == strings()
    outside = [
        path
        for path in WEB.rglob("*.js")
        if not {"panels", "static", "bundle"} & set(path.relative_to(WEB).parts)
    ]
    asked = {key for path in outside for key in _CALL.findall(path.read_text(encoding="utf-8"))}
    assert len(asked) > 20
    assert asked - set(first) == set()
    assert {f"{name}.tab" for name in panels()} <= set(first)
    assert "training.heading" not in first


def test_both_languages_take_the_same_values() -> None:
    for key, entry in strings().items():
        named = {language: set(re.findall(r"\{(\w+)\}", text)) for language, text in entry.items()}
        assert named["zh"] == named["en"], key


def test_every_text_that_a_module_asks_for_by_name_is_there() -> None:
    asked = {
        key: path.name
        for path in WEB.rglob("*.js")
        for key in _CALL.findall(path.read_text(encoding="utf-8"))
    }
    assert len(asked) > 20
    missing = {key: file for key, file in asked.items() if key not in strings()}
    assert missing == {}


def test_the_models_error_messages_are_among_them() -> None:
    assert strings()["error.token_limit"]["en"].startswith("The sentence would have {length}")


def test_a_key_used_twice_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "languages")
    for language in LANGUAGES:
        for name in ("twice_a", "twice_b"):
            (folder / language / f"page/{name}.json").write_text('{"x.y": "a"}', encoding="utf-8")
    monkeypatch.setattr("languages.FOLDER", folder)
    with pytest.raises(ValueError, match=r"page/twice_b repeats \['x\.y'\]"):
        strings()


@pytest.mark.parametrize("name", [".hidden.json", "map copy.json", "map.json~", "#map.json#"])
def test_what_lies_beside_the_texts_is_none(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "languages")
    before = strings()
    (folder / PLAIN / "page" / name).write_text("no JSON", encoding="utf-8")
    monkeypatch.setattr("languages.FOLDER", folder)
    assert strings() == before


def test_the_style_sheet_keeps_to_the_page_and_to_itself() -> None:
    sheet = style()
    assert "url(" not in sheet
    assert "@import" not in sheet
    assert not re.search(r"\d(d|s|l)?vh\b", sheet), "vh makes a Space's frame grow for ever"
    assert sheet.index("--mg-surface:") < sheet.index(".mg-header")
