"""The bridge to BoTorch: our posterior as one of its models, and its hyper-parameters as ours."""

from __future__ import annotations

import warnings

import torch
from botorch.models import SingleTaskGP
from gpytorch.constraints import GreaterThan
from gpytorch.kernels import MaternKernel, RBFKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.means import ConstantMean

from snakebo.surrogate.gp import GaussianProcess, Hyperparameters
from snakebo.surrogate.kernel import Array, Kernel


def empty_model(X: Array, y: Array, kernel: Kernel, noise_floor: float) -> SingleTaskGP:
    """A SingleTaskGP on X (n, d), y (n,) with a scaled ARD kernel, a constant mean and no priors."""
    dim = X.shape[1]
    base = MaternKernel(nu=2.5, ard_num_dims=dim) if kernel == "matern52" else RBFKernel(ard_num_dims=dim)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # BoTorch advises to standardise; that is decided elsewhere
        return SingleTaskGP(
            torch.tensor(X, dtype=torch.float64),
            torch.tensor(y, dtype=torch.float64)[:, None],
            likelihood=GaussianLikelihood(noise_constraint=GreaterThan(noise_floor)),
            covar_module=ScaleKernel(base),
            mean_module=ConstantMean(),
            outcome_transform=None,
        ).double()


def set_hyperparameters(model: SingleTaskGP, hyper: Hyperparameters) -> None:
    """Write hyper-parameters into a model of `empty_model`."""
    floor = float(model.likelihood.noise_covar.raw_noise_constraint.lower_bound)
    model.covar_module.base_kernel.lengthscale = _double(hyper.lengthscales)
    model.covar_module.outputscale = _double(hyper.outputscale)
    model.mean_module.initialize(constant=_double(hyper.mean))
    model.likelihood.noise = _double(max(hyper.noise, floor * (1 + 1e-6)))


def _double(value: float | tuple[float, ...]) -> torch.Tensor:
    """GPyTorch itself would turn a number into single precision."""
    return torch.tensor(value, dtype=torch.float64)


def hyperparameters_of(model: SingleTaskGP) -> Hyperparameters:
    """Read the hyper-parameters of a model with a scaled RBF or Matérn-5/2 kernel."""
    base = model.covar_module.base_kernel
    return Hyperparameters(
        lengthscales=tuple(base.lengthscale.detach().squeeze(0).tolist()),
        outputscale=model.covar_module.outputscale.item(),
        noise=model.likelihood.noise.item(),
        mean=model.mean_module.constant.item(),
        kernel="rbf" if isinstance(base, RBFKernel) else "matern52",
    )


def build_botorch(gp: GaussianProcess) -> SingleTaskGP:
    """Return the posterior of `gp` as a BoTorch model in evaluation mode."""
    model = empty_model(gp.X, gp.y, gp.hyper.kernel, noise_floor=gp.hyper.noise / 2)
    set_hyperparameters(model, gp.hyper)
    return model.eval()
