"""The YAML header of README.md, which configures a Space.

The Hub refuses a whole upload for one invalid value (huggingface_hub#3244). Keys and values:
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


Fault = tuple[str, dict[str, Any]]
"""The key of the message, and the values for its braces."""


def read_header(readme: str) -> dict[str, Any]:
    """The header's keys and values; empty if there is no header."""
    header: dict[str, Any] = SpaceCard(readme).data.to_dict()  # type: ignore[no-untyped-call]
    return header


def header_faults(readme: str, requirements: str) -> list[Fault]:
    """What a Space would refuse or build wrongly, one message each; empty if nothing."""
    header = read_header(readme)
    faults: list[Fault] = []
    faults += [("deploy.header_missing", {"key": key}) for key in _NEEDED if key not in header]
    unknown = sorted(header.keys() - set(_KEYS.split()))
    faults += [("deploy.header_unknown", {"key": key}) for key in unknown]
    listed = ", ".join(_COLOURS)
    for key in ("colorFrom", "colorTo"):
        if header.get(key) not in _COLOURS:
            faults.append(("deploy.header_one_of", {"key": key, "listed": listed}))
    if len(str(header.get("short_description", ""))) > _DESCRIPTION_LIMIT:
        faults.append(("deploy.header_description", {"limit": _DESCRIPTION_LIMIT}))
    return faults + _gradio_faults(header, requirements)


def docker_readme(readme: str) -> str:
    """The README of a Space that is built from the Dockerfile."""
    return _for_another(readme, ["sdk: docker", "app_port: 7860"])


def static_readme(readme: str) -> str:
    """The README of a static Space, which serves the assembled page and runs no code."""
    return _for_another(readme, ["sdk: static", "app_file: index.html"])


def _for_another(readme: str, own: list[str]) -> str:
    """Replace the lines that apply only to a Gradio Space by `own`."""
    _, header, text = readme.split("---\n", 2)
    gradio_only = ("sdk:", "sdk_version:", "python_version:", "app_file:", "suggested_hardware:")
    kept = [line for line in header.splitlines() if not line.startswith(gradio_only)]
    return "---\n" + "\n".join([*own, *kept]) + "\n---\n" + text


def _gradio_faults(header: dict[str, Any], requirements: str) -> list[Fault]:
    if header.get("sdk") != "gradio":
        return []
    faults: list[Fault] = []
    pinned = _PINNED_GRADIO.search(requirements)
    if pinned is None or header.get("sdk_version") != pinned[1]:
        faults.append(("deploy.header_gradio", {}))
    python = header.get("python_version")
    if not isinstance(python, str) or not _PYTHON.fullmatch(python):
        faults.append(("deploy.header_python", {}))
    return faults
