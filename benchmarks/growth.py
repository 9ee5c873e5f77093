"""How time and memory of an ask grow with the budget T, in four dimensions.

    python benchmarks/growth.py

Each T runs in a process of its own, so that its peak memory can be read. Two columns: 40 results told,
whatever T, and T/4 told, as in the middle of a campaign.
"""

import argparse
import resource
import subprocess
import sys
import time

import numpy as np

import snakebo as sb

BUDGETS = (100, 250, 500, 1000, 2000)


def measure(budget: int, told: int, asks: int = 5) -> tuple[float, float]:
    """Median seconds of an ask after a tell, and the peak memory of this process in MB."""
    problem = sb.problems.get("ackley4d")
    campaign = sb.Campaign(problem.space, budget, cost=problem.cost, seed=0)
    rng = np.random.default_rng(1)
    for x in problem.space.from_unit(problem.space.uniform(told, rng)):
        trial = campaign.attach(problem.space.mapping(x))
        campaign.tell(trial.id, problem.evaluate(trial.x))
    seconds = []
    for _ in range(asks):
        began = time.perf_counter()
        trial = campaign.ask()
        seconds.append(time.perf_counter() - began)
        campaign.tell(trial.id, problem.evaluate(trial.x))
    return float(np.median(seconds)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--one", nargs=2, type=int, metavar=("T", "TOLD"), help="measure one case in this process"
    )
    arguments = parser.parse_args()
    if arguments.one:
        measure(20, 10)  # compiles
        print(*measure(*arguments.one))
        return
    print("| T | ask, 40 told | relative to T = 250 | ask, T/4 told | relative to T = 250 | peak memory |")
    print("|---|---|---|---|---|---|")
    results = {}
    for budget in BUDGETS:
        for told in {40, budget // 4}:
            command = [sys.executable, __file__, "--one", str(budget), str(told)]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            results[budget, told] = [float(word) for word in output.split()]
    for budget in BUDGETS:
        fixed, growing = results[budget, 40], results[budget, budget // 4]
        print(
            f"| {budget} | {1e3 * fixed[0]:.0f} ms | {fixed[0] / results[250, 40][0]:.1f}× | "
            f"{1e3 * growing[0]:.0f} ms | {growing[0] / results[250, 62][0]:.1f}× | "
            f"{max(fixed[1], growing[1]):.0f} MB |"
        )


if __name__ == "__main__":
    main()
