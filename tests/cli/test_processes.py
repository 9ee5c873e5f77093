"""The command line as a program of its own: what it imports, pipes, exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import snakebo as sb

HEAVY = ("torch", "numba", "pandas", "plotly", "sqlalchemy", "scipy", "numpy", "botorch", "shapely")


@pytest.mark.parametrize(
    "words", [["--help"], ["ask", "--help"], ["run", "--help"], ["--version"], ["nonsense"]]
)
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    program = f"""
import sys
from snakebo.cli import app
try:
    app({words!r})
except SystemExit:
    pass
print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    source = Path(__file__).parents[2] / "src"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(source)},
    )
    assert done.stderr.splitlines()[-1] == ""


def test_a_campaign_by_shell_script(snakebo: Any) -> None:
    def run(*words: str) -> str:
        process = snakebo.start(*words)
        output, complaint = process.communicate(timeout=60)
        assert process.returncode == 0, complaint
        assert complaint == ""
        return str(output)

    trial = json.loads(run("ask", "--json"))
    run("tell", str(trial["trial"]), "-0.25")
    assert json.loads(run("best", "--json"))["values"] == {"value": -0.25}
    assert " mm" in run("best")


def test_a_pipe_that_closes_early_is_no_error(snakebo: Any) -> None:
    process = snakebo.start("export")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)


def test_the_example_works_twice_in_a_row(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    words = ["--budget", "5", "--delay", "2", "--method", "random-tour", "--folder", str(tmp_path / "runs")]
    for number in (1, 2):
        done = subprocess.run(
            [sys.executable, str(root / "examples" / "reactor.py"), *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(root / "src")},
        )
        assert done.returncode == 0, done.stderr
        assert "°C" in done.stdout
        assert " min in 4 moves." in done.stdout
        reports = sorted((tmp_path / "runs").glob("*.html"))
        assert len(reports) == number
        assert f"Report: {reports[-1]}" in done.stdout
        campaign = sb.Campaign.load(f"sqlite:///{reports[-1].with_suffix('.db')}", "snar")
        assert campaign.finished
        assert campaign.outstanding == ()


def test_errors_go_to_stderr(empty: Any) -> None:
    process = empty.start("ask", "--json")
    output, complaint = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert complaint.startswith("Error: There is no campaign")
