"""Starts the page: `python app.py`; `--help` lists the options."""

from __future__ import annotations

import importlib.util
import logging
import os
import sys

from model.console import Console
from model.errors import InputError
from ui.operator_log import configure
from ui.options import Options, read_options
from ui.own_address import ask_without_proxy, check_free

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read when gradio is imported
# With SYSTEM=spaces gradio opens port 7887 to everybody, for reading and replacing the code.
os.environ.pop("SYSTEM", None)
ask_without_proxy()

_LOG = logging.getLogger("mini_gpt")


def main(arguments: list[str]) -> int:
    """Serve the page until the process is terminated; returns the exit status."""
    console = Console.of(arguments)
    options = read_options(arguments, console=console)
    configure()
    try:
        check_free(options.host, options.port)
        _serve(options)
    except ModuleNotFoundError as error:
        return console.lacks(error)
    except (InputError, KeyboardInterrupt) as error:
        return console.refuse(error)
    return 0


def _serve(options: Options) -> None:
    # Imported here, since gradio takes seconds and --help does not need it.
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
        f"{options.threads} threads, at most {options.waiting} calls in progress or queued, "
        f"requests up to {options.body_kb} KiB; MCP {mcp})"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
