"""The picture of the README: where `snake` and `ei` send the apparatus on Branin, and what the ways cost.

Run it with `python examples/picture.py`; it writes docs/snake-and-ei.png.
"""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import snakebo as sb

BUDGET = 50
SEED = 4
METHODS = {"snake": "#0b6e4f", "ei": "#b4431f"}


def main() -> None:
    """Run both methods from the same start and draw their ways."""
    problem = sb.problems.get("branin2d")
    low, high = problem.space.lows, problem.space.highs
    x1, x2 = np.meshgrid(np.linspace(low[0], high[0], 120), np.linspace(low[1], high[1], 120))
    values = [
        problem.values({"x1": a, "x2": b})["value"] for a, b in zip(x1.ravel(), x2.ravel(), strict=True)
    ]
    figure, axes = plt.subplots(1, 3, figsize=(11.5, 3.7), layout="constrained", width_ratios=[1, 1, 1.15])
    for axis, (method, color) in zip(axes[:2], METHODS.items(), strict=True):
        result = sb.optimize(
            problem.evaluate, problem.space, BUDGET, method=method, cost=problem.cost, seed=SEED
        )
        frame = result.to_frame()
        axis.contourf(x1, x2, np.reshape(values, x1.shape), levels=20, cmap="Greys_r", alpha=0.55)
        axis.plot(frame.x1, frame.x2, "-o", color=color, lw=1, ms=3)
        axis.plot(*frame[["x1", "x2"]].iloc[0], "s", color="black", ms=6)
        axis.set_title(f"{method}: {BUDGET} experiments, way {result.spent:.1f}", fontsize=10)
        axis.set_xlabel("x1")
        axis.set_ylabel("x2")
        regret = problem.optima["value"] - frame["value"].cummax()
        axes[2].step(frame.spent, np.maximum(regret, 1e-9), color=color, label=method, lw=1.8, where="post")
    axes[2].set_yscale("log")
    axes[2].set_xlabel("cost of all moves so far")
    axes[2].set_ylabel("regret")
    axes[2].legend(frameon=False)
    axes[2].spines[["top", "right"]].set_visible(False)
    target = Path(__file__).parent.parent / "docs" / "snake-and-ei.png"
    figure.savefig(target, dpi=130)
    print(f"wrote {target.relative_to(Path.cwd()) if target.is_relative_to(Path.cwd()) else target.name}")


if __name__ == "__main__":
    main()
