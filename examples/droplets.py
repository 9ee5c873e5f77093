"""A droplet reactor that works over HTTP: droplets in a row, results minutes later and out of order.

The chemistry is the SnAr benchmark (Hone et al. 2017). The next droplet is asked for as soon as the reactor
is free, while earlier ones are still in the tube or in the analyser. Time is simulated: --speed minutes a
second. Run it with `python examples/droplets.py`, which starts a service of its own, or against one that
runs already: `python examples/droplets.py --url http://localhost:8765`.
"""

import argparse
import heapq
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import numpy as np

import snakebo as sb
from snakebo.client import RemoteCampaign
from snakebo.errors import BudgetSpentError, SnakeboError

RUNS = Path(__file__).parents[1] / "runs"
PROBLEM = sb.problems.get("snar4d", noise=0.002)
SPACING_MIN = 1.0  # between droplets that need no change of settings
ANALYSIS_MIN = (10.0, 30.0)  # the analyser takes the easy ones first
LOST = 0.04  # droplets that break on their way


@dataclass
class Reactor:
    """Droplets on their way to the analyser, by the simulated minute at which their results are there."""

    speed: float  # minutes a second
    rng: np.random.Generator
    began: float = field(default_factory=time.monotonic)
    free_at: float = 0.0
    under_way: list[tuple[float, int, sb.Trial]] = field(default_factory=list)  # a heap

    @property
    def minute(self) -> float:
        """The simulated time."""
        return self.speed * (time.monotonic() - self.began)

    def send(self, trial: sb.Trial) -> None:
        """Let the reactor settle at the new setting, and send a droplet through it."""
        enters = self.minute + trial.cost
        self.free_at = enters + SPACING_MIN
        done = enters + trial.x["residence_time"] + self.rng.uniform(*ANALYSIS_MIN)
        heapq.heappush(self.under_way, (done, trial.id, trial))

    def wait(self, more: bool) -> Iterator[tuple[sb.Trial, float | None]]:
        """Sleep until the next result, or until the reactor is free if `more` is to come; yield results."""
        until = min([self.free_at] * more + [done for done, *_ in self.under_way[:1]])
        time.sleep(max(0.0, until - self.minute) / self.speed)
        while self.under_way and self.under_way[0][0] <= self.minute:
            *_, trial = heapq.heappop(self.under_way)
            lost = self.rng.uniform() < LOST
            yield trial, None if lost else PROBLEM.observe(trial.x, self.rng)


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"a positive number was expected; got {text}")
    return number


def main() -> None:
    """Run the reactor against a service, and say what came out of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", help="of a service that runs already; its token is taken from SNAKEBO_TOKEN")
    parser.add_argument("--droplets", type=int, default=30)
    parser.add_argument("--speed", type=_positive, default=60.0, help="simulated minutes a second")
    parser.add_argument("--method", default="snake", help=", ".join(sb.methods.names()))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--folder", type=Path, default=RUNS, help="where the database of its own service goes"
    )
    parser.add_argument("--stay", action="store_true", help="serve on afterwards, to look at the dashboard")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C does, end the service too
    name = f"droplets-{datetime.now():%Y%m%d-%H%M%S-%f}"
    with nullcontext(arguments.url) if arguments.url else serve(arguments.folder / f"{name}.db") as url:
        print(f"Campaign {name} at {url}; look at it there with a browser.", flush=True)
        with sb.connect(url) as service:
            campaign = service.create(
                name=name,
                space=PROBLEM.space,
                budget=arguments.droplets,
                cost=PROBLEM.cost,
                objectives=PROBLEM.objectives,
                method=arguments.method,
                seed=arguments.seed,
            )
            reactor = Reactor(arguments.speed, np.random.default_rng(arguments.seed))
            try:
                run(campaign, reactor)
            except KeyboardInterrupt:
                print(f"interrupted; {len(campaign.outstanding)} droplets are outstanding")
            print_summary(campaign, reactor)
        if arguments.stay and not arguments.url:
            input("Press Enter to end the service. ")


def run(campaign: RemoteCampaign, reactor: Reactor) -> None:
    """Ask whenever the reactor is free, and tell whatever the analyser has, until all is told."""
    more = True
    while more or reactor.under_way:
        if more and reactor.free_at <= reactor.minute:
            try:
                reactor.send(campaign.ask())
            except BudgetSpentError:
                more = False
        for trial, value in reactor.wait(more) if more or reactor.under_way else ():
            if value is None:
                settled = campaign.fail(trial.id, "the droplet broke")
            else:
                settled = campaign.tell(trial.id, value)
            print_line(reactor, settled)


def print_summary(campaign: RemoteCampaign, reactor: Reactor) -> None:
    """Print what was found, and what it took."""
    trials, best = campaign.trials, campaign.best
    done = [trial.told_at for trial in trials if trial.told_at is not None]
    late = sum(after < before for before, after in pairwise(done))
    print(
        f"{len(trials)} droplets in {reactor.minute:.0f} min, {campaign.spent:.0f} of them waiting for the "
        f"reactor to settle; {late} results overtook an earlier one."
    )
    if best is not None:
        at = ", ".join(f"{each.name} {best.x[each.name]:.4g} {each.unit}" for each in PROBLEM.space.variables)
        print(f"Best: droplet {best.id}, {best.value:.4f} where {PROBLEM.optimum:.4f} is possible, at {at}")


def print_line(reactor: Reactor, trial: sb.Trial) -> None:
    """Print one line of the log."""
    result = f"{trial.value:8.4f}" if trial.state is sb.State.TOLD else f"failed: {trial.reason}"
    print(
        f"{reactor.minute:6.0f} min  droplet {trial.id:3d}  {trial.x['temperature']:6.1f} °C  "
        f"{trial.x['residence_time']:4.2f} min  {result}  ({len(reactor.under_way)} under way)",
        flush=True,
    )


@contextmanager
def serve(database: Path) -> Iterator[str]:
    """Run a service of one's own on a free port, and give its address."""
    database.parent.mkdir(parents=True, exist_ok=True)
    words = ["serve", "--storage", f"sqlite:///{database}", "--port", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "snakebo", *words],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for us; the service is ended below
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+\d", process.stdout.readline())
            if found is None:
                raise SystemExit("The service did not start; its own message says why.")
            yield found[0]
        finally:
            process.terminate()


if __name__ == "__main__":
    try:
        main()
    except SnakeboError as error:
        raise SystemExit(f"Error: {error}") from None
