"""SnAKe: sample the future, order it, walk it (Folch et al., NeurIPS 2022), and what we add to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from numpy.random import Generator

from snakebo.checks import as_real, as_whole
from snakebo.errors import InputError
from snakebo.methods.blind import HORIZON, wander
from snakebo.methods.focus import expected_gain, keep_promising
from snakebo.methods.polish import nearest, polish, whose_turn
from snakebo.methods.route import route
from snakebo.methods.thompson import Batch, thompson_batch
from snakebo.planning import deletion
from snakebo.space import Points
from snakebo.surrogate.maximise import Search
from snakebo.surrogate.model import Surrogate, fit
from snakebo.view import View

_LEAST_SPREAD = 0.03


@dataclass(frozen=True)
class SnAKe:
    """Plan the whole path ahead: Thompson samples, less what was visited, in the cheapest order.

    >>> campaign = sb.Campaign(space, budget=100, method=sb.SnAKe(epsilon=0.1))
    >>> while not campaign.finished:
    ...     trial = campaign.ask()
    ...     campaign.tell(trial.id, measure(trial.x))

    The first setting is the paper's; each of the others is a step of our own that can be switched off.
    """

    epsilon: float | Literal["lengthscale"] = "lengthscale"  # radius of deletion; the smallest length scale
    candidates: int = 1024  # points shared by all paths as starts; more costs time
    starts: int = 6  # per path, apart from each other
    climbs: int = 14  # steps of refinement
    features: int = 512  # Fourier features of a path
    settle: int = 15  # steps at the end over which samples draw in towards the mean (0: off)
    late_spread: float = 0.5  # they do so from the beginning, down to this, while results are late (1: off)
    least_gain: float = 0.1  # drop points that promise less than this share of the mean gain (0: off)
    keep: float = 0.5  # then keep this share of the points, best log-EI first (1: off)
    polish: float = 0.1  # last share of the budget, spent close to the best (0: off)
    enough: float = 0.02  # so too while this mean gain, in spreads of the values, is not in sight (0: off)

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        for name in ("late_spread", "least_gain", "keep", "polish", "enough"):
            share = as_real(getattr(self, name), f"{name} of SnAKe")
            if not 0.0 <= share <= 1.0:
                raise InputError(f"{name} of SnAKe must lie between 0 and 1; got {share:g}.")
        for name, least, most in (
            ("candidates", 16, 100_000), ("starts", 1, 100), ("climbs", 0, 1000), ("features", 16, 100_000),
            ("settle", 0, 1_000_000),
        ):  # fmt: skip
            if as_whole(getattr(self, name), f"{name} of SnAKe", least) > most:
                raise InputError(f"{name} of SnAKe must be at most {most}; got {getattr(self, name)!r}.")

    def plan(self, view: View, rng: Generator) -> Points:
        """Algorithm 2: sample T futures, delete what was visited, order the rest from here."""
        if not len(view.told):
            return wander(view, rng)
        surrogates = fit(view)
        if view.steps_left <= self.polish * view.budget:
            return polish(view, whose_turn(view, surrogates), rng)
        search = Search(self.candidates, self.starts, self.climbs)
        future = thompson_batch(
            view, surrogates, batch_size(view), rng, search, spread=self.spread(view), features=self.features
        )
        if expected_gain(future) < self.enough:
            return polish(view, nearest(view, surrogates), rng)
        future = delete_visited(view, future, radius(self.epsilon, surrogates), rng)
        future = keep_promising(future, surrogates, self.least_gain, self.keep)
        return route(view, future.points)

    def spread(self, view: View) -> float:
        """How far samples stray from the mean: less towards the end, and sooner so while results are late."""
        late = max(self.late_spread, view.steps_left / view.budget) if len(view.outstanding) else 1.0
        return max(_LEAST_SPREAD, min(late, view.steps_left / self.settle if self.settle else 1.0))


def batch_size(view: View) -> int:
    """T, so that deletion leaves as many points as steps; less where the horizon is shorter than that."""
    return min(view.budget, len(view.asked) + HORIZON)


def delete_visited(view: View, future: Batch, epsilon: float, rng: Generator) -> Batch:
    """Algorithm 1: for every setting asked so far, one point of the future goes."""
    return future.take(deletion.delete_visited(future.points, view.asked, epsilon, rng))


def radius(epsilon: float | Literal["lengthscale"], surrogates: list[Surrogate]) -> float:
    """The radius ε of deletion."""
    if epsilon == "lengthscale":
        return min(surrogate.gp.shortest_lengthscale for surrogate in surrogates)
    return float(epsilon)


def check_epsilon(epsilon: object) -> None:
    """Raise unless ε is a number ≥ 0 or "lengthscale"."""
    if isinstance(epsilon, str):
        fits = epsilon == "lengthscale"
    else:
        fits = as_real(epsilon, 'epsilon, unless "lengthscale",') >= 0.0
    if not fits:
        raise InputError(f'epsilon must be a number ≥ 0, or "lengthscale" for the smallest; got {epsilon!r}.')
