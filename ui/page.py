"""The page: one HTML component, rendered in the browser by the modules in `web/`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import gradio as gr

import ui.panels
from languages import LANGUAGES
from model.vocabulary import LESSON_A
from ui import torch_loading, views
from ui.calls import Request, Response
from ui.endpoints import add_endpoints
from ui.engines import ENGINES, ONNX_RUNTIME, TORCH
from ui.modules import panel_modules, stamp
from ui.requests import COUNT_LIMIT
from ui.sentences import TEXT_LIMIT, TOKEN_LIMIT
from ui.shipped_models import model_ids
from ui.static_page import served
from ui.texts import in_every_language, strings

TITLE = "MiniGPT"

# Never put a value into this template: Gradio evaluates templates as JavaScript.
_TEMPLATE = '<div class="mini-gpt"></div>'

_ON_LOAD = """
const root = (window.gradio_config?.root ?? "").replace(/\\/$/, "");
const place = element.querySelector(".mini-gpt");
import(`${root}/web/${props.initial.stamp}/page.js`)
  .then(({ mount }) => mount(place, { server, initial: props.initial, root }))
  .catch((error) => {
    place.textContent = props.initial.not_loaded;
    throw error;
  });
"""


def build() -> gr.Blocks:
    """The page and its endpoints, not yet launched."""
    page = gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True)
    with page:
        gr.HTML(
            html_template=_TEMPLATE,
            js_on_load=_ON_LOAD,
            apply_default_css=False,
            server_functions=server_functions(),
            initial=initial(),
        )
        add_endpoints()
    return page


def server_functions() -> list[Callable[[Request], Response]]:
    """The page's own calls and those of every panel."""
    functions = list(views.SERVER_FUNCTIONS)
    for module in pkgutil.iter_modules(ui.panels.__path__):
        panel = importlib.import_module(f"ui.panels.{module.name}")
        functions += panel.SERVER_FUNCTIONS
    return functions


def initial() -> dict[str, Any]:
    """All that the first view needs, so that it takes no further request."""
    browser = served.engine()
    return {
        "view": _first_view(),
        "strings": strings(),
        "languages": list(LANGUAGES),
        "not_loaded": in_every_language("shell.not_loaded"),
        "panels": panel_modules(),
        "models": model_ids(),
        "engines": [*ENGINES, *([browser["name"]] if browser else [])],
        "browser": browser,
        "limits": {"tokens": TOKEN_LIMIT, "text": TEXT_LIMIT, "count": COUNT_LIMIT},
        "stamp": stamp(),
    }


def _first_view() -> Response:
    """In ONNX Runtime, which loads fast; in PyTorch if the ONNX file cannot be run."""
    first = views.view({"tokens": list(LESSON_A), "engine": ONNX_RUNTIME})
    if "error" not in first:
        return first
    torch_loading.wait()
    return views.view({"tokens": list(LESSON_A), "engine": TORCH})
