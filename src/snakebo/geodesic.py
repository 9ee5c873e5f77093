"""Shortest ways inside a polygon: straight where one sees the goal, else over corners that stick in.

The visibility graph of those corners is made once; a query looks from both points at all corners and takes
the cheapest pair (Lozano-Pérez and Wesley 1979).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.sparse.csgraph import csgraph_from_dense, shortest_path

from snakebo.checks import Mask, Points
from snakebo.compiled import compiled
from snakebo.errors import CostError
from snakebo.polygon import Ring, build_shape, covers, move_inside, ring_vertices

ROUNDING = 1e-6  # of the extent: points this far outside are taken to the border
TOUCH = 1e-10  # of the extent: what is closer touches


@dataclass(frozen=True, eq=False)
class Waters:
    """A polygon prepared for distances: edges (n, 4), corners (k, 2) and the ways (k, k) between them."""

    shape: object
    edges: Points
    corners: Points
    ways: Points
    extent: float

    def distances(self, A: Points, B: Points) -> Points:
        """Return the lengths (n, m) of the shortest ways from rows of A (n, 2) to rows of B (m, 2)."""
        A, B = self._enter(A), self._enter(B)
        touch = TOUCH * self.extent
        from_A, to_B = np.empty((len(A), len(self.corners))), np.empty((len(B), len(self.corners)))
        _look(A, self.corners, self.edges, touch, from_A)
        _look(B, self.corners, self.edges, touch, to_B)
        lengths = np.empty((len(A), len(B)))
        _look(A, B, self.edges, touch, lengths)
        _go_round(from_A, self.ways, to_B, lengths)
        return lengths

    def _enter(self, XY: Points) -> Points:
        outside = ~covers(self.shape, XY, ROUNDING * self.extent)
        if outside.any():
            x, y = XY[np.flatnonzero(outside)[0]].tolist()
            raise CostError(f"The point ({x:g}, {y:g}) lies outside of the polygon, so no way leads there.")
        return np.ascontiguousarray(move_inside(self.shape, XY))


@lru_cache(maxsize=16)
def prepare_waters(vertices: Ring, holes: Sequence[Ring]) -> Waters:
    """Return the polygon with the visibility graph of its corners."""
    shape = build_shape(vertices, holes)
    rings = ring_vertices(shape)
    edges = np.concatenate([np.hstack([ring, np.roll(ring, -1, axis=0)]) for ring in rings])
    corners = np.unique(np.concatenate([ring[_sticks_in(ring)] for ring in rings]), axis=0)
    extent = float(np.ptp(rings[0], axis=0).max())
    seen = np.empty((len(corners), len(corners)))
    _look(corners, corners, edges, TOUCH * extent, seen)
    ways = shortest_path(csgraph_from_dense(seen, null_value=np.inf)) if len(corners) else seen
    return Waters(shape, edges, corners, np.asarray(ways), extent)


def _sticks_in(ring: Points) -> Mask:
    """Tell at which corners the free side, left of the ring, covers more than half a turn."""
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    return np.asarray(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] < 0.0)


@compiled
def _look(A: Points, B: Points, edges: Points, touch: float, lengths: Points) -> None:
    """Fill `lengths` (n, m) with straight distances; infinity where the border is in the way.

    Sight is mutual, so where A and B are the same, only one half is looked at.
    """
    same = A.shape == B.shape and bool(np.all(A == B))
    for i in range(A.shape[0]):
        for j in range(i if same else 0, B.shape[0]):
            lengths[i, j] = np.inf
            if _sees(A[i, 0], A[i, 1], B[j, 0], B[j, 1], edges, touch):
                lengths[i, j] = np.hypot(B[j, 0] - A[i, 0], B[j, 1] - A[i, 1])
            if same:
                lengths[j, i] = lengths[i, j]


@compiled
def _go_round(from_A: Points, ways: Points, to_B: Points, lengths: Points) -> None:
    """Replace infinite lengths (n, m) by the least of from_A (n, k) + ways (k, k) + to_B (m, k)."""
    k = ways.shape[0]
    through = np.empty(k)
    for i in range(lengths.shape[0]):
        through[:] = np.inf
        for v in range(k):
            if from_A[i, v] < np.inf:
                for w in range(k):
                    through[w] = min(through[w], from_A[i, v] + ways[v, w])
        for j in range(lengths.shape[1]):
            if lengths[i, j] == np.inf:
                for w in range(k):
                    lengths[i, j] = min(lengths[i, j], through[w] + to_B[j, w])


@compiled
def _sees(px: float, py: float, qx: float, qy: float, edges: Points, touch: float) -> bool:
    """Tell whether the segment from p to q stays in the polygon; to touch the border is allowed.

    An edge crossed with all four ends clear blocks. Otherwise the segment is cut wherever a corner touches
    it, and the middle of every piece must be inside: that finds ways out and in again through corners.
    """
    dx, dy = qx - px, qy - py
    length = np.hypot(dx, dy)
    if length <= touch:
        return True
    wide = touch * length
    touched = False
    for e in range(edges.shape[0]):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        a_off = dx * (ay - py) - dy * (ax - px)  # distance from the line, times length
        b_off = dx * (by - py) - dy * (bx - px)
        if (a_off > wide and b_off > wide) or (a_off < -wide and b_off < -wide):
            continue
        edge = np.hypot(bx - ax, by - ay)
        p_off = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / edge
        q_off = ((bx - ax) * (qy - ay) - (by - ay) * (qx - ax)) / edge
        if (p_off > touch and q_off > touch) or (p_off < -touch and q_off < -touch):
            continue
        if abs(a_off) > wide and abs(b_off) > wide and abs(p_off) > touch and abs(q_off) > touch:
            return False
        touched = True
    if not touched:
        return True
    at = np.empty(edges.shape[0] + 2)
    at[0], at[1] = 0.0, 1.0
    cuts = 2
    for e in range(edges.shape[0]):
        ax, ay = edges[e, 0] - px, edges[e, 1] - py
        along = (dx * ax + dy * ay) / (length * length)
        if abs(dx * ay - dy * ax) <= wide and 0.0 < along < 1.0:
            slot = cuts
            while at[slot - 1] > along:
                at[slot] = at[slot - 1]
                slot -= 1
            at[slot] = along
            cuts += 1
    for piece in range(cuts - 1):
        if (at[piece + 1] - at[piece]) * length > touch:
            middle = (at[piece] + at[piece + 1]) / 2
            if not _holds(px + middle * dx, py + middle * dy, edges, touch):
                return False
    return True


@compiled
def _holds(x: float, y: float, edges: Points, touch: float) -> bool:
    """Tell whether the point is in the polygon or within `touch` of its border (even-odd rule)."""
    inside = False
    for e in range(edges.shape[0]):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        ux, uy, vx, vy = bx - ax, by - ay, x - ax, y - ay
        along = min(1.0, max(0.0, (vx * ux + vy * uy) / (ux * ux + uy * uy)))
        if (vx - along * ux) ** 2 + (vy - along * uy) ** 2 <= touch * touch:
            return True
        if (ay > y) != (by > y) and x < ax + vy / uy * ux:
            inside = not inside
    return inside
