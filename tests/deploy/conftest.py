"""An environment with what a Space's builder installs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deploy.builder import build, install_line
from tests.needed import IN_CI


@pytest.fixture(scope="session")
def built_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its Python: in the folder $MINI_GPT_BUILT, or made now if this is CI (1 to 2 minutes)."""
    folder = os.environ.get("MINI_GPT_BUILT")
    if folder:
        return str(Path(folder) / "bin" / "python")
    if not IN_CI:
        pytest.skip(
            "missing: a builder's environment (python -m deploy.builder F, MINI_GPT_BUILT=F)"
        )
    return str(build(tmp_path_factory.mktemp("built"), install_line()))
