"""An environment with what a Space's builder installs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deploy.builder import build, install_line


@pytest.fixture(scope="session")
def built_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its Python: in the folder $MINI_GPT_BUILT, or made now (1 to 2 minutes)."""
    folder = os.environ.get("MINI_GPT_BUILT")
    if folder:
        return str(Path(folder) / "bin" / "python")
    return str(build(tmp_path_factory.mktemp("built"), install_line()))
