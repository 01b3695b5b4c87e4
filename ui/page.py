"""The page: one HTML component whose browser side is the plain modules in `web/`."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr

import ui.panels
from ui import views
from ui.calls import Request, Response
from ui.endpoints import add_endpoints
from ui.engines import ENGINES
from ui.models import model_ids
from ui.requests import COUNT_LIMIT, TEXT_LIMIT, TOKEN_LIMIT

WEB = Path(__file__).parent.parent / "web"

TITLE = "MiniGPT：从两个词到下一个词"

# No value is ever put into this template: Gradio evaluates templates as JavaScript.
_TEMPLATE = '<div class="mini-gpt"></div>'

_ON_LOAD = """
const root = (window.gradio_config?.root ?? "").replace(/\\/$/, "");
import(root + "/web/page.js").then(({ mount }) =>
  mount(element.querySelector(".mini-gpt"), { server, initial: props.initial, root }),
);
"""


def build() -> gr.Blocks:
    """The page and its endpoints, not started yet."""
    with gr.Blocks(title=TITLE, analytics_enabled=False) as blocks:
        gr.HTML(
            html_template=_TEMPLATE,
            js_on_load=_ON_LOAD,
            apply_default_css=False,
            server_functions=server_functions(),
            initial=initial(),
        )
        add_endpoints()
    return blocks


def server_functions() -> list[Callable[[Request], Response]]:
    """The page's own calls and those of every panel."""
    functions = list(views.SERVER_FUNCTIONS)
    for module in pkgutil.iter_modules(ui.panels.__path__):
        panel = importlib.import_module(f"ui.panels.{module.name}")
        functions += panel.SERVER_FUNCTIONS
    return functions


def initial() -> dict[str, Any]:
    """What the first view needs, so that it costs no further request."""
    return {
        "view": views.view({"tokens": [0, 1]}),
        "strings": strings(),
        "panels": [path.stem for path in sorted((WEB / "panels").glob("*.js"))],
        "modules": [path.stem for path in sorted(WEB.glob("*.js"))],
        "models": model_ids(),
        "engines": list(ENGINES),
        "limits": {"tokens": TOKEN_LIMIT, "text": TEXT_LIMIT, "count": COUNT_LIMIT},
    }


def strings() -> dict[str, dict[str, str]]:
    """Every text of the page, `{key: {"zh", "en"}}`, from `web/strings/*.json`.

    Raises:
        ValueError: two files use the same key.
    """
    merged: dict[str, dict[str, str]] = {}
    for path in sorted((WEB / "strings").glob("*.json")):
        part = json.loads(path.read_text(encoding="utf-8"))
        twice = merged.keys() & part.keys()
        if twice:
            raise ValueError(f"{path.name} repeats {sorted(twice)}")
        merged |= part
    return merged


def style() -> str:
    """The style sheet: `base.css` first, then the others by name."""
    paths = sorted((WEB / "css").glob("*.css"), key=lambda path: (path.stem != "base", path.stem))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)
