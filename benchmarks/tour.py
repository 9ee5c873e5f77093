"""Compare the package's tours with the annealed tour of networkx, which the paper used.

Run `python benchmarks/tour.py`. Each instance is clustered like Thompson samples: a few tight clusters and
a uniform background. networkx finds cycles; it gets a matrix where returning to the start costs nothing,
so that its cycle is an open path with a fixed start too.
"""

import time
from collections.abc import Callable

import networkx as nx
import numpy as np
from networkx.algorithms.approximation import simulated_annealing_tsp
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from snakebo.planning.annealing import annealed_path
from snakebo.planning.path import path_length
from snakebo.planning.tour import shortest_path

Floats = NDArray[np.float64]
Instance = tuple[Floats, Floats]
N_INSTANCES = 20


def make_instance(n: int, dim: int, seed: int) -> Instance:
    rng = np.random.default_rng(seed)
    centres = rng.random((rng.integers(3, 7), dim))
    n_clustered = int(0.6 * n)
    clustered = rng.normal(rng.choice(centres, n_clustered), 0.03)
    points = np.clip(np.concatenate([clustered, rng.random((n - n_clustered, dim))]), 0, 1)
    return cdist(points, points), cdist(rng.random((1, dim)), points)[0]


def networkx_graph(costs: Floats, start_costs: Floats) -> nx.DiGraph:
    n = len(costs)
    matrix = np.zeros((n + 1, n + 1))
    matrix[1:, 1:], matrix[0, 1:] = costs, start_costs
    graph = nx.DiGraph()
    graph.add_weighted_edges_from((i, j, matrix[i, j]) for i in range(n + 1) for j in range(n + 1) if i != j)
    return graph


def timed(function: Callable[[], NDArray[np.int64]], repeats: int) -> tuple[float, NDArray[np.int64]]:
    """Return the shortest of some times, in milliseconds, and the result."""
    best = np.inf
    for _ in range(repeats):
        begin = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - begin)
    return 1e3 * best, result


def compare(n: int, dim: int) -> list[str]:
    """Return one row a tour: mean time, its ratio to networkx, and the ratio of the lengths."""
    times: dict[str, list[float]] = {}
    lengths: dict[str, list[float]] = {}
    for seed in range(N_INSTANCES):
        costs, start_costs = make_instance(n, dim, seed)
        graph = networkx_graph(costs, start_costs)

        def cycle(graph: nx.DiGraph = graph, seed: int = seed) -> NDArray[np.int64]:
            return np.array(simulated_annealing_tsp(graph, "greedy", source=0, seed=seed)[1:-1]) - 1

        def short(costs: Floats = costs, start_costs: Floats = start_costs) -> NDArray[np.int64]:
            return shortest_path(costs, start_costs)

        def annealed(
            costs: Floats = costs, start_costs: Floats = start_costs, seed: int = seed
        ) -> NDArray[np.int64]:
            return annealed_path(costs, start_costs, np.random.default_rng(seed))

        for name, function in (("networkx", cycle), ("shortest_path", short), ("annealed_path", annealed)):
            spent_ms, order = timed(function, 2)
            times.setdefault(name, []).append(spent_ms)
            lengths.setdefault(name, []).append(path_length(costs, start_costs, order))
    rows = []
    for name, times_ms in times.items():
        ratio = np.array(lengths[name]) / np.array(lengths["networkx"])
        faster = np.mean(times["networkx"]) / np.mean(times_ms)
        rows.append(
            f"{n:>5}  {dim}-D  {name:<14} {np.mean(times_ms):9.2f} ms  {faster:8.1f} ×"
            f"  {ratio.mean():6.3f} ± {ratio.std():.3f}"
        )
    return rows


def main() -> None:
    shortest_path(*make_instance(10, 2, 0))
    annealed_path(*make_instance(10, 2, 0), np.random.default_rng(0))
    print("nodes  dim  tour            mean time     faster  length / networkx (20 instances)")
    for n in (126, 300):
        for dim in (2, 4):
            print(*compare(n, dim), sep="\n", flush=True)
    print("\nnodes  shortest_path  relative to 126 nodes (2-D, mean of 5 instances)")
    base_ms = 0.0
    for n in (126, 1000, 2000, 5000):
        spent_ms = 0.0
        for seed in range(5 if n < 5000 else 1):
            instance = make_instance(n, 2, seed)
            spent_ms += timed(lambda instance=instance: shortest_path(*instance), 3)[0]  # type: ignore[misc]
        spent_ms /= 5 if n < 5000 else 1
        base_ms = base_ms or spent_ms
        print(f"{n:>5}  {spent_ms:10.2f} ms  {spent_ms / base_ms:8.1f} ×", flush=True)


if __name__ == "__main__":
    main()
