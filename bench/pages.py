"""The two servers that are compared: the page, and an empty Gradio page.

`python -m bench.pages` serves the empty one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from socket import socket
from typing import Any

from model.console import Console, packages_needed
from model.errors import InputError
from ui.own_address import ask_without_proxy

PAGE, EMPTY = "app", "empty"
_COMMANDS = {PAGE: "app.py", EMPTY: "-m bench.pages"}
_START_SECONDS = 90


@dataclass(frozen=True)
class Starting:
    """A started process of `command`, which will respond at `port`."""

    process: subprocess.Popen[bytes]
    port: int
    command: str

    def wait(self) -> None:
        """Return when it responds.

        Raises:
            InputError: it has exited, or takes longer than _START_SECONDS.
        """
        give_up = time.monotonic() + _START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5):
                    return
            except OSError as error:
                if self.process.poll() is not None or time.monotonic() > give_up:
                    raise InputError("server_start", command=self.command) from error
                time.sleep(0.02)


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium at /usr/bin/chromium, or at the path in CHROMIUM."""
    program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    if not Path(program).exists():
        sys.exit(Console.of(None).text("bench.no_chromium", program=program))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        made = tool.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield made
        made.close()


@contextmanager
def starting(what: str) -> Iterator[Starting]:
    """A server process that has just been started; terminated at the end of the block."""
    ask_without_proxy()
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(
        [sys.executable, *_COMMANDS[what].split()],
        env=os.environ | {"GRADIO_SERVER_PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Starting(process, port, f"python {_COMMANDS[what]}")
    finally:
        process.terminate()
        process.wait()


@contextmanager
def served(what: str) -> Iterator[int]:
    """The port of a server that responds; terminated at the end of the block."""
    with starting(what) as server:
        server.wait()
        yield server.port


def serve_empty() -> None:
    """A Gradio page with one button and one text."""
    ask_without_proxy()
    import gradio as gr

    clicks = count(1)
    with gr.Blocks(analytics_enabled=False) as blocks:
        button = gr.Button("nothing", elem_id="nothing")
        shown = gr.HTML("0")
        button.click(lambda: str(next(clicks)), outputs=shown, queue=False, show_progress="hidden")
    blocks.launch(quiet=True, share=False, ssr_mode=False)


if __name__ == "__main__":
    with packages_needed():
        serve_empty()
