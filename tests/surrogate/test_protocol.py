import numpy as np
import pytest

from snakebo.errors import InputError
from snakebo.space import Space, Variable
from snakebo.surrogate.gp import Hyperparameters
from snakebo.surrogate.kernel import Array
from snakebo.surrogate.outputs import Outputs
from snakebo.surrogate.protocol import Cold, Fixed, HyperparameterProtocol

REACTOR = Space([Variable("temperature", 40, 120, unit="°C"), Variable("equivalents", 1, 5)])
KNOWN = Hyperparameters((0.2, 0.3), 1.0, 0.01)


def _measured(n: int = 25) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.random((n, 2))
    return X, 50 + 20 * np.sin(4 * X[:, 0]) + 5 * X[:, 1] + 2 * rng.normal(size=n)


def _fit(protocol: Cold, n: int = 25) -> tuple[Hyperparameters, Outputs]:
    X, y = _measured(n)
    outputs = Outputs.learn(y, protocol.scaling)
    return protocol.fit(REACTOR, X, outputs(y), outputs, 0), outputs


@pytest.mark.parametrize(("low", "high"), [(5, 40), (1, 2), (200, 500)])
def test_a_known_length_scale_is_kept_in_its_range(low: float, high: float) -> None:
    hyper, _ = _fit(Cold(lengthscales={"temperature": (low, high)}))
    found = hyper.lengthscales[0] * 80  # °C
    assert low * (1 - 1e-9) <= found <= high * (1 + 1e-9)


def test_one_number_fixes_a_length_scale() -> None:
    hyper, _ = _fit(Cold(lengthscales={"equivalents": 2}))
    assert hyper.lengthscales[1] == pytest.approx(0.5, rel=1e-9)


def test_noise_in_percent_is_of_the_spread_of_the_values() -> None:
    hyper, _ = _fit(Cold(noise="2%", scaling="standardize"))
    assert np.sqrt(hyper.noise) == pytest.approx(0.02, rel=1e-9)


def test_noise_in_the_unit_of_the_objective() -> None:
    hyper, outputs = _fit(Cold(noise=3.0, scaling="standardize"))
    assert np.sqrt(hyper.noise) * outputs.spread == pytest.approx(3.0, rel=1e-9)


def test_unknown_noise_is_found_and_kept_above_the_floor() -> None:
    hyper, outputs = _fit(Cold(scaling="standardize"), n=120)
    assert np.sqrt(hyper.noise) * outputs.spread == pytest.approx(2.0, rel=0.3)
    floor, _ = _fit(Cold(noise_floor=0.5))
    assert floor.noise >= 0.5 * (1 - 1e-9)


@pytest.mark.parametrize("kernel", ["matern52", "rbf"])
def test_one_observation_gives_the_prior(kernel: str) -> None:
    outputs = Outputs.learn(np.array([7.0]), "yeo-johnson")
    protocol = Cold(kernel=kernel)  # type: ignore[arg-type]
    hyper = protocol.fit(REACTOR, np.array([[0.5, 0.5]]), outputs(np.array([7.0])), outputs, 0)
    np.testing.assert_allclose(hyper.lengthscales, 0.3, rtol=0.01)
    assert hyper.kernel == kernel


def test_length_scales_grow_with_the_dimension() -> None:
    wide = Space([Variable(name, 0, 1) for name in "abcdefgh"])
    X, z = np.full((1, 8), 0.5), np.zeros(1)
    hyper = Cold().fit(wide, X, z, Outputs(), 0)
    np.testing.assert_allclose(hyper.lengthscales, 0.6, rtol=0.01)  # 0.3·√(8/2)


@pytest.mark.parametrize("growth", [1.0, 1.1, 1.5, 2.0])
def test_refits_are_dense_at_first_and_then_follow_the_growth(growth: float) -> None:
    protocol = Cold(growth=growth)
    schedule = [protocol.fitted_on(told) for told in range(1, 200)]
    assert schedule[:2] == [1, 2]
    for told, fitted in enumerate(schedule, start=1):
        assert fitted <= told <= max(fitted + 1, growth * fitted + 1)
        assert protocol.fitted_on(fitted) == fitted  # the fit in force is found again from its own data
    assert schedule == sorted(schedule)
    if growth == 1.0:
        assert schedule == list(range(1, 200))


@pytest.mark.parametrize(
    "bad",
    [
        {"kernel": "periodic"},
        {"scaling": "log"},
        {"growth": 0.9},
        {"growth": np.nan},
        {"growth": "fast"},
        {"noise_floor": 0.0},
        {"noise_floor": 2.0},
        {"noise": 0.0},
        {"noise": -1.0},
        {"noise": np.inf},
        {"noise": "much"},
        {"noise": "-2%"},
        {"noise": "%"},
        {"noise": [1.0]},
        {"lengthscales": {"temperature": 0}},
        {"lengthscales": {"temperature": (40, 5)}},
        {"lengthscales": {"temperature": (-1, 5)}},
        {"lengthscales": {"temperature": (1, np.inf)}},
        {"lengthscales": {"temperature": (1, 2, 3)}},
        {"lengthscales": {"temperature": "long"}},
        {"lengthscales": {"temperature": None}},
        {"lengthscales": [0.1, 0.2]},
    ],
    ids=str,
)
def test_bad_arguments_are_input_errors(bad: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Cold(**bad)  # type: ignore[arg-type]


def test_knowledge_about_an_unknown_variable_is_an_input_error() -> None:
    with pytest.raises(InputError, match=r"pressure.*temperature, equivalents"):
        Cold(lengthscales={"pressure": 1.0}).check(REACTOR, 1)


def test_changing_the_mapping_later_changes_nothing() -> None:
    scales = {"equivalents": (2.0, 2.0)}
    protocol = Cold(lengthscales=scales)
    scales["equivalents"] = (-1.0, -1.0)
    assert protocol == Cold(lengthscales={"equivalents": (2.0, 2.0)})


def test_protocols_can_be_keys() -> None:
    assert hash(Cold(lengthscales={"a": 1.0})) == hash(Cold(lengthscales={"a": 1.0}))
    assert Cold(lengthscales={"a": 1.0}) != Cold(lengthscales={"a": 2.0})
    assert isinstance(Cold(), HyperparameterProtocol)
    assert isinstance(Fixed((KNOWN,)), HyperparameterProtocol)


def test_fixed_is_never_fitted() -> None:
    protocol = Fixed((KNOWN,))
    X, y = _measured()
    assert protocol.scaling == "raw"
    assert protocol.fitted_on(99) == 0
    assert protocol.fit(REACTOR, X, y, Outputs(), 0) is KNOWN
    with pytest.raises(InputError, match="1 sets of hyper-parameters are given for 2 objectives"):
        protocol.check(REACTOR, 2)


def test_fixed_takes_one_set_for_each_objective() -> None:
    other = Hyperparameters((0.5, 0.5), 2.0, 0.1)
    protocol = Fixed((KNOWN, other))
    X, y = _measured()
    assert protocol.fit(REACTOR, X, y, Outputs(), 1) is other
    with pytest.raises(InputError, match="2 sets of hyper-parameters are given for 3 objectives"):
        protocol.check(REACTOR, 3)


def test_fixed_must_fit_the_variables() -> None:
    with pytest.raises(InputError, match="3 length scales are given for 2 variables"):
        Fixed((Hyperparameters((1.0, 1.0, 1.0), 1.0, 0.1),)).check(REACTOR, 1)
