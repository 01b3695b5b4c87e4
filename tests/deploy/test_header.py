"""The header of README.md, which a Space refuses to build with when one value is wrong."""

from __future__ import annotations

import pytest

from deploy.files import ROOT
from deploy.header import docker_readme, header_faults, read_header, static_readme
from model.console import Console

README = (ROOT / "README.md").read_text(encoding="utf-8")
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")


def test_the_header_is_what_a_space_takes() -> None:
    assert header_faults(README, REQUIREMENTS) == []


def test_the_header_names_the_app_and_a_python_that_is_supported() -> None:
    header = read_header(README)
    assert header["sdk"] == "gradio"
    assert (ROOT / header["app_file"]).is_file()
    assert header["python_version"] in ("3.11", "3.12", "3.13")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("pinned: false", "pined: false", "pined is not a field"),
        ("pinned: false", "pined: false", "pinned is missing"),
        ("colorFrom: blue", "colorFrom: teal", "colorFrom must be one of"),
        ("sdk_version: ", "sdk_version: 1", "sdk_version must be the gradio"),
        (
            'python_version: "3.12"',
            "python_version: 3.10",
            "python_version must be a quoted string",
        ),
        ("short_description: A", "short_description: " + "A" * 60, "longer than 60"),
    ],
)
def test_a_wrong_header_is_explained(old: str, new: str, fault: str) -> None:
    assert old in README
    faults = header_faults(README.replace(old, new, 1), REQUIREMENTS)
    said = [Console("en").text(key, **values) for key, values in faults]
    assert any(fault in sentence for sentence in said), said


def test_a_docker_space_has_a_header_of_its_own() -> None:
    readme = docker_readme(README)
    header = read_header(readme)
    assert (header["sdk"], header["app_port"]) == ("docker", 7860)
    assert {"sdk_version", "python_version", "app_file"}.isdisjoint(header)
    assert header_faults(readme, REQUIREMENTS) == []
    assert readme.split("---\n", 2)[2] == README.split("---\n", 2)[2]


def test_a_static_space_has_a_header_of_its_own() -> None:
    header = read_header(static_readme(README))
    assert (header["sdk"], header["app_file"]) == ("static", "index.html")
    assert {"sdk_version", "python_version", "suggested_hardware"}.isdisjoint(header)
    assert header_faults(static_readme(README), REQUIREMENTS) == []
