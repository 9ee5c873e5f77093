"""A campaign written in TOML: read, checked, and errors that name the file, the line and the key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any

from snakebo.errors import InputError, SpecError, place
from snakebo.toml_lines import find_line

EXAMPLE_NAMES = ("reactor", "boat", "minimal")
EXAMPLES: Mapping[str, str] = {
    name: (resources.files("snakebo") / "example_specs" / f"{name}.toml").read_text(encoding="utf-8")
    for name in EXAMPLE_NAMES
}  # commented specs by name
LARGEST = 1_000_000  # bytes; a spec is a page or two

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class SpecFileError(InputError):
    """A TOML file that cannot be used; the message names the place in it."""


def read_spec(path: str | PathLike[str], name: str | None = None) -> dict[str, Any]:
    """Return the arguments of `Campaign` that a TOML file describes: `Campaign(**read_spec("boat.toml"))`.

    name: of the campaign, instead of the one in the file. Raises SpecFileError with the line and the key.
    """
    file = Path(path)
    example = f" Write a commented example with: snakebo init --example {'|'.join(EXAMPLE_NAMES)}"
    return parse_spec(read_text(file, example), file.name, name)


def parse_spec(text: str, source: str = "spec", name: str | None = None) -> dict[str, Any]:
    """Return the arguments of `Campaign` that a TOML text describes; `source` is what errors call it."""
    from snakebo.spec import from_spec

    spec = parse_toml(text, source)
    if not spec:
        raise SpecFileError(
            f"{source} describes nothing. Write a commented example with: "
            f"snakebo init --example {EXAMPLE_NAMES[-1]}"
        )
    if name is not None:
        spec["name"] = name
    with naming_lines(text, source):
        return dict(from_spec(spec))


@contextmanager
def naming_lines(text: str, source: str) -> Iterator[None]:
    """Say of a fault in what was read from a TOML text which line and key it is at, as SpecFileError."""
    try:
        yield
    except SpecError as error:
        line = find_line(text, error.path)
        where = f", {place(error.path)}" if error.path else ""
        raise SpecFileError(f"{source}, line {line}{where}: {error.message}") from error
    except RecursionError:
        raise SpecFileError(f"{source}: values are nested too deeply.") from None


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return what a TOML text says; `source` is what errors call it."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        message = _PLACE.sub("", str(error))
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")  # the end, unless it says better
        if found and found[1]:
            line, column = int(found[1]), int(found[2])
        raise SpecFileError(f"{source}, line {line}, column {column}: this is not TOML: {message}.") from None
    except RecursionError:
        raise SpecFileError(f"{source}: values are nested too deeply.") from None
    except ValueError as error:  # a number of thousands of digits, of which tomllib does not say where it is
        line = 1 + max(enumerate(text.split("\n")), key=lambda row: sum(map(str.isdigit, row[1])))[0]
        raise SpecFileError(f"{source}, line {line}: a value cannot be read: {error}.") from None


def read_text(file: Path, otherwise: str = "") -> str:
    """Return the text of a file; SpecFileError if it cannot be TOML. `otherwise`: what to do without one."""
    if file.is_dir():
        raise SpecFileError(f"{file} is a directory; expected a TOML file.")
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise SpecFileError(f"There is no file {file}.{otherwise}") from None
    except (OSError, ValueError) as error:
        raise SpecFileError(f"{file} cannot be read: {error}") from None
    if len(content) > LARGEST:
        raise SpecFileError(f"{file} is larger than 1 MB; is it really a description?")
    if b"\0" in content:
        raise SpecFileError(f"{file} is not a text file; expected TOML.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SpecFileError(
            f"{file}, line {line}: byte {content[error.start]:#04x} is not UTF-8. Save the file as UTF-8."
        ) from None
