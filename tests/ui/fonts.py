"""Sets of fonts as readers have them: a browser that knows no others, whatever is installed here.

Debian's free fonts stand for themselves; the fonts of Windows and macOS are played by free ones
that are given the same vertical metrics, which is what decides how much room a line takes.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.needed import missing

_CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  <alias><family>sans-serif</family><prefer>{families}</prefer></alias>
  <alias><family>serif</family><prefer>{families}</prefer></alias>
  <alias><family>monospace</family><prefer>{families}</prefer></alias>
</fontconfig>
"""


@dataclass(frozen=True)
class Played:
    """`family`, played by the font whose PostScript name is `by`, with its own line's metrics.

    `ascent` and `descent` are shares of the font's size, as the font's own tables give them.
    """

    family: str
    by: str
    ascent: float
    descent: float

    def rule(self) -> str:
        """The style rule that lets a page use it."""
        return (
            f'@font-face {{ font-family: "{self.family}"; src: local("{self.by}"); '
            f"ascent-override: {self.ascent:.2%}; descent-override: {self.descent:.2%}; "
            "line-gap-override: 0%; }"
        )


@dataclass(frozen=True)
class FontSet:
    """The families a reader has; `played` ones are put into the page as style rules."""

    families: tuple[str, ...]
    played: tuple[Played, ...] = ()

    def style(self) -> str:
        """The rules of what is played."""
        return "\n".join(font.rule() for font in self.played)


ARIAL = Played("Arial", "LiberationSans", 1854 / 2048, 434 / 2048)
HELVETICA = Played("Helvetica Neue", "LiberationSans", 0.952, 0.213)
PINGFANG = Played("PingFang SC", "NotoSansCJKsc-Regular", 1.06, 0.34)
YAHEI = Played("Microsoft YaHei", "NotoSansCJKsc-Regular", 2167 / 2048, 536 / 2048)

FONT_SETS = {
    "dejavu": FontSet(("DejaVu Sans",)),
    "noto-cjk": FontSet(("Noto Sans CJK SC",)),
    "liberation": FontSet(("Liberation Sans", "Noto Sans CJK SC")),
    "windows": FontSet(("Liberation Sans", "Noto Sans CJK SC"), (ARIAL, YAHEI)),
    "macos": FontSet(("Liberation Sans", "Noto Sans CJK SC"), (HELVETICA, PINGFANG)),
}
"""What readers have, by name. The Chinese of "dejavu" is boxes, as on a machine without any."""


def restricted(font_set: FontSet, folder: Path) -> dict[str, str]:
    """The environment of a program that finds these fonts and no others; files go to `folder`."""
    fonts = folder / "fonts"
    fonts.mkdir(parents=True, exist_ok=True)
    for family in font_set.families:
        for file in _files(family):
            link = fonts / file.name
            if not link.exists():
                link.symlink_to(file)
    families = "".join(f"<family>{family}</family>" for family in font_set.families)
    configuration = folder / "fonts.conf"
    configuration.write_text(
        _CONFIGURATION.format(fonts=fonts, cache=folder / "cache", families=families),
        encoding="utf-8",
    )
    return {"FONTCONFIG_FILE": str(configuration)}


def _files(family: str) -> list[Path]:
    """The files of an installed family; the test is skipped by name if there are none."""
    if shutil.which("fc-list") is None:
        missing("the program fc-list (fontconfig)")
    answer = subprocess.run(
        ["fc-list", f":family={family}", "file"], capture_output=True, text=True, check=True
    )
    files = [Path(line.rstrip(": ")) for line in answer.stdout.splitlines()]
    if not files:
        missing(f"the font {family}")
    return files
