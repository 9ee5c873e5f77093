import numpy as np
import pytest

from snakebo.surrogate.botorch_model import (
    build_botorch,
    empty_model,
    hyperparameters_of,
    set_hyperparameters,
)
from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.kernel import KERNELS, Kernel

X = np.random.default_rng(0).random((6, 2))
Y = np.sin(5 * X[:, 0]) + X[:, 1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_hyperparameters_survive_the_way_there_and_back(kernel: Kernel) -> None:
    hyper = Hyperparameters((0.123, 4.5), 3.2, 1e-3, -0.7, kernel)
    model = empty_model(X, Y, kernel, noise_floor=1e-6)
    set_hyperparameters(model, hyper)
    back = hyperparameters_of(model)
    assert back.kernel == kernel
    np.testing.assert_allclose(back.lengthscales, hyper.lengthscales, rtol=1e-9)
    np.testing.assert_allclose(
        [back.outputscale, back.noise, back.mean], [hyper.outputscale, hyper.noise, hyper.mean], rtol=1e-9
    )


def test_noise_below_the_floor_is_raised_to_it() -> None:
    model = empty_model(X, Y, "rbf", noise_floor=1e-2)
    set_hyperparameters(model, Hyperparameters((1.0, 1.0), 1.0, 1e-6))
    assert hyperparameters_of(model).noise == pytest.approx(1e-2, rel=1e-3)


@pytest.mark.parametrize("noise", [1e-8, 1e-4, 1.0])
def test_our_posterior_keeps_its_noise_and_its_data(noise: float) -> None:
    gp = GaussianProcess.condition(Hyperparameters((0.3, 0.3), 1.0, noise), X, Y)
    model = build_botorch(gp)
    assert not model.training
    assert hyperparameters_of(model).noise == pytest.approx(noise, rel=1e-6)
    np.testing.assert_array_equal(model.train_targets.numpy(), Y)
    np.testing.assert_array_equal(model.train_inputs[0].numpy(), X)
