"""Time of one re-plan: `snake` beside `snake-paper`, in the same process, on the same 40 points, T = 250.

    python benchmarks/replan.py [--repeats 5]

A re-plan is what an ask does after a tell: surrogate, sample paths, their maximisers, deletion, tour. Both
kinds are timed: where hyper-parameters are kept (the data grew by one) and where they are fitted anew. For
`snake-paper` the fit is `Cold`'s as well, so that the ratio is about the planning.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

import snakebo as sb

TOLD = 40  # Cold refits at the 41st observation, not at the 40th


def campaign_at(problem_name: str, method: str, told: int) -> sb.Campaign:
    """A campaign of 250 steps with random points told, one observation before the re-plan to be timed."""
    problem = sb.problems.get(problem_name)
    campaign = sb.Campaign(problem.space, 250, method=method, cost=problem.cost, seed=1)
    rng = np.random.default_rng(2)
    for x in problem.space.from_unit(problem.space.uniform(told, rng)):
        trial = campaign.attach(problem.space.mapping(x))
        campaign.tell(trial.id, problem.evaluate(trial.x))
    return campaign


def time_replan(problem_name: str, method: str, refit: bool, repeats: int) -> float:
    """Median seconds of plan() after a tell; each repeat on a campaign of its own."""
    problem = sb.problems.get(problem_name)
    seconds = []
    for _ in range(repeats):
        campaign = campaign_at(problem_name, method, TOLD if refit else TOLD - 1)
        campaign.plan()
        trial = campaign.ask()
        campaign.tell(trial.id, problem.evaluate(trial.x))
        began = time.perf_counter()
        campaign.plan()
        seconds.append(time.perf_counter() - began)
    return float(np.median(seconds))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--problems", nargs="+", default=["branin2d", "hartmann6d"])
    arguments = parser.parse_args()
    fitted: Callable[[int], int] = sb.Cold().fitted_on
    assert fitted(TOLD) < TOLD
    assert fitted(TOLD + 1) == TOLD + 1
    print("| problem, T = 250, 40 told | snake-paper | snake | ratio | snake with a refit | ratio |")
    print("|---|---|---|---|---|---|")
    for name in arguments.problems:
        time_replan(name, "snake", refit=False, repeats=1)  # compiles
        paper = time_replan(name, "snake-paper", refit=False, repeats=max(1, arguments.repeats // 3))
        ours = time_replan(name, "snake", refit=False, repeats=arguments.repeats)
        refitted = time_replan(name, "snake", refit=True, repeats=arguments.repeats)
        print(
            f"| {name} | {paper:.2f} s | {1e3 * ours:.0f} ms | {paper / ours:.0f}× | "
            f"{1e3 * refitted:.0f} ms | {paper / refitted:.0f}× |",
            flush=True,
        )


if __name__ == "__main__":
    main()
