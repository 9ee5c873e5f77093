"""One step taken apart is what the campaign does."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snakebo.bench.experiment import Experiment
from snakebo.bench.experiment_file import read_experiment
from snakebo.bench.studies.step import run_step, take_step
from snakebo.errors import InputError, SpecError

SMALL: dict[str, Any] = {"problem": "branin2d", "budget": 30, "step": 6, "epsilon": 0.15, "seed": 1}


def test_the_new_plan_visits_the_samples_that_were_kept_and_no_others() -> None:
    step = take_step(SMALL)
    kept = step.samples[step.kept]
    assert len(step.samples) == 30
    assert len(kept) == len(step.new_plan) == 24
    assert len(step.plan) == 24  # thirty less the six that were asked when it was made
    order = np.lexsort(kept.T), np.lexsort(step.new_plan.T)
    np.testing.assert_allclose(kept[order[0]], step.new_plan[order[1]], atol=1e-12)


def test_every_query_took_the_nearest_sample_within_its_ball() -> None:
    step = take_step(SMALL)
    left = list(range(len(step.samples)))
    for query in step.asked:
        distances = np.linalg.norm(step.samples[left] - query, axis=1)
        if distances.min() < step.epsilon:
            nearest = left[int(distances.argmin())]
            assert not step.kept[nearest]
            left.remove(nearest)
        else:
            return  # a random one went, and who it was cannot be told from outside
    assert sorted(left) == np.flatnonzero(step.kept).tolist()


def test_the_shipped_step_shows_deletion_inside_of_the_balls() -> None:
    step = take_step(read_experiment("step").parameters)
    gone = step.samples[~step.kept]
    nearest = np.linalg.norm(gone[:, None] - step.asked[None], axis=2).min(axis=1)
    assert len(step.asked) == len(gone) == 10
    assert np.sum(nearest < step.epsilon) >= 4


def test_there_is_nothing_to_run() -> None:
    step = Experiment("step", "A step", "step", parameters=SMALL)
    with pytest.raises(InputError, match="snakebo bench figures step"):
        run_step(step, Path("step.db"), lambda done, total: None)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"problem": "hartmann3d"}, "problem: must have two variables"),
        ({"step": 30}, "step: must lie between"),
        ({"step": 0}, "step: must lie between"),
        ({"epsilon": -1.0}, "epsilon must be a number ≥ 0"),
        ({"budget": 0}, "budget"),
        ({"sead": 3}, "Did you mean 'seed'"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        take_step({**SMALL, **changes})
