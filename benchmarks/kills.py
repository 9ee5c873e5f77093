"""Kill a campaign again and again, and see whether it notices: one campaign on SQLite, a SIGKILL at random
moments in ask, tell and planning, and after each the campaign is loaded and goes on.

    python benchmarks/kills.py --kills 200

Fails unless the sequence of points is that of a run that was left alone, everything acknowledged is stored,
and no trial was handed out twice.
"""

import argparse
import json
import mmap
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import snakebo as sb
from snakebo.space import Points

PHASES = ("loading", "asking", "planning", "telling", "between", "done")
SPACE = sb.Space([sb.Variable("temperature", 40, 120), sb.Variable("flow", 1, 5, step=0.01)])
METHOD = "snake:candidates=64,features=64,climbs=4"
DELAY = 5
STEPS_A_KILL = 1.5  # asks and tells between two kills, on average


def height(x: Any) -> float:
    return float(-(((x["temperature"] - 70) / 80) ** 2) - ((x["flow"] - 2) / 4) ** 2)


class Watched:
    """What a driver shows to its killer: its phase in shared memory, acknowledgements in a file."""

    def __init__(self, log: Path) -> None:
        self.phase = mmap.mmap(-1, 1)
        self.log = os.open(log, os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    def enter(self, phase: str) -> None:
        """Say what the driver does now."""
        self.phase[0] = PHASES.index(phase)

    @property
    def now(self) -> str:
        """What it did last."""
        return PHASES[self.phase[0]]

    def acknowledge(self, what: str, trial: sb.Trial) -> None:
        """Write down what the campaign has confirmed."""
        os.write(self.log, (json.dumps([what, trial.id, dict(trial.x), dict(trial.values)]) + "\n").encode())


def drive(campaign: sb.Campaign, watched: Watched | None = None) -> None:
    """Ask and tell until all is told. What is next follows from the state alone, so anybody may go on."""
    while not campaign.finished or campaign.outstanding:
        due = campaign.outstanding
        telling = len(due) > DELAY or campaign.finished
        if watched:
            watched.enter("telling" if telling else "asking")
        trial = campaign.tell(due[0].id, height(due[0].x)) if telling else campaign.ask()
        if watched:
            watched.enter("between")
            watched.acknowledge("told" if telling else "asked", trial)


def start_driver(url: str, watched: Watched) -> int:
    """Fork a driver of the stored campaign; it has its own connection and ends by itself or by a kill."""
    watched.enter("loading")
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        plan = sb.SnAKe.plan

        def planning(method: sb.SnAKe, view: sb.View, rng: np.random.Generator) -> Points:
            watched.enter("planning")
            points = plan(method, view, rng)
            watched.enter("asking")
            return points

        setattr(sb.SnAKe, "plan", planning)  # noqa: B010
        drive(sb.Campaign.load(url, "run"), watched)
        watched.enter("done")
        status = 0
    finally:
        os._exit(status)


def kill_at_random(url: str, watched: Watched, rng: np.random.Generator, life_s: float) -> str:
    """Start a driver and kill it, one time in ten while it may be loading; return where it was."""
    child = start_driver(url, watched)
    if rng.random() < 0.9:
        while watched.now == "loading" and not os.waitpid(child, os.WNOHANG)[0]:
            time.sleep(0.0005)
        if watched.now == "loading":
            sys.exit("The driver could not load the campaign.")
    time.sleep(rng.uniform(0.0, 2.0 * life_s))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        sys.exit(f"The driver ended by itself before it was killed (status {status}).")
    return watched.now


def check(campaign: sb.Campaign, expected: sb.Campaign, log: Path) -> dict[str, bool]:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    asked = [(number, x) for what, number, x, _ in lines if what == "asked"]
    told = [(number, values) for what, number, _, values in lines if what == "told"]
    return {
        "the sequence of points is that of a run left alone": campaign.trials == expected.trials,
        "every acknowledged ask is stored": all(dict(campaign.trial(n).x) == x for n, x in asked),
        "every acknowledged tell is stored": all(dict(campaign.trial(n).values) == v for n, v in told),
        "no trial was handed out twice": len({n for n, _ in asked}) == len(asked),
        "all trials are told": len(campaign.trials) == campaign.budget and not campaign.outstanding,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill a campaign again and again.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    budget = max(20, options.kills)
    expected = sb.Campaign(SPACE, budget, METHOD, seed=options.seed, name="run")
    drive(expected)

    rng, where = np.random.default_rng(options.seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        url, log = f"sqlite:///{folder}/run.db", Path(folder) / "acknowledged"
        watched = Watched(log)
        sb.Campaign(SPACE, budget, METHOD, seed=options.seed, storage=url, name="run")
        began = time.perf_counter()
        life_s = 0.05
        for number in range(options.kills):
            where[kill_at_random(url, watched, rng, life_s)] += 1
            on_schedule = len(log.read_bytes().splitlines()) >= STEPS_A_KILL * (number + 1)
            life_s *= 0.9 if on_schedule else 1.1
        at_the_last = len(sb.Campaign.load(url, "run").trials)
        _, status = os.waitpid(start_driver(url, watched), 0)
        found = check(sb.Campaign.load(url, "run"), expected, log)
    found["the last driver came to the end"] = status == 0
    took = time.perf_counter() - began
    print(f"{options.kills} kills in {took:.0f} s, {at_the_last} of {budget} trials asked by then")
    print("killed while " + ", ".join(f"{phase} {count}" for phase, count in where.most_common()))
    for claim, holds in found.items():
        print(f"{'ok   ' if holds else 'FAIL '}{claim}")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
