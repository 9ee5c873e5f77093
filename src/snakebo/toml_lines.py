"""Where a key stands in a TOML text, so that an error can name the line.

tomllib keeps no places. This scan is for text that tomllib has read already, and trusts that it is valid.
"""

import re
import tomllib
from collections.abc import Sequence

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^"'=\]\n])+""")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'  # a text in three quotes may end with two quotes of its own
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]*")


def find_line(text: str, path: Sequence[str | int]) -> int:
    """Return the line, from 1, of the key at `path`, or of the nearest table or value around it."""
    lines = index_lines(text)
    place = tuple(path)
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def index_lines(text: str) -> dict[Path, int]:
    """Return the line of every table, key and element of an array in a valid TOML text."""
    scan = _Scan(text)
    scan.read_document()
    return scan.lines


class _Scan:
    """One pass through a document; `at` is the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self._sizes: dict[Path, int] = {}  # of arrays of tables, so far
        self._newlines, self._counted = 0, 0

    def read_document(self) -> None:
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text.startswith("[[", self.at):
                table = self._read_header(2)
            elif self.text[self.at] == "[":
                table = self._read_header(1)
            else:
                self._read_pair(table)
            self._skip(_BLANK)

    def _read_header(self, brackets: int) -> Path:
        """Read `[a.b]` or `[[a.b]]`; an array of tables on the way stands for its last table."""
        line = self._line()
        self.at += brackets
        *parents, last = self._read_key()
        self.at += brackets
        path: Path = ()
        for name in parents:
            path = self._note((*path, name), line)
            if path in self._sizes:
                path = (*path, self._sizes[path] - 1)
        path = self._note((*path, last), line)
        if brackets == 2:
            size = self._sizes[path] = self._sizes.get(path, 0) + 1
            path = self._note((*path, size - 1), line)
        return path

    def _read_pair(self, table: Path) -> None:
        path, line = table, self._line()
        for name in self._read_key():
            path = self._note((*path, name), line)
        self.at += 1  # the equals sign
        self._skip(_BLANK)
        self._read_value(path)

    def _read_value(self, path: Path) -> None:
        opening = self.text[self.at : self.at + 1]
        if opening in ("[", "{"):
            self.at += 1
            self._read_items(path, inline_table=opening == "{")
        elif not self._skip(_STRING):
            self._skip(_SCALAR)

    def _read_items(self, path: Path, inline_table: bool) -> None:
        number = 0
        self._skip(_BLANK)
        while self.at < len(self.text) and self.text[self.at] not in "]}":
            if inline_table:
                self._read_pair(path)
            else:
                self._read_value(self._note((*path, number), self._line()))
            number += 1
            self._skip(_BLANK)
            if self.text.startswith(",", self.at):
                self.at += 1
                self._skip(_BLANK)
        self.at += 1

    def _read_key(self) -> list[str]:
        start = self.at
        self._skip(_KEY)
        names: list[str] = []
        keys = tomllib.loads(f"{self.text[start : self.at]} = 0")  # it knows about dots, quotes and escapes
        while isinstance(keys, dict):
            ((name, keys),) = keys.items()
            names.append(name)
        return names

    def _note(self, path: Path, line: int) -> Path:
        self.lines.setdefault(path, line)
        return path

    def _line(self) -> int:
        self._newlines += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._newlines + 1

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return bool(found)
