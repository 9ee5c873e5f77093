"""A nucleophilic aromatic substitution (SnAr) in a flow reactor, section 4.2 of Folch et al. (2022).

2,4-difluoronitrobenzene (1) and pyrrolidine (2) give the wanted ortho product (3), the para product (4)
and the bis-adduct (5):

    a: 1 + 2 → 3      b: 1 + 2 → 4      c: 3 + 2 → 5      d: 4 + 2 → 5
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.integrate import solve_ivp

from snakebo.cost import FirstOrderResponse
from snakebo.errors import SnakeboError
from snakebo.problems.problem import Problem
from snakebo.space import Points, Space, Variable

_K_REF = np.array([57.9, 2.70, 0.865, 1.63])  # steps a, b, c, d at T_ref, in 10^-2 / (M s)
_E_A = np.array([33.3, 35.3, 38.9, 44.8])  # kJ/mol
_T_REF = 90.0  # °C
_GAS_CONSTANT = 8.314e-3  # kJ/(mol K)
# Not 273.15: Summit, whose reactor the paper's numbers come from, converts to kelvin with this one.
_KELVIN = 273.71

_MOLAR_MASS = np.array([159.09, 71.12, 210.21, 210.21, 261.33])  # g/mol
_ETHANOL_DENSITY = 0.789  # g/mL
_VOLUME = 5.0  # mL

_COST = {  # (α, β, γ) of each variable that takes time to settle
    "temperature": (5.0, 1.0, 1.0),
    "concentration": (2.0, 0.01, 1.0),
    "residence_time": (3.0, 0.05, 1.0),
}
_CITATION = (
    "Hone et al. (2017), Rapid multistep kinetic model generation from transient flow data; "
    "Felton et al. (2021), Summit; Folch et al. (2022), SnAKe, section 4.2."
)


def snar4d(*, noise: float = 0.0) -> Problem:
    """The reactor with the published kinetics."""
    return _build(
        "snar4d",
        slip=False,
        optimum=0.2747300639,  # by many local searches; rounded up, so that no regret is negative
        argmax={"temperature": 81.1224, "concentration": 0.5, "residence_time": 0.5, "equivalents": 1.457484},
        noise=noise,
    )


def snar4d_paper(*, noise: float = 0.0) -> Problem:
    """The reactor as it was when the paper's tables were made: Summit ≤ 0.8.4 has ka for kb in dC4/dt."""
    return _build(
        "snar4d-paper",
        slip=True,
        optimum=0.1743209246,  # likewise
        argmax={"temperature": 79.8790, "concentration": 0.5, "residence_time": 0.5, "equivalents": 1.510329},
        noise=noise,
    )


def react(
    temperature: float, concentration: float, residence_time: float, equivalents: float, *, slip: bool = False
) -> Points:
    """Return the concentrations (5,) of the species at the outlet, in M.

    `slip` makes the para product at the rate of the ortho product; carbon is then not conserved.
    """
    ka, kb, kc, kd = compute_rates(temperature)
    k_para = ka if slip else kb

    def derivative(_: float, C: Points) -> tuple[float, float, float, float, float]:
        C1, C2, C3, C4, _C5 = C.tolist()
        return (
            -(ka + kb) * C1 * C2,
            -(ka + kb) * C1 * C2 - kc * C2 * C3 - kd * C2 * C4,
            ka * C1 * C2 - kc * C2 * C3,
            k_para * C1 * C2 - kd * C2 * C4,
            kc * C2 * C3 + kd * C2 * C4,
        )

    inlet = (concentration, equivalents * concentration, 0.0, 0.0, 0.0)
    solution = solve_ivp(derivative, (0.0, residence_time), inlet, method="LSODA", rtol=1e-10, atol=1e-12)
    if not solution.success:
        raise SnakeboError(f"The reactor's equations were not solved: {solution.message}")
    return np.asarray(solution.y[:, -1], dtype=np.float64)


def compute_rates(temperature: float) -> tuple[float, float, float, float]:
    """Return the rate constants of steps a, b, c and d in 1/(M min), by Arrhenius' law."""
    inverse = 1 / (temperature + _KELVIN) - 1 / (_T_REF + _KELVIN)
    k_a, k_b, k_c, k_d = (0.6 * _K_REF * np.exp(-_E_A / _GAS_CONSTANT * inverse)).tolist()
    return k_a, k_b, k_c, k_d


def compute_performance(outlet: Points, residence_time: float) -> float:
    """Return 1e-4 · space-time yield (kg m^-3 h^-1) − 0.1 · E-factor (waste over product, by mass)."""
    flow = _VOLUME / residence_time  # mL/min
    mass_flow = 1e-3 * _MOLAR_MASS * outlet * flow  # g/min
    product = float(mass_flow[2])
    waste = _ETHANOL_DENSITY * flow + float(mass_flow.sum()) - product
    space_time_yield = max(60 * _MOLAR_MASS[2] * float(outlet[2]) * flow / _VOLUME, 1e-6)
    e_factor = min(waste / product, 1e3) if product > 0 else 1e3
    return float(1e-4 * space_time_yield - 0.1 * e_factor)


def _perform(x: Points, *, slip: bool) -> float:
    temperature, concentration, residence_time, equivalents = x.tolist()
    outlet = react(temperature, concentration, residence_time, equivalents, slip=slip)
    return compute_performance(outlet, residence_time)


def _build(name: str, *, slip: bool, optimum: float, argmax: dict[str, float], noise: float) -> Problem:
    space = Space(
        [
            Variable("temperature", 40, 120, unit="°C"),
            Variable("concentration", 0.1, 0.5, unit="M"),
            Variable("residence_time", 0.5, 2, unit="min"),
            Variable("equivalents", 1, 5, free=True),
        ]
    )
    return Problem(
        name=name,
        space=space,
        cost=FirstOrderResponse(_COST).bind(space),
        function=partial(_perform, slip=slip),
        objectives=("performance",),
        optimum=optimum,
        argmax=argmax,
        citation=_CITATION,
        noise=noise,
    )
