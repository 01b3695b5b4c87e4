"""`python -m deploy.nginx`: print an nginx configuration for a path, a port and replicas."""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Sequence
from pathlib import Path

from model.command_line import Parser
from model.console import Console
from model.errors import InputError

_PAGE = Path(__file__).parent / "nginx.conf"
_PREDICTIONS = Path(__file__).parent / "ray_serve.conf"
_REPLICA = "        server {} max_fails=1 fail_timeout=5s;"
_REPLICAS = "        # replicas"
_PLACE = re.compile(r"[\w.:/ \[\]-]+", re.ASCII)


class _Template(string.Template):
    delimiter = "@"  # nginx has its own use for $


def configuration(listen: str, path: str, replicas: Sequence[str], folder: str) -> str:
    """The configuration for the page, as text.

    listen: the argument of nginx's `listen`, such as `80`, `127.0.0.1:8080` or `8443 ssl`.
    path: the sub-path with a leading slash and no trailing one, such as `/gpt`.
    replicas: `host:port` of each running app.
    folder: where nginx may write its pid file and large bodies.

    Raises:
        InputError: one of them has a character that would change the configuration's meaning.
    """
    for replica in replicas:
        _check(replica)
    lines = "\n".join(_REPLICA.format(replica) for replica in replicas)
    return _filled(_PAGE, listen=listen, path=path, folder=folder).replace(_REPLICAS, lines)


def predictions(listen: str, service: str, folder: str) -> str:
    """The configuration for a proxy in front of Ray Serve at `service` (`host:port`), as text.

    Raises:
        InputError: as in `configuration`.
    """
    return _filled(_PREDICTIONS, listen=listen, service=service, folder=folder)


def _filled(template: Path, **places: str) -> str:
    for place in places.values():
        _check(place)
    text = template.read_text(encoding="utf-8")
    return _Template(text).substitute(places, replicas=_REPLICAS)


def _check(place: str) -> None:
    if not _PLACE.fullmatch(place):
        raise InputError("place", place=repr(place))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    console = Console.of(arguments)
    options = _parser(console).parse_args(arguments)
    replicas = options.replica or ["127.0.0.1:7860"]
    try:
        if options.predictions:
            text = predictions(options.listen, options.predictions, options.folder)
        else:
            text = configuration(options.listen, options.path, replicas, options.folder)
    except InputError as error:
        return console.refuse(error)
    console.write(text)
    return 0


def _parser(console: Console) -> Parser:
    text = console.text
    parser = Parser(
        console,
        prog="python -m deploy.nginx",
        description=text("deploy.nginx_describe"),
    )
    parser.add_argument(
        "--listen",
        default="8080",
        help=text("deploy.nginx_help_listen"),
    )
    parser.add_argument(
        "--path",
        default="/gpt",
        help=text("deploy.nginx_help_path"),
    )
    parser.add_argument(
        "--replica",
        action="append",
        help=text("deploy.nginx_help_replica"),
    )
    parser.add_argument(
        "--folder",
        default="/tmp/mini_gpt_nginx",
        help=text("deploy.nginx_help_folder"),
    )
    parser.add_argument(
        "--predictions",
        metavar="HOST:PORT",
        help=text("deploy.nginx_help_predictions"),
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
