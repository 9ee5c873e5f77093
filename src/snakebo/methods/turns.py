"""Several objectives one after the other: each in its turn, for its share of the campaign (appendix C)."""

import numpy as np

from snakebo.surrogate.model import Surrogate, fit_one
from snakebo.view import View


def fit_in_turn(view: View) -> Surrogate:
    """Fit the objective whose turn it is.

    With a cost budget each objective has its share of the cost, otherwise of the steps, by `proportions`.
    """
    ends = np.cumsum(view.proportions) / np.sum(view.proportions)
    done = len(view.asked) / view.budget if view.cost_budget is None else view.spent / view.cost_budget
    return fit_one(view, min(int(np.searchsorted(ends, done, side="right")), len(ends) - 1))
