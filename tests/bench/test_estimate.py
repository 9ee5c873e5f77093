"""Means, spreads, and Welch's standard error of a difference."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from snakebo.bench.estimate import Estimate, margin

# eighths: two that differ do so by far more than rounding
eighths = st.integers(-8000, 8000).map(lambda number: number / 8)
samples = st.lists(eighths, min_size=2, max_size=30).filter(lambda values: np.std(values) > 0)


@given(samples, samples)
def test_margin_is_welch_statistic(ours: list[float], theirs: list[float]) -> None:
    expected = stats.ttest_ind(theirs, ours, equal_var=False).statistic
    assert margin(Estimate.of(ours), Estimate.of(theirs)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_margin_is_positive_where_ours_is_less() -> None:
    assert margin(Estimate(1.0, 1.0, 4), Estimate(2.0, 1.0, 4)) == pytest.approx(math.sqrt(2))


def test_single_run_has_no_spread() -> None:
    single = Estimate.of([3.0])
    assert (single.mean, single.n) == (3.0, 1)
    assert math.isnan(single.std)
    assert math.isnan(margin(single, Estimate(4.0, 1.0, 25)))


def test_margin_without_any_spread() -> None:
    assert margin(Estimate(1.0, 0.0, 5), Estimate(2.0, 0.0, 5)) == math.inf
    assert margin(Estimate(2.0, 0.0, 5), Estimate(1.0, 0.0, 5)) == -math.inf
    assert margin(Estimate(1.0, 0.0, 5), Estimate(1.0, 0.0, 5)) == 0.0
