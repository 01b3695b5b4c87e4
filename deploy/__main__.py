"""`python -m deploy SPACE_ID`: upload the last commit to a Hugging Face Space."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from model.command_line import Parser
from model.console import Console, packages_needed

with packages_needed(__name__):
    from huggingface_hub import HfApi
    from huggingface_hub.errors import (
        HfHubHTTPError,
        LocalTokenNotFoundError,
        RepositoryNotFoundError,
    )

    from deploy.files import ROOT, commit, files_that_go_up, uncommitted, write_files
    from deploy.header import docker_readme, header_faults, static_readme
    from model.hub import no_connection
    from ui.static_page.assemble import assemble


_TITLE = "MiniGPT"
_NEW = {".gitattributes", "README.md"}  # the files of a Space that has just been created
CPU_TORCH = "--extra-index-url https://download.pytorch.org/whl/cpu\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    console = Console.of(arguments)
    options = _parser(console).parse_args(arguments)
    faults = header_faults(
        (ROOT / "README.md").read_text(encoding="utf-8"),
        (ROOT / "requirements.txt").read_text(encoding="utf-8"),
    )
    if faults:
        said = "\n  ".join(console.text(key, **values) for key, values in faults)
        return _fail(console, "deploy.header_wrong", faults=said)
    try:
        return _list_files(console) if options.dry_run else _deploy(options, console)
    except (OSError, KeyboardInterrupt) as error:
        return console.refuse(error)


def _deploy(options: argparse.Namespace, console: Console) -> int:
    changed = "\n  ".join(uncommitted())
    if changed:
        return _fail(console, "deploy.commit_first", changed=changed)
    with tempfile.TemporaryDirectory() as folder:
        try:
            _prepare(Path(folder), options)
        except subprocess.CalledProcessError as error:
            return _fail(console, "deploy.npm_failed", told=error.output or error)
        return _upload(Path(folder), options, console)


def _parser(console: Console) -> Parser:
    described = console.text("deploy.describe")
    parser = Parser(console, prog="python -m deploy", description=described)

    def add(option: str, to: argparse._ActionsContainer = parser) -> None:
        key = f"deploy.help_{option.strip('-').replace('-', '_')}"
        to.add_argument(option, action="store_true", help=console.text(key))

    parser.add_argument(
        "space",
        help=console.text("deploy.help_space"),
    )
    add("--dry-run")
    add("--yes")
    add("--private")
    kind = parser.add_mutually_exclusive_group()
    add("--docker", kind)
    add("--static", kind)
    add("--with-page")
    add("--cpu-torch")
    return parser


def _list_files(console: Console) -> int:
    paths = files_that_go_up()
    for path in paths:
        there = ROOT / path  # a committed file may have been deleted in the working tree
        console.write(f"{there.stat().st_size if there.exists() else '?':>9}  {path}")
    count, name = len(paths), commit()
    if name:
        console.say("deploy.files_of_commit", count=count, name=name)
    else:
        console.say("deploy.files_of_folder", count=count)
    for path in uncommitted():
        console.say("deploy.not_committed", path=path)
    return 0


def _prepare(folder: Path, options: argparse.Namespace) -> None:
    if options.static:
        assemble(folder)
        text = static_readme((ROOT / "README.md").read_text(encoding="utf-8"))
        (folder / "README.md").write_text(text, encoding="utf-8")
        return
    write_files(folder)
    if options.with_page:
        assemble(folder / "dist" / "site")
    if options.docker:
        readme = folder / "README.md"
        readme.write_text(docker_readme(readme.read_text(encoding="utf-8")), encoding="utf-8")
    if options.cpu_torch:
        requirements = folder / "requirements.txt"
        requirements.write_text(CPU_TORCH + requirements.read_text(encoding="utf-8"))


def _upload(folder: Path, options: argparse.Namespace, console: Console) -> int:
    hub = HfApi(token=True)  # without a token this fails before any request to the Hub
    try:
        others = [] if options.yes else _of_others(hub, options.space)
        if others and not _agreed(options.space, others, console):
            return _not_replaced(options.space, others, console)
        hub.create_repo(
            options.space,
            repo_type="space",
            space_sdk=_kind(options),
            private=options.private,
            exist_ok=True,
        )
        hub.upload_folder(
            repo_id=options.space,
            repo_type="space",
            folder_path=folder,
            commit_message=f"{_TITLE} {commit()}".strip(),  # `_of_others` recognizes it
            delete_patterns="*",  # files that this version does not have
        )
    except LocalTokenNotFoundError:
        return _fail(console, "deploy.no_token")
    except (HfHubHTTPError, ValueError) as error:
        return _fail(console, "deploy.refused", error=error)
    except no_connection() as error:
        return _fail(console, "deploy.no_connection", error=error)
    console.write(f"https://huggingface.co/spaces/{options.space}")
    return 0


def _of_others(hub: HfApi, space: str) -> list[str]:
    """Files not of this page that an upload would delete; none if the Space is new, empty, or
    was last written by this command."""
    try:
        files = set(hub.list_repo_files(space, repo_type="space"))
    except RepositoryNotFoundError:
        return []
    if files <= _NEW:
        return []
    last = hub.list_repo_commits(space, repo_type="space")[0].title
    return [] if last.partition(" ")[0] == _TITLE else sorted(files)


def _agreed(space: str, files: list[str], console: Console) -> bool:
    """Whether the user confirms; no if standard input is not a terminal."""
    if not sys.stdin.isatty():
        return False
    listed = "\n  ".join([*files[:10], *(["…"] if len(files) > 10 else [])])
    console.say("deploy.would_be_deleted", space=space, listed=listed)
    console.say("deploy.ask", space=space)
    return sys.stdin.readline().strip() == space


def _not_replaced(space: str, files: list[str], console: Console) -> int:
    listed = ", ".join([*files[:5], *(["…"] if len(files) > 5 else [])])
    return _fail(console, "deploy.not_replaced", space=space, count=len(files), listed=listed)


def _kind(options: argparse.Namespace) -> str:
    if options.static:
        return "static"
    return "docker" if options.docker else "gradio"


def _fail(console: Console, key: str, **values: object) -> int:
    console.complain(key, **values)
    return 1


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
