"""One step of SnAKe taken apart: the plan, the samples after a result, which of them go, the new plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakebo import problems
from snakebo.bench.experiment import Experiment
from snakebo.bench.studies import StudyWatcher
from snakebo.campaign import Campaign
from snakebo.errors import InputError, SpecError
from snakebo.methods.snake import SnAKe, batch_size, radius
from snakebo.methods.thompson import thompson_batch
from snakebo.planning.deletion import delete_visited
from snakebo.problems.problem import Problem
from snakebo.space import Points
from snakebo.spec.table import Table, located
from snakebo.surrogate.maximise import Search
from snakebo.surrogate.model import fit
from snakebo.threads import one_blas_thread
from snakebo.view import View


@dataclass(frozen=True, eq=False)
class Step:
    """Everything in the unit square. `kept` marks those of the samples (T, 2) that deletion leaves."""

    problem: Problem
    asked: Points  # (t, 2)
    plan: Points  # (T - t, 2) before the last of them was told
    samples: Points
    kept: NDArray[np.bool_]
    epsilon: float
    new_plan: Points


def run_step(experiment: Experiment, results: Path, progress: StudyWatcher) -> None:
    """Say that there is nothing to run: the figure takes the step itself."""
    raise InputError(
        f"{experiment.name} has nothing to run; draw it with: snakebo bench figures {experiment.name}"
    )


def take_step(parameters: Mapping[str, Any]) -> Step:
    """Take as many steps of a campaign as the experiment says, and the last one apart.

    The method is the paper's Algorithm 2 alone: what `snake` adds to it is switched off.
    """
    table = Table(parameters, (), ("problem", "budget", "step", "epsilon", "seed"))
    problem, steps = _read_problem(table), table.whole("step")
    with located(()):
        method = SnAKe(
            table.real("epsilon"), settle=0, late_spread=1, least_gain=0, keep=1, polish=0, enough=0
        )
        campaign = Campaign(
            problem.space, table.whole("budget"), method, problem.cost, seed=table.whole("seed"),
            direction=problem.direction,
        )  # fmt: skip
    if not 1 <= steps < campaign.budget:
        raise SpecError(table.at("step"), f"must lie between 1 and the budget; got {steps}.")
    for _ in range(steps):
        trial = campaign.ask()
        plan = _unit(campaign)
        campaign.tell(trial.id, problem.evaluate(trial.x))
    view = campaign.view()
    with one_blas_thread():
        samples, kept = sample_and_delete(method, view)
    epsilon = radius(method.epsilon, fit(view))
    return Step(problem, view.asked, plan, samples, kept, epsilon, _unit(campaign))


def sample_and_delete(method: SnAKe, view: View) -> tuple[Points, NDArray[np.bool_]]:
    """Return the samples (T, d) of the plan that comes next, and which of them (T,) deletion leaves."""
    rng = np.random.default_rng([view.seed, len(view.asked)])  # as for every plan of a campaign
    search = Search(method.candidates, method.starts, method.climbs)
    surrogates = fit(view)
    batch = thompson_batch(view, surrogates, batch_size(view), rng, search, features=method.features)
    kept = np.zeros(len(batch), dtype=bool)
    kept[delete_visited(batch.points, view.asked, radius(method.epsilon, surrogates), rng)] = True
    return batch.points, kept


def _unit(campaign: Campaign) -> Points:
    """The plan of a campaign in the unit cube."""
    rows = [campaign.space.point(x) for x in campaign.plan()]
    return campaign.space.to_unit(np.array(rows).reshape(-1, campaign.space.dim))


def _read_problem(table: Table) -> Problem:
    with located(table.at("problem")):
        problem = problems.get(table.text("problem"))
        if problem.space.dim != 2 or len(problem.objectives) != 1:
            raise InputError(f"must have two variables and one objective; {problem.name} has not.")
        return problem
