"""Text files as editors write them are read; what is no text gets a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.errors import InputError
from model.text_file import read_text

TEXT = "我 喜欢 AI\r\n猫 喜欢 学习\r\n"


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\0\0"),
        ("utf-32-be", b"\0\0\xfe\xff"),
        ("gbk", b""),
        ("gb18030", b""),
    ],
)
def test_every_encoding_an_editor_writes(tmp_path: Path, encoding: str, mark: bytes) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(mark + TEXT.encode(encoding))
    assert read_text(path) == TEXT


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode("utf-16-le"),  # without its mark
        b"\xff\xfe\x11",  # UTF-16 that is cut off
        b"\xef\xbb\xbf\xff",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff" * 9,
    ],
)
def test_what_is_no_text_gets_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "语料.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"语料\.txt is not text"):
        read_text(path)
