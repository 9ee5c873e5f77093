"""Several processes ask and tell on one campaign at the same time.

    python benchmarks/shared_campaign.py --processes 8 --rounds 50 [--storage URL | --postgres]

Fails unless every trial was handed out exactly once, at a point of its own, and everything told is stored.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import snakebo as sb

SPACE = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)])


def work(url: str, name: str, rounds: int) -> list[tuple[int, dict[str, float], float]]:
    campaign, done = sb.Campaign.load(url, name), []
    for _ in range(rounds):
        trial = campaign.ask()
        value = trial.x["a"] - trial.x["b"] ** 2
        campaign.tell(trial.id, value)
        done.append((trial.id, dict(trial.x), value))
    return done


def share(url: str, processes: int, rounds: int, method: str) -> bool:
    name = f"shared-{time.time_ns()}"
    campaign = sb.Campaign(SPACE, processes * rounds, method, storage=url, name=name)
    began = time.perf_counter()
    pool: Pool
    with get_context("spawn").Pool(processes) as pool:
        done = [row for rows in pool.starmap(work, [(url, name, rounds)] * processes) for row in rows]
    took = time.perf_counter() - began
    found: dict[str, Any] = {
        "every trial was handed out once": sorted(number for number, _, _ in done)
        == list(range(processes * rounds)),
        "every point is another one": method != "random-tour"
        or len({tuple(x.values()) for _, x, _ in done}) == len(done),
        "everything told is stored": all(
            (dict(campaign.trial(number).x), campaign.trial(number).value) == (x, value)
            for number, x, value in done
        ),
        "nothing is outstanding": campaign.finished and not campaign.outstanding,
    }
    print(f"{processes} processes × {rounds} ask/tell in {took:.1f} s on {campaign.storage}")
    for claim, holds in found.items():
        print(f"{'ok   ' if holds else 'FAIL '}{claim}")
    return all(found.values())


def main() -> int:
    parser = argparse.ArgumentParser(description="Several processes ask and tell on one campaign.")
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--method", default="random-tour")
    parser.add_argument("--storage", metavar="URL", help="default: a new SQLite file")
    parser.add_argument("--postgres", action="store_true", help="start a server for this")
    options = parser.parse_args()
    work_load = (options.processes, options.rounds, options.method)
    if options.postgres:
        program = [sys.executable, str(Path(__file__).with_name("postgres_server.py"))]
        with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            return 0 if url and share(url, *work_load) else 1
    if options.storage:
        return 0 if share(options.storage, *work_load) else 1
    with tempfile.TemporaryDirectory() as folder:
        return 0 if share(f"sqlite:///{folder}/run.db", *work_load) else 1


if __name__ == "__main__":
    sys.exit(main())
