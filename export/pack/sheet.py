"""A sheet that is filled from the top and records where each named value is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from openpyxl.formatting.rule import ColorScaleRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.properties import PageSetupProperties

FIRST_COLUMN = 3  # A holds the name, B the label of the row
_LOW, _MIDDLE, _HIGH = "5B8FD9", "FFFFFF", "E8912D"  # blue below zero, orange above

Index = tuple[int, ...]
Content = Callable[[Index], Any]


@dataclass(frozen=True)
class Place:
    """Where a value is: its first row, and its shape (last axis across the columns)."""

    row: int
    shape: Index


class Sheet:
    """One sheet of a workbook."""

    def __init__(self, book: Workbook, title: str) -> None:
        self._book = book
        self._sheet = book.create_sheet(title)
        self.title = title
        self.row = 1
        self._places: dict[str, Place] = {}
        self._sheet.column_dimensions["A"].width = 34
        self._sheet.column_dimensions["B"].width = 40
        self._sheet.page_setup.orientation = "landscape"
        self._sheet.page_setup.fitToHeight = 0  # any number of pages, one page wide
        self._sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)

    @property
    def raw(self) -> Any:
        """openpyxl's own sheet."""
        return self._sheet

    def line(self, *cells: Any, bold: bool = False, size: int = 11) -> int:
        """Write one row of cells from column A on; returns its number."""
        for column, cell in enumerate(cells, start=1):
            written = self._sheet.cell(self.row, column, cell)
            written.font = Font(bold=bold, size=size)
        self.row += 1
        return self.row - 1

    def values(
        self,
        name: str,
        shape: Index,
        content: Content,
        title: str = "",
        labels: Content | None = None,
        heads: Sequence[str] | None = None,
    ) -> None:
        """Write the array `name`: a title, a row for each leading index, a defined name.

        content: the cell at an index. labels: of a row, by its leading index. heads: of the
        columns (default: 0, 1, …).
        """
        lines = list(product(*map(range, shape[:-1])))
        across = range(shape[-1])
        heading = self.line(name, title, *(heads or across), bold=True)
        for column in range(1, FIRST_COLUMN + shape[-1]):
            self._sheet.cell(heading, column).fill = PatternFill("solid", fgColor="EEEEEE")
        self._places[name] = Place(self.row, shape)
        for leading in lines:
            label = labels(leading) if labels else ""
            row = self.line("", label, *(content((*leading, column)) for column in across))
            for column in across:
                cell = self._sheet.cell(row, FIRST_COLUMN + column)
                cell.number_format = "0.0000"
                cell.alignment = Alignment(horizontal="right")
        self._colour(name)
        defined = DefinedName(name, attr_text=f"'{self.title}'!{self._area(name)}")
        self._book.defined_names[name] = defined
        self.row += 1

    def at(self, name: str, *index: int) -> str:
        """The cell at an index, as a reference for a formula in any sheet."""
        place = self._places[name]
        return f"'{self.title}'!{self._cell(place, index[:-1], index[-1])}"

    def across(self, name: str, *leading: int) -> str:
        """The cells of one row of a value."""
        place = self._places[name]
        first = self._cell(place, leading, 0)
        last = self._cell(place, leading, place.shape[-1] - 1)
        return f"'{self.title}'!{first}:{last}"

    def area(self, name: str) -> str:
        """All cells of a value."""
        return f"'{self.title}'!{self._area(name)}"

    def _cell(self, place: Place, leading: Index, column: int) -> str:
        line = 0
        for size, index in zip(place.shape[:-1], leading, strict=True):
            line = line * size + index
        return f"${get_column_letter(FIRST_COLUMN + column)}${place.row + line}"

    def _area(self, name: str) -> str:
        place = self._places[name]
        last = tuple(size - 1 for size in place.shape)
        first = self._cell(place, (0,) * (len(last) - 1), 0)
        return f"{first}:{self._cell(place, last[:-1], last[-1])}"

    def _colour(self, name: str) -> None:
        scale = ColorScaleRule(  # type: ignore[no-untyped-call]
            start_type="num",
            start_value=-2,
            start_color=_LOW,
            mid_type="num",
            mid_value=0,
            mid_color=_MIDDLE,
            end_type="num",
            end_value=2,
            end_color=_HIGH,
        )
        self._sheet.conditional_formatting.add(self._area(name).replace("$", ""), scale)
