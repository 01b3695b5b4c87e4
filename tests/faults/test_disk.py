"""A disk that is full while files are written: said in one sentence, and nothing half is left."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from export.decode_ort.file import FORM
from export.decode_ort.own_model import write_own
from model.model_files import save_folder
from model.network import MiniGPT
from model.whole_file import whole_file, write_whole
from tests.needed import missing
from tests.ui.started import ROOT

_SIZE = "16k"  # less than any of the files below needs


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk with almost no room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "none", folder], capture_output=True
    )
    if mounted.returncode != 0:
        missing("the right to mount a small disk")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.fixture
def model() -> MiniGPT:
    """Weights of about 200 KB."""
    return MiniGPT(
        vocab_size=5, context_length=8, model_dim=64, num_heads=2, num_layers=1, dropout=0.0
    ).eval()


def test_the_command_says_so_and_leaves_nothing(full_disk: Path) -> None:
    target = full_disk / "pack.zip"
    command = [sys.executable, "-m", "export", "pack", "--out", str(target)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].endswith(": No space left on device")
    assert list(full_disk.iterdir()) == []


def test_a_model_is_saved_whole_or_not_at_all(full_disk: Path, model: MiniGPT) -> None:
    with pytest.raises(OSError, match="No space left"):
        save_folder(model, full_disk / "model")
    assert [path for path in full_disk.rglob("*") if path.is_file()] == []


@pytest.mark.long("an export of its own")
def test_weights_beside_a_file_are_written_whole_or_not_at_all(
    full_disk: Path, model: MiniGPT, tmp_path: Path
) -> None:
    save_folder(model, tmp_path / "model")
    with pytest.raises(OSError, match=r"written|No space left"):
        write_own(tmp_path / "model", FORM, full_disk)
    assert list(full_disk.iterdir()) == []


def test_what_a_file_held_before_stays(full_disk: Path) -> None:
    target = full_disk / "file"
    write_whole(target, b"before")
    with pytest.raises(OSError, match="No space left"):
        write_whole(target, bytes(100_000))
    assert target.read_bytes() == b"before"
    assert [path.name for path in full_disk.iterdir()] == ["file"]


def _interrupted(path: Path) -> None:
    with whole_file(path) as stream:
        stream.write(b"half")
        raise KeyboardInterrupt


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _interrupted(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []
