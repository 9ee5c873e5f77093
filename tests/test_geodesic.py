import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy.sparse.csgraph import csgraph_from_dense, shortest_path
from scipy.spatial.distance import cdist

from snakebo.cost import Geodesic
from snakebo.errors import CostError
from snakebo.region import Polygon
from snakebo.space import Points, Space, Variable

L_SHAPE = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
U_SHAPE = Polygon([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)])
RING = Polygon([(0, 0), (3, 0), (3, 3), (0, 3)], holes=[[(1, 1), (2, 1), (2, 2), (1, 2)]])
# Two notches whose tips lie on one vertical line: sight along x = 1 leaves and enters through corners.
NOTCHED = Polygon([(0, 0), (2, 0), (2, 3), (0, 3), (0, 2.5), (1, 2), (0, 1.5)])
STAIRS = Polygon([(0, 0), (3, 0), (3, 3), (2, 3), (2, 2), (1, 2), (1, 1), (0, 1)])
# A hole that touches the outer ring in one corner.
PINCHED = Polygon([(0, 0), (4, 0), (4, 4), (0, 4)], holes=[[(0, 2), (2, 1), (2, 3)]])
STAR = Polygon(
    [
        (
            (1.5 if k % 2 else 0.4) * math.cos(k * math.pi / 7),
            (1.5 if k % 2 else 0.4) * math.sin(k * math.pi / 7),
        )
        for k in range(14)
    ],
    holes=[[(-0.1, -0.1), (0.1, -0.1), (0, 0.15)]],
)
SHAPES = {
    "L": L_SHAPE,
    "U": U_SHAPE,
    "ring": RING,
    "notched": NOTCHED,
    "stairs": STAIRS,
    "pinched": PINCHED,
    "star": STAR,
}
R2, R5 = math.sqrt(2), math.sqrt(5)


@pytest.mark.parametrize(
    ("polygon", "start", "goal", "length"),
    [
        (L_SHAPE, (2, 0), (0, 2), 2 * R2),  # touches the corner (1, 1)
        (L_SHAPE, (2, 1), (1, 2), 2.0),  # along two edges
        (L_SHAPE, (2, 0.5), (0.5, 2), 2 * math.hypot(1, 0.5)),  # round the corner
        (L_SHAPE, (0.2, 0.1), (1.8, 0.9), math.hypot(1.6, 0.8)),
        (L_SHAPE, (0, 0), (2, 0), 2.0),  # along an edge
        (U_SHAPE, (0, 3), (3, 3), 2 * R5 + 1),
        (U_SHAPE, (1, 3), (2, 3), 5.0),  # down, across, up along the edges
        (U_SHAPE, (1, 1), (2, 1), 1.0),
        (U_SHAPE, (0.5, 3), (0.5, 0.5), 2.5),
        (RING, (0, 0), (3, 3), 2 * R5),
        (RING, (1, 1.5), (2, 1.5), 2.0),  # from border to border of the hole
        (RING, (1, 1), (2, 2), 2.0),  # the diagonal of the hole is no way
        (RING, (0.5, 1), (2.5, 1), 2.0),  # along the hole's edge and beyond
        (RING, (0, 1), (1, 0), R2),
        (NOTCHED, (1, 0), (1, 3), 3.0),  # touches the tip
        (NOTCHED, (0, 1.5), (0, 2.5), 2 * math.hypot(1, 0.5)),  # round the tip, not across the mouth
        (STAIRS, (0, 0), (3, 3), 3 * R2),  # touches two corners
        (STAIRS, (0, 1), (2, 3), 1 + R2 + 1),
        (STAIRS, (1, 2), (2, 2), 1.0),
        (PINCHED, (0, 1), (0, 3), 2.0),  # through the point where hole and shore meet
        (PINCHED, (1, 0), (1, 4), 2 * math.hypot(1, 2)),
    ],
)
def test_lengths_by_hand(
    polygon: Polygon, start: tuple[float, float], goal: tuple[float, float], length: float
) -> None:
    cost = Geodesic(polygon)
    assert cost([start], [goal])[0, 0] == pytest.approx(length, abs=1e-12)
    assert cost([goal], [start])[0, 0] == pytest.approx(length, abs=1e-12)


def _inside(polygon: Polygon, n: int, seed: int) -> Points:
    """Random points, corners, middles of edges and points that share coordinates with corners."""
    box = np.array(polygon.vertices)
    space = Space(
        [Variable("x", box[:, 0].min(), box[:, 0].max()), Variable("y", box[:, 1].min(), box[:, 1].max())],
        polygon,
    )
    rng = np.random.default_rng(seed)
    X = space.from_unit(space.uniform(n, rng))
    rings = [box, *map(np.array, polygon.holes)]
    corners = np.concatenate(rings)
    middles = np.concatenate([(ring + np.roll(ring, 1, axis=0)) / 2 for ring in rings])
    aligned = np.column_stack([rng.choice(corners[:, 0], n), rng.choice(corners[:, 1], n)])
    aligned = aligned[space.inside(space.to_unit(aligned))]
    return np.concatenate([X, corners, middles, aligned])


@pytest.mark.parametrize("name", SHAPES)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_it_is_a_metric_at_least_as_long_as_the_straight_line(name: str, seed: int) -> None:
    X = _inside(SHAPES[name], 25, seed)
    D = Geodesic(SHAPES[name])(X, X)
    assert (cdist(X, X) - 1e-9 <= D).all()
    np.testing.assert_array_equal(np.diagonal(D), 0)
    np.testing.assert_allclose(D, D.T, atol=1e-9)
    through = (D[:, :, None] + D[None, :, :]).min(axis=1)
    assert (through + 1e-8 >= D).all()


@pytest.mark.parametrize("name", SHAPES)
def test_it_agrees_with_a_graph_of_all_corners_made_by_shapely(name: str) -> None:
    polygon = SHAPES[name]
    X = _inside(polygon, 30, 7)
    n = len(X)
    lines = shapely.linestrings(np.stack([X.repeat(n, axis=0), np.tile(X, (n, 1))], axis=1))
    seen = shapely.covers(polygon.shape.buffer(1e-8, join_style="mitre"), lines).reshape(n, n)
    graph = csgraph_from_dense(np.where(seen, cdist(X, X), np.inf), null_value=np.inf)
    np.testing.assert_allclose(Geodesic(polygon)(X, X), shortest_path(graph), atol=1e-9)


@given(angle=st.floats(0, 2 * math.pi), scale=st.floats(1e-3, 1e5), shift=st.floats(-1e3, 1e3))
@settings(max_examples=30)
def test_turning_scaling_and_shifting_changes_nothing_else(angle: float, scale: float, shift: float) -> None:
    turn = scale * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])

    def move(XY: ArrayLike) -> Points:
        return np.asarray(np.asarray(XY) @ turn.T + scale * shift)

    moved = Polygon(move(RING.vertices).tolist(), [move(hole).tolist() for hole in RING.holes])
    X = _inside(RING, 10, 1)
    np.testing.assert_allclose(
        Geodesic(moved)(move(X), move(X)), scale * Geodesic(RING)(X, X), atol=1e-6 * scale
    )


def test_rounding_outside_is_forgiven_and_more_is_not() -> None:
    cost = Geodesic(U_SHAPE)
    assert cost([[0.0, 3 + 1e-9]], [[3.0, 3.0]])[0, 0] == pytest.approx(2 * R5 + 1, abs=1e-8)
    with pytest.raises(CostError, match=r"\(1.5, 2\) lies outside"):
        cost([[0.0, 0.0], [1.5, 2.0]], [[3.0, 3.0]])


def test_bound_geodesic_looks_at_its_two_variables() -> None:
    space = Space([Variable("depth", 0, 9, free=True), Variable("y", 0, 3), Variable("x", 0, 3)])
    polygon = Polygon(U_SHAPE.vertices, variables=("x", "y"))
    cost = Geodesic(polygon).bind(space)
    assert cost([[1, 3, 1]], [[8, 3, 2]])[0, 0] == pytest.approx(5.0)
