"""`python -m deploy.nginx`: print the nginx configuration for your path, port and replicas."""

from __future__ import annotations

import argparse
import re
import string
from collections.abc import Sequence
from pathlib import Path

_TEMPLATE = Path(__file__).parent / "nginx.conf"
_REPLICA = "        server {} max_fails=1 fail_timeout=5s;"
_PLACE = re.compile(r"[\w.:/ \[\]-]+", re.ASCII)


class _Template(string.Template):
    delimiter = "@"  # nginx has its own use for $


def configuration(listen: str, path: str, replicas: Sequence[str], folder: str) -> str:
    """The text of a configuration.

    listen: what nginx's `listen` takes, such as `80` or `127.0.0.1:8080` or `8443 ssl`.
    path: the sub-path with a slash before and none behind, such as `/gpt`.
    replicas: `host:port` of each running app.
    folder: where nginx may write its pid and large bodies.

    Raises:
        ValueError: one of them holds a character that would change the configuration's meaning.
    """
    for text in (listen, path, *replicas, folder):
        if not _PLACE.fullmatch(text):
            raise ValueError(f"{text!r} is no address and no path")
    return _Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        listen=listen,
        path=path,
        folder=folder,
        replicas="\n".join(_REPLICA.format(replica) for replica in replicas),
    )


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m deploy.nginx", description=__doc__)
    parser.add_argument("--listen", default="8080", help="port, or address:port (8080)")
    parser.add_argument("--path", default="/gpt", help="sub-path of the page (/gpt)")
    parser.add_argument(
        "--replica",
        action="append",
        help="host:port of a running app, once for each (127.0.0.1:7860)",
    )
    parser.add_argument("--folder", default="/tmp/mini_gpt_nginx", help="where nginx may write")
    options = parser.parse_args(arguments)
    replicas = options.replica or ["127.0.0.1:7860"]
    print(configuration(options.listen, options.path, replicas, options.folder))


if __name__ == "__main__":
    main()
