"""Time 250×250 cost matrices, beside SciPy's Euclidean distances in the same run.

    python benchmarks/cost_matrix.py [vertices.csv]

The outline (columns x1, x2, one header line) is for the geodesic; without it a comb of ten teeth serves.
"""

import math
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist

from snakebo.cost import Euclidean, FirstOrderResponse, Geodesic, MovementCost, Norm, RampRate, Weighted
from snakebo.region import Polygon
from snakebo.space import Space, Variable

SIZE = 250


def median_ms(call: Callable[[], object], repeats: int = 30) -> float:
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e3 * float(np.median(times))


def reactor() -> Space:
    return Space(
        [
            Variable("temperature", 40, 120),
            Variable("concentration", 0.1, 0.5),
            Variable("residence_time", 0.5, 2),
            Variable("equivalents", 1, 5, free=True),
        ]
    )


def comb(teeth: int = 10) -> list[list[float]]:
    outline = [[0.0, 0.0], [1.0, 0.0]]
    for tooth in reversed(range(teeth)):
        left, right = tooth / teeth, (tooth + 0.5) / teeth
        outline += [[right + 0.5 / teeth, 1.0], [right, 1.0], [right, 0.2], [left, 0.2]]
    return outline


def main() -> None:
    rng = np.random.default_rng(0)
    space = reactor()
    X = space.from_unit(space.uniform(SIZE, rng))
    costs: list[tuple[MovementCost, np.ndarray]] = [
        (Euclidean().bind(space), X),
        (Norm(1).bind(space), X),
        (Norm(math.inf).bind(space), X),
        (Norm(3).bind(space), X),
        (Weighted({"temperature": 4.0, "concentration": 1.0}).bind(space), X),
        (
            FirstOrderResponse(
                {"temperature": (5, 1, 1), "concentration": (2, 0.01, 1), "residence_time": (3, 0.05, 1)}
            ).bind(space),
            X,
        ),
        (RampRate({"temperature": (5.0, 2.0), "residence_time": (1.0, 1.0)}).bind(space), X),
    ]
    outline = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1).tolist() if len(sys.argv) > 1 else comb()
    polygon = Polygon(outline)
    lake = Space([Variable("x1", 0, 1), Variable("x2", 0, 1)], region=polygon)
    costs.append((Geodesic(polygon).bind(lake), lake.from_unit(lake.uniform(SIZE, rng))))

    unit = space.to_unit(X)[:, :3].copy()
    reference = median_ms(lambda: cdist(unit, unit))
    print(f"{'cdist euclidean':24} {reference:8.3f} ms")
    for cost, points in costs:
        taken = median_ms(lambda cost=cost, points=points: cost(points, points))  # type: ignore[misc]
        name = f"{type(cost).__name__}({cost.p:g})" if type(cost) is Norm else type(cost).__name__
        print(f"{name:24} {taken:8.3f} ms  {taken / reference:6.1f} × cdist")


if __name__ == "__main__":
    main()
