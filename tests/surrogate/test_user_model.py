from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import snakebo as sb
from snakebo.errors import InputError
from snakebo.methods.thompson import thompson_batch
from snakebo.space import Space, Variable
from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.maximise import Search
from snakebo.surrogate.model import believe, fit
from snakebo.surrogate.user_model import BoTorchModel, BoTorchPosterior
from snakebo.view import Data, View

SPACE = Space([Variable("a", 0, 1), Variable("b", -5, 5)])
HYPER = Hyperparameters((0.2, 0.4), 1.5, 1e-3, 0.3)
U: Array = np.random.default_rng(9).random((6, 2))


def _data(n: int = 8) -> tuple[Array, Array]:
    X = np.random.default_rng(0).random((n, 2))
    return X, np.sin(5 * X[:, 0]) + X[:, 1]


def _same_as_ours(X: Any, Y: Any) -> Any:
    """The user's model, with our own hyper-parameters in it."""
    return GaussianProcess.condition(HYPER, X.numpy(), Y[:, 0].numpy()).to_botorch()


def _with_transforms(X: Any, Y: Any) -> Any:
    from botorch.models import SingleTaskGP
    from botorch.models.transforms import Normalize, Standardize

    return SingleTaskGP(X, Y, input_transform=Normalize(2), outcome_transform=Standardize(1))


def _posterior() -> tuple[BoTorchPosterior, GaussianProcess]:
    X, y = _data()
    return BoTorchModel(_same_as_ours).posterior(X, y), GaussianProcess.condition(HYPER, X, y)


def _view(build: Any) -> View:
    X, y = _data()
    return View(
        space=SPACE,
        cost=sb.Euclidean(),
        budget=20,
        asked=X,
        told=Data(X, y[:, None]),
        outstanding=np.empty((0, 2)),
        position=X[-1],
        plan=np.empty((0, 2)),
        protocol=BoTorchModel(build),
        seed=0,
    )


def test_posterior_and_gradients_agree_with_ours() -> None:
    theirs, ours = _posterior()
    np.testing.assert_allclose(theirs.mean(U), ours.mean(U), atol=1e-6)
    np.testing.assert_allclose(np.array(theirs.predict(U)), ours.predict(U), atol=1e-6)
    for mine, yours in zip(ours.predict_with_gradients(U), theirs.predict_with_gradients(U), strict=True):
        np.testing.assert_allclose(yours, mine, atol=1e-5)
    np.testing.assert_allclose(theirs.scale, ours.scale)
    assert theirs.shortest_lengthscale == pytest.approx(0.2)


def test_extending_conditions_on_one_more_observation() -> None:
    theirs, ours = _posterior()
    before = theirs.predict(U)
    for x, y in ((U[0], 2.0), (U[1], -1.0)):
        theirs, ours = theirs.extend(x, y), ours.extend(x, y)
    np.testing.assert_allclose(np.array(theirs.predict(U)), ours.predict(U), atol=1e-5)
    np.testing.assert_array_equal(theirs.X, ours.X)
    np.testing.assert_array_equal(theirs.y, ours.y)
    np.testing.assert_array_equal(np.array(_posterior()[0].predict(U)), before)


def test_extending_respects_the_models_transforms() -> None:
    """With little noise the posterior passes near the new value, in the objective's own unit."""
    X, y = _data()
    posterior = BoTorchModel(_with_transforms).posterior(X, 100.0 + 30.0 * y)
    posterior.model.likelihood.noise = 1e-4
    extended = posterior.extend(U[0], 180.0)
    assert extended.mean(U[:1])[0] == pytest.approx(180.0, abs=2.0)
    assert extended.predict(U[:1])[1][0] < 0.1 * posterior.predict(U[:1])[1][0]


def test_paths_have_the_moments_of_the_posterior() -> None:
    theirs, ours = _posterior()
    rng, draws = np.random.default_rng(1), 60
    deviations = np.stack([theirs.draw_paths(32, rng)(U) - ours.mean(U) for _ in range(draws)])
    means, squares = deviations.mean(axis=1), (deviations**2).mean(axis=1)
    mean_error = means.std(axis=0, ddof=1) / np.sqrt(draws)
    square_error = squares.std(axis=0, ddof=1) / np.sqrt(draws)
    assert np.abs(means.mean(axis=0) / mean_error).max() < 4.0
    assert np.abs((squares.mean(axis=0) - ours.predict(U)[1]) / square_error).max() < 4.0


@pytest.mark.parametrize("spread", [1.0, 0.4, 0.0])
def test_a_path_is_one_function_with_a_gradient_and_a_spread(spread: float) -> None:
    posterior, _ = _posterior()
    full = posterior.draw_paths(4, np.random.default_rng(2))
    paths = replace(full, spread=spread)
    assert len(paths) == 4
    values = paths(U)
    np.testing.assert_allclose(values, posterior.mean(U) + spread * (full(U) - posterior.mean(U)), atol=1e-9)
    np.testing.assert_array_equal(paths.rank(U), values)
    owner, step = np.repeat(np.arange(4), 6), 1e-6
    points = np.tile(U, (4, 1))
    value, gradient = paths.value_and_gradient(points, owner)
    np.testing.assert_allclose(value, values.ravel(), atol=1e-9)
    for axis in range(2):
        nudge = step * np.eye(2)[axis]
        difference = (paths(U + nudge) - paths(U - nudge)).ravel() / (2 * step)
        np.testing.assert_allclose(gradient[:, axis], difference, atol=1e-5)


def test_points_must_be_grouped_by_path() -> None:
    paths = _posterior()[0].draw_paths(3, np.random.default_rng(0))
    with pytest.raises(InputError, match="grouped by path"):
        paths.value_and_gradient(U[:3], np.array([2, 1, 0]))


def test_drawing_leaves_torchs_generator_alone_and_is_repeatable() -> None:
    import torch

    posterior, _ = _posterior()
    before = torch.get_rng_state()
    first, again, other = (posterior.draw_paths(2, np.random.default_rng(seed))(U) for seed in (5, 5, 6))
    assert torch.equal(torch.get_rng_state(), before)
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize("build", [_same_as_ours, _with_transforms], ids=["plain", "with transforms"])
def test_a_view_with_a_botorch_model_plans(build: Any) -> None:
    view = _view(build)
    surrogates = fit(view)
    assert isinstance(surrogates[0].gp, BoTorchPosterior)
    batches = [
        thompson_batch(view, surrogates, 12, np.random.default_rng(0), Search(128, 2, 8), spread=0.7)
        for _ in range(2)
    ]
    assert len(batches[0]) == 12
    assert SPACE.inside(batches[0].points).all()
    np.testing.assert_array_equal(batches[0].points, batches[1].points)
    assert np.mean(batches[0].gains > 0) > 0.5  # maxima lie above the best known mean
    believed = believe(surrogates[0].gp, U[:2])
    np.testing.assert_allclose(believed.mean(U), surrogates[0].gp.mean(U), atol=1e-4)


def test_a_campaign_takes_a_botorch_model() -> None:
    campaign = sb.Campaign(
        SPACE, budget=8, method=sb.SnAKe(polish=0.5), protocol=sb.BoTorchModel(_same_as_ours), seed=0
    )
    waiting: list[sb.Trial] = []
    while not campaign.finished:  # one result outstanding, up to the last steps
        waiting.append(campaign.ask())
        if len(waiting) > 1:
            trial = waiting.pop(0)
            campaign.tell(trial.id, float(np.sin(5 * trial.x["a"])))
    assert len(campaign.to_frame()) == 8


def test_a_model_without_length_scales_says_so() -> None:
    posterior, _ = _posterior()
    silent = replace(posterior, model=object())
    assert np.isnan(silent.scale).all()
    with pytest.raises(InputError, match="epsilon"):
        silent.shortest_lengthscale  # noqa: B018
