"""The page: its server functions, and the data that web/start.js begins with."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import gradio as gr

import ui.panels
from languages import LANGUAGES, glosses
from model.vocabulary import LESSON_A
from ui import torch_loading, views
from ui.calls import Request, Response, server_call
from ui.endpoints import add_endpoints
from ui.engines import ENGINES, ONNX_RUNTIME, TORCH
from ui.gradio_inside import server_functions_of
from ui.modules import stamp
from ui.panel import Panel
from ui.requests import COUNT_LIMIT
from ui.sentences import TEXT_LIMIT, TOKEN_LIMIT
from ui.shipped_models import model_ids, other_words
from ui.static_page import served
from ui.texts import first_strings, panel_strings, strings
from ui.training.limits import MAX_WORDS

TITLE = "MiniGPT"

_TEMPLATE = "<div></div>"  # the component is there for its server functions


def build() -> gr.Blocks:
    """The page's server functions and endpoints, not yet launched.

    Gradio renders nothing of the page: `ui.first_page` puts it into the document.
    """
    page = gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True)
    with page:
        gr.HTML(html_template=_TEMPLATE, server_functions=server_functions())
        add_endpoints()
    return page


def document_data(blocks: gr.Blocks) -> dict[str, Any]:
    """What stands in the document for web/start.js: the first view, and what to call."""
    ((component, names),) = server_functions_of(blocks).items()
    return {
        "initial": {**initial(), "strings": first_strings(panels()), "has_panel_texts": False},
        "functions": {"component": component, "names": sorted(names)},
    }


def server_functions() -> list[Callable[[Request], Response]]:
    """The page's own calls and those of every panel."""
    functions = [*views.SERVER_FUNCTIONS, panel_texts]
    for module in _panel_modules().values():
        functions += module.SERVER_FUNCTIONS
    return functions


@server_call
def panel_texts(request: Request) -> Response:
    """`strings`: the texts that a first view does without, by key and language."""
    return {"strings": panel_strings(panels())}


def panels() -> dict[str, Panel]:
    """The tabs of the page by name, in their order."""
    found = {name: getattr(module, "PANEL", None) for name, module in _panel_modules().items()}
    tabs = {name: panel for name, panel in found.items() if panel is not None}
    return dict(sorted(tabs.items(), key=lambda named: named[1].order))


def _panel_modules() -> dict[str, Any]:
    names = (module.name for module in pkgutil.iter_modules(ui.panels.__path__))
    return {name: importlib.import_module(f"ui.panels.{name}") for name in names}


def initial() -> dict[str, Any]:
    """All that the first view needs, so that it takes no further request."""
    browser = served.engine()
    return {
        "view": _first_view(),
        "strings": strings(),
        "languages": list(LANGUAGES),
        "glosses": glosses(),
        "panels": [
            {"id": name, "way": panel.way.value, "shows_results": panel.shows_results}
            for name, panel in panels().items()
        ],
        "models": model_ids(),
        "other_words": other_words(),
        "engines": [*ENGINES, *([browser["name"]] if browser else [])],
        "browser": browser,
        "limits": {
            "tokens": TOKEN_LIMIT,
            "text": TEXT_LIMIT,
            "count": COUNT_LIMIT,
            "words": MAX_WORDS,
        },
        "stamp": stamp(),
    }


def _first_view() -> Response:
    """In ONNX Runtime, which loads fast; in PyTorch if the ONNX file cannot be run."""
    first = views.view({"tokens": list(LESSON_A), "engine": ONNX_RUNTIME})
    if "error" not in first:
        return first
    torch_loading.wait()
    return views.view({"tokens": list(LESSON_A), "engine": TORCH})
