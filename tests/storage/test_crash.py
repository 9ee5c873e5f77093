"""A campaign that is killed at random moments goes on as if nothing had happened."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
def test_killed_again_and_again() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "kills.py"), "--kills", "10", "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
