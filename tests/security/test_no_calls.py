"""No host is called and nothing is written but what was asked for, whichever engine runs."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from deploy.files import ROOT
from export.runtimes.catalogue import RUNTIMES
from export.runtimes.declaration import LoadRequest
from export.runtimes.engine import Engine
from export.runtimes.environments import default_root, folder_of, is_ready
from export.runtimes.silence import NO_TELEMETRY
from export.shipped import FILES, logits_file
from tests.needed import missing, program

_ENGINE = "onnxruntime"
_OPENS = ROOT / "export" / "runtimes" / "onnx_runtime.py"
_EXAMPLE = ROOT / "export" / "pack" / "examples" / "run.py"  # runs where none of this is
_FOLDERS = ("languages", "model", "export", "ui", "deploy", "bench", "tools", "tests")
PYTHON = [ROOT / "app.py", *(p for f in _FOLDERS for p in sorted((ROOT / f).rglob("*.py")))]

# A call to a socket of the internet, by strace; the loopback is the page's own.
_CALL = re.compile(r"(?:connect|sendto|sendmmsg|sendmsg)\(.*sa_family=AF_INET6?,.*")
_LOOPBACK = re.compile(r'inet_addr\("127\.|AF_INET6.*"::(?:1|ffff:127\.[\d.]+)"')


def _imports(path: Path) -> list[str]:
    """What of `path` imports the engine, by a statement or by name."""
    found: list[str] = []
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if _ENGINE in text else ():
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            names = [str(a.value) for a in node.args if isinstance(a, ast.Constant)]
        found += [ast.unparse(node) for name in names if name.split(".")[0] == _ENGINE]
    return found


def test_one_module_imports_onnx_runtime() -> None:
    others = {path.relative_to(ROOT): _imports(path) for path in PYTHON}
    opening = {path for path, lines in others.items() if lines}
    assert opening == {_OPENS.relative_to(ROOT), _EXAMPLE.relative_to(ROOT)}


@pytest.mark.parametrize("path", [_OPENS, _EXAMPLE], ids=lambda path: path.name)
def test_it_is_told_to_be_quiet_before_it_is_imported(path: Path) -> None:
    statements = ast.parse(path.read_text(encoding="utf-8")).body
    places = {ast.unparse(node).split("(")[0]: place for place, node in enumerate(statements)}
    told = [place for text, place in places.items() if text.startswith("os.environ")]
    assert told
    assert told[0] < min(at for text, at in places.items() if text.startswith("import onnx"))


def test_processes_of_engines_are_told_too() -> None:
    """Those of the bench and the parity proof, whatever loads the engine there."""
    sources = ["export/runtimes/engine.py", "bench/peers/process.py"]
    for name in sources:
        assert "**NO_TELEMETRY," in (ROOT / name).read_text(encoding="utf-8"), name


def _quiet_home(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """An empty home folder, and an environment that has no other and no variable of ours."""
    home = tmp_path / "home"
    home.mkdir()
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("XDG_") and name not in NO_TELEMETRY
    }
    return home, {**kept, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}


def _run(command: list[str], environment: dict[str, str], folder: Path = ROOT) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.long("a page, a training and an export, each call to the network watched")
def test_the_page_a_training_and_an_export_leave_nothing_and_look_up_no_name(
    tmp_path: Path,
) -> None:
    home, environment = _quiet_home(tmp_path)
    out = tmp_path / "out"
    out.mkdir()
    calls = tmp_path / "calls"
    watch = [program("strace"), "-f", "--seccomp-bpf", "-e", "trace=%network", "-o", str(calls)]
    _run([*watch, sys.executable, "-m", "tests.security.at_work", str(out)], environment)
    assert [str(path.relative_to(home)) for path in home.rglob("*")] == []
    called = _CALL.findall(calls.read_text(encoding="utf-8", errors="replace"))
    assert len(called) > 0, "strace saw not even the page's own check of itself"
    assert [call for call in called if not _LOOPBACK.search(call)] == []


@pytest.mark.parametrize("name", ["onnxruntime", "onnxruntime-node", "onnxruntime-web"])
def test_engines_of_the_parity_proof_leave_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime, root = RUNTIMES[name], default_root()
    if not is_ready(runtime, root):
        missing(f"{name}: python -m export parity {name} --install")
    home, environment = _quiet_home(tmp_path)
    for variable in os.environ.keys() - environment.keys():
        monkeypatch.delenv(variable)
    monkeypatch.setenv("HOME", str(home))
    request = LoadRequest(
        FILES / logits_file("teaching"), "plain", ("token_ids",), ("logits",), {}, tmp_path
    )
    with Engine(runtime, folder_of(runtime.environment, root)) as engine:
        engine.load(request)
        assert engine.run({"token_ids": np.array([[0, 1]])})["logits"].shape == (1, 2, 5)
    assert list(home.rglob("*")) == []
