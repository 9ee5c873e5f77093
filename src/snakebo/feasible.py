"""Feasible points of the unit cube: drawing them at random, and the nearest to a given one.

Rejection within a tight box where the regions have room; where they are narrow, points moved into them and
then spread by hit-and-run. A set small enough to list (candidates, a coarse grid) is listed: exact.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng

from snakebo.checks import Mask, Points
from snakebo.errors import RegionError
from snakebo.grid import TOLERANCE, Grid
from snakebo.region import Candidates, Region

MOST_LISTED = 20_000
MOST_TRIES = 100_000
NARROW = 1e-3  # share of tries accepted, below which rejection is given up
POOL_SIZE = 256


@dataclass(frozen=True, eq=False)
class FeasibleSet:
    """The points of a grid (or box) in which all regions hold, in unit-cube coordinates."""

    grid: Grid
    regions: tuple[Region, ...]

    def check_room(self) -> None:
        """Raise RegionError if no feasible point can be found."""
        if self.regions and self.listed is None:
            self.pool  # noqa: B018 - finding it is the check

    def inside(self, U: Points) -> Mask:
        """Tell which points (n, d) keep the bounds and lie in all regions."""
        ok: Mask = np.all((U >= -TOLERANCE) & (U <= 1.0 + TOLERANCE), axis=1)
        for region in self.regions:
            if not ok.any():
                break
            ok[ok] = region.contains(self.grid.from_unit(U[ok]))
        return ok

    def uniform(self, n: int, rng: Generator) -> Points:
        """Draw feasible points (n, d) at random."""
        return self._draw(n, rng, lambda size: rng.random((size, self.grid.dim)))

    def sobol(self, n: int, rng: Generator) -> Points:
        """Draw feasible points (n, d) of a scrambled Sobol sequence."""
        engine = _sobol_engine(self.grid.dim, rng)
        return self._draw(n, rng, lambda size: engine.random(_power_of_two(size)))

    def project(self, U: Points) -> Points:
        """Return feasible grid points (n, d) near `U`; those feasible already stay where they are."""
        U = np.clip(U, 0.0, 1.0)
        if not self.regions:
            return self.grid.snap(U)
        if self.listed is not None:
            return np.asarray(self.listed[self._listed_tree.query(U)[1]])
        moved = self.grid.snap(U)
        bad = ~self.inside(moved)
        moved[bad] = self.grid.snap(self._move_into_regions(U[bad]))
        bad[bad] = ~self.inside(moved[bad])
        moved[bad] = self._try_neighbours(moved[bad])
        bad[bad] = ~self.inside(moved[bad])
        moved[bad] = self._approach_from_pool(U[bad], self.grid.snap)
        return moved

    def confine(self, U: Points) -> Points:
        """Return points (n, d) of the regions near `U`, between the steps too."""
        U = np.clip(U, 0.0, 1.0)
        if not self.regions:
            return U
        if self.listed is not None:
            return self.project(U)
        bad = ~self.inside(U)
        U[bad] = moved = self._move_into_regions(U[bad])
        bad[bad] = ~self.inside(moved)
        U[bad] = self._approach_from_pool(U[bad], lambda V: V)
        return U

    @cached_property
    def listed(self) -> Points | None:
        """All feasible points, where they can be listed."""
        sets = [region.distinct for region in self.regions if isinstance(region, Candidates)]
        if sets:
            every: Points | None = self.grid.snap(self.grid.to_unit(sets[0]))
        else:
            every = self.grid.enumerate_points(MOST_LISTED) if self.regions else None
        if every is None:
            return None
        feasible = every[self.inside(every)]
        if len(feasible) == 0:
            kind = "candidates, rounded to the steps of the variables," if sets else "points of the grid"
            raise RegionError(
                f"None of the {len(every)} {kind} lies in the region. "
                "Widen the region or make the steps smaller."
            )
        return feasible

    @cached_property
    def _listed_tree(self) -> Any:
        return _tree(np.asarray(self.listed))

    @cached_property
    def _corners(self) -> tuple[Points, Points]:
        """The lows and highs of a box around all regions."""
        boxes = [region.bounds() for region in self.regions]
        lows = np.max([low for low, _ in boxes], axis=0)
        highs = np.min([high for _, high in boxes], axis=0)
        if (lows > highs).any():
            raise RegionError("The regions have no point in common: boxes around them do not overlap.")
        low, high = np.clip(self.grid.to_unit(np.stack([lows, highs])), 0.0, 1.0)
        # Half a step of room, so that the outermost grid points inside can be reached.
        room = np.zeros(self.grid.dim)
        room[self.grid.stepped] = self.grid.unit_steps / 2
        return np.maximum(low - room, 0.0), np.minimum(high + room, 1.0)

    @cached_property
    def pool(self) -> Points:
        """Some feasible points, the same ones every time."""
        found, tried = self._tried
        if len(found) < NARROW * tried:
            starts = self._spread(_sobol_engine(self.grid.dim).random(POOL_SIZE))
            moved = self.grid.snap(self._move_into_regions(starts, rounds=100))
            around = self._try_neighbours(moved)
            found = np.concatenate([found, *(some[self.inside(some)] for some in (moved, around))])
            tried += 2 * POOL_SIZE
            if len(found) == 0:
                raise RegionError(
                    f"The region is empty, or nearly so: none of {tried} points tried lies inside. "
                    "Check units and bounds, widen the region, or list its points with Candidates."
                )
            rng = default_rng(0)
            found = np.concatenate([found, self._wander(rng.choice(found, POOL_SIZE), found, rng)])
        return found

    @cached_property
    def _tried(self) -> tuple[Points, int]:
        """Feasible points found by plain trying, and how many were tried."""
        engine = _sobol_engine(self.grid.dim)
        found, tried, batch = np.empty((0, self.grid.dim)), 0, 1024
        while len(found) < POOL_SIZE and tried < MOST_TRIES:
            U = self.grid.snap(self._spread(engine.random(batch)))
            found = np.concatenate([found, U[self.inside(U)]])
            tried, batch = tried + batch, min(2 * batch, 32768)
        return found, tried

    @cached_property
    def _pool_tree(self) -> Any:
        return _tree(self.pool)

    def _spread(self, U: Points) -> Points:
        low, high = self._corners
        return np.asarray(low + U * (high - low))

    def _draw(self, n: int, rng: Generator, source: Callable[[int], Points]) -> Points:
        if not self.regions:
            return self.grid.snap(source(max(n, 1))[:n])
        if self.listed is not None:
            size = len(self.listed)
            rounds = [rng.permutation(size) for _ in range(-(-n // size))]
            return np.asarray(self.listed[np.concatenate([*rounds, np.empty(0, dtype=np.intp)])[:n]])
        found, tried = self._tried
        if len(found) < NARROW * tried:
            return self._wander(self.project(self._spread(source(max(n, 1))[:n])), self.pool, rng)
        share = len(found) / tried
        accepted = np.empty((0, self.grid.dim))
        while len(accepted) < n:
            batch = min(int(1.2 * (n - len(accepted)) / share) + 16, 32768)
            U = self.grid.snap(self._spread(source(batch)))
            accepted = np.concatenate([accepted, U[self.inside(U)]])
        return accepted[:n]

    def _move_into_regions(self, U: Points, rounds: int = 5) -> Points:
        """Project on each region in turn, until all hold (alternating projections)."""
        moved, out = U.copy(), np.arange(len(U))
        for _ in range(rounds if len(self.regions) > 1 else 1):
            there = moved[out]
            for region in self.regions:
                there = np.clip(self.grid.to_unit(region.project(self.grid.from_unit(there))), 0.0, 1.0)
            moved[out] = there
            out = out[~self.inside(there)]
            if out.size == 0:
                break
        return moved

    @cached_property
    def _shifts(self) -> Points:
        """The ways (n, d) to the neighbours on the grid, up to three coordinates at once, shortest first."""
        stepped = np.array(self.grid.stepped)
        shifts = [np.zeros(self.grid.dim)]
        for count in range(1, min(3, len(stepped)) + 1):
            for chosen in itertools.combinations(range(len(stepped)), count):
                for signs in itertools.product((-1.0, 1.0), repeat=count):
                    shift = np.zeros(self.grid.dim)
                    shift[stepped[list(chosen)]] = signs * self.grid.unit_steps[list(chosen)]
                    shifts.append(shift)
        return np.array(sorted(shifts, key=lambda shift: float(np.linalg.norm(shift))))

    def _try_neighbours(self, moved: Points) -> Points:
        """Return the nearest feasible grid neighbours of `moved`, or `moved` where there is none."""
        found, out = moved.copy(), np.arange(len(moved))
        for shift in self._shifts if self.grid.stepped else ():
            near = self.grid.snap(np.clip(moved[out] + shift, 0.0, 1.0))
            ok = self.inside(near)
            found[out[ok]] = near[ok]
            out = out[~ok]
            if out.size == 0:
                break
        return found

    def _approach_from_pool(self, U: Points, snap: Callable[[Points], Points]) -> Points:
        """Go from the nearest feasible point known towards `U`, as far as bisection finds it feasible."""
        if len(U) == 0:
            return U
        start = self.pool[self._pool_tree.query(U)[1]]
        result, reached, beyond = start.copy(), np.zeros(len(U)), np.ones(len(U))
        for _ in range(20):
            middle = (reached + beyond) / 2
            there = snap(start + middle[:, None] * (U - start))
            ok = self.inside(there)
            result[ok] = there[ok]
            reached, beyond = np.where(ok, middle, reached), np.where(ok, beyond, middle)
        return np.asarray(result)

    def _wander(self, U: Points, others: Points, rng: Generator, rounds: int = 8) -> Points:
        """Spread feasible points: a step towards one of the others, then one along a random chord, in turns.

        The first gets away from corners of the region, where almost no chord has a length. The second is
        hit-and-run: a random place on the chord, drawn again ever closer until it is feasible.
        """
        low, high = self._corners
        U = U.copy()
        for _ in range(rounds):
            between = self.grid.snap(U + rng.random((len(U), 1)) * (rng.choice(others, len(U)) - U))
            ok = self.inside(between)
            U[ok] = between[ok]
            directions = rng.standard_normal(U.shape) * np.maximum(high - low, TOLERANCE)
            ends = np.sort(np.stack([(low - U) / directions, (high - U) / directions]), axis=0)
            back, ahead = np.minimum(ends[0].max(axis=1), 0.0), np.maximum(ends[1].min(axis=1), 0.0)
            waiting = np.arange(len(U))
            for _ in range(20):
                step = rng.uniform(back[waiting], ahead[waiting])
                there = self.grid.snap(np.clip(U[waiting] + step[:, None] * directions[waiting], 0.0, 1.0))
                ok = self.inside(there)
                U[waiting[ok]] = there[ok]
                waiting, step = waiting[~ok], step[~ok]
                if waiting.size == 0:
                    break
                back[waiting] = np.where(step < 0, step, back[waiting])
                ahead[waiting] = np.where(step > 0, step, ahead[waiting])
        return U


def _tree(points: Points) -> Any:
    """Return a tree for finding the nearest of the points (n, d)."""
    from scipy.spatial import cKDTree

    return cKDTree(points)


def _sobol_engine(dim: int, rng: Generator | None = None) -> Any:
    """Return a scrambled Sobol sequence, or without a generator the plain one."""
    from scipy.stats import qmc

    return qmc.Sobol(dim, scramble=rng is not None, rng=rng)


def _power_of_two(size: int) -> int:
    return 1 << max(0, size - 1).bit_length()
