"""A simulated flow reactor: 100 droplets, each result 25 droplets late, temperature changes cost minutes.

The chemistry is the SnAr benchmark (Hone et al. 2017); the cost of a change is the time until the reactor has
settled (Folch et al. 2022). Run it with `make run`, or `python examples/reactor.py --seed 3`.
"""

import argparse

from rich.console import Console
from rich.table import Table

import snakebo as sb
from snakebo.problems.problem import Problem


def main() -> None:
    """Run the campaign and print what it found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=int, default=100, help="droplets in all")
    parser.add_argument("--delay", type=int, default=25, help="droplets between a droplet and its result")
    parser.add_argument("--method", default="snake", help=", ".join(sb.methods.names()))
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

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
        name="snar",
    )
    print_summary(console, problem, result)


def print_summary(console: Console, problem: Problem, result: sb.Result) -> None:
    """Print the best setting with units, what it is worth, and what the way there cost."""
    best = result.best
    assert best is not None
    table = Table(title=f"Best droplet: number {best.id + 1} of {len(result.campaign.trials)}")
    table.add_column("setting")
    table.add_column("value", justify="right")
    table.add_column("unit")
    for variable in problem.space.variables:
        table.add_row(variable.name, f"{best.x[variable.name]:.4g}", variable.unit)
    console.print(table)
    (objective,) = problem.objectives
    console.print(
        f"{objective} {best.values[objective]:.5f}; the optimum of this chemistry is {problem.optimum:.5f}."
    )
    moves = len(result.campaign.trials) - 1
    console.print(f"Waiting for the reactor to settle took {result.spent:.0f} min in {moves} moves.")


if __name__ == "__main__":
    main()
