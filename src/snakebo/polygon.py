"""Plane geometry behind polygonal regions: validity, containment, nearest point (Shapely)."""

from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry.polygon import orient

from snakebo.checks import Mask, Points
from snakebo.errors import InputError, RegionError

Ring = tuple[tuple[float, float], ...]


def build_shape(
    vertices: Sequence[Sequence[float]], holes: Sequence[Sequence[Sequence[float]]]
) -> shapely.Polygon:
    """Return a valid polygon, outer ring counter-clockwise, holes clockwise, or raise InputError."""
    outer = _check_ring(vertices, "the polygon")
    inner = [_check_ring(hole, f"hole {number} of the polygon") for number, hole in enumerate(holes)]
    shape = shapely.Polygon(outer, inner)
    if not shape.is_valid:
        reason = shapely.is_valid_reason(shape)
        raise InputError(
            f"The polygon is not valid: {reason}. Its rings must not cross themselves or each other, "
            "and holes must lie inside; check the order of the vertices."
        )
    return orient(shape, sign=1.0)


def _check_ring(vertices: Sequence[Sequence[float]], what: str) -> Points:
    try:
        ring = np.asarray(vertices, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"The vertices of {what} must be pairs of numbers; got {vertices!r}.") from error
    if ring.ndim != 2 or ring.shape[1] != 2:
        raise InputError(f"The vertices of {what} must have shape (n, 2); got {ring.shape}.")
    if not np.isfinite(ring).all():
        bad = int(np.flatnonzero(~np.isfinite(ring).all(axis=1))[0])
        raise InputError(f"Vertex {bad} of {what} is not finite: {ring[bad].tolist()}.")
    distinct = len(np.unique(ring, axis=0))
    if distinct < 3:
        raise InputError(f"At least 3 distinct vertices are needed for {what}; got {distinct}.")
    hull = shapely.MultiPoint(ring).convex_hull
    if hull.area <= 1e-12 * hull.length**2:
        raise InputError(f"The vertices of {what} lie on one line, so its area is zero.")
    return ring


def ring_vertices(shape: shapely.Polygon) -> list[Points]:
    """Return the rings as arrays (n, 2), outer first, without the closing vertex or repeated ones."""
    rings = []
    for ring in (shape.exterior, *shape.interiors):
        corners = np.asarray(ring.coords)[:-1, :2]
        rings.append(corners[(corners != np.roll(corners, 1, axis=0)).any(axis=1)])
    return rings


def scale_to_unit(shape: shapely.Polygon, low: Points, high: Points) -> shapely.Polygon:
    """Return the shape in coordinates where the box from `low` to `high`, (2,) each, is the unit square."""
    return shapely.transform(shape, lambda XY: (XY - low) / (high - low))


def clip_to_unit(shape: shapely.Polygon) -> shapely.Geometry:
    """Return the part of the shape within the unit square; raise RegionError where there is none."""
    part = shapely.intersection(shape, shapely.box(0.0, 0.0, 1.0, 1.0))
    if part.area <= 0.0:
        raise RegionError("The polygon lies outside of the bounds of its variables. Check units and order.")
    return part


def covers(shape: shapely.Geometry, XY: Points, tolerance: float) -> Mask:
    """Tell which points (n, 2) lie in the shape, on its border, or within `tolerance` of it."""
    shapely.prepare(shape)
    inside = np.asarray(shapely.contains_xy(shape, XY[:, 0], XY[:, 1]), dtype=np.bool_)
    outside = np.flatnonzero(~inside)
    if outside.size:
        inside[outside] = shapely.dwithin(shape, shapely.points(XY[outside]), tolerance)
    return inside


def move_inside(shape: shapely.Geometry, XY: Points) -> Points:
    """Return for each point (n, 2) the nearest one of the shape."""
    shapely.prepare(shape)
    moved = XY.copy()
    outside = np.flatnonzero(~np.asarray(shapely.contains_xy(shape, XY[:, 0], XY[:, 1]), dtype=np.bool_))
    if outside.size:
        ways = shapely.shortest_line(shape, shapely.points(XY[outside]))
        moved[outside] = shapely.get_coordinates(ways)[::2]
    return moved
