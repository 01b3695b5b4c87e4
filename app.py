"""Starts the page: `python app.py`."""

from __future__ import annotations

import logging
import os

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read when gradio is imported

import gradio as gr

from ui.page import build
from ui.serving import middleware, routes
from ui.texts import style
from ui.theme import theme

SESSIONS = 100  # Gradio keeps about 90 KB for each; the page itself keeps nothing there


def launch(blocks: gr.Blocks, prevent_thread_lock: bool = False) -> str:
    """Start serving `blocks`; returns its address."""
    everywhere = "0.0.0.0" if "SPACE_ID" in os.environ else "127.0.0.1"
    _, address, _ = blocks.launch(
        server_name=os.environ.get("GRADIO_SERVER_NAME", everywhere),
        server_port=int(os.environ.get("GRADIO_SERVER_PORT", "7860")),
        prevent_thread_lock=prevent_thread_lock,
        show_error=True,
        ssr_mode=False,
        run_history=False,
        footer_links=[],
        state_session_capacity=SESSIONS,
        app_kwargs={"routes": routes(), "middleware": middleware(style())},
        theme=theme(),
    )
    return str(address)


if __name__ == "__main__":
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    launch(build())
