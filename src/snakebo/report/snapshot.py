"""A campaign at one moment, as the figures need it; read once, so that all of them tell the same story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from snakebo.settings import Settings
from snakebo.space import Points, Space
from snakebo.surrogate.model import Surrogate, fit_one
from snakebo.threads import one_blas_thread
from snakebo.trial import State, Trial
from snakebo.view import Data, Memo, View

MODELLED = 300  # results nearest to the best one that a picture of the model rests on; more take minutes


class Source(Protocol):
    """What a figure reads of a campaign."""

    @property
    def settings(self) -> Settings:
        """What the campaign is about."""

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials in order."""

    def plan(self) -> Sequence[dict[str, float]]:
        """The points ahead."""

    def view(self) -> View:
        """The campaign in the unit cube."""


@dataclass(frozen=True)
class Snapshot:
    """What is known of a campaign: settings, trials, the plan ahead and what the model is told."""

    settings: Settings
    trials: tuple[Trial, ...]
    ahead: tuple[dict[str, float], ...]
    seen: View

    def plan(self) -> Sequence[dict[str, float]]:
        """Return the points ahead."""
        return self.ahead

    def view(self) -> View:
        """Return the campaign in the unit cube."""
        return self.seen

    @property
    def space(self) -> Space:
        """The settings that can be tried."""
        return self.settings.space

    @property
    def objectives(self) -> tuple[str, ...]:
        """What is measured."""
        return self.settings.objectives

    @cached_property
    def X(self) -> Points:  # noqa: N802
        """The settings (n, d) of all trials, in the user's units."""
        return self._points([trial.x for trial in self.trials])

    @cached_property
    def planned(self) -> Points:
        """The points ahead (p, d), in the user's units."""
        return self._points(self.ahead)

    @cached_property
    def start(self) -> Points:
        """Where the apparatus was at first, (1, d) in the user's units; (0, d) if that is not known."""
        return self._points([] if self.settings.start is None else [self.settings.start])

    @property
    def ids(self) -> NDArray[np.int64]:
        """The numbers of the trials (n,)."""
        return np.arange(len(self.trials))

    @cached_property
    def spent(self) -> NDArray[np.float64]:
        """The cost (n,) of all moves up to and including each trial."""
        return np.cumsum([trial.cost for trial in self.trials], dtype=np.float64)

    @property
    def total(self) -> float:
        """The cost of all moves."""
        return float(self.spent[-1]) if len(self.spent) else 0.0

    def within(self, state: State) -> NDArray[np.int64]:
        """Return the numbers of the trials in a state."""
        return np.array([trial.id for trial in self.trials if trial.state is state], dtype=np.int64)

    def values(self, objective: str) -> NDArray[np.float64]:
        """Return the values (n,) of one objective as they were told; NaN where there is none."""
        return np.array([trial.values.get(objective, np.nan) for trial in self.trials], dtype=np.float64)

    def sign(self, objective: str) -> float:
        """Return +1 where more is better, −1 where less is."""
        return float(self.settings.signs[self.objectives.index(objective)])

    def best_by(self, objective: str) -> Trial | None:
        """Return the best trial told so far by one objective; None before the first."""
        told = [trial for trial in self.trials if trial.state is State.TOLD]
        sign = self.sign(objective)
        return max(told, key=lambda trial: sign * trial.values[objective], default=None)

    def center(self, objective: str) -> Points | None:
        """Return the best point (d,) in the unit cube: a told trial's, else one of the earlier data's."""
        best, told = self.best_by(objective), self.seen.told
        if best is not None:
            unit: Points = self.space.to_unit(self.X[best.id][None])[0]
            return unit
        return told.X[int(np.argmax(told.Y[:, self.objectives.index(objective)]))] if len(told) else None

    @cached_property
    def surrogates(self) -> tuple[Surrogate, ...]:
        """The model of each objective around its best point; none before anything is known."""
        if not len(self.seen.told):
            return ()
        with one_blas_thread():
            return tuple(
                fit_one(self._near_best(name), number) for number, name in enumerate(self.objectives)
            )

    def _near_best(self, objective: str) -> View:
        told, center = self.seen.told, self.center(objective)
        assert center is not None
        near = np.sort(np.argsort(((told.X - center) ** 2).sum(axis=1), kind="stable")[:MODELLED])
        # A memo of one's own: a reader in another thread must not disturb the campaign's.
        return replace(self.seen, told=Data(told.X[near], told.Y[near]), memo=Memo())

    @cached_property
    def relevance(self) -> Points:
        """How much each variable (d,) matters to the first objective: its inverse length scale, summing to 1.

        Without a model, or one that does not say, those that cost something to change come first.
        """
        weights = np.where(self.space.costly, 1.0, 0.5)
        if self.surrogates and np.isfinite(self.surrogates[0].gp.scale).all():
            weights = 1.0 / self.surrogates[0].gp.scale
        shares: Points = weights / weights.sum()
        return shares

    def _points(self, settings: Sequence[object]) -> Points:
        rows = [[x[name] for name in self.space.names] for x in settings]  # type: ignore[index]
        return np.array(rows, dtype=np.float64).reshape(len(rows), self.space.dim)


def take(campaign: Source) -> Snapshot:
    """Read a campaign once; a snapshot is returned as it is."""
    if isinstance(campaign, Snapshot):
        return campaign
    return Snapshot(campaign.settings, campaign.trials, tuple(campaign.plan()), campaign.view())
