"""A command line in a directory of its own, and small campaigns to use it on."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from snakebo.cli import app

LINE = """
name = "line"
budget = 6
method = "random-tour"

[[variables]]
name = "a"
low = 0
high = 10
unit = "mm"

[[variables]]
name = "b"
low = -1
high = 1
step = 0.5
"""
PAIR = (
    LINE.replace("line", "pair", 1)
    + """
[[objectives]]
name = "yield"

[[objectives]]
name = "waste"
direction = "minimize"
"""
)


class CommandLine:
    """Runs commands; `at` is where."""

    def __init__(self, at: Path) -> None:
        self.at = at

    def __call__(self, *words: object, code: int = 0, stdin: str | None = None) -> str:
        """Run a command in this process; return stdout, or stderr where the exit code is not 0."""
        result = CliRunner().invoke(app, [str(word) for word in words], input=stdin)
        assert result.exit_code == code, (words, result.stdout, result.stderr)
        assert "Traceback" not in result.stderr
        if code in (0, 130):
            return result.stdout
        assert result.stderr.strip(), words
        return result.stderr

    def json(self, *words: object, code: int = 0) -> Any:
        """Run a command with --json."""
        result = CliRunner().invoke(app, [*map(str, words), "--json"])
        assert result.exit_code == code, (words, result.stdout, result.stderr)
        return json.loads(result.stdout)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Run a command in a process of its own."""
        source = Path(__file__).parents[2] / "src"
        return subprocess.Popen(
            [sys.executable, "-m", "snakebo", *words],
            cwd=self.at,
            env={**os.environ, "PYTHONPATH": str(source), "COLUMNS": "100"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def write(self, name: str, text: str) -> str:
        """Write a file."""
        (self.at / name).write_text(text, encoding="utf-8")
        return name


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A command line without any campaign."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SNAKEBO_STORAGE", raising=False)
    return CommandLine(tmp_path)


@pytest.fixture
def snakebo(empty: CommandLine) -> CommandLine:
    """A command line with the campaign `line`: two variables, one objective, six steps."""
    empty("init", empty.write("line.toml", LINE))
    return empty


@pytest.fixture
def pair(empty: CommandLine) -> CommandLine:
    """A command line with the campaign `pair`, which has two objectives."""
    empty("init", empty.write("pair.toml", PAIR))
    return empty


@pytest.fixture(scope="session")
def write_program() -> Callable[[CommandLine, str], str]:
    """A function that writes a program and returns the command that runs it."""

    def write(at: CommandLine, body: str) -> str:
        head = (
            "import json, os, sys, time\nx = json.load(sys.stdin)\ntrial = int(os.environ['SNAKEBO_TRIAL'])\n"
        )
        at.write("program.py", head + body)
        return f"{sys.executable} program.py"

    return write
