"""The non-escape probability: exact draws, and the values that the appendix is about."""

import numpy as np
import pytest

from snakebo.bench.fixed import name_fixed
from snakebo.bench.run import find_problem
from snakebo.bench.studies.non_escape import Setting, draw_jointly, estimate_non_escape, observe_interval
from snakebo.surrogate.kernel import correlate
from snakebo.surrogate.maximise import Search
from snakebo.surrogate.paths import SamplePaths


def setting(outputscale: float, low: float, high: float, samples: int) -> Setting:
    fixed = {"outputscale": outputscale, "lengthscales": 0.1, "noise": 1e-5}
    return Setting("bimodal1d", name_fixed(fixed, ()), low, high, samples, grid=201)


def test_draws_have_the_mean_and_covariance_of_the_posterior() -> None:
    gp = observe_interval(setting(0.6, 0.1, 0.2, 1), repeat=0, observations=3)
    U = np.linspace(0.0, 1.0, 12)[:, None]
    count = 20_000
    draws = draw_jointly(gp, U, count, np.random.default_rng(0))
    k, Z = gp.covariance(U), U / 0.1
    covariance = 0.6 * correlate(Z, Z, "rbf")[0] - k @ gp.solve(k.T)
    # a sample covariance of Gaussians has the variance (c_ii c_jj + c_ij²)/n
    variances = np.diag(covariance)
    errors = np.sqrt((np.outer(variances, variances) + covariance**2) / count)
    assert np.all(np.abs(draws.mean(axis=0) - gp.mean(U)) < 5 * np.sqrt(variances / count) + 1e-9)
    assert np.all(np.abs(np.cov(draws.T) - covariance) < 5 * errors + 1e-9)


@pytest.mark.parametrize(("outputscale", "p"), [(0.6, 0.559), (0.36, 0.744)])
def test_p_at_fifteen_observations_around_the_local_optimum(outputscale: float, p: float) -> None:
    repeats, samples = 10, 500
    here = setting(outputscale, 0.1, 0.2, samples)
    estimates = [estimate_non_escape(here, repeat, 15) for repeat in range(repeats)]
    # p is from ten repeats of 5000 samples, which are the same places: what is left is the error of sampling
    error = np.sqrt(p * (1 - p) / (repeats * samples) * (1 + samples / 5000))
    assert np.mean(estimates) == pytest.approx(p, abs=4 * error)


@pytest.mark.parametrize("outputscale", [0.6, 0.36])
def test_where_no_stationary_point_is_p_vanishes(outputscale: float) -> None:
    here = setting(outputscale, 0.0, 0.1, 500)
    assert max(estimate_non_escape(here, repeat, 15) for repeat in range(5)) < 0.05
    assert estimate_non_escape(here, 0, 1) > 0.05


def test_sample_paths_of_a_campaign_agree() -> None:
    samples = 2000
    here = setting(0.6, 0.1, 0.2, samples)
    gp, space = observe_interval(here, 0, 15), find_problem("bimodal1d").space
    rng = np.random.default_rng(1)
    paths = SamplePaths.draw(gp, samples, rng)
    maximisers, _ = Search()(paths, space, gp.X[:5], np.empty((0, 1)), rng)
    theirs = np.mean((maximisers >= 0.1) & (maximisers <= 0.2))
    p = estimate_non_escape(here, 0, 15)
    assert theirs == pytest.approx(p, abs=4 * np.sqrt(2 * p * (1 - p) / samples))


def test_settings_that_differ_in_the_output_scale_observe_the_same_places() -> None:
    few = observe_interval(setting(0.6, 0.1, 0.2, 1), repeat=3, observations=4)
    many = observe_interval(setting(0.36, 0.1, 0.2, 1), repeat=3, observations=9)
    np.testing.assert_array_equal(few.X, many.X[:4])
    assert not np.array_equal(few.X, observe_interval(setting(0.6, 0.1, 0.2, 1), 4, 4).X)
    assert np.all((many.X >= 0.1) & (many.X <= 0.2))
    x = many.X[:, 0]
    np.testing.assert_allclose(many.y, np.sin(10 * x) + np.exp(-((x - 0.775) ** 2) / 0.1) / 3)
