"""Order points by the cheapest path from where the apparatus is (section 3.4)."""

from snakebo.planning.tour import shortest_path
from snakebo.space import Points
from snakebo.view import View


def route(view: View, points: Points) -> Points:
    """Return the points (n, d) in the order of the cheapest open path found from the position."""
    start = None if view.position is None else view.travel(view.position[None], points)[0]
    return points[shortest_path(view.travel(points, points), start)]
