"""`python -m deploy SPACE_ID`: put the last commit on a Hugging Face Space."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from huggingface_hub import HfApi, errors
from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError

from deploy.files import ROOT, commit, files_that_go_up, uncommitted, write_files
from deploy.header import docker_readme, header_faults, static_readme
from ui.static_page.assemble import assemble

# What the Hub's own HTTP client raises without a connection.
NoConnection: type[Exception] = vars(errors)["HTTPError"]
CPU_TORCH = "--extra-index-url https://download.pytorch.org/whl/cpu\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    faults = header_faults(
        (ROOT / "README.md").read_text(encoding="utf-8"),
        (ROOT / "requirements.txt").read_text(encoding="utf-8"),
    )
    if faults:
        return _fail("the header of README.md is wrong:\n  " + "\n  ".join(faults))
    if options.dry_run:
        return _list_files()
    changed = uncommitted()
    if changed:
        return _fail("commit these first, the last commit goes up:\n  " + "\n  ".join(changed))
    with tempfile.TemporaryDirectory() as folder:
        try:
            _prepare(Path(folder), options)
        except subprocess.CalledProcessError as error:
            return _fail(f"npm could not fetch onnxruntime-web:\n{error.output or error}")
        return _upload(Path(folder), options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m deploy", description=__doc__)
    parser.add_argument("space", help="owner/name of the Space; it is made if it is not there")
    parser.add_argument("--dry-run", action="store_true", help="list the files and do no more")
    parser.add_argument("--private", action="store_true", help="a new Space is private")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--docker", action="store_true", help="build it from the Dockerfile")
    kind.add_argument(
        "--static", action="store_true", help="the page that needs no server (npm assembles it)"
    )
    parser.add_argument(
        "--with-page",
        action="store_true",
        help="add that page to a Space with a server: the engine in the browser",
    )
    parser.add_argument(
        "--cpu-torch",
        action="store_true",
        help="let the Space's builder take torch's CPU build: smaller by several GB",
    )
    return parser


def _list_files() -> int:
    paths = files_that_go_up()
    for path in paths:
        print(f"{(ROOT / path).stat().st_size:>9}  {path}")
    print(f"{len(paths)} files of commit {commit()}")
    for path in uncommitted():
        print(f"not committed yet: {path}")
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


def _upload(folder: Path, options: argparse.Namespace) -> int:
    hub = HfApi(token=True)  # without one it says so before it asks the Hub anything
    try:
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
            commit_message=f"MiniGPT {commit()}",
            delete_patterns="*",  # what this version no longer has
        )
    except LocalTokenNotFoundError:
        return _fail("no token: run `hf auth login`, or set HF_TOKEN to one that may write")
    except (HfHubHTTPError, ValueError) as error:
        return _fail(f"the Hub refused: {error}")
    except NoConnection as error:
        return _fail(f"the Hub can't be reached; run the same command again later: {error}")
    print(f"https://huggingface.co/spaces/{options.space}")
    return 0


def _kind(options: argparse.Namespace) -> str:
    if options.static:
        return "static"
    return "docker" if options.docker else "gradio"


def _fail(text: str) -> int:
    print(text, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
