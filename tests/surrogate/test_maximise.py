from dataclasses import replace

import numpy as np
import pytest

from snakebo.region import Candidates, LinearInequalities, Polygon
from snakebo.space import Points, Space, Variable
from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.kernel import KERNELS, Kernel
from snakebo.surrogate.maximise import PaperSearch, Search, _pick_apart
from snakebo.surrogate.paths import SamplePaths

SQUARE = [Variable("a", 0, 1), Variable("b", -5, 5)]
L_SHAPE = [(0, -5), (1, -5), (1, 0), (0.5, 0), (0.5, 5), (0, 5)]


def _paths(dim: int, kernel: Kernel, lengthscale: float, seed: int, count: int = 100) -> SamplePaths:
    rng = np.random.default_rng(seed)
    X = rng.random((10, dim))
    y = np.sin(6 * X.sum(axis=1)) + X[:, 0]
    hyper = Hyperparameters((lengthscale,) * dim, 1.0, 1e-4, 0.2, kernel)
    return SamplePaths.draw(GaussianProcess.condition(hyper, X, (y - y.mean()) / y.std()), count, rng)


def _anchors(paths: SamplePaths) -> Points:
    return paths.gp.X[np.argsort(-paths.gp.y)[:5]]


def _none(dim: int) -> Points:
    return np.empty((0, dim))


def _grid(dim: int) -> Points:
    axis = np.linspace(0, 1, 2001 if dim == 1 else 301)
    return np.stack(np.meshgrid(*[axis] * dim, indexing="ij"), axis=-1).reshape(-1, dim)


@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("lengthscale", [0.1, 0.2, 0.3])
def test_maxima_are_those_of_a_dense_grid(dim: int, kernel: Kernel, lengthscale: float) -> None:
    space, good, total = Space(SQUARE[:dim]), 0, 0
    for seed in range(2):
        paths = _paths(dim, kernel, lengthscale, seed)
        on_grid = paths.rank(_grid(dim)) + 0.2  # rank leaves out the constant mean
        top = on_grid.max(axis=1)
        for anchors in (_anchors(paths), _none(dim)):
            x, found = Search()(paths, space, anchors, _none(dim), np.random.default_rng(seed))
            np.testing.assert_allclose(np.diag(paths(x)), found, atol=1e-9)
            assert space.inside(x).all()
            good += int(np.sum(found >= top - 1e-3 * np.ptp(on_grid, axis=1)))
            total += len(found)
    assert good >= 0.98 * total


def test_starts_lie_apart() -> None:
    points = np.array([[0.50], [0.51], [0.52], [0.90], [0.91], [0.10]])
    scores = np.array([[5, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 5], [3, 5, 4, 1, 2, 0]], dtype=np.float32)
    top = np.empty((3, 3), np.int64)
    _pick_apart(scores.copy(), points, 0.05**2, top)
    np.testing.assert_array_equal(top, [[0, 3, 5], [5, 4, 2], [1, 4, 5]])
    # Where no other point is far enough the last start comes again: as good as leaving it out.
    _pick_apart(scores.copy(), points, 0.3**2, top)
    np.testing.assert_array_equal(top[0], [0, 3, 5])
    _pick_apart(scores.copy(), points, 0.6**2, top)
    np.testing.assert_array_equal(top[1], [5, 4, 4])


def test_plan_and_anchors_are_looked_at() -> None:
    paths = replace(_paths(2, "rbf", 0.2, 0), spread=0.0)
    space, rng = Space(SQUARE), np.random.default_rng(0)
    target = Search(4096, 20, 30)(paths, space, _anchors(paths), _none(2), rng)[0][:1]
    for anchors, plan in ((target, _none(2)), (_none(2), target)):
        x, _ = Search(16, 1, 0)(paths, space, anchors, plan, rng)  # no climbing: a candidate or nothing
        np.testing.assert_allclose(x, np.repeat(target, len(x), axis=0), atol=0.01)


def test_the_mean_has_one_maximiser() -> None:
    paths = replace(_paths(2, "matern52", 0.3, 1), spread=0.0)
    x, values = Search()(paths, Space(SQUARE), _anchors(paths), _none(2), np.random.default_rng(0))
    assert np.ptp(values) < 1e-6
    assert values[0] >= paths.gp.mean(_grid(2)).max() - 1e-4
    assert np.ptp(x, axis=0).max() < 1e-2


@pytest.mark.parametrize("search", [Search(), PaperSearch()], ids=["ours", "paper"])
@pytest.mark.parametrize(
    "space",
    [
        Space([Variable("a", 0, 1, step=0.05), Variable("b", -5, 5)]),
        Space([Variable("a", 0, 1, step=0.3), Variable("b", -5, 5, step=0.01)]),
        Space(SQUARE, region=Polygon(L_SHAPE)),
        Space(SQUARE, region=LinearInequalities({"a": 10, "b": 1}, upper=2, lower=-1)),
        Space(
            [Variable("a", 0, 1, step=0.001), Variable("b", -5, 5, step=0.01)],
            region=LinearInequalities({"a": 10, "b": 1}, upper=2),
        ),
        Space(SQUARE, region=Candidates([(0.1, 0), (0.5, -3), (0.9, 4), (0.3, 3), (0.7, 1)])),
    ],
    ids=["a step", "steps", "polygon", "inequalities", "steps and inequalities", "candidates"],
)
def test_maximisers_are_feasible_and_on_the_steps(search: Search | PaperSearch, space: Space) -> None:
    paths = _paths(2, "matern52", 0.2, 0, count=30)
    anchors = space.project(_anchors(paths))
    x, values = search(paths, space, anchors, _none(2), np.random.default_rng(0))
    assert x.shape == (30, 2)
    assert space.inside(x).all()
    np.testing.assert_array_equal(space.project(x), x)
    np.testing.assert_allclose(values, np.diag(paths(x)), atol=1e-9)


@pytest.mark.parametrize(
    "region",
    [Polygon(L_SHAPE), LinearInequalities({"a": 10, "b": 1}, upper=2, lower=-1)],
    ids=["polygon", "inequalities"],
)
def test_maxima_in_a_region_are_those_of_its_grid(region: Polygon | LinearInequalities) -> None:
    space, paths = Space(SQUARE, region=region), _paths(2, "matern52", 0.2, 3)
    grid = _grid(2)[::7]
    grid = grid[space.inside(grid)]
    on_grid = paths(grid)
    _, found = Search()(paths, space, space.project(_anchors(paths)), _none(2), np.random.default_rng(0))
    enough = found >= on_grid.max(axis=1) - 1e-3 * np.ptp(on_grid, axis=1)
    assert np.mean(enough) >= 0.97


def test_candidates_are_searched_exhaustively() -> None:
    points = np.random.default_rng(1).random((40, 2))
    space = Space([Variable("a", 0, 1), Variable("b", 0, 1)], region=Candidates(points))
    paths = _paths(2, "rbf", 0.15, 0, count=50)
    x, values = Search()(paths, space, _none(2), _none(2), np.random.default_rng(0))
    everything = paths(points)
    np.testing.assert_allclose(values, everything.max(axis=1), atol=1e-9)
    np.testing.assert_allclose(x, points[everything.argmax(axis=1)], atol=1e-12)


def test_candidate_points_are_feasible_and_as_many_as_asked() -> None:
    space, rng = Space(SQUARE, region=Polygon(L_SHAPE)), np.random.default_rng(0)
    anchors, plan = space.uniform(3, rng), space.uniform(4, rng)
    spread = Search(200).spread(space, anchors, plan, rng)
    assert space.inside(spread).all()
    assert 200 <= len(spread) - 3 - 4 <= 203
    np.testing.assert_array_equal(spread[-7:], np.vstack([anchors, plan]))
    assert len(Search(200).spread(space, _none(2), plan, rng)) == 204


def test_a_search_is_repeatable() -> None:
    paths = _paths(2, "matern52", 0.2, 0, count=20)
    space = Space(SQUARE)
    for search in (Search(), PaperSearch()):
        first, again = (
            search(paths, space, _anchors(paths), _none(2), np.random.default_rng(4))[0] for _ in range(2)
        )
        np.testing.assert_array_equal(first, again)


def test_the_papers_search_climbs() -> None:
    paths = _paths(1, "rbf", 0.3, 0, count=40)
    space = Space(SQUARE[:1])
    _, found = PaperSearch(per_dimension=30)(paths, space, _none(1), _none(1), np.random.default_rng(0))
    gaps = paths(_grid(1)).max(axis=1) - found
    assert np.median(gaps) < 1e-3
