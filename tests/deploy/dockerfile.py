"""Doing what a Dockerfile says without a container engine.

A stand-in for building an image: its file system is a folder, its Python a new virtual
environment, its environment holds nothing of ours. Knows the steps that this project uses and
refuses any other, so that a new step can't go untested.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import venv
from dataclasses import dataclass, field
from pathlib import Path

USER_ID = 1000
_PASSED_ON = ("PIP_", "SSL_", "REQUESTS_")  # how to reach a package index is no part of an image


@dataclass
class Image:
    """What has been built: its files, environment, user and command."""

    root: Path
    folder: Path = Path("/")
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    command: list[str] = field(default_factory=list)
    users: list[str] = field(default_factory=list)

    @property
    def inside(self) -> Path:
        """The working folder, in the file system here."""
        return self.root / self.folder.relative_to("/")

    def run_environment(self) -> dict[str, str]:
        """The environment of a process in the container."""
        return {"PATH": f"{self.root}/python/bin:/usr/bin:/bin", "HOME": "/nonexistent"} | (
            self.environment
        )


def build(context: Path, root: Path) -> Image:
    """Do every step of `context`/Dockerfile; `root` is the image's new file system."""
    image = Image(root)
    for step in steps((context / "Dockerfile").read_text(encoding="utf-8")):
        _do(step, image, context)
    return image


def steps(dockerfile: str) -> list[tuple[str, str]]:
    """`(INSTRUCTION, the rest)` of each line; comments and empty lines left out."""
    lines = dockerfile.replace("\\\n", " ").splitlines()
    found = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in found]


def context_files(context: Path) -> list[str]:
    """The files that `COPY . ./` copies: those .dockerignore leaves in."""
    rules = [
        line
        for line in (context / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    paths = (path.relative_to(context).as_posix() for path in context.rglob("*") if path.is_file())
    return sorted(path for path in paths if not _ignored(path, rules))


def _ignored(path: str, rules: list[str]) -> bool:
    parts = path.split("/")
    upper = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    ignored = False
    for rule in rules:  # the last one that fits the file or a folder it lies in decides
        pattern = _pattern(rule.removeprefix("!"))
        if any(pattern.fullmatch(name) for name in upper):
            ignored = not rule.startswith("!")
    return ignored


def _pattern(rule: str) -> re.Pattern[str]:
    """As Docker reads it: `**/` is any folders or none, `*` any name but no slash."""
    text = re.escape(rule).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return re.compile(text)


def _do(step: tuple[str, str], image: Image, context: Path) -> None:
    name, rest = step
    if name == "FROM":
        assert rest.startswith("python:3.")
        venv.create(image.root / "python", with_pip=True)
    elif name == "RUN":
        _run(rest, image)
    elif name == "WORKDIR":
        image.folder = Path(rest)
        image.inside.mkdir(parents=True, exist_ok=True)
    elif name == "COPY":
        _copy(rest, image, context)
    elif name == "ENV":
        image.environment |= dict(pair.split("=", 1) for pair in rest.split())
    elif name == "USER":
        assert rest in image.users
        image.user = rest
    elif name == "CMD":
        image.command = json.loads(rest)
    else:
        assert name in ("EXPOSE", "HEALTHCHECK"), f"a step this test does not know: {name}"


def _run(command: str, image: Image) -> None:
    if command.startswith("useradd "):  # the container's users are not ours to make
        assert f"--uid {USER_ID}" in command
        image.users.append(command.split()[-1])
        return
    passed = {key: value for key, value in os.environ.items() if key.startswith(_PASSED_ON)}
    environment = passed | image.run_environment() | {"HOME": str(image.root)}
    # torch's own index is asked only where it can be: elsewhere PIP_* says where torch is.
    command = command.replace("--extra-index-url https://download.pytorch.org/whl/cpu ", "")
    subprocess.run(["sh", "-c", command], cwd=image.inside, env=environment, check=True)


def _copy(rest: str, image: Image, context: Path) -> None:
    *sources, target = rest.split()
    assert target == "./"
    for path in context_files(context) if sources == ["."] else sources:
        (image.inside / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(context / path, image.inside / path)
