"""The page's own address: asked without a proxy, and free before anything is loaded."""

from __future__ import annotations

import os
import socket
from collections.abc import MutableMapping

from model.errors import InputError


def ask_without_proxy(environment: MutableMapping[str, str] = os.environ) -> None:
    """Have every HTTP client of this process leave the proxies alone; before gradio is imported.

    The page asks nobody but itself. Gradio asks its address when it starts, and makes clients
    when it is imported. They heed `http_proxy` (which cannot reach this machine's loopback
    address), `all_proxy` (a SOCKS one needs a package more), `no_proxy` (in which httpx takes
    `::1/128` for a port) and, where none of them is set, the proxy of the system's settings;
    `*` comes before them all.
    """
    environment["no_proxy"] = environment["NO_PROXY"] = "*"


def check_free(host: str, port: int) -> None:
    """Raise InputError unless `host` and `port` can be listened on."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # there it means what it means to the server; not on Windows
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:  # UnicodeError: no host is called that
        raise InputError("port_taken", host=host, port=port) from error
