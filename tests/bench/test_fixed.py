"""Fixed hyper-parameters: numbers spread over variables and objectives, texts that name them."""

from typing import Any

import pytest

import snakebo as sb
from snakebo.bench.fixed import is_fixed, name_fixed, read_fixed
from snakebo.errors import InputError, SpecError

ONE = {"outputscale": 0.12, "lengthscales": 0.1, "noise": 1e-5}


def test_single_numbers_stand_for_all() -> None:
    protocol = name_fixed({**ONE, "mean": [0.5, 0.8, 0.5]}, ())
    fixed = read_fixed(protocol, sb.problems.get("ypacarai"))
    means = [0.5, 0.8, 0.5]
    assert fixed.sets == tuple(sb.Hyperparameters((0.1, 0.1), 0.12, 1e-5, mean, "rbf") for mean in means)


def test_the_text_is_canonical() -> None:
    protocol = name_fixed({**ONE, "mean": 0}, ())
    assert protocol == name_fixed(dict(reversed(ONE.items())), ())
    assert protocol == 'fixed:kernel="rbf",lengthscales=0.1,mean=0,noise=1e-05,outputscale=0.12'
    assert is_fixed(protocol)
    assert not is_fixed("paper")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"outputscale": None}, ("fixed", "outputscale")),
        ({"noise": "little"}, ("fixed", "noise")),
        ({"mean": [0.5, True]}, ("fixed", "mean", 1)),
        ({"kernel": "cubic"}, ("fixed", "kernel")),
        ({"lenghtscales": 0.1}, ("fixed", "lenghtscales")),
    ],
)
def test_what_cannot_be_used_is_named(change: dict[str, Any], path: tuple[str | int, ...]) -> None:
    with pytest.raises(SpecError) as caught:
        name_fixed({**ONE, **change}, ("fixed",))
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lengthscales": [0.1, 0.2, 0.3]}, "lengthscales has 3 numbers for 2 variables"),
        ({"mean": [0.1, 0.2]}, "mean has 2 numbers for 1 objectives"),
        ({"noise": -1.0}, "must be positive"),
    ],
)
def test_it_must_fit_the_problem(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_fixed(name_fixed({**ONE, **change}, ()), sb.problems.get("branin2d"))
