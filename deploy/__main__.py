"""`python -m deploy SPACE_ID`: put the last commit on a Hugging Face Space."""

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
_NEW = {".gitattributes", "README.md"}  # what the Hub puts into a Space that nobody has filled
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
        en, zh = ("\n  ".join(sentences) for sentences in zip(*faults, strict=True))
        return _fail(
            console,
            f"the header of README.md is wrong:\n  {en}",
            f"README.md 的文件头有误：\n  {zh}",
        )
    try:
        return _list_files(console) if options.dry_run else _deploy(options, console)
    except (OSError, KeyboardInterrupt) as error:
        return console.refuse(error)


def _deploy(options: argparse.Namespace, console: Console) -> int:
    changed = "\n  ".join(uncommitted())
    if changed:
        return _fail(
            console,
            f"commit these first, the last commit goes up:\n  {changed}",
            f"上传的是最后一次提交，请先提交这些文件：\n  {changed}",
        )
    with tempfile.TemporaryDirectory() as folder:
        try:
            _prepare(Path(folder), options)
        except subprocess.CalledProcessError as error:
            told = error.output or error
            return _fail(
                console,
                f"npm could not fetch onnxruntime-web:\n{told}",
                f"npm 没能下载 onnxruntime-web：\n{told}",
            )
        return _upload(Path(folder), options, console)


def _parser(console: Console) -> Parser:
    text = console.text
    parser = Parser(
        console,
        prog="python -m deploy",
        description=text(
            "Put the last commit on a Hugging Face Space.",
            "把最后一次提交放到 Hugging Face Space 上。",
        ),
    )

    def add(option: str, en: str, zh: str, to: argparse._ActionsContainer = parser) -> None:
        to.add_argument(option, action="store_true", help=text(en, zh))

    parser.add_argument(
        "space",
        help=text(
            "owner/name of the Space; it is made if it is not there",
            "Space 的 owner/name；没有就新建",
        ),
    )
    add("--dry-run", "list the files and do no more", "只列出文件，别的都不做")
    add(
        "--yes",
        "don't ask before replacing what a Space holds that is not this page",
        "Space 里若是别的内容，不再询问，直接替换",
    )
    add("--private", "a new Space is private", "新建的 Space 不公开")
    kind = parser.add_mutually_exclusive_group()
    add("--docker", "build it from the Dockerfile", "用 Dockerfile 构建", kind)
    add(
        "--static",
        "the page that needs no server (npm assembles it)",
        "不需要服务器的页面（由 npm 组装）",
        kind,
    )
    add(
        "--with-page",
        "add that page to a Space with a server: the engine in the browser",
        "给带服务器的 Space 加上那个页面，也就是浏览器里的引擎",
    )
    add(
        "--cpu-torch",
        "let the Space's builder take torch's CPU build: smaller by several GB",
        "让 Space 安装 torch 的 CPU 版，小几个 GB",
    )
    return parser


def _list_files(console: Console) -> int:
    paths = files_that_go_up()
    for path in paths:
        there = ROOT / path  # a committed file may have been deleted since
        console.say(f"{there.stat().st_size if there.exists() else '?':>9}  {path}")
    count, name = len(paths), commit()
    if name:
        console.say(f"{count} files of commit {name}", f"提交 {name} 里的 {count} 个文件")
    else:
        console.say(f"{count} files of this folder", f"这个文件夹里的 {count} 个文件")
    for path in uncommitted():
        console.say(f"not committed yet: {path}", f"还没提交：{path}")
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
    hub = HfApi(token=True)  # without one it says so before it asks the Hub anything
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
            commit_message=f"{_TITLE} {commit()}".strip(),  # by it the Space is known again
            delete_patterns="*",  # what this version no longer has
        )
    except LocalTokenNotFoundError:
        return _fail(
            console,
            "no token: run `hf auth login`, or set HF_TOKEN to one that may write",
            "没有令牌：请运行 `hf auth login`，或把有写权限的令牌设为 HF_TOKEN",
        )
    except (HfHubHTTPError, ValueError) as error:
        return _fail(console, f"the Hub refused: {error}", f"Hub 拒绝了：{error}")
    except no_connection() as error:
        return _fail(
            console,
            "the Hub can't be reached; look at the proxy variables, or run the same command "
            f"again later: {error}",
            f"连不上 Hub；请检查代理环境变量，或过一会儿再运行同一条命令：{error}",
        )
    console.say(f"https://huggingface.co/spaces/{options.space}")
    return 0


def _of_others(hub: HfApi, space: str) -> list[str]:
    """What an upload would delete that is not this page; nothing if the Space is new, empty, or
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
    """Whether a person says so; where nobody can be asked, nobody has."""
    if not sys.stdin.isatty():
        return False
    listed = "\n  ".join([*files[:10], *(["…"] if len(files) > 10 else [])])
    console.say(
        f"{space} is not this page. All it holds would be deleted:\n  {listed}",
        f"{space} 不是这个页面。它现有的文件都会被删除：\n  {listed}",
    )
    console.say(f"Type {space} to replace it:", f"要替换它，请输入 {space}：")
    return sys.stdin.readline().strip() == space


def _not_replaced(space: str, files: list[str], console: Console) -> int:
    listed = ", ".join([*files[:5], *(["…"] if len(files) > 5 else [])])
    return _fail(
        console,
        f"{space} is not this page: it holds {len(files)} files of its own ({listed}), which "
        f"would all be deleted. Nothing was changed. Give another name, or --yes to replace it.",
        f"{space} 不是这个页面：它有自己的 {len(files)} 个文件（{listed}），都会被删除。"
        f"什么都没有改动。请换一个名字，或者加 --yes 来替换它。",
    )


def _kind(options: argparse.Namespace) -> str:
    if options.static:
        return "static"
    return "docker" if options.docker else "gradio"


def _fail(console: Console, en: str, zh: str) -> int:
    console.complain(en, zh)
    return 1


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
