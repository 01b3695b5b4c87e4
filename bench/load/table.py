"""The results of the load tests as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Result = dict[str, Any]

_TITLES = {
    "class": "class, one page",
    "overload": "five times as many",
    "replicas_1": "nginx, 1 replica",
    "replicas_2": "nginx, 2 replicas",
    "replica_killed": "nginx, 2 replicas, one killed",
}
_PAGE_HEAD = (
    *("", "people", "clicks", "median", "p95", "p99", "slowest", "differences p95"),
    *("errors", "refused politely", "server cores", "training cores", "generator cores"),
)
_QUEUED = ("own training", "own ONNX form", "own files")
_SERVE = {
    "serve_1": "Ray Serve, 1 replica",
    "serve_2": "Ray Serve, 2 replicas",
    "serve_killed": "Ray Serve, 2 replicas, one killed",
}


def table(data: Result) -> str:
    """All tables, as Markdown."""
    machine = data["machine"]
    head = (
        f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}; "
        f"load at the start {data['load_at_start']}. Server, training, nginx and the generator "
        f"share the cores."
    )
    parts = [head, _page(data), _notes(data), _attacks(data), _serve(data), _memory(data)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _page(data: Result) -> str:
    rows = [list(_PAGE_HEAD)]
    for name, title in _TITLES.items():
        result = data["results"].get(name)
        if result is None or "missing" in result:
            continue
        click = result["actions"].get("click", {})
        difference = result["actions"].get("differences", {})
        rows.append(
            [
                title,
                str(result["people"]),
                str(click.get("count", 0)),
                *(_ms(click.get(key)) for key in ("median_ms", "p95_ms", "p99_ms", "slowest_ms")),
                _ms(difference.get("p95_ms")),
                str(sum(result["errors"].values())),
                str(result["counts"].get("refused with a message", 0)),
                *(str(result[f"{side}_cores"]) for side in ("server", "training", "generator")),
            ]
        )
    return _markdown(rows) if len(rows) > 1 else ""


def _notes(data: Result) -> str:
    lines = []
    load = data["results"].get("class")
    if load:
        opened = load["actions"].get("open the page", {})
        lines.append(
            f"- The class opened the page within 5 s (page and every module, nothing cached): "
            f"p95 {_ms(opened.get('p95_ms'))}. Trainings meanwhile: {_trainings(load['counts'])}."
        )
        lines.append(
            f"- Server memory {load['memory_before_mb']} MB before, "
            f"{load['memory_after_mb']} MB after the class."
        )
    over = data["results"].get("overload")
    if over:
        lines.append(
            f"- After the overload service was as usual within {over['back_to_usual_seconds']} s; "
            f"{over['counts'].get('given up after 20 tries', 0)} clicks were given up."
        )
    return "\n".join(lines)


def _attacks(data: Result) -> str:
    head = ["beside", "people", "p95 alone", "p95", "ratio", "errors", "refused politely", "after"]
    rows = [[*head, *_QUEUED]]
    for name, result in data["results"].items():
        if not name.startswith("attack_"):
            continue
        click = result["actions"]["click"]
        rows.append(
            [
                name.removeprefix("attack_").replace("_", " "),
                str(result["people"]),
                _ms(result["p95_alone_ms"]),
                _ms(click["p95_ms"]),
                f"{result['p95_ratio']:.2f}×",
                str(sum(result["errors"].values())),
                str(result["counts"].get("refused with a message", 0)),
                f"{result['back_to_usual_seconds']} s",
                *(_waited(result, what) for what in _QUEUED),
            ]
        )
    return _markdown(rows) if len(rows) > 1 else ""


def _waited(result: Result, what: str) -> str:
    """How long a normal user waited for `what`; – if not measured, or still waiting at the end."""
    waited = result["actions"].get(what)
    return f"{waited['slowest_ms'] / 1000:.1f} s" if waited else "–"


def _trainings(counts: dict[str, int]) -> str:
    kinds = ("waiting", "running", "finished")
    return ", ".join(f"{counts.get(f'training {kind}', 0)} {kind}" for kind in kinds)


def _serve(data: Result) -> str:
    rows = [["", "predictions/s", "median", "p95", "errors", "replica cores", "generator cores"]]
    for name, title in _SERVE.items():
        result = data["results"].get(name)
        if result is None or "missing" in result:
            continue
        done = result["actions"]["prediction"]
        rows.append(
            [
                title,
                f"{done['count'] / result['seconds']:.0f}",
                _ms(done["median_ms"]),
                _ms(done["p95_ms"]),
                str(sum(result["errors"].values())),
                str(result["replica_cores"] or "–"),
                str(result["generator_cores"]),
            ]
        )
    return _markdown(rows) if len(rows) > 1 else ""


def _memory(data: Result) -> str:
    result = data["results"].get("sessions")
    if not result:
        return ""
    return (
        f"{result['sessions']} sessions, each the page and one view ({result['per_second']}/s): "
        f"{result['memory_after_a_tenth_mb']} MB after the first tenth, "
        f"{result['memory_after_all_mb']} MB after all ({result['ratio']:.3f}×)."
    )


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f} ms"


def _markdown(rows: Iterable[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
