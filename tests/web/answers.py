"""What the page's server functions answer, for the JavaScript tests of the whole page.

`python -m tests.web.answers` brings every recorded answer up to date; the requests are those that
the tests made when they were recorded (see answers.js).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from languages import LANGUAGES
from ui import endpoints, torch_loading
from ui.page import initial, server_functions

FOLDER = Path(__file__).parent / "fixtures" / "answers"

Entry = dict[str, Any]
"""`name` of the function, `request` and `answer`; `lang` is in the request where it matters."""

_DIGITS = 9
"""What a float32 needs to be read back as itself."""


@cache
def functions() -> dict[str, Any]:
    """The page's functions by name; `initial` is what comes with the page, `generate` the API's."""
    torch_loading.wait()
    extra = {"initial": _initial, "generate": _generate}
    return extra | {each.__name__: each for each in server_functions()}


def entries(name: str, request: dict[str, Any]) -> list[Entry]:
    """The function's answer, or one in each language where they differ."""
    bare = {key: value for key, value in request.items() if key != "lang"}
    answers = {lang: _answer(name, {**bare, "lang": lang}) for lang in LANGUAGES}
    first, *others = answers.values()
    if all(other == first for other in others):
        return [{"name": name, "request": bare, "answer": first}]
    return [
        {"name": name, "request": {**bare, "lang": lang}, "answer": answer}
        for lang, answer in answers.items()
    ]


def today(entry: Entry) -> Any:
    """What the function answers now to the request of a kept entry."""
    return _answer(entry["name"], entry["request"])


def files() -> Iterator[Path]:
    """The recorded files, one a JavaScript test file."""
    return iter(sorted(FOLDER.glob("*.json")))


def write(path: Path, kept: list[Entry]) -> None:
    """One entry a line, as answers.js writes them."""
    lines = [_line(each) for each in kept]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def _line(entry: Entry) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def _answer(name: str, request: dict[str, Any]) -> Any:
    return _rounded(functions()[name](request))


def _initial(_: dict[str, Any]) -> dict[str, Any]:
    """Without what the tests read from the files themselves or what differs by installation;
    with the names of the functions that Gradio provides."""
    left_out = {"strings", "stamp", "browser"}
    given = {key: value for key, value in initial().items() if key not in left_out}
    names = [each.__name__ for each in server_functions()]
    return given | {"browser": None, "engines": ["onnxruntime", "torch"], "functions": names}


def _generate(request: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in request.items() if name != "lang"}
    return dict(endpoints.generate(**given))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    return value


def _serve() -> None:
    """For answers.js: a question a line; the lines to keep of it, as a list, a line."""
    for line in sys.stdin:
        question = json.loads(line)
        made = entries(question["name"], question["request"])
        print(json.dumps([_line(entry) for entry in made]), flush=True)


def _refresh() -> None:
    for path in files():
        kept = json.loads(path.read_text(encoding="utf-8"))
        write(path, [{**entry, "answer": today(entry)} for entry in kept])


if __name__ == "__main__":
    if "--serve" in sys.argv[1:]:
        _serve()
    else:
        _refresh()
