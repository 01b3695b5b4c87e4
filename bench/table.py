"""The stored results as Markdown: our median in milliseconds, the others as multiples of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bench.results import OURS

Data = Mapping[str, Any]
Group = tuple[str, int, int]  # measure, position, batch


def table(data: Data) -> str:
    """All tables, as Markdown."""
    parts = [_machine(data)]
    parts += [_times(data, size) for size in data["sizes"]]
    parts += [_memory(data, size) for size in data["sizes"]]
    parts += [_eight_bits(data), _page(data), _missing(data)]
    return "\n\n".join(part for part in parts if part)


def _machine(data: Data) -> str:
    machine = data["machine"]
    if not machine:
        return ""
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, "
        f"{', '.join(machine['instructions'])}; Python {machine['python']}; "
        f"load at the start {machine['load_at_start']}"
    )


def _times(data: Data, size: str) -> str:
    cells = {(cell["peer"], _group(cell)): cell for cell in data["cells"] if cell["size"] == size}
    groups = list(dict.fromkeys(group for _, group in cells))
    peers = dict.fromkeys(peer for peer, _ in cells)
    sizes = ", ".join(f"{name} {value}" for name, value in data["sizes"][size].items())
    rows = [["", *map(_heading, groups)]]
    for peer in sorted(peers, key=lambda name: name != OURS):
        row = [data["titles"].get(peer, peer)]
        for group in groups:
            row.append(_entry(cells.get((peer, group)), cells.get((OURS, group))))
        rows.append(row)
    return f"### {size} ({sizes})\n\n{_markdown(rows)}"


def _group(cell: Mapping[str, Any]) -> Group:
    return cell["measure"], cell["position"], cell["batch"]


def _heading(group: Group) -> str:
    measure, position, batch = group
    rows = f", {batch} rows" if batch > 1 else ""
    return f"{measure} {position}{rows}"


def _entry(cell: Mapping[str, Any] | None, ours: Mapping[str, Any] | None) -> str:
    if cell is None or ours is None or "median" not in ours:
        return "–"
    if "median" not in cell:
        return "failed"
    mark = " ≠" if cell.get("same_tokens") is False else ""
    if cell["peer"] == OURS:
        return f"**{_milliseconds(cell['median'])}**"
    return f"{cell['median'] / ours['median']:.2f}×{mark}"


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"


def _memory(data: Data, size: str) -> str:
    memory, export = data["memory"].get(size, {}), data["export"].get(size, {})
    if not memory:
        return ""
    rows = [["", "load", "peak memory", "conversion", "its peak memory"]]
    for peer, values in memory.items():
        made = export.get(peer)
        rows.append(
            [
                data["titles"].get(peer, peer),
                f"{values['load_seconds']} s",
                f"{values['peak_mb']} MB",
                f"{made['seconds']} s" if made else "–",
                f"{made['peak_mb']} MB" if made else "–",
            ]
        )
    return f"### {size}: memory and export\n\n{_markdown(rows)}"


def _eight_bits(data: Data) -> str:
    if not data["eight_bits"]:
        return ""
    rows = [["8 bits", "max abs. difference", "argmax changed", "logits' standard deviation"]]
    for size, error in data["eight_bits"].items():
        changed = f"{error['argmax_changed']} of {error['prompts']}"
        rows.append([size, str(error["max_abs"]), changed, str(error["logits_std"])])
    return _markdown(rows)


def _page(data: Data) -> str:
    if not data["page"]:
        return ""
    rows = [["page, teaching network", "time"]]
    rows += [[name, f"{seconds * 1e6:.1f} µs"] for name, seconds in data["page"].items()]
    return _markdown(rows)


def _missing(data: Data) -> str:
    return "\n".join(f"- {peer}: {reason}" for peer, reason in data["missing"].items())


def _markdown(rows: Iterable[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
