"""Text as pieces: what a word is in a text of one's own.

`words`: what stands between spaces. `characters`: what a reader counts as one (a grapheme
cluster, Unicode UAX #29: 👩‍💻 is one, so is e with a combining accent). In both a line end is a
piece, and a run of spaces counts as one space, or as none at the ends of a line.
"""

from __future__ import annotations

import re

WORDS, CHARACTERS = "words", "characters"
LONGEST = "longest"
"""The lesson's unit: the longest word that matches, in any letter case, with or without spaces."""
UNITS = (LONGEST, WORDS, CHARACTERS)
OWN_UNITS = (WORDS, CHARACTERS)

LINE_END, SPACE = "\n", " "

_LINE_ENDS = re.compile("\r\n?")
_SPACES = re.compile(r"[^\S\n]+")
_PIECES = re.compile(r"[ \n]|[^ \n]+")
_AROUND_LINE_ENDS = re.compile(r"(?m)^ | $")


def tidied(text: str) -> str:
    """`text` with `\\n` as its line ends, and one space for a run of them, none around a line end.

    What `\\s` matches counts as a space, the full-width one and the form feed included.
    """
    joined = _SPACES.sub(SPACE, _LINE_ENDS.sub(LINE_END, text))
    return _AROUND_LINE_ENDS.sub("", joined)


def pieces_of(text: str, unit: str) -> list[tuple[str, int]]:
    """The pieces of tidied text, each with the index of its first character.

    unit: `words`, in which a space is none, or `characters`, in which it is one.
    """
    pieces = [(found[0], found.start()) for found in _PIECES.finditer(text)]
    if unit == WORDS:
        return [piece for piece in pieces if piece[0] != SPACE]
    import regex  # only texts in characters need it

    # Piece by piece, because a space can belong to a cluster (with an accent of its own).
    return [
        (found[0], start + found.start())
        for piece, start in pieces
        for found in regex.finditer(r"\X", piece)
    ]
