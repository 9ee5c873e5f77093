"""The reactor's kinetics against an independent solution, BoFire's and a calculation by hand."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from snakebo.problems.reactor import (
    compute_e_factor,
    compute_performance,
    compute_rates,
    compute_space_time_yield,
    react,
)

temperatures = st.floats(40, 120)
concentrations = st.floats(0.1, 0.5)
residence_times = st.floats(0.5, 2)
equivalents_ = st.floats(1, 5)


@settings(max_examples=50)
@given(temperatures, concentrations, residence_times, equivalents_)
def test_carbon_is_conserved(
    T: float, concentration: float, residence_time: float, equivalents: float
) -> None:
    outlet = react(T, concentration, residence_time, equivalents)
    rings, amines = np.array([1, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 2])
    assert rings @ outlet == pytest.approx(concentration, abs=1e-12)
    assert amines @ outlet == pytest.approx(equivalents * concentration, abs=1e-12)


def test_slip_does_not_conserve_carbon() -> None:
    outlet = react(80, 0.5, 0.5, 1.5, slip=True)
    assert outlet[[0, 2, 3, 4]].sum() > 0.51


def concentrations_after(
    s: float, inlet: tuple[float, float], k: tuple[float, ...], k_para: float
) -> NDArray[np.float64]:
    """Solve the kinetics in s = ∫ C2 dt, where they are linear and have a closed form."""
    ka, kb, kc, kd = k
    fast = ka + kb
    C1 = inlet[0] * math.exp(-fast * s)
    C3 = inlet[0] * ka / (fast - kc) * (math.exp(-kc * s) - math.exp(-fast * s))
    C4 = inlet[0] * k_para / (fast - kd) * (math.exp(-kd * s) - math.exp(-fast * s))
    # From dC3/ds = ka·C1 − kc·C3 and dC4/ds = k_para·C1 − kd·C4, integrated.
    reacted = inlet[0] - C1
    C5 = (ka + k_para) / fast * reacted - C3 - C4
    return np.array([C1, inlet[1] - reacted - C5, C3, C4, C5])


@pytest.mark.parametrize("slip", [False, True])
@pytest.mark.parametrize("x", [(40, 0.1, 0.5, 1), (80, 0.5, 0.5, 1.5), (60, 0.3, 1.2, 2), (120, 0.5, 2, 5)])
def test_outlet_agrees_with_the_closed_form(x: tuple[float, float, float, float], slip: bool) -> None:
    T, concentration, residence_time, equivalents = x
    inlet = (concentration, equivalents * concentration)
    k = compute_rates(T)
    k_para = k[0] if slip else k[1]

    flow = solve_ivp(
        lambda _, s: [concentrations_after(s[0], inlet, k, k_para)[1]],
        (0, residence_time),
        [0.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-14,
    )
    expected = concentrations_after(float(flow.y[0, -1]), inlet, k, k_para)
    assert react(*x, slip=slip) == pytest.approx(expected, abs=1e-10)


def test_reactor_with_the_slip_agrees_with_bofire() -> None:
    bofire = pd.read_csv(Path(__file__).parent / "data" / "bofire_snar.csv", comment="#")
    assert len(bofire) == 50
    variables = bofire[["temperature", "concentration", "residence_time", "equivalents"]].to_numpy().tolist()
    outlets = [(react(*x, slip=True), x[2]) for x in variables]
    assert [compute_space_time_yield(*each) for each in outlets] == pytest.approx(bofire.sty, rel=1e-3)
    assert [compute_e_factor(*each) for each in outlets] == pytest.approx(bofire.e_factor, rel=1e-3)
    performance = 1e-4 * bofire.sty_exact - 0.1 * bofire.e_factor_exact
    # What is left is BoFire's: it takes a reactant for used up below a millionth of its inlet.
    assert [compute_performance(*each) for each in outlets] == pytest.approx(performance, abs=1e-5)


def test_rates_at_the_reference_temperature() -> None:
    assert compute_rates(90) == pytest.approx((34.74, 1.62, 0.519, 0.978))


def test_yield_and_waste_by_hand() -> None:
    outlet = np.array([0.1, 0.2, 0.3, 0.01, 0.02])
    space_time_yield = 60 * 210.21 * 0.3 / 0.5
    waste = 789 + 159.09 * 0.1 + 71.12 * 0.2 + 210.21 * 0.01 + 261.33 * 0.02
    e_factor = waste / (210.21 * 0.3)
    assert compute_space_time_yield(outlet, 0.5) == pytest.approx(space_time_yield, rel=1e-12)
    assert compute_e_factor(outlet, 0.5) == pytest.approx(e_factor, rel=1e-12)
    expected = 1e-4 * space_time_yield - 0.1 * e_factor
    assert compute_performance(outlet, 0.5) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("product", [0.0, 1e-12])
def test_without_product_everything_is_bounded(product: float) -> None:
    outlet = np.array([0.5, 0.5, product, 0.0, 0.0])
    assert compute_space_time_yield(outlet, 1.0) == 1e-6
    assert compute_e_factor(outlet, 1.0) == 1e3
    assert compute_performance(outlet, 1.0) == pytest.approx(-100.0, abs=1e-6)


def test_outlet_is_shared_and_therefore_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        react(80, 0.5, 0.5, 1.5)[0] = 1.0
