"""What a method sees of a campaign: everything in the unit cube, everything to be maximised."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from snakebo.cost import MovementCost
from snakebo.space import Points, Space

T = TypeVar("T")


@dataclass(frozen=True)
class Data:
    """Observations in the order in which they were told: X (n, d) and Y (n, objectives)."""

    X: Points
    Y: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.X)

    def __add__(self, later: Data) -> Data:
        return Data(np.vstack([self.X, later.X]), np.vstack([self.Y, later.Y]))


class Memo:
    """Remembers the last few results of pure functions; forgetting costs time and changes nothing else."""

    def __init__(self, size: int = 12) -> None:
        self.size = size
        self._known: OrderedDict[Hashable, Any] = OrderedDict()

    def recall(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result under `key`, making it if it is not known."""
        if key not in self._known:
            self._known[key] = make()
            if len(self._known) > self.size:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        found: T = self._known[key]
        return found

    def __contains__(self, key: Hashable) -> bool:
        return key in self._known


@dataclass(frozen=True)
class View:
    """A campaign at the moment of planning, as plain arrays in unit-cube coordinates."""

    space: Space
    cost: MovementCost  # bound to the space, in the user's units; `travel` takes unit points
    budget: int  # T, all steps of the campaign
    asked: Points  # (t, d) all settings so far, in order, whatever became of them
    told: Data
    outstanding: Points  # (k, d) asked, no result yet
    position: Points | None  # (d,) where the apparatus is; None: not placed yet
    plan: Points  # (p, d) what was left of the plan at the last ask
    protocol: Any  # how hyper-parameters are found: snakebo.surrogate.protocol
    seed: int
    proportions: tuple[float, ...] = (1.0,)  # of the batch, by objective
    spent: float = 0.0  # cost of all moves so far
    cost_budget: float | None = None
    memo: Memo = field(default_factory=Memo)

    @property
    def steps_left(self) -> int:
        """How many settings may still be asked."""
        return self.budget - len(self.asked)

    def travel(self, A: Points, B: Points) -> NDArray[np.float64]:
        """Costs (n, m) of moving from unit points A (n, d) to unit points B (m, d)."""
        return self.cost(self.space.from_unit(A), self.space.from_unit(B))
