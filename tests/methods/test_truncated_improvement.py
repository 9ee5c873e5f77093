"""Truncated expected improvement keeps its steps short and its boat afloat."""

import numpy as np

import snakebo as sb

LAKE = [(0, 0), (1, 0), (1, 1), (0.6, 1), (0.6, 0.4), (0.4, 0.4), (0.4, 1), (0, 1)]  # a U


def test_no_step_is_longer_than_the_smallest_length_scale() -> None:
    problem = sb.problems.get("branin2d")
    campaign = sb.Campaign(problem.space, 20, method="trei", cost=problem.cost, seed=3)
    for step in range(20):
        here = campaign.position
        if step:
            from snakebo.surrogate.model import fit

            reach = fit(campaign.view())[0].gp.shortest_lengthscale
        trial = campaign.ask()
        if step:
            points = problem.space.to_unit([list(here.values()), list(trial.x.values())])  # type: ignore[union-attr]
            assert np.linalg.norm(points[1] - points[0]) <= reach * (1 + 1e-9)
        campaign.tell(trial.id, problem.evaluate(trial.x))


def test_it_stays_inside_the_region() -> None:
    space = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)], region=sb.Polygon(LAKE))
    result = sb.optimize(lambda x: x["b"] - (x["a"] - 0.8) ** 2, space, 25, method="trei", seed=0)
    X = result.to_frame()[["a", "b"]].to_numpy()
    assert space.inside(space.to_unit(X)).all()
