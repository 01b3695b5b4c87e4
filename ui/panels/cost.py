"""The cost of a token: the count for a network and a length, and stored measurements."""

from __future__ import annotations

import functools
import json
from typing import Any

from model.config import SIZES, MiniGPTConfig
from model.cost import Product, StepCost, step_cost
from model.errors import InputError
from ui.calls import Request, Response, server_call
from ui.measured import DECODE
from ui.models import model_entry
from ui.panel import Panel, Way

LARGE = "gpt2-small"
CURVES = ("mini-gpt", "floor", "torch-cached", "hugging-face", "nanogpt", "lesson")
"""The engines drawn in the chart, fastest to slowest; the table below it has all of them."""


@server_call
def token_cost(request: Request) -> Response:
    """`{model, network: "this" | "large", length}` -> the count with and without a KV cache.

    `length` is clamped to 1 … context_length, which differs between the networks.
    """
    config = _config(request)
    asked = request.get("length", config.context_length)
    if type(asked) is not int:
        raise InputError("count", value=repr(asked)[:40], lowest=1, highest=config.context_length)
    length = min(max(asked, 1), config.context_length)
    without, cached = (step_cost(config, length, cached=cached) for cached in (False, True))
    return {
        "length": length,
        "context_length": config.context_length,
        "sizes": {letter: without.sizes[letter] for letter in "TCHDFVL"},
        "products": [
            {
                "name": ours.name,
                "letters": "·".join(ours.letters),
                "without": _worked(theirs, without),
                "cached": _worked(ours, cached),
            }
            for theirs, ours in zip(without.products, cached.products, strict=True)
        ],
        "multiplications": {
            **_pair(without.multiplications, cached.multiplications),
            "times": without.multiplications // cached.multiplications,  # exactly T
        },
        "weight_bytes": _pair(without.weight_bytes, cached.weight_bytes),
        "cache_bytes": _pair(without.cache_bytes, cached.cache_bytes),
        "bytes": _pair(without.bytes_moved, cached.bytes_moved),
    }


@server_call
def measured_cost(_: Request) -> Response:
    """The stored measurement of the larger network; `measured` is None if there is none."""
    return {"measured": _measured()}


SERVER_FUNCTIONS = [token_cost, measured_cost]
PANEL = Panel(Way.PROOF, order=90, shows_results=False)


def _config(request: Request) -> MiniGPTConfig:
    network = request.get("network", "this")
    if network == "this":
        return model_entry(request.get("model", "teaching")).config
    stored = _stored()
    if network == "large" and stored is not None:
        return MiniGPTConfig(**{name: stored["sizes"][LARGE][name] for name in SIZES})
    raise InputError("choice", name="network", choices="this, large", value=repr(network)[:40])


def _worked(product: Product, cost: StepCost) -> dict[str, Any]:
    """The product with numbers in place of its letters."""
    numbers = "·".join(str(cost.sizes[letter]) for letter in product.letters)
    return {"numbers": numbers, "result": product.multiplications}


def _pair(without: int, cached: int) -> dict[str, float]:
    """Both counts, and each as a share of the larger, for the bars."""
    largest = max(without, cached, 1)
    return {
        "without": without,
        "cached": cached,
        "without_share": without / largest,
        "cached_share": cached / largest,
    }


@functools.cache
def _stored() -> dict[str, Any] | None:
    """The file that `python -m bench.decode` wrote, if it contains the larger network."""
    if not DECODE.exists():
        return None
    stored: dict[str, Any] = json.loads(DECODE.read_text(encoding="utf-8"))
    return stored if LARGE in stored["sizes"] else None


@functools.cache
def _measured() -> dict[str, Any] | None:
    stored = _stored()
    if stored is None:
        return None
    cells = [
        cell
        for cell in stored["cells"]
        if (cell["size"], cell["measure"], cell["batch"]) == (LARGE, "step", 1) and "median" in cell
    ]
    positions = sorted({cell["position"] for cell in cells})
    times: dict[str, dict[int, float]] = {}
    for cell in cells:
        times.setdefault(cell["peer"], {})[cell["position"]] = cell["median"] * 1e3
    engines = [
        {
            "name": name,
            "version": stored["versions"].get(name, ""),
            "drawn": name in CURVES,
            "milliseconds": [by_position.get(position) for position in positions],
        }
        for name, by_position in times.items()
    ]
    engines.sort(key=lambda engine: engine["milliseconds"][-1] or float("inf"))
    machine = stored["machine"]
    return {
        "machine": {key: machine[key] for key in ("cpu", "cores", "memory_gb")},
        "threads": stored["sizes"][LARGE]["threads"],
        "sizes": {name: stored["sizes"][LARGE][name] for name in SIZES},
        "positions": positions,
        "engines": engines,
    }
