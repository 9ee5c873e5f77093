"""Regret and cost of `snake` beside the paper's numbers and BoTorch's LogEI, all from a cold start.

    python benchmarks/quality.py run   --seeds 10 --out quality.csv    runs what is missing, two processes
    python benchmarks/quality.py table --out quality.csv               prints the tables

Methods: snake (cold), snake+paper (the paper's hyper-parameter protocol), snake-paper+paper (the paper's
method under its own protocol), logei (BoTorch's LogEI and default GP, the best of a 512-point Sobol set
refined by `optimize_acqf`), logei-0.25 (the same, each step limited to a quarter of every range).
"""

import argparse
import csv
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import snakebo as sb

CELLS = [(50, 0), (100, 0), (100, 25)]
PROBLEMS = ["branin2d", "hartmann3d", "hartmann6d", "ackley4d"]
METHODS = ["snake", "snake+paper", "logei", "logei-0.25"]
TITLES = {
    "branin2d": "Branin2D",
    "hartmann3d": "Hartmann3D",
    "hartmann6d": "Hartmann6D",
    "ackley4d": "Ackley4D",
}
STUCK = {"branin2d": -4.0, "hartmann3d": -3.0, "hartmann6d": -2.4, "ackley4d": 0.5}
"""Log-regret above which a run has not found the best basin (Hartmann: the second-best optimum's regret)."""
KEY = ["method", "problem", "budget", "delay", "seed"]
PAPER = Path(sb.__file__).parent / "bench" / "paper_tables.csv"
FIRST_SEED = 1000  # settings were chosen on seeds below 1000


@dataclass(frozen=True)
class LogEI:
    """BoTorch as its tutorials have it; with `reach`, inside a box around the position."""

    reach: float | None = None

    def plan(self, view: Any, rng: np.random.Generator) -> Any:
        """Return one point."""
        import torch
        from botorch.acquisition import LogExpectedImprovement
        from botorch.fit import fit_gpytorch_mll
        from botorch.models import SingleTaskGP
        from botorch.optim import optimize_acqf
        from gpytorch.mlls import ExactMarginalLogLikelihood

        low, high = np.zeros(view.space.dim), np.ones(view.space.dim)
        if self.reach is not None and view.position is not None:
            low, high = (
                np.maximum(view.position - self.reach, 0.0),
                np.minimum(view.position + self.reach, 1.0),
            )
        if len(view.told) < 2:
            return (low + (high - low) * rng.random(view.space.dim))[None]
        torch.manual_seed(int(rng.integers(2**31)))
        X, Y = torch.tensor(view.told.X), torch.tensor(view.told.Y)
        model = SingleTaskGP(X, Y)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        acquisition = LogExpectedImprovement(model, best_f=Y.max())
        bounds = torch.tensor(np.stack([low, high]))
        point, _ = optimize_acqf(acquisition, bounds, q=1, num_restarts=4, raw_samples=512)
        return np.clip(point.numpy(), low, high)


def run(method: str, problem_name: str, budget: int, delay: int, seed: int) -> dict[str, Any]:
    """One run: log-regret of the best value, cost of all moves, mean time of an ask."""
    problem = sb.problems.get(problem_name)
    name, _, protocol = method.partition("+")
    chosen: Any = {"logei": LogEI(), "logei-0.25": LogEI(0.25)}.get(name, name)
    began = time.perf_counter()
    result = sb.optimize(
        problem.evaluate, problem.space, budget, delay=delay, method=chosen, cost=problem.cost, seed=seed,
        protocol=protocol or None,
    )  # fmt: skip
    assert result.best is not None
    regret = max(problem.regrets(result.best.values)["value"], 1e-16)
    return {
        "method": method, "problem": problem_name, "budget": budget, "delay": delay, "seed": seed,
        "log_regret": float(np.log(regret)), "cost": result.spent,
        "seconds_per_ask": (time.perf_counter() - began) / budget,
    }  # fmt: skip


def run_all(arguments: argparse.Namespace) -> None:
    out = Path(arguments.out)
    done = set()
    if out.exists():
        frame = pd.read_csv(out)
        done = {
            tuple(row)
            for row in frame[["method", "problem", "budget", "delay", "seed"]].itertuples(index=False)
        }
    cells = [
        (method, problem, budget, delay, seed)
        for seed in range(arguments.first, arguments.first + arguments.seeds)
        for method in arguments.methods
        for problem in arguments.problems
        for budget, delay in CELLS
        if arguments.cells is None or f"{budget}/{delay}" in arguments.cells
    ]
    missing = [cell for cell in cells if cell not in done]
    print(f"{len(cells)} runs, {len(cells) - len(missing)} done already", flush=True)
    with ProcessPoolExecutor(arguments.jobs) as pool, out.open("a", newline="") as file:
        futures = [pool.submit(run, *cell) for cell in missing]
        for count, future in enumerate(as_completed(futures), 1):
            row = future.result()
            writer = csv.DictWriter(file, row)
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow(row)
            file.flush()
            if count % 20 == 0 or count == len(missing):
                print(f"{count}/{len(missing)}", flush=True)


def table(arguments: argparse.Namespace) -> None:
    frame = pd.read_csv(arguments.out)
    paper = pd.read_csv(PAPER)
    paper = paper[paper.method.str.endswith("SnAKe")]
    for budget, delay in CELLS:
        print(f"\n### T = {budget}, delay {delay}\n")
        print("| problem | method | log-regret | median | stuck | cost | ms per ask | seeds |")
        print("|---|---|---|---|---|---|---|---|")
        for problem in PROBLEMS:
            title = TITLES[problem]
            cell = paper[(paper.problem == title) & (paper.budget == budget) & (paper.delay == delay)]
            if len(cell):
                best = cell[cell.metric == "log_regret"].sort_values("mean").iloc[0]
                cost = cell[(cell.metric == "cost") & (cell.method == "l-SnAKe")].iloc[0]
                print(
                    f"| {title} | paper: best SnAKe, cost of ℓ-SnAKe | "
                    f"{best['mean']:.2f} ± {best['std']:.2f} | | | "
                    f"{cost['mean']:.1f} ± {cost['std']:.1f} | | 25 |"
                )
            for method, rows in frame[
                (frame.problem == problem) & (frame.budget == budget) & (frame.delay == delay)
            ].groupby("method", sort=False):
                stuck = (rows.log_regret > STUCK[problem]).mean()
                print(
                    f"| {title} | {method} | {rows.log_regret.mean():.2f} ± {rows.log_regret.std():.2f} | "
                    f"{rows.log_regret.median():.2f} | {stuck:.0%} | "
                    f"{rows.cost.mean():.1f} ± {rows.cost.std():.1f} | "
                    f"{1e3 * rows.seconds_per_ask.mean():.0f} | {len(rows)} |"
                )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=["run", "table"])
    parser.add_argument("--out", default="quality.csv")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=FIRST_SEED)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--problems", nargs="+", default=PROBLEMS)
    parser.add_argument("--cells", nargs="+", help="such as 50/0 100/25")
    arguments = parser.parse_args()
    run_all(arguments) if arguments.action == "run" else table(arguments)


if __name__ == "__main__":
    main()
