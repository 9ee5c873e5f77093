"""A simulated flow reactor: 100 droplets, each result 25 droplets late, changes cost minutes.

The chemistry is the SnAr benchmark (Hone et al. 2017); the cost of a change is the time until the reactor has
settled (Folch et al. 2022). Every run is kept in a database of its own under runs/, with a report beside it.
Run it with `make run`, or `python examples/reactor.py --seed 3`.
"""

import argparse
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

import snakebo as sb
from snakebo.problems.problem import Problem
from snakebo.report import write_report

RUNS = Path(__file__).parents[1] / "runs"


def main() -> None:
    """Run the campaign, print what it found, and write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=int, default=100, help="droplets in all")
    parser.add_argument("--delay", type=int, default=25, help="droplets between a droplet and its result")
    parser.add_argument("--method", default="snake", help=", ".join(sb.methods.names()))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=RUNS, help="where the database and the report go")
    arguments = parser.parse_args()

    arguments.folder.mkdir(exist_ok=True)
    database = arguments.folder / f"reactor-{datetime.now():%Y%m%d-%H%M%S-%f}.db"
    problem = sb.problems.get("snar4d")
    console = Console()
    console.print(
        f"SnAr reactor: {arguments.budget} droplets, results {arguments.delay} droplets late, "
        f"method {arguments.method}. The first run compiles for some seconds."
    )
    result = sb.optimize(
        problem.evaluate,
        problem.space,
        arguments.budget,
        delay=arguments.delay,
        method=arguments.method,
        cost=problem.cost,
        objectives=problem.objectives,
        seed=arguments.seed,
        progress=True,
        storage=f"sqlite:///{database}",
        name="snar",
    )
    if result.best is not None:
        print_summary(console, problem, result, result.best)
    report = write_report(result.campaign, database.with_suffix(".html"))
    console.print(f"Report: {report}", soft_wrap=True)
    look = f".venv/bin/snakebo status --storage sqlite:///{database}"
    console.print(f"Database: {database}; look into it with {look}", soft_wrap=True)


def print_summary(console: Console, problem: Problem, result: sb.Result, best: sb.Trial) -> None:
    """Print the best setting with units, what it is worth, and what the way there cost."""
    trials = result.campaign.trials
    table = Table(title=f"Best droplet: trial {best.id}")
    table.add_column("setting")
    table.add_column("value", justify="right")
    table.add_column("unit")
    for variable in problem.space.variables:
        table.add_row(variable.name, f"{best.x[variable.name]:.4g}", variable.unit)
    console.print(table)
    (objective,) = problem.objectives
    console.print(
        f"{objective} {best.values[objective]:.5f}; "
        f"the optimum of this chemistry is {problem.optima[objective]:.5f}."
    )
    console.print(
        f"Waiting for the reactor to settle took {result.spent:.0f} min in {len(trials) - 1} moves."
    )


if __name__ == "__main__":
    main()
