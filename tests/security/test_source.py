"""What the Python code never does: unpickle, evaluate text, start a shell.

For the JavaScript of the page the same is a rule of eslint.config.js: text never becomes HTML or
code. Ruff has rules for a part of this only (none for `allow_pickle`, `compile`, `__import__` and
`joblib`), and a comment in the code can switch them off.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from deploy.files import ROOT, goes_up

_FOLDERS = ("languages", "model", "export", "ui", "web", "deploy", "bench")
PYTHON = [ROOT / "app.py", *(p for f in _FOLDERS for p in sorted((ROOT / f).rglob("*.py")))]

_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve"}
_CALLS = {"eval", "exec", "compile", "__import__", "torch.load"}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", PYTHON, ids=_name)
def test_python_unpickles_and_evaluates_nothing(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert _faults(node) == [], f"{_name(path)}:{getattr(node, 'lineno', 0)}"


def _faults(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name in _MODULES]
    if isinstance(node, ast.ImportFrom):
        return [node.module] if node.module in _MODULES else []
    if isinstance(node, ast.Call):
        return _faults_of_call(node)
    return []


def _faults_of_call(call: ast.Call) -> list[str]:
    called = ast.unparse(call.func)
    keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
    faults = [called] if called in _CALLS else []
    if keywords.get("allow_pickle") == "True":
        faults.append("allow_pickle=True")
    if keywords.get("shell") == "True":
        faults.append("shell=True")
    return faults


def test_the_checks_find_what_they_look_for() -> None:
    bad = "import pickle\neval('1')\ntorch.load('x')\nnp.load('x', allow_pickle=True)\n"
    found = [fault for node in ast.walk(ast.parse(bad)) for fault in _faults(node)]
    assert len(found) == 4


def test_what_goes_up_is_among_what_is_checked() -> None:
    checked = {_name(path) for path in PYTHON}
    shipped = {_name(p) for p in ROOT.glob("*/**/*.py") if goes_up(_name(p))}
    assert shipped <= checked
