from typing import Any

import numpy as np
import pytest
import shapely

from snakebo.errors import InputError, RegionError
from snakebo.polygon import build_shape, clip_to_unit, covers, move_inside, ring_vertices, scale_to_unit

SQUARE = [(0, 0), (2, 0), (2, 2), (0, 2)]


@pytest.mark.parametrize(
    ("vertices", "holes", "message"),
    [
        ([(0, 0), (1, 0)], (), "3 distinct vertices.*got 2"),
        ([(0, 0), (1, 0), (1, 0), (0, 0)], (), "3 distinct vertices"),
        ([(0, 0), (1, 1), (2, 2)], (), "on one line"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], (), "Self-intersection"),
        ([(0, 0), (np.nan, 1), (1, 0)], (), "Vertex 1 .*not finite"),
        ([(0, 0, 0), (1, 1, 0), (1, 0, 0)], (), r"shape \(n, 2\)"),
        ([(0, 0), (1, "north"), (1, 0)], (), "pairs of numbers"),
        (SQUARE, [[(5, 5), (6, 5), (6, 6)]], "Hole lies outside"),
        (SQUARE, [[(0.5, 0.5), (1, 1)]], "hole 0"),
    ],
)
def test_invalid_polygons_are_refused_with_the_reason(vertices: Any, holes: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_shape(vertices, holes)


def test_rings_turn_so_that_the_inside_is_on_the_left() -> None:
    shape = build_shape(SQUARE[::-1], [[(0.5, 0.5), (1, 0.5), (1, 1), (0.5, 1)]])
    outer, hole = ring_vertices(shape)
    assert len(outer) == 4
    assert len(hole) == 4
    assert shapely.LinearRing(outer).is_ccw
    assert not shapely.LinearRing(hole).is_ccw


def test_repeated_vertices_are_dropped_from_rings() -> None:
    (ring,) = ring_vertices(build_shape([(0, 0), (2, 0), (2, 0), (2, 2), (0, 0)], ()))
    assert len(ring) == 3


def test_border_counts_as_covered_and_holes_do_not() -> None:
    shape = build_shape(SQUARE, [[(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]])
    points = np.array(
        [[0.0, 1.0], [2.0, 2.0], [1.0, 1.0], [0.5, 1.0], [2.1, 1.0], [0.2, 0.2], [2 + 1e-10, 1.0]]
    )
    assert covers(shape, points, 1e-9).tolist() == [True, True, False, True, False, True, True]


def test_nearest_points_by_hand() -> None:
    shape = build_shape(SQUARE, [[(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]])
    points = np.array([[3.0, 1.0], [3.0, 3.0], [1.0, 0.6], [0.2, 0.2]])
    assert move_inside(shape, points).tolist() == [[2.0, 1.0], [2.0, 2.0], [1.0, 0.5], [0.2, 0.2]]


def test_scaling_and_clipping_to_the_unit_square() -> None:
    shape = scale_to_unit(build_shape(SQUARE, ()), np.array([1.0, 0.0]), np.array([2.0, 4.0]))
    assert shape.bounds == (-1.0, 0.0, 1.0, 0.5)
    assert clip_to_unit(shape).bounds == (0.0, 0.0, 1.0, 0.5)
    with pytest.raises(RegionError, match="outside of the bounds"):
        clip_to_unit(build_shape([(5, 5), (6, 5), (6, 6)], ()))
