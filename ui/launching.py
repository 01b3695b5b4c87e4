"""Starting Gradio, with explicit values for what it would take from defaults or environment."""

from __future__ import annotations

import contextlib
import importlib.util
import io

import gradio as gr
from starlette.routing import BaseRoute

from model.errors import InputError
from ui import connections
from ui.gradio_bodies import known_calls
from ui.gradio_inside import event_queue, serve_with
from ui.options import Options
from ui.page import document_data
from ui.protection import Limits
from ui.serving import middleware, routes
from ui.texts import style
from ui.theme import theme
from ui.training import limits as training_limits
from ui.unheard import forget_unheard


def launch(blocks: gr.Blocks, options: Options) -> str:
    """Start serving `blocks` in a thread; returns its address.

    Raises:
        InputError: the server cannot listen on the address, or the address does not respond.
    """
    training_limits.TRAININGS.at_once = options.trainings
    limits = Limits(options.body_kb * 1024, options.waiting)
    own = routes()
    blocks.queue(max_size=options.waiting, default_concurrency_limit=options.threads)
    serve_with(connections.Server)
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # the log has one line per start
            return _launch(blocks, options, limits, own)
    except OSError as error:
        raise InputError("port_taken", host=options.host, port=options.port) from error
    except Exception as error:  # Gradio raises it when its own address does not respond
        raise InputError("not_started", reason=f"{type(error).__name__}: {error}") from error


def _launch(blocks: gr.Blocks, options: Options, limits: Limits, own: list[BaseRoute]) -> str:
    queue = event_queue(blocks)
    _, address, _ = blocks.launch(
        server_name=options.host,
        server_port=options.port,
        root_path=options.root_path,
        max_threads=options.threads,
        state_session_capacity=options.sessions,
        max_file_size=options.body_kb * 1024,
        prevent_thread_lock=True,
        quiet=True,
        show_error=False,  # the text of an unexpected exception may disclose internals
        share=False,
        ssr_mode=False,
        pwa=False,
        run_history=False,
        enable_monitoring=False,
        mcp_server=importlib.util.find_spec("mcp") is not None,
        footer_links=["api"],  # without it Gradio hides the API page at ?view=api too
        app_kwargs={
            "routes": own,
            "middleware": middleware(
                style(),
                document_data(blocks),
                limits,
                known_calls(blocks),
                own,
                lambda: forget_unheard(queue),
            ),
        },
        theme=theme(),
    )
    return str(address)


def block(blocks: gr.Blocks) -> None:
    """Serve until the process is terminated."""
    blocks.block_thread()
