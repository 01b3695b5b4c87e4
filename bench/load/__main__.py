"""`python -m bench.load`: all load tests, over loopback, in under ten minutes.

Writes bench/results/load.json and load.md. `--quick` is a smoke test with ten users; it writes
nothing. `--attacks` runs only the measurements under each of the attacks in attacks.py.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.load import ray_serving, scenarios
from bench.load.attacks import ATTACKS
from bench.load.scenarios import FULL, QUICK, Size
from bench.load.servers import nginx_program
from bench.load.table import table
from bench.machine import load_average, machine
from model.command_line import Parser
from model.console import Console, check_folder, packages_needed
from model.errors import InputError
from ui.own_address import ask_without_proxy

RESULTS = Path(__file__).parents[1] / "results"

Measurement = Callable[[Size], dict[str, Any]]


def measurements(ray_python: str | None) -> dict[str, Measurement]:
    """The measurements, by the name in the results; `ray_python` is a Python with ray[serve]."""

    def serve(replicas: int, kill: bool = False) -> Measurement:
        def run(size: Size) -> dict[str, Any]:
            if ray_python is None or nginx_program() is None:
                return {"missing": "a Python with ray[serve] (--ray), or nginx"}
            return ray_serving.measure(ray_python, replicas, size.replica_seconds, kill)

        return run

    return {
        "class": scenarios.class_load,
        "overload": scenarios.overload,
        "replicas_1": lambda size: scenarios.replicas(size, 1),
        "replicas_2": lambda size: scenarios.replicas(size, 2),
        "replica_killed": lambda size: scenarios.replicas(size, 2, kill=True),
        "serve_1": serve(1),
        "serve_2": serve(2),
        "serve_killed": serve(2, kill=True),
        "sessions": scenarios.sessions,
    }


def _attacked(attack: str) -> Measurement:
    return lambda size: scenarios.attacked(size, attack)


def attacks() -> dict[str, Measurement]:
    """The measurements under attack, by the name in the results."""
    return {f"attack_{name}": _attacked(name) for name in ATTACKS}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    console = Console.of(arguments)
    options = _options(console, arguments)
    try:
        return _measure(options, console)
    except (InputError, OSError, KeyboardInterrupt) as error:
        return console.refuse(error)


def _options(console: Console, arguments: list[str] | None) -> argparse.Namespace:
    text = console.text
    parser = Parser(console, prog="python -m bench.load", description=text("bench.load_describe"))
    parser.add_argument("--quick", action="store_true", help=text("bench.load_help_quick"))
    parser.add_argument("--ray", metavar="PYTHON", help=text("bench.load_help_ray"))
    names = [*measurements(None), *attacks()]
    only = text("bench.load_help_only", names=", ".join(names))
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, help=only)
    parser.add_argument("--attacks", action="store_true", help=text("bench.load_help_attacks"))
    return parser.parse_args(arguments)


def _measure(options: argparse.Namespace, console: Console) -> int:
    ask_without_proxy()  # the servers are on this machine
    if not options.quick:
        check_folder(RESULTS)
    ray_python = options.ray and shutil.which(options.ray)
    path = RESULTS / "load.json"
    chosen = _chosen(options, ray_python)
    partly = options.only or options.attacks
    data = _kept(path) if partly and not options.quick else _fresh()
    for name, measure in chosen.items():
        data["results"][name] = measure(QUICK if options.quick else FULL)
        console.write(f"{name} {json.dumps(data['results'][name], ensure_ascii=False)}")
        if not options.quick:
            _write(path, data)
    console.write(table(data))
    return 1 if _failed(data) else 0


def _chosen(options: argparse.Namespace, ray_python: str | None) -> dict[str, Measurement]:
    if options.only:
        every = measurements(ray_python) | attacks()
        return {name: every[name] for name in options.only}
    return attacks() if options.attacks else measurements(ray_python)


def _fresh() -> dict[str, Any]:
    return {"machine": machine(), "load_at_start": load_average(), "results": {}}


def _kept(path: Path) -> dict[str, Any]:
    if not path.exists():
        return _fresh()
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def _write(path: Path, data: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(table(data), encoding="utf-8")


def _failed(data: dict[str, Any]) -> bool:
    """Whether there were errors, or an attack had more effect than allowed."""
    results = data["results"].values()
    return any(result.get("errors") or result.get("held") is False for result in results)


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
