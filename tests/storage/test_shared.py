"""Several processes on one campaign: no trial is handed out twice, nothing told is lost."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize("method", ["random-tour", "snake:candidates=32,features=32,climbs=2"])
def test_several_processes_share_a_campaign(url: str, method: str) -> None:
    program = [sys.executable, str(BENCHMARKS / "shared_campaign.py"), "--method", method]
    done = subprocess.run(
        [*program, "--processes", "4", "--rounds", "10", "--storage", url],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
