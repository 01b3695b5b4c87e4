"""The header of README.md, which tells a Space how to build and show itself.

The Hub refuses a whole upload for one wrong value (huggingface_hub#3244). Keys and values:
huggingface.co/docs/hub/spaces-config-reference.
"""

from __future__ import annotations

import re
from typing import Any

from huggingface_hub import SpaceCard

_KEYS = """
    title emoji colorFrom colorTo sdk sdk_version python_version app_file app_port
    app_build_command base_path fullWidth header short_description models datasets tags
    thumbnail pinned license hf_oauth hf_oauth_scopes hf_oauth_expiration_minutes
    hf_oauth_authorized_org disable_embedding startup_duration_timeout custom_headers
    preload_from_hub suggested_hardware suggested_storage
"""
_COLOURS = ("red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray")
_NEEDED = ("title", "emoji", "colorFrom", "colorTo", "sdk", "pinned")
_DESCRIPTION_LIMIT = 60
_PYTHON = re.compile(r"3\.\d+(\.\d+)?")
_PINNED_GRADIO = re.compile(r"^gradio==(\S+)$", re.M)


Fault = tuple[str, str]
"""A sentence in English, and the same in Chinese."""


def read_header(readme: str) -> dict[str, Any]:
    """The header's keys and values; empty if there is no header."""
    header: dict[str, Any] = SpaceCard(readme).data.to_dict()  # type: ignore[no-untyped-call]
    return header


def header_faults(readme: str, requirements: str) -> list[Fault]:
    """What a Space would refuse or build wrongly, a sentence each; empty if nothing."""
    header = read_header(readme)
    faults = [(f"{key} is missing", f"缺少 {key}") for key in _NEEDED if key not in header]
    faults += [
        (f"{key} is not a key a Space knows", f"Space 不认识 {key}")
        for key in sorted(header.keys() - set(_KEYS.split()))
    ]
    listed = ", ".join(_COLOURS)
    for key in ("colorFrom", "colorTo"):
        if header.get(key) not in _COLOURS:
            faults.append((f"{key} must be one of {listed}", f"{key} 只能是 {listed}"))
    if len(str(header.get("short_description", ""))) > _DESCRIPTION_LIMIT:
        faults.append(
            (
                f"short_description is longer than {_DESCRIPTION_LIMIT} characters",
                f"short_description 超过 {_DESCRIPTION_LIMIT} 个字符",
            )
        )
    return faults + _gradio_faults(header, requirements)


def docker_readme(readme: str) -> str:
    """The README of a Space that is built from the Dockerfile instead."""
    return _for_another(readme, ["sdk: docker", "app_port: 7860"])


def static_readme(readme: str) -> str:
    """The README of a Space that serves the assembled page and runs nothing."""
    return _for_another(readme, ["sdk: static", "app_file: index.html"])


def _for_another(readme: str, own: list[str]) -> str:
    """`own` lines in place of those that only a Gradio Space understands."""
    _, header, text = readme.split("---\n", 2)
    gradio_only = ("sdk:", "sdk_version:", "python_version:", "app_file:", "suggested_hardware:")
    kept = [line for line in header.splitlines() if not line.startswith(gradio_only)]
    return "---\n" + "\n".join([*own, *kept]) + "\n---\n" + text


def _gradio_faults(header: dict[str, Any], requirements: str) -> list[Fault]:
    if header.get("sdk") != "gradio":
        return []
    faults = []
    pinned = _PINNED_GRADIO.search(requirements)
    if pinned is None or header.get("sdk_version") != pinned[1]:
        faults.append(
            (
                "sdk_version must be the gradio that requirements.txt pins",
                "sdk_version 必须是 requirements.txt 里写定的 gradio 版本",
            )
        )
    python = header.get("python_version")
    if not isinstance(python, str) or not _PYTHON.fullmatch(python):
        faults.append(
            (
                'python_version must be text such as "3.12" (3.10 would read as 3.1)',
                'python_version 必须是带引号的文字，例如 "3.12"（3.10 会读成 3.1）',
            )
        )
    return faults
