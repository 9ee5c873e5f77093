"""What storing costs with many trials: the storage's share of an ask and a tell, and a load in a new process.

    python benchmarks/storage.py [--trials 10000] [--storage URL]

Planning is not counted: the time is that spent inside of the storage and in applying what it returns.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import sqlalchemy as sa

import snakebo as sb
from snakebo.history import History
from snakebo.storage import now, schema

SPACE = sb.Space([sb.Variable(name, 0, 1) for name in "abcdef"])
STATUS = """
import time; began = time.perf_counter()
import snakebo as sb
campaign = sb.Campaign.load({url!r}, {name!r})
loaded = time.perf_counter()
line = (len(campaign.trials), len(campaign.outstanding), campaign.best.value, campaign.spent)
print(loaded - began, time.perf_counter() - began, time.process_time())
"""


class Stopwatch:
    """Adds up the time spent in blocks and calls; not that of a block inside of a storage's own."""

    def __init__(self) -> None:
        self.total_s = 0.0

    def watch(self, owner: Any, *names: str) -> None:
        """Count the time of these methods of an object or a class."""
        for name in names:
            setattr(owner, name, self._timed(getattr(owner, name)))

    def watch_block(self, owner: Any, name: str) -> None:
        """Count the time to enter and to leave the block of a method, not what happens in it."""
        make = getattr(owner, name)

        @contextmanager
        def block(*arguments: Any, **options: Any) -> Iterator[Any]:
            inner = make(*arguments, **options)
            found = self._timed(inner.__enter__)()
            yield found
            self._timed(inner.__exit__)(None, None, None)

        setattr(owner, name, block)

    def _timed(self, function: Any) -> Any:
        def timed(*arguments: Any, **options: Any) -> Any:
            began = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                self.total_s += time.perf_counter() - began

        return timed


def fill(campaign: sb.Campaign, url: str, trials: int) -> None:
    """Write asked and told events of many trials in one go."""
    X = np.random.default_rng(0).random((trials, SPACE.dim))
    rows: list[dict[str, Any]] = []
    for number, x in enumerate(X):
        asked = {"id": number, "x": SPACE.mapping(x), "cost": 0.5, "known": 2 * number}
        told = {"id": number, "values": {"value": float(x.sum())}, "replaced": False}
        for kind, payload in (("asked", asked), ("told", told)):
            text = json.dumps(payload)
            rows.append({"seq": len(rows) + 1, "kind": kind, "payload": text, "at": now()})
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        where = schema.campaigns.c.name == campaign.name
        number = connection.execute(sa.select(schema.campaigns.c.id).where(where)).scalar_one()
        connection.execute(schema.events.insert(), [{"campaign_id": number, **row} for row in rows])
    engine.dispose()


def measure(url: str, trials: int) -> None:
    name = f"many-{time.time_ns()}"
    campaign = sb.Campaign(SPACE, trials + 1000, "random-tour", storage=url, name=name)
    fill(campaign, url, trials)
    campaign.tell(campaign.ask().id, 1.0)  # catches up, and plans
    stopwatch, times = Stopwatch(), []
    stopwatch.watch(campaign.storage, "read")
    stopwatch.watch_block(campaign.storage, "change")
    stopwatch.watch(History, "replay", "apply", "snapshot")
    for _ in range(100):
        stopwatch.total_s = 0.0
        campaign.tell(campaign.ask().id, 1.0)
        times.append(1000 * stopwatch.total_s)
    print(f"{trials} trials on {campaign.storage}")
    print(f"one ask + tell: {statistics.median(times):.1f} ms, at most {max(times):.1f} ms")
    done = subprocess.run(
        [sys.executable, "-c", STATUS.format(url=url, name=name)], capture_output=True, text=True, check=True
    )
    loaded, all_s, busy_s = map(float, done.stdout.split())
    print(f"a new process: {loaded:.2f} s to import and load, {all_s:.2f} s with the status of the campaign")
    print(f"of which {busy_s:.2f} s of computing, the start of Python included")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What storing costs with many trials.")
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--storage", metavar="URL", help="default: a new SQLite file")
    options = parser.parse_args()
    if options.storage:
        measure(options.storage, options.trials)
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(f"sqlite:///{folder}/run.db", options.trials)
