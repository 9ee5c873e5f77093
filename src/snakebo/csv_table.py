"""CSV files from spreadsheets and scripts, read so that an error can name the row and the column."""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from snakebo.errors import InputError

LARGEST = 50_000_000  # bytes
_DELIMITERS = ",;\t"


class CsvError(InputError):
    """A CSV file that cannot be used; the message names the place in it."""


@dataclass(frozen=True)
class Row:
    """One line of results; `number` counts from 1 below the head, `line` from 1 in the file."""

    source: str
    number: int
    line: int
    cells: Mapping[str, str]

    def fault(self, message: str, column: str | None = None) -> CsvError:
        """Return an error about this row, or about one of its cells."""
        where = "" if column is None else f", column {column}"
        return CsvError(f"{self.source}, row {self.number} (line {self.line}){where}: {message}")

    def blank(self, column: str) -> bool:
        """Tell whether a cell is empty."""
        return not self.cells[column].strip()

    def number_in(self, column: str) -> float:
        """Return the finite number of a cell."""
        try:
            number = read_number(self.cells[column])
        except InputError as error:
            raise self.fault(str(error), column) from None
        if not math.isfinite(number):
            raise self.fault(f"must be a finite number; got {self.cells[column]!r}.", column)
        return number

    def whole_in(self, column: str) -> int:
        """Return the whole number of a cell; spreadsheets write 7 as 7.0 at times."""
        number = self.number_in(column)
        if number != int(number):
            raise self.fault(f"must be a whole number; got {self.cells[column]!r}.", column)
        return int(number)


@dataclass(frozen=True)
class CsvTable:
    """The head and the rows of a file."""

    source: str
    columns: Sequence[str]
    rows: Sequence[Row]


def read_csv(path: Path) -> CsvTable:
    """Read a file in UTF-8, separated by comma, semicolon or tab; `-` is stdin. Raises CsvError."""
    source = "stdin" if str(path) == "-" else path.name
    text = _read_text(path, source)
    head = text.lstrip("\r\n").splitlines()[:1]
    if not head:
        raise CsvError(f"{source} is empty; its first row must name the columns.")
    delimiter = max(_DELIMITERS, key=head[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] = []
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if not columns:
                    columns = _check_head(cells, source)
                else:
                    rows.append(_read_row(cells, columns, Row(source, len(rows) + 1, line, {})))
            line = reader.line_num + 1
    except csv.Error as error:
        raise CsvError(f"{source}, line {line}: this is not CSV: {error}.") from None
    if not columns:
        raise CsvError(f"{source} is empty; its first row must name the columns.")
    return CsvTable(source, columns, rows)


def _check_head(cells: Sequence[str], source: str) -> list[str]:
    columns = [cell.strip() for cell in cells]
    while columns and not columns[-1]:
        columns.pop()
    for number, name in enumerate(columns, 1):
        if not name:
            raise CsvError(f"{source}, column {number} has no name in the first row.")
        if columns.count(name) > 1:
            raise CsvError(f"{source}, column {name} comes {columns.count(name)} times; keep one.")
    return columns


def _read_row(cells: Sequence[str], columns: Sequence[str], row: Row) -> Row:
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise row.fault(f"has {len(cells)} cells; the first row names {len(columns)} columns.")
    if len(cells) < len(columns):
        raise row.fault(f"has {len(cells)} of {len(columns)} cells.", columns[len(cells)])
    return Row(row.source, row.number, row.line, dict(zip(columns, cells, strict=False)))


def read_number(text: str, what: str = "") -> float:
    """Read one number as people write it; InputError says what came instead."""
    subject = f"{what} must" if what else "must"
    try:
        if "_" in text:
            raise ValueError(text)
        return float(text)
    except ValueError:
        hint = f" Write {text.strip().replace(',', '.')}." if _has_decimal_comma(text) else ""
        raise InputError(f"{subject} be a number; got {text!r:.80}.{hint}") from None


def _has_decimal_comma(text: str) -> bool:
    try:
        float(text.replace(",", ".", 1))
    except ValueError:
        return False
    return "," in text


def _read_text(path: Path, source: str) -> str:
    try:
        if str(path) == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with path.open("rb") as stream:
                content = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise CsvError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(content) > LARGEST:
        raise CsvError(f"{source} is larger than {LARGEST // 1_000_000} MB; split it.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CsvError(
            f"{source}, line {line}: byte {content[error.start]:#04x} is not UTF-8. Save the file as UTF-8."
        ) from None
