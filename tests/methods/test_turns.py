"""Several objectives one after the other."""

from dataclasses import replace

import numpy as np
import pytest

import snakebo as sb
from snakebo.methods.turns import fit_in_turn
from snakebo.view import View


@pytest.fixture
def view() -> View:
    space = sb.Space([sb.Variable("a", 0, 1)])
    campaign = sb.Campaign(space, 12, objectives=("p", "q", "r"), proportions=(1, 1, 2))
    campaign.add_data([{"a": 0.2, "p": 1.0, "q": 2.0, "r": 0.0}, {"a": 0.7, "p": 0.0, "q": 1.0, "r": 3.0}])
    return campaign.view()


@pytest.mark.parametrize(("asked", "objective"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (11, 2), (12, 2)])
def test_without_a_cost_budget_steps_decide(view: View, asked: int, objective: int) -> None:
    view = replace(view, asked=np.zeros((asked, 1)))
    assert fit_in_turn(view).objective == objective


@pytest.mark.parametrize(
    ("spent", "objective"), [(0.0, 0), (2.4, 0), (2.5, 1), (5.0, 2), (9.9, 2), (10.0, 2)]
)
def test_with_a_cost_budget_the_cost_decides(view: View, spent: float, objective: int) -> None:
    view = replace(view, spent=spent, cost_budget=10.0, asked=np.zeros((11, 1)))
    assert fit_in_turn(view).objective == objective


@pytest.mark.parametrize("method", ["eipu", "trei"])
def test_a_boat_finds_each_of_two_sources_in_its_turn(method: str) -> None:
    space = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)])
    sources = {"p": (0.15, 0.2), "q": (0.9, 0.8)}

    def measure(x: dict[str, float]) -> dict[str, float]:
        return {
            name: float(np.exp(-((x["a"] - a) ** 2 + (x["b"] - b) ** 2) / 0.1))
            for name, (a, b) in sources.items()
        }

    result = sb.optimize(measure, space, 40, method=method, objectives=("p", "q"), cost_budget=6.0, seed=1)
    for name in sources:
        best = result.campaign.best_by(name)
        assert best is not None
        assert best.values[name] > 0.95
