"""Compiled cost matrices of apparatus that settle or ramp: one pass, no temporaries."""

import math

import numpy as np

from snakebo.checks import Points
from snakebo.compiled import compiled


@compiled
def settle(A: Points, B: Points, constants: Points, total: bool, costs: Points) -> None:
    """Fill `costs` (n, m) with γ·min(β, |Δ|) + max(0, α·log(|Δ|/β)); constants (d, 3) are (α, β, γ).

    Logarithms take most of the time, so where A and B are the same, only one half is computed.
    """
    same = A.shape == B.shape and bool(np.all(A == B))
    for i in range(A.shape[0]):
        for j in range(i if same else 0, B.shape[0]):
            combined = 0.0
            for k in range(A.shape[1]):
                alpha, beta, gamma = constants[k, 0], constants[k, 1], constants[k, 2]
                change = abs(B[j, k] - A[i, k])
                cost = gamma * min(beta, change)
                if change > beta:
                    cost += alpha * math.log(change / beta)
                combined = combined + cost if total else max(combined, cost)
            costs[i, j] = combined
            if same:
                costs[j, i] = combined


@compiled
def ramp(A: Points, B: Points, rates: Points, total: bool, costs: Points) -> None:
    """Fill `costs` (n, m) with the minutes to go up or down at the rates (d, 2) of each column."""
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            combined = 0.0
            for k in range(A.shape[1]):
                change = B[j, k] - A[i, k]
                minutes = change / rates[k, 0] if change > 0.0 else -change / rates[k, 1]
                combined = combined + minutes if total else max(combined, minutes)
            costs[i, j] = combined
