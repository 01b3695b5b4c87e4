"""The page's own address: requested without a proxy, and checked to be free at the start."""

from __future__ import annotations

import os
import socket
from collections.abc import MutableMapping

from model.errors import InputError


def ask_without_proxy(environment: MutableMapping[str, str] = os.environ) -> None:
    """Make every HTTP client of this process ignore proxies; call before importing gradio.

    The page sends requests only to itself: Gradio requests its own address when it starts, and
    creates HTTP clients when it is imported. They use `http_proxy` (which cannot reach this
    machine's loopback address), `all_proxy` (SOCKS needs another package), `no_proxy` (in which
    httpx reads `::1/128` as a port) and, if none is set, the system's proxy; `no_proxy=*`
    overrides them all.
    """
    environment["no_proxy"] = environment["NO_PROXY"] = "*"


def check_free(host: str, port: int) -> None:
    """Raise InputError unless a server can listen on `host` and `port`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # as the server does; on Windows it would hide a used port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:  # UnicodeError: not a valid host name
        raise InputError("port_taken", host=host, port=port) from error
