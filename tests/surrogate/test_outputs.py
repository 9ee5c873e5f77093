import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from snakebo.surrogate.kernel import Array
from snakebo.surrogate.outputs import SCALINGS, Outputs, Scaling, invert_yeo_johnson, yeo_johnson

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


def _skewed(n: int = 40) -> Array:
    return np.exp(np.random.default_rng(0).normal(size=n))


@settings(max_examples=150, derandomize=True)
@given(VALUES, st.sampled_from(SCALINGS))
def test_the_map_keeps_order_and_is_finite(values: list[float], scaling: Scaling) -> None:
    y = np.array(values)
    outputs = Outputs.learn(y, scaling)
    ladder = np.sort(np.concatenate([y, np.linspace(y.min() - 1.0, y.max() + 1.0, 20)]))
    z = outputs(ladder)
    assert np.isfinite(z).all()
    assert (np.diff(z) >= 0).all()
    assert outputs.spread > 0
    assert outputs.scale > 0
    assert 0.3 <= outputs.power <= 3.0


@pytest.mark.parametrize("scaling", SCALINGS)
def test_values_that_differ_stay_apart(scaling: Scaling) -> None:
    y = _skewed()
    z = Outputs.learn(y, scaling)(np.sort(y))
    assert (np.diff(z) > 0).all()


@pytest.mark.parametrize("power", [-1.0, 0.0, 0.3, 0.7, 1.0, 1.5, 2.0, 3.0])
def test_yeo_johnson_agrees_with_scipy(power: float) -> None:
    x = np.concatenate([np.linspace(-20, 20, 41), [1e-9, -1e-9]])
    np.testing.assert_allclose(yeo_johnson(x, power), stats.yeojohnson(x, power), rtol=1e-12, atol=1e-15)


def test_the_power_is_the_most_likely_one() -> None:
    y = _skewed()
    outputs = Outputs.learn(y, "yeo-johnson")
    relative = (y - outputs.center) / outputs.spread
    best = stats.yeojohnson_normmax(relative, brack=(-2, 2))
    assert outputs.power == pytest.approx(max(best, 0.3), abs=1e-3)


@pytest.mark.parametrize("scaling", ["standardize", "yeo-johnson"])
def test_outputs_have_mean_zero_and_deviation_one(scaling: Scaling) -> None:
    y = 1e3 + 50.0 * _skewed()
    z = Outputs.learn(y, scaling)(y)
    assert z.mean() == pytest.approx(0.0, abs=1e-10)
    assert z.std() == pytest.approx(1.0)


def test_a_power_makes_a_long_tail_shorter() -> None:
    y = _skewed()
    straight, bent = (Outputs.learn(y, scaling)(y) for scaling in ("standardize", "yeo-johnson"))
    assert abs(float(stats.skew(bent))) < 0.6 * abs(float(stats.skew(straight)))


@pytest.mark.parametrize("tail", [1e3, 1e9, -1e9])
def test_the_power_stays_in_bounds_whatever_the_outlier(tail: float) -> None:
    y = np.append(np.linspace(0, 1, 10), tail)
    outputs = Outputs.learn(y, "yeo-johnson")
    assert 0.3 <= outputs.power <= 3.0
    assert np.isfinite(outputs(y)).all()


@pytest.mark.parametrize("scaling", ["standardize", "yeo-johnson"])
@pytest.mark.parametrize("y", [np.array([7.0]), np.full(3, 7.0), np.full(10, 1e9), np.full(8, -3e-7)])
def test_equal_values_are_only_centred(scaling: Scaling, y: Array) -> None:
    outputs = Outputs.learn(y, scaling)
    np.testing.assert_allclose(outputs(y), 0.0, atol=1e-9)
    # One unit of the objective stays one unit: nothing is divided by a spread of zero.
    assert outputs(y[:1] + 1.0)[0] == pytest.approx(1.0, abs=1e-3)


def test_few_values_are_standardised_without_a_power() -> None:
    y = np.array([0.0, 0.1, 0.2, 50.0])
    assert Outputs.learn(y, "yeo-johnson") == Outputs.learn(y, "standardize")


def test_raw_values_stay_as_they_are() -> None:
    y = _skewed()
    np.testing.assert_array_equal(Outputs.learn(y, "raw")(y), y)


@settings(max_examples=150, derandomize=True)
@given(VALUES, st.sampled_from(SCALINGS))
def test_the_inverse_leads_back(values: list[float], scaling: Scaling) -> None:
    y = np.array(values)
    outputs = Outputs.learn(y, scaling)
    size = float(np.max(np.abs(y))) + outputs.spread
    np.testing.assert_allclose(outputs.invert(outputs(y)), y, rtol=0.0, atol=1e-6 * size)


@pytest.mark.parametrize("power", [-1.0, 0.0, 0.3, 0.7, 1.0, 1.5, 2.0, 3.0])
def test_the_inverse_of_yeo_johnson_leads_back(power: float) -> None:
    x = np.concatenate([np.linspace(-20, 20, 41), [1e-9, -1e-9]]).reshape(-1, 1)
    np.testing.assert_allclose(invert_yeo_johnson(yeo_johnson(x, power), power), x, rtol=1e-9, atol=1e-15)


def test_beyond_the_end_of_a_power_there_is_no_value() -> None:
    assert invert_yeo_johnson(np.array([-1.0, -2.0]), 3.0).tolist() == [-np.inf, -np.inf]
    assert invert_yeo_johnson(np.array([1.0, 2.0]), -1.0).tolist() == [np.inf, np.inf]
