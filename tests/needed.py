"""What a test cannot do without: it is skipped by name where that is missing, and fails in CI."""

from __future__ import annotations

import os
import shutil

import pytest

IN_CI = os.environ.get("CI") == "true"


def missing(what: str) -> None:
    """Skip the test, or under CI=true fail it, because `what` is not here."""
    if IN_CI:
        pytest.fail(f"missing: {what}")
    pytest.skip(f"missing: {what}")


def program(name: str) -> str:
    """The path of an installed program."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        missing(f"the program {name}")
    return str(found)
