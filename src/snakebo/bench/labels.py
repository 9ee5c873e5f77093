"""What tables and figures call methods, protocols and cells."""

from __future__ import annotations

from snakebo.bench.run import RANDOM, find_problem
from snakebo.bench.series import Cell


def label_method(method: str, protocol: str = "", usual: str = "") -> str:
    """Return a method as people write it, with its protocol if that is not the usual one."""
    name = method.replace(":epsilon=", " ε=")
    kind = label_protocol(protocol)
    return name if kind == label_protocol(usual) else f"{name}, {kind}"


def label_protocol(protocol: str) -> str:
    """Return "paper", "cold", or "fixed" whatever the hyper-parameters are."""
    return protocol.partition(":")[0]


def label_problem(cell: Cell) -> str:
    """Return the problem, and the objective where it has several."""
    several = len(find_problem(cell.problem).objectives) > 1
    return f"{cell.problem}, {cell.objective}" if several else cell.problem


def label_limits(cell: Cell) -> str:
    """Return the budgets, the delay if there is one, and a start that was chosen."""
    limits = [f"T = {cell.budget}"]
    if cell.delay:
        limits.append(f"delay {cell.delay}")
    if cell.cost_budget is not None:
        limits.append(f"cost ≤ {cell.cost_budget:g}")
    if cell.start != RANDOM:
        limits.append(f"from {cell.start}")
    return ", ".join(limits)
