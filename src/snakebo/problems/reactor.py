"""A flow reactor for a nucleophilic aromatic substitution (SnAr): its kinetics, its yield, its waste.

2,4-difluoronitrobenzene (1) and pyrrolidine (2) give the wanted ortho product (3), the para product (4)
and the bis-adduct (5):

    a: 1 + 2 → 3      b: 1 + 2 → 4      c: 3 + 2 → 5      d: 4 + 2 → 5
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.integrate import odeint

from snakebo.errors import SnakeboError
from snakebo.space import Points

_K_REF = np.array([57.9, 2.70, 0.865, 1.63])  # steps a, b, c, d at T_ref, in 10^-2 / (M s)
_E_A = np.array([33.3, 35.3, 38.9, 44.8])  # kJ/mol
_T_REF = 90.0  # °C
_GAS_CONSTANT = 8.314e-3  # kJ/(mol K)
# Not 273.15: Summit, whose reactor the paper's numbers come from, converts to kelvin with this one.
_KELVIN = 273.71

_MOLAR_MASS = np.array([159.09, 71.12, 210.21, 210.21, 261.33])  # g/mol
_ETHANOL_DENSITY = 0.789  # g/mL
_VOLUME = 5.0  # mL


@lru_cache(maxsize=64)  # several objectives of one setting share one solution
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
    # odeint and not solve_ivp: both are LSODA, but here its steps are not taken in Python.
    solution, report = odeint(
        derivative,
        inlet,
        (0.0, residence_time),
        tfirst=True,
        rtol=1e-12,
        atol=1e-14,
        mxstep=10_000,
        full_output=True,
    )
    if report["message"] != "Integration successful.":
        raise SnakeboError(f"The reactor's equations were not solved: {report['message']}")
    outlet = np.array(solution[-1], dtype=np.float64)
    outlet.flags.writeable = False
    return outlet


def compute_rates(temperature: float) -> tuple[float, float, float, float]:
    """Return the rate constants of steps a, b, c and d in 1/(M min), by Arrhenius' law."""
    inverse = 1 / (temperature + _KELVIN) - 1 / (_T_REF + _KELVIN)
    k_a, k_b, k_c, k_d = (0.6 * _K_REF * np.exp(-_E_A / _GAS_CONSTANT * inverse)).tolist()
    return k_a, k_b, k_c, k_d


def compute_space_time_yield(outlet: Points, residence_time: float) -> float:
    """Return the product made, in kg m^-3 h^-1, at least 1e-6."""
    flow = _VOLUME / residence_time  # mL/min
    return float(max(60 * _MOLAR_MASS[2] * outlet[2] * flow / _VOLUME, 1e-6))


def compute_e_factor(outlet: Points, residence_time: float) -> float:
    """Return waste over product by mass, at most 1e3; the solvent is waste."""
    flow = _VOLUME / residence_time
    mass_flow = 1e-3 * _MOLAR_MASS * outlet * flow  # g/min
    product = float(mass_flow[2])
    waste = _ETHANOL_DENSITY * flow + float(mass_flow.sum()) - product
    return min(waste / product, 1e3) if product > 0 else 1e3


def compute_performance(outlet: Points, residence_time: float) -> float:
    """Return the weighted sum of the paper: 1e-4 · space-time yield − 0.1 · E-factor."""
    space_time_yield = compute_space_time_yield(outlet, residence_time)
    return 1e-4 * space_time_yield - 0.1 * compute_e_factor(outlet, residence_time)
