"""Text files in the encodings of common editors: UTF-8, UTF-16 or GBK, with or without a BOM.

Notepad writes UTF-8 with a byte order mark or UTF-16, spreadsheets on a Chinese Windows GBK.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from model.errors import InputError

_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # starts like UTF-16's, so it is tested first
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_UNMARKED = ("utf-8", "gb18030")  # GB 18030 includes GBK; text in it is rarely valid UTF-8


def read_text(path: Path) -> str:
    """The text of the file `path`.

    Raises:
        InputError: it is in none of these encodings.
        OSError: it can't be read.
    """
    content = path.read_bytes()
    marked = [name for mark, name in _MARKS.items() if content.startswith(mark)]
    for encoding in marked[:1] or _UNMARKED:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:  # UTF-16 without its mark, or no text at all
            return text
    raise InputError("text_encoding", file=path.name)
