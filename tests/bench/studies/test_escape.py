"""Leaving a local optimum: where its basin ends, when a run is out of it, and what deletion does."""

import numpy as np
import pytest

from snakebo import methods, problems
from snakebo.bench.experiment_file import read_experiment
from snakebo.bench.fixed import name_fixed
from snakebo.bench.perform import perform
from snakebo.bench.run import Run
from snakebo.bench.studies.escape import deletes, find_basin, leaving_step, predict_share

FIXED = name_fixed({"outputscale": 0.6, "lengthscales": 0.1, "noise": 1e-5}, ())


def test_basins_of_the_two_optima_meet_in_the_valley() -> None:
    bimodal = problems.get("bimodal1d")
    valley = 0.46336  # where 10 cos(10x) equals (20/3)(x − 0.775) exp(−10 (x − 0.775)²)
    assert find_basin(bimodal, 0.16) == pytest.approx((0.0, valley), abs=1e-4)
    assert find_basin(bimodal, 0.785) == pytest.approx((valley, 1.0), abs=1e-4)
    assert find_basin(bimodal, 0.0) == find_basin(bimodal, 0.4)
    assert find_basin(bimodal, 1.0) == find_basin(bimodal, 0.5)


def test_a_run_leaves_at_its_first_step_outside() -> None:
    assert leaving_step(np.array([[0.16], [0.2], [0.7], [0.1]]), (0.0, 0.46)) == 2
    assert leaving_step(np.array([[0.16], [0.46], [0.0]]), (0.0, 0.46)) == 3  # never


def test_only_with_a_radius_is_something_deleted() -> None:
    assert [name for name in methods.names() if deletes(name)] == ["snake", "snake-paper"]
    assert not deletes("snake-paper:epsilon=0")
    assert deletes("snake:epsilon=0.1")


def test_the_methods_compared_differ_in_nothing_but_the_deletion() -> None:
    (grid,) = read_experiment("escape").grids
    without, within, ours = grid.methods
    assert (without, ours) == ("snake-paper:epsilon=0", "snake")
    assert within.replace("epsilon=0.1", "epsilon=0") == without
    assert not deletes(without)


@pytest.mark.slow
def test_deletion_leaves_near_the_predicted_share_and_resampling_at_the_end() -> None:
    budget, seeds = 60, range(3)
    plain = "settle=0,late_spread=1,least_gain=0,keep=1,polish=0,enough=0"
    basin = find_basin(problems.get("bimodal1d"), 0.16)
    left = {}
    for epsilon in (0, 0.1):
        method = f"snake:epsilon={epsilon},{plain}"
        runs = [Run("bimodal1d", budget, 0, method, FIXED, None, '{"x":0.16}', seed) for seed in seeds]
        left[epsilon] = [leaving_step(perform(run).steps.x, basin) for run in runs]
    share = predict_share(FIXED)
    # a tenth of the budget, and the error of few seeds: how many samples stay is binomial
    tolerance = 0.1 * budget + 2 * np.sqrt(budget * share * (1 - share) / len(seeds))
    assert np.median(left[0.1]) == pytest.approx(share * budget, abs=tolerance)
    assert min(left[0]) >= budget - 5
