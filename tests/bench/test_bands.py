"""Bands: means over seeds, with the definition spelled out."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from snakebo.bench.bands import cost_by_step, regret_by_cost, regret_by_step
from snakebo.bench.series import Series


@pytest.fixture(scope="module")
def series(small: Any) -> Series:
    found: tuple[Series, ...] = small.collect()
    return next(each for each in found if (each.method, each.cell.budget) == ("snake", 15))


def test_by_step_is_mean_and_half_a_deviation(series: Series) -> None:
    for band, rows in ((regret_by_step(series), series.log_regret), (cost_by_step(series), series.spent)):
        np.testing.assert_array_equal(band.x, np.arange(1, 16))
        np.testing.assert_allclose(band.mean, rows.mean(axis=0))
        assert band.half is not None
        np.testing.assert_allclose(band.half, rows.std(axis=0, ddof=1) / 2)


def test_by_cost_is_the_best_of_the_moves_that_were_paid_for(series: Series) -> None:
    band = regret_by_cost(series, limit=1.0, points=57)
    assert (band.x[0], band.x[-1], len(band.x)) == (0.0, 1.0, 57)
    for cost, mean in zip(band.x, band.mean, strict=True):
        reached = [
            min(regret for regret, spent in zip(*rows, strict=True) if spent <= cost)
            for rows in zip(series.log_regret, series.spent, strict=True)
        ]
        assert mean == pytest.approx(np.mean(reached))


def test_by_cost_ends_with_the_costliest_run(series: Series) -> None:
    band = regret_by_cost(series, limit=1e6)
    assert band.x[-1] == series.spent.max()
    assert band.mean[-1] == pytest.approx(series.log_regret[:, -1].mean())


def test_a_single_run_has_no_band(series: Series) -> None:
    single = replace(series, regret=series.regret[:1], spent=series.spent[:1])
    assert regret_by_step(single).half is None
    np.testing.assert_allclose(regret_by_step(single).mean, series.log_regret[0])
