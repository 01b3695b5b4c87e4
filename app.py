"""Starts the page: `python app.py`; `--help` lists what can be set."""

from __future__ import annotations

import importlib.util
import logging
import os
import sys

from ui.operator_log import configure
from ui.options import Options, read_options

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read when gradio is imported
# On a Space ("spaces") gradio opens port 7887 to everybody, for reading and replacing the code.
os.environ.pop("SYSTEM", None)

_LOG = logging.getLogger("mini_gpt")


def main(arguments: list[str]) -> None:
    """Serve the page until the process is ended."""
    options = read_options(arguments)
    configure()
    # Only now: gradio takes seconds to import, and --help needs none of it.
    from ui.launching import block, launch
    from ui.page import build

    blocks = build()
    address = launch(blocks, options)
    _LOG.info("%s", _started(address, options))
    block(blocks)


def _started(address: str, options: Options) -> str:
    mcp = "on" if importlib.util.find_spec("mcp") else "off: gradio[mcp] is not installed"
    return (
        f"MiniGPT is at {address} (root path {options.root_path or '/'}, "
        f"{options.threads} threads, at most {options.waiting} calls in line, "
        f"requests up to {options.body_kb} KiB; MCP {mcp})"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
