"""The one-step methods beside the paper's numbers for them, and the time of one ask beside that of `snake`.

    python benchmarks/one_step.py quality [--seeds 5 --jobs 2]
    python benchmarks/one_step.py time

Ours start cold, with no free data; the paper's had its educated guess.
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import snakebo as sb

PAPER = Path(sb.__file__).parent / "bench" / "paper_tables.csv"
PROBLEMS = {"branin2d": "Branin2D", "hartmann3d": "Hartmann3D"}
CELLS = {(50, 0): ["ei", "ucb", "pi", "eipu", "trei"], (100, 10): ["ts", "ucb-lp", "eipu-lp"]}
COLUMNS = {
    "ei": "EI", "ucb": "UCB", "pi": "PI", "eipu": "EIpu", "trei": "TrEI",
    "ts": "TS", "ucb-lp": "UCBwLP", "eipu-lp": "EIpuLP",
}  # fmt: skip


def run(case: tuple[str, str, int, int, int]) -> tuple[float, float]:
    """Log-regret and cost of one run."""
    method, problem_name, budget, delay, seed = case
    problem = sb.problems.get(problem_name)
    result = sb.optimize(
        problem.evaluate, problem.space, budget, delay=delay, method=method, cost=problem.cost, seed=seed
    )
    assert result.best is not None
    return float(np.log(max(problem.regrets(result.best.values)["value"], 1e-16))), result.spent


def compare_quality(seeds: int, jobs: int) -> None:
    paper = pd.read_csv(PAPER).rename(columns={"mean": "mean_", "std": "std_"})
    print("| problem | T | delay | method | log-regret | paper | cost | paper |")
    print("|---|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(jobs) as pool:
        for problem, title in PROBLEMS.items():
            for (budget, delay), methods in CELLS.items():
                for method in methods:
                    cases = [(method, problem, budget, delay, 1000 + seed) for seed in range(seeds)]
                    ours = np.array(list(pool.map(run, cases)))
                    cell = paper[
                        (paper.problem == title) & (paper.budget == budget) & (paper.delay == delay)
                        & (paper.method == COLUMNS[method])
                    ]  # fmt: skip
                    shown = {row.metric: f"{row.mean_} ± {row.std_}" for row in cell.itertuples()}
                    (regret, cost), (regret_std, cost_std) = ours.mean(axis=0), ours.std(axis=0, ddof=1)
                    print(
                        f"| {title} | {budget} | {delay} | {method} | {regret:.2f} ± {regret_std:.2f} | "
                        f"{shown['log_regret']} | {cost:.1f} ± {cost_std:.1f} | {shown['cost']} |",
                        flush=True,
                    )


def compare_time(told: int = 100, asks: int = 7) -> None:
    """Median time of an ask after a tell, 100 told points in 6-D, 10 outstanding."""
    problem = sb.problems.get("hartmann6d")
    seconds = {}
    for method in ["snake", *COLUMNS]:
        campaign = sb.Campaign(problem.space, 250, method=method, cost=problem.cost, seed=0)
        rng = np.random.default_rng(1)
        for x in problem.space.from_unit(problem.space.uniform(told, rng)):
            trial = campaign.attach(problem.space.mapping(x))
            campaign.tell(trial.id, problem.evaluate(trial.x))
        for _ in range(10):
            campaign.ask()
        times = []
        for _ in range(asks):
            oldest = campaign.outstanding[0]
            campaign.tell(oldest.id, problem.evaluate(oldest.x))
            began = time.perf_counter()
            campaign.ask()
            times.append(time.perf_counter() - began)
        seconds[method] = float(np.median(times))
    print("| method | ask, 100 told in 6-D, T = 250 | relative to snake |")
    print("|---|---|---|")
    for method, each in seconds.items():
        print(f"| {method} | {1e3 * each:.0f} ms | {each / seconds['snake']:.1f}× |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["quality", "time"])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.what == "time":
        compare_time()
    else:
        compare_quality(arguments.seeds, arguments.jobs)


if __name__ == "__main__":
    main()
