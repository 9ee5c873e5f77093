"""The acquisition optimiser that the one-step methods share."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

import snakebo as sb
from snakebo.errors import InputError
from snakebo.methods.acquire import acquire, maximise
from snakebo.surrogate.acquisition import Acquisition, LogExpectedImprovement, UpperBound
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.model import Surrogate, fit
from snakebo.view import View


def branin_view(told: int, seed: int) -> View:
    problem = sb.problems.get("branin2d")
    campaign = sb.Campaign(problem.space, 50, cost=problem.cost, seed=seed)
    rng = np.random.default_rng(seed)
    for x in problem.space.from_unit(problem.space.uniform(told, rng)):
        trial = campaign.attach(problem.space.mapping(x))
        campaign.tell(trial.id, problem.evaluate(trial.x))
    return campaign.view()


def best_of_refined_grid(acquisition: Acquisition) -> float:
    """The best of a 200 × 200 grid, its ten best points refined by L-BFGS."""
    axis = np.linspace(0.0, 1.0, 200)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    values = acquisition(grid)

    def loss(u: Array) -> tuple[float, Array]:
        value, gradient = acquisition.value_and_gradient(u[None])
        return -float(value[0]), -gradient[0]

    starts = grid[np.argsort(-values)[:10]]
    return max(-minimize(loss, u, jac=True, bounds=[(0, 1)] * 2).fun for u in starts)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["ei", "ucb"])
def test_it_finds_the_best_of_a_refined_grid(kind: str, seed: int) -> None:
    view = branin_view(20, seed)
    (surrogate,) = fit(view)
    acquisition: Acquisition = UpperBound(surrogate.gp, 1.5)
    if kind == "ei":
        acquisition = LogExpectedImprovement(surrogate.gp, surrogate.best_value)
    reference = best_of_refined_grid(acquisition)
    found = maximise(view, surrogate, acquisition, np.random.default_rng(seed))[1].max()
    if kind == "ei":  # of the expected improvement itself, not of its logarithm
        reference, found = np.exp(reference), np.exp(found)
    assert found >= reference - 1e-3 * abs(reference)


@pytest.fixture
def fitted() -> tuple[View, Surrogate, Acquisition]:
    view = branin_view(12, 0)
    (surrogate,) = fit(view)
    return view, surrogate, LogExpectedImprovement(surrogate.gp, surrogate.best_value)


def test_it_does_not_ask_again_for_what_is_outstanding(fitted: tuple[View, Surrogate, Acquisition]) -> None:
    view, surrogate, acquisition = fitted
    for step in range(30):  # more often than there are local maxima
        point = acquire(view, surrogate, acquisition, np.random.default_rng(step))
        if len(view.outstanding):
            assert np.min(np.linalg.norm(view.outstanding - point, axis=1)) > 1e-3
        view = replace(view, outstanding=np.vstack([view.outstanding, point]))


def test_with_nothing_outstanding_it_takes_the_best(fitted: tuple[View, Surrogate, Acquisition]) -> None:
    view, surrogate, acquisition = fitted
    point = acquire(view, surrogate, acquisition, np.random.default_rng(1))
    assert np.exp(acquisition(point)[0]) >= (1 - 1e-3) * np.exp(best_of_refined_grid(acquisition))


def test_a_finite_set_is_searched_in_full() -> None:
    points = [{"a": a, "b": b} for a in (0.0, 0.5, 1.0) for b in (0.0, 1.0)]
    space = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)], region=sb.Candidates(points))
    campaign = sb.Campaign(space, 20, method="ei")
    campaign.add_data([{**x, "value": x["a"] - x["b"]} for x in points[:4]])
    asked = [dict(campaign.ask().x) for _ in range(6)]
    assert all(x in points for x in asked)
    assert len({tuple(x.values()) for x in asked}) == 6  # none twice before all were asked


@pytest.mark.parametrize("method", ["ei", "ucb", "pi", "ts", "ucb-lp", "eipu-lp"])
def test_methods_for_one_objective_say_so_before_anything_is_measured(method: str) -> None:
    space = sb.Space([sb.Variable("a", 0, 1)])
    with pytest.raises(InputError, match=f"'{method}' optimises one objective; the campaign has 2"):
        sb.Campaign(space, 5, method=method, objectives=("p", "q"))
