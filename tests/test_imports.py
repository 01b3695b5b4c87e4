"""The house's rooms: imports run downwards, in no circle, and importing does nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = (
    "languages",
    "model",
    "export",
    "ui",
    "app",
    "deploy",
    "bench",
    "tools",
)  # each may import those before

HAS_AN_EFFECT = {
    "app.py": "the entry: what must be said before Gradio is imported, and the launch",
    "export/runtimes/onnx_runtime.py": "must say no to telemetry before onnxruntime is imported",
    "bench/load/ray_start.py": "a program of its own, which tells Ray so before importing it",
    "export/pack/examples/run.py": "a program that goes into the proof pack",
}


def modules() -> dict[str, Path]:
    found = [ROOT / "app.py"] + [
        path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))
    ]
    return {name_of(path): path for path in found}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree: ast.AST, known: set[str]) -> set[str]:
    """The project's modules that are imported anywhere in `tree`, but for type checking."""
    found: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in known else node.module)
    return found & known


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(tree):
        for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not for_types:
            yield child
            yield from nodes(child)


def graph() -> dict[str, set[str]]:
    known = modules()
    return {
        name: imports_of(ast.parse(path.read_text("utf-8")), set(known)) - {name}
        for name, path in known.items()
    }


def room(module: str) -> int:
    return ROOMS.index(module.partition(".")[0])


def upward(found: dict[str, set[str]]) -> list[str]:
    return [
        f"{module} imports {imported}"
        for module, all_imported in found.items()
        for imported in sorted(all_imported)
        if room(imported) > room(module)
    ]


def test_rooms_import_downwards() -> None:
    assert upward(graph()) == []


def test_there_are_no_circles() -> None:
    TopologicalSorter(graph()).prepare()


def test_the_checks_notice() -> None:
    found = graph()
    found["model.errors"] = {"ui.calls", "model.config"}
    assert upward(found) == ["model.errors imports ui.calls"]
    with pytest.raises(CycleError):
        TopologicalSorter(found).prepare()


def test_workers_need_nothing_of_the_house() -> None:
    """They run in environments that hold NumPy and little else, and whoever starts them differs."""
    for name, path in modules().items():
        if name.startswith("export.workers"):
            allowed = {"export.workers", "numpy", *sys.stdlib_module_names}
            assert {each for each in imported(path) if not within(each, allowed)} == set(), name


def imported(path: Path) -> set[str]:
    """Every module that is imported anywhere in a file, whoever made it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def within(module: str, packages: set[str]) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:count]) in packages for count in range(1, len(parts) + 1))


def test_within_a_package() -> None:
    assert within("export.workers.wire", {"export.workers"})
    assert within("numpy.typing", {"numpy"})
    assert not within("export.runtimes", {"export.workers", "numpy"})


@pytest.mark.parametrize("worker", ["export.runtimes.worker", "bench.peers.worker"])
def test_a_worker_in_another_environment_needs_numpy_alone(worker: str) -> None:
    assert packages_of(f"import {worker}") == {"numpy"}


def effects(tree: ast.Module) -> list[str]:
    """What is done, rather than defined, when a module is imported."""
    return [
        ast.unparse(node)
        for node in tree.body
        if not isinstance(node, ast.If)  # for types, or for a module that is run
        and not only_imports(node)
        and (
            (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
            or isinstance(node, (ast.For, ast.While, ast.With))
            or (
                isinstance(node, ast.Assign)
                and any(isinstance(each, (ast.Attribute, ast.Subscript)) for each in node.targets)
            )
        )
    ]


def only_imports(node: ast.stmt) -> bool:
    """A command's imports, which end it by a sentence where a package is missing."""
    return (
        isinstance(node, ast.With)
        and ast.unparse(node.items[0]) == "packages_needed(__name__)"
        and all(isinstance(each, (ast.Import, ast.ImportFrom)) for each in node.body)
    )


def test_importing_does_nothing() -> None:
    doing = {
        str(path.relative_to(ROOT))
        for path in modules().values()
        if effects(ast.parse(path.read_text("utf-8")))
    }
    assert doing == set(HAS_AN_EFFECT)


POSIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios"}


def posix_only(tree: ast.Module) -> set[str]:
    """What of POSIX alone a module imports when it is imported itself."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names & POSIX_ONLY


def test_the_page_starts_without_modules_that_windows_lacks() -> None:
    found, known = graph(), modules()
    reached: set[str] = set()
    waiting = {"app", *(name for name in known if name.startswith("ui."))}
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= found[name] - reached
    assert {"ui.connections", "export.compare", "model.network"} <= reached
    for name in sorted(reached):
        assert posix_only(ast.parse(known[name].read_text("utf-8"))) == set(), name
    assert posix_only(ast.parse("import resource\nfrom pwd import getpwnam")) == {"pwd", "resource"}


@pytest.mark.parametrize(
    "line",
    ["connect()", "other.constant = 1", "os.environ['A'] = '1'", "for a in b: c(a)", "with a: b()"],
)
def test_an_effect_is_seen(line: str) -> None:
    assert effects(ast.parse(f'"""Text."""\nA = 1\n{line}\n')) == [ast.unparse(ast.parse(line))]


def test_predictions_need_numpy_and_onnxruntime_alone() -> None:
    assert packages_of("import deploy.predictions") == {"numpy", "onnxruntime"}


def packages_of(statement: str) -> set[str]:
    """What is loaded by it, but for the standard library and the house."""
    script = (
        f"import sys\nbefore = set(sys.modules)\n{statement}\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - set(sys.stdlib_module_names)))"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(told.stdout.split()) - set(ROOMS)


def test_the_network_comes_without_the_hub() -> None:
    script = (
        "import sys\nfrom model import MiniGPT, teaching_model\nteaching_model()\n"
        "print('huggingface_hub' in sys.modules)\nimport huggingface_hub\n"
        "print('huggingface_hub' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["False", "True"]
