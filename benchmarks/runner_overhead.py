"""What two processes save: the time of an experiment with --jobs 2 beside that with --jobs 1.

    python benchmarks/runner_overhead.py [--cells 8] [--budget 150]

Each time is that of a whole `snakebo bench run`, with starting Python, importing and loading compiled code in
every process. A short run before fills the cache of compiled code. The cells are equal but for their seeds.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

from snakebo.bench.exported import read_results

EXPERIMENT = """
title = "Equal cells"
problems = ["hartmann6d"]
budgets = [{budget}]
methods = ["snake"]
protocols = ["cold"]
seeds = {cells}
"""


def run(directory: Path, cells: int, budget: int, jobs: int) -> tuple[float, "pd.Series[float]"]:
    """Return the seconds that an experiment takes from the shell, and those of each of its runs."""
    (directory / "cells.toml").write_text(EXPERIMENT.format(cells=cells, budget=budget))
    results = directory / f"{jobs}-{budget}.db"
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "snakebo", "bench", "run", str(directory / "cells.toml"), "--jobs", str(jobs),
         "--results", str(results)],
        check=True, capture_output=True,
    )  # fmt: skip
    return time.perf_counter() - began, read_results(results).runs()["seconds"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cells", type=int, default=8)
    parser.add_argument("--budget", type=int, default=150)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        run(Path(name), 2, 10, jobs=2)  # compiles
        print("| processes | all | one cell | share of one process |")
        print("|---|---|---|---|")
        alone = 0.0
        for jobs in (1, 2):
            seconds, cells = run(Path(name), arguments.cells, arguments.budget, jobs)
            alone = alone or seconds
            print(f"| {jobs} | {seconds:.1f} s | {cells.mean():.1f} s | {seconds / alone:.2f} |", flush=True)


if __name__ == "__main__":
    main()
