import numpy as np
import pytest

from snakebo.errors import InputError
from snakebo.space import Points, Space, Variable
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.outputs import Outputs
from snakebo.surrogate.paper_protocol import Paper

LINE = Space([Variable("a", 0, 10)])
GUESS = Hyperparameters((0.2,), 1.0, 1e-3, 0.3, "rbf")


def _waves(U: Points) -> Array:
    return np.sin(12 * U) + 0.3


def test_the_educated_guess_is_trained_on_points_of_its_own() -> None:
    asked: list[Points] = []

    def evaluate(U: Points) -> Array:
        asked.append(U)
        return np.column_stack([_waves(U), 2.0 * U])

    paper = Paper.educated(evaluate, LINE, budget=60, rng=np.random.default_rng(0))
    assert [len(points) for points in asked] == [12]  # max(60/5, 10·1), all at once
    rough, smooth = paper.guess  # one for each objective
    assert rough.kernel == "rbf"
    assert rough.lengthscales[0] < 0.4 < smooth.lengthscales[0]
    assert rough.noise >= 1e-5


def test_before_25_observations_the_guess_is_in_force() -> None:
    paper = Paper((GUESS,))
    assert paper.scaling == "raw"
    assert [paper.fitted_on(told) for told in (0, 1, 24, 25, 26, 49, 50, 99)] == [0, 0, 0, 25, 25, 25, 50, 75]
    assert paper.fit(LINE, np.empty((0, 1)), np.empty(0), Outputs(), 0) is GUESS


@pytest.mark.parametrize("lengthscale", [0.02, 2.0])
def test_a_refit_stays_in_the_box_around_the_guess(lengthscale: float) -> None:
    guess = Hyperparameters((lengthscale,), 1.0, 1e-2, 0.3, "rbf")
    X = np.random.default_rng(1).random((25, 1))
    found = Paper((guess,)).fit(LINE, X, _waves(X)[:, 0], Outputs(), 0)
    assert found != guess
    # The box is soft: a normal of deviation √0.001 falls off outside of [ℓ/2, 2ℓ].
    slack = 4 * 0.001**0.5
    assert lengthscale / 2 - slack <= found.lengthscales[0] <= 2 * lengthscale + slack
    assert 0.5 - slack <= found.outputscale <= 2.0 + slack
    assert 0.3 - 1 / 3 - slack <= found.mean <= 0.3 + 1 / 3 + slack


def test_a_guess_must_fit_variables_and_objectives() -> None:
    with pytest.raises(InputError, match="1 length scales are given for 2 variables"):
        Paper((GUESS,)).check(Space([*LINE.variables, Variable("b", 0, 1)]), 1)
    with pytest.raises(InputError, match="1 sets of hyper-parameters are given for 2 objectives"):
        Paper((GUESS,)).check(LINE, 2)


def test_every_refit_goes_on_from_the_one_before() -> None:
    paper, X = Paper((GUESS,)), np.random.default_rng(2).random((75, 1))
    y = _waves(X)[:, 0]
    noises = [paper.fit(LINE, X[:told], y[:told], Outputs(), 0).noise for told in (0, 25, 50, 75)]
    assert noises[0] == GUESS.noise
    assert noises[3] < noises[2] < noises[1] < noises[0]  # there is none, and each refit finds less of it
    again = Paper((GUESS,)).fit(LINE, X, y, Outputs(), 0)
    assert again == paper.fit(LINE, X, y, Outputs(), 0)
