from dataclasses import replace

import numpy as np
import pytest

import snakebo as sb
from snakebo.space import Points, Space, Variable
from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.model import believe, draw_paths, fit, sample_paths
from snakebo.surrogate.paths import SamplePaths
from snakebo.surrogate.protocol import Cold, Fixed, HyperparameterProtocol
from snakebo.view import Data, Memo, View

SPACE = Space([Variable("a", 0, 1), Variable("b", -5, 5)])
NOTHING = np.empty((0, 2))
KNOWN = Hyperparameters((0.2, 0.3), 1.0, 0.01)
PROTOCOLS: dict[str, HyperparameterProtocol] = {
    "cold": Cold(),
    "cold, rare refits": Cold(growth=2.0, kernel="rbf", scaling="standardize"),
    "fixed": Fixed(KNOWN),
}


def _told(n: int, objectives: int = 1) -> Data:
    X = np.random.default_rng(0).random((n, 2))
    values = [np.exp(2 * np.sin((4 + 3 * i) * X[:, 0])) + X[:, 1] for i in range(objectives)]
    return Data(X, np.column_stack(values))


def _view(told: Data, protocol: object, memo: Memo | None = None, seed: int = 7) -> View:
    return View(
        space=SPACE,
        cost=sb.Euclidean(),
        budget=50,
        asked=told.X,
        told=told,
        outstanding=NOTHING,
        position=None,
        plan=NOTHING,
        protocol=protocol,
        seed=seed,
        proportions=(1.0,) * told.Y.shape[1],
        memo=memo or Memo(),
    )


def _ours(gp: object) -> GaussianProcess:
    assert isinstance(gp, GaussianProcess)
    return gp


def _drawn(view: View, count: int = 9) -> SamplePaths:
    paths = sample_paths(view, fit(view)[0], count, features=64)
    assert isinstance(paths, SamplePaths)
    return paths


@pytest.mark.parametrize("name", PROTOCOLS)
def test_growing_step_by_step_equals_starting_afresh(name: str) -> None:
    memo, told = Memo(), _told(23)
    for n in range(1, 24):
        view = _view(Data(told.X[:n], told.Y[:n]), PROTOCOLS[name], memo)
        surrogate, paths = fit(view)[0], _drawn(view)
    grown = _ours(surrogate.gp)
    afresh_view = _view(told, PROTOCOLS[name])
    afresh = fit(afresh_view)[0]
    assert afresh.fitted == surrogate.fitted
    assert afresh.outputs == surrogate.outputs
    assert _ours(afresh.gp).hyper == grown.hyper
    np.testing.assert_array_equal(_ours(afresh.gp).L, grown.L)
    np.testing.assert_array_equal(afresh.gp.y, grown.y)
    np.testing.assert_array_equal(_drawn(afresh_view).updates, paths.updates)
    np.testing.assert_array_equal(_drawn(afresh_view).cosines, paths.cosines)


def test_a_forgetful_memo_changes_nothing() -> None:
    told = _told(12)
    memo = Memo(size=1)
    for n in (5, 6, 9, 12):
        forgetful = _drawn(_view(Data(told.X[:n], told.Y[:n]), Cold(), memo))
    np.testing.assert_array_equal(forgetful.updates, _drawn(_view(told, Cold())).updates)


def test_corrected_values_are_not_taken_from_memory() -> None:
    told, memo = _told(12), Memo()
    fit(_view(told, Cold(), memo))
    corrected = told.Y.copy()
    corrected[3] += 1.0
    view = _view(Data(told.X, corrected), Cold(), memo)
    np.testing.assert_array_equal(fit(view)[0].gp.y, fit(_view(Data(told.X, corrected), Cold()))[0].gp.y)
    assert fit(view)[0].gp.y[3] != fit(_view(told, Cold()))[0].gp.y[3]


def test_work_is_done_once() -> None:
    calls = 0

    class Counting(Cold):
        def fit(self, *arguments: object) -> Hyperparameters:
            nonlocal calls
            calls += 1
            return KNOWN

    view = _view(_told(12), Counting(), Memo())
    for _ in range(3):
        fit(view)
        _drawn(view)
    assert calls == 1


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_posterior_is_of_all_the_data_with_the_hyperparameters_of_the_last_refit(name: str) -> None:
    told, protocol = _told(23), PROTOCOLS[name]
    surrogate = fit(_view(told, protocol))[0]
    fitted = protocol.fitted_on(23)
    assert surrogate.fitted == fitted
    np.testing.assert_array_equal(surrogate.gp.X, told.X)
    np.testing.assert_allclose(surrogate.gp.y, surrogate.outputs(told.Y[:, 0]), rtol=1e-12)
    if fitted:
        first = surrogate.outputs(told.Y[:fitted, 0])
        assert first.mean() == pytest.approx(0.0, abs=1e-9)
        expected = protocol.fit(SPACE, told.X[:fitted], first, surrogate.outputs, 0)
        assert _ours(surrogate.gp).hyper == expected
    at_once = GaussianProcess.condition(_ours(surrogate.gp).hyper, told.X, surrogate.gp.y)
    np.testing.assert_allclose(surrogate.gp.mean(SPACE_POINTS), at_once.mean(SPACE_POINTS), rtol=1e-7)


SPACE_POINTS: Points = np.random.default_rng(3).random((8, 2))


def test_paths_keep_their_shape_between_refits() -> None:
    told, protocol = _told(12), Fixed(KNOWN)
    paths = [_drawn(_view(Data(told.X[:n], told.Y[:n]), protocol)) for n in (11, 12)]
    np.testing.assert_array_equal(paths[0].cosines, paths[1].cosines)
    far = np.argsort(np.linalg.norm(SPACE_POINTS - told.X[11], axis=1))[-3:]
    moved = np.abs(paths[1](SPACE_POINTS[far]) - paths[0](SPACE_POINTS[far]))
    spread = paths[0](SPACE_POINTS[far]).std(axis=0)
    assert moved.max() < 0.5 * spread.max()


def test_paths_depend_on_the_seed() -> None:
    one, other = (_drawn(_view(_told(6), Fixed(KNOWN), seed=seed)) for seed in (1, 2))
    assert not np.allclose(one.cosines, other.cosines)


def test_one_surrogate_for_each_objective() -> None:
    told = _told(10, objectives=3)
    view = _view(told, Cold())
    surrogates = fit(view)
    assert [surrogate.objective for surrogate in surrogates] == [0, 1, 2]
    for i, surrogate in enumerate(surrogates):
        alone = fit(_view(Data(told.X, told.Y[:, [i]]), Cold()))[0]
        np.testing.assert_array_equal(surrogate.gp.y, alone.gp.y)
        assert _ours(surrogate.gp).hyper == _ours(alone.gp).hyper
    drawn = [sample_paths(view, surrogate, 4) for surrogate in surrogates]
    assert isinstance(drawn[0], SamplePaths)
    assert isinstance(drawn[1], SamplePaths)
    assert not np.allclose(drawn[0].cosines, drawn[1].cosines)


def test_failed_and_outstanding_trials_do_not_inform_the_model() -> None:
    told = _told(6)
    asked = np.vstack([told.X, SPACE_POINTS])
    view = replace(_view(told, Cold()), asked=asked, outstanding=SPACE_POINTS[:3])
    np.testing.assert_array_equal(fit(view)[0].gp.X, told.X)


def test_a_failed_trial_of_a_campaign_does_not_reach_the_model() -> None:
    views: list[View] = []

    class Spy:
        def plan(self, view: View, rng: np.random.Generator) -> Points:
            views.append(view)
            return view.space.uniform(1, rng)

    campaign = sb.Campaign(SPACE, budget=5, method=Spy(), seed=0)
    first, second, third = campaign.ask(), campaign.ask(), campaign.ask()
    campaign.tell(first.id, 1.0)
    campaign.fail(second.id, "pump stalled")
    campaign.tell(third.id, 2.0)
    campaign.ask()
    view = views[-1]
    expected = SPACE.to_unit([[trial.x["a"], trial.x["b"]] for trial in (first, third)])
    np.testing.assert_allclose(fit(view)[0].gp.X, expected, atol=1e-12)


def test_best_value_and_best_mean() -> None:
    surrogate = fit(_view(_told(8), Fixed(KNOWN)))[0]
    assert surrogate.best_value == surrogate.gp.y.max()
    assert surrogate.best_mean == surrogate.gp.mean(surrogate.gp.X).max()
    assert surrogate.best_mean != surrogate.best_value


def test_believing_takes_outstanding_points_at_their_mean() -> None:
    gp = fit(_view(_told(8), Fixed(KNOWN)))[0].gp
    believed = believe(gp, SPACE_POINTS[:3])
    np.testing.assert_allclose(believed.mean(SPACE_POINTS), gp.mean(SPACE_POINTS), atol=1e-9)
    assert (believed.predict(SPACE_POINTS[:3])[1] < gp.predict(SPACE_POINTS[:3])[1]).all()
    assert believe(gp, NOTHING) is gp


def test_paths_of_ones_own_come_from_the_given_generator() -> None:
    surrogate = fit(_view(_told(8), Fixed(KNOWN)))[0]
    one, again, other = (
        draw_paths(surrogate, 3, np.random.default_rng(seed))(SPACE_POINTS) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one, again)
    assert not np.allclose(one, other)
