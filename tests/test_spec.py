"""Definitions as data: what goes out comes back equal, and whatever is wrong is said with its place."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import snakebo as sb
from snakebo import methods
from snakebo.cost import Scaled
from snakebo.errors import InputError, RegionError, SpecError
from snakebo.settings import Settings
from snakebo.spec import KEYS, code_of, from_spec, to_spec

LEAST: dict[str, Any] = {"name": "run", "budget": 5, "variables": [{"name": "a", "low": 0, "high": 1}]}
TWO = [{"name": "a", "low": 0, "high": 1}, {"name": "b", "low": 0, "high": 1}]


def spec(**changes: Any) -> dict[str, Any]:
    return {**LEAST, "variables": TWO, **changes}


def fault(given_spec: Any, **code: Any) -> SpecError:
    with pytest.raises(SpecError) as caught:
        from_spec(given_spec, code)
    return caught.value


def read(given_spec: dict[str, Any]) -> Settings:
    return Settings.read(**from_spec(given_spec))


# --- there and back --------------------------------------------------------------------------------------

NAMES = ("a", "b", "c d", "é°")
POSITIVE = st.floats(1e-6, 1e6)
SHARE = st.floats(0.0, 1.0)


def by_name(names: list[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.lists(st.sampled_from(names), min_size=1, unique=True).flatmap(
        lambda chosen: st.fixed_dictionaries(dict.fromkeys(chosen, values))
    )


def costs(names: list[str]) -> st.SearchStrategy[Any]:
    combine = st.sampled_from(["max", "sum"])
    order = st.one_of(st.floats(1, 10), st.just(math.inf))
    rates = st.tuples(st.one_of(POSITIVE, st.just(math.inf)), POSITIVE)
    square = sb.Polygon([(0, 0), (4, 0), (4, 4), (0, 4)], holes=[[(1, 1), (2, 1), (2, 2)]])
    simple: list[st.SearchStrategy[Any]] = [
        st.builds(sb.Euclidean),
        st.builds(sb.Norm, order),
        st.builds(sb.Weighted, by_name(names, POSITIVE), order),
        st.builds(sb.FirstOrderResponse, by_name(names, st.tuples(POSITIVE, POSITIVE, POSITIVE)), combine),
        st.builds(sb.RampRate, by_name(names, rates), combine),
    ]
    if len(names) > 1:
        simple.append(st.just(sb.Geodesic(square)))
    return st.recursive(
        st.one_of(simple),
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(lambda each: sb.Sum(*each)),
            st.lists(inner, min_size=1, max_size=3).map(lambda each: sb.Maximum(*each)),
            st.builds(Scaled, inner, POSITIVE),
        ),
        max_leaves=4,
    )


def regions(names: list[str]) -> st.SearchStrategy[Any]:
    upper = st.one_of(st.floats(5, 90), st.just(math.inf))
    linear = st.builds(sb.LinearInequalities, by_name(names, st.floats(0.1, 3)), upper, st.just(-1.0))
    points = st.lists(
        st.fixed_dictionaries({name: st.floats(0, 4) for name in reversed(names)}), min_size=1, max_size=5
    )
    arrays = points.map(lambda rows: sb.Candidates(np.array([list(row.values()) for row in rows])))
    every = [linear, points.map(sb.Candidates), arrays]
    if len(names) > 1:
        ring = [(0, 0), (4, 0), (4, 4), (0, 4)]
        every.append(st.just(sb.Polygon(ring, holes=[[(1, 1), (2, 1), (2, 2)]])))
        every.append(st.just(sb.Polygon(ring, variables=(names[1], names[0]))))
    return st.one_of(st.none(), *every, linear.map(lambda one: [one]), st.tuples(linear, linear).map(list))


def protocols(names: list[str], objectives: int) -> st.SearchStrategy[Any]:
    hyper = st.builds(
        sb.Hyperparameters, st.tuples(*[POSITIVE] * len(names)), POSITIVE, POSITIVE, st.floats(-5, 5),
        st.sampled_from(["matern52", "rbf"]),
    )  # fmt: skip
    sets = st.tuples(*[hyper] * objectives)
    scales = st.one_of(POSITIVE, st.tuples(st.floats(0.1, 1), st.floats(1, 10)))
    cold = st.builds(
        sb.Cold, st.sampled_from(["matern52", "rbf"]), st.just("yeo-johnson"), st.floats(1, 2),
        st.one_of(st.just({}), by_name(names, scales)), st.one_of(st.none(), POSITIVE, st.just("2%")),
    )  # fmt: skip
    fixed = [hyper.map(sb.Fixed)] if objectives == 1 else []
    return st.one_of(st.none(), cold, sets.map(sb.Fixed), sets.map(sb.Paper), *fixed)


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    """Arguments of Campaign of every kind that can be written down."""
    names = list(NAMES[: draw(st.integers(1, 4))])
    variables = [sb.Variable(name, 0, 4, unit=draw(st.sampled_from(["", "°C"]))) for name in names]
    objectives = draw(st.sampled_from([("value",), ("yield", "waste")]))
    several = [name for name in methods.names() if getattr(methods.get(name), "several_objectives", True)]
    method = draw(
        st.one_of(
            st.sampled_from(methods.names() if len(objectives) == 1 else several),
            st.builds(sb.SnAKe, epsilon=st.floats(0, 1), candidates=st.integers(16, 99), keep=SHARE),
            SHARE.map(lambda gamma: f"eipu:gamma={0.1 + gamma}"),
        )
    )
    return {
        "space": sb.Space(variables, region=draw(regions(names))),
        "budget": draw(st.integers(1, 10**6)),
        "method": method,
        "cost": draw(st.one_of(st.none(), costs(names))),
        "seed": draw(st.integers(0, 2**70)),
        "start": draw(st.one_of(st.none(), st.fixed_dictionaries({name: st.floats(0, 4) for name in names}))),
        "direction": draw(st.sampled_from(["maximize", "minimize"])),
        "objectives": objectives,
        "cost_budget": draw(st.one_of(st.none(), POSITIVE)),
        "protocol": draw(protocols(names, len(objectives))),
        "proportions": draw(st.one_of(st.none(), st.tuples(*[POSITIVE] * len(objectives)))),
        "name": draw(st.text(min_size=1)),
    }


@given(definitions())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_a_definition_comes_back_equal_from_json(arguments: dict[str, Any]) -> None:
    before = Settings.read(**arguments)
    text = json.dumps(to_spec(before), allow_nan=False)
    assert read(json.loads(text)) == before
    assert to_spec(read(json.loads(text))) == to_spec(before)


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.booleans(), st.none() | st.floats(0.01, 1))
def test_variables_come_back_equal(low: float, width: float, free: bool, step: float | None) -> None:
    high = low + width
    variable = sb.Variable("a", low, high, "m", free, None if step is None else step * (high - low))
    before = sb.Campaign(sb.Space([variable]), 3).settings
    assert read(json.loads(json.dumps(to_spec(before)))).space == before.space


def test_only_three_keys_are_needed() -> None:
    found = read(LEAST)
    assert found == sb.Campaign(sb.Space([sb.Variable("a", 0, 1)]), 5, name="run").settings


@pytest.mark.parametrize("name", methods.names())
def test_methods_are_written_by_name(name: str) -> None:
    assert methods.name_of(methods.get(name)) == name


def test_settings_of_a_method_are_written_where_they_differ() -> None:
    method = sb.SnAKe(epsilon=0.1 + 0.2, starts=3)
    text = methods.name_of(method)
    assert text == "snake:epsilon=0.30000000000000004,starts=3"
    assert methods.get(text) == method


# --- code ------------------------------------------------------------------------------------------------


class Mine:
    def plan(self, view: sb.View, rng: Any) -> Any:
        return view.space.uniform(1, rng)


class Far(sb.Euclidean):
    pass


def test_code_is_named_and_given_again() -> None:
    square = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)])
    box = sb.Predicate(lambda x: x["a"] >= 0)
    space = sb.Space(square.variables, region=[box, sb.LinearInequalities({"a": 1}, upper=2)])
    cost = sb.Euclidean() + (lambda a, b: np.zeros((len(a), len(b))))
    before = sb.Campaign(space, 3, Mine(), cost, protocol=sb.BoTorchModel(lambda X, Y: None)).settings
    written = json.loads(json.dumps(to_spec(before)))
    assert written["method"] == {"kind": "code", "what": "Mine"}
    assert written["protocol"] == {"kind": "code", "what": "BoTorchModel"}
    assert written["region"][0] == {"kind": "code", "what": "Predicate"}
    assert written["cost"]["costs"][1] == {"kind": "code", "what": "Function"}
    assert set(code_of(before)) == {"method", "region", "cost", "protocol"}
    assert Settings.read(**from_spec(written, code_of(before))) == before
    for missing in code_of(before):
        code = {key: part for key, part in code_of(before).items() if key != missing}
        error = fault(written, **code)
        assert error.path[0] == missing
        assert f"Campaign.load(…, {missing}=…)" in str(error)


def test_subclasses_are_code() -> None:
    before = sb.Campaign(sb.Space([sb.Variable("a", 0, 1)]), 3, cost=Far()).settings
    assert to_spec(before)["cost"] == {"kind": "code", "what": "Far"}


def test_code_for_what_is_data_is_refused() -> None:
    with pytest.raises(InputError, match="cost of this campaign is stored as data already"):
        from_spec(spec(cost="euclidean"), {"cost": sb.Euclidean()})
    with pytest.raises(InputError, match="got 'budget'"):
        from_spec(spec(), {"budget": 3})


# --- faults ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "path", "message"),
    [
        ({}, ("variables",), "variables: is missing"),
        (7, (), "must be a table"),
        ({1: 2}, (), "must be a table"),
        (spec(nam="x"), ("nam",), r"unknown key\. Did you mean 'name'\?"),
        (spec(name=""), ("name",), "must not be empty"),
        (spec(name=3), ("name",), "must be a text"),
        (spec(budget=0), ("budget",), "at least 1"),
        (spec(budget=2.5), ("budget",), "whole number"),
        (spec(budget=True), ("budget",), "whole number"),
        (spec(budget="5"), ("budget",), "whole number"),
        (spec(seed=-1), ("seed",), "at least 0"),
        (spec(variables={}), ("variables",), "must be a list"),
        (spec(variables=[]), ("variables",), "at least one variable"),
        (spec(variables=[*TWO, {"name": "c", "low": "nan", "high": 1}]), ("variables", 2, "low"), "a number"),
        (spec(variables=[{"name": "b", "low": math.nan, "high": 1}]), ("variables", 0, "low"), "finite"),
        (spec(variables=[{"name": "b", "low": 0, "high": math.inf}]), ("variables", 0, "high"), "finite"),
        (spec(variables=[{"name": "b", "low": 0, "high": 10**400}]), ("variables", 0, "high"), "finite"),
        (spec(variables=[{"name": "b", "low": 2, "high": 1}]), ("variables", 0), "low < high"),
        (spec(variables=[{"name": "b", "low": 2}]), ("variables", 0, "high"), "missing"),
        (spec(variables=[{"name": " ", "low": 0, "high": 1}]), ("variables", 0, "name"), "empty"),
        (spec(variables=[{**TWO[0], "free": 1}]), ("variables", 0, "free"), "true or false"),
        (spec(variables=[{**TWO[0], "step": -1}]), ("variables", 0), "step of 'a' must be positive"),
        (spec(variables=[{**TWO[0], "unti": "m"}]), ("variables", 0, "unti"), "Did you mean 'unit'"),
        (spec(variables=[TWO[0], TWO[0]]), ("variables", 1, "name"), r"name of variables\[0\] already"),
        (spec(variables=[{**TWO[0], "name": "cost"}]), (), "column of every campaign's table"),
        (spec(method="snak"), ("method",), "did you mean 'snake'"),
        (spec(method="snake:epsilon=-1"), ("method",), "epsilon"),
        (spec(method=["snake"]), ("method",), "must be a text"),
        (spec(cost={"kind": "euclid"}), ("cost", "kind"), "Did you mean 'euclidean'"),
        (spec(cost={}), ("cost", "kind"), "missing"),
        (spec(cost={"kind": "norm", "p": 0.5}), ("cost",), "1 or more"),
        (spec(cost={"kind": "norm"}), ("cost", "p"), "missing"),
        (spec(cost={"kind": "weighted", "weights": {"a": "x"}}), ("cost", "weights", "a"), "a number"),
        (spec(cost={"kind": "weighted", "weights": {"z": 1}}), ("cost",), "unknown variable 'z'"),
        (spec(cost={"kind": "ramp-rate", "rates": {"a": [1]}}), ("cost", "rates", "a"), "2 numbers"),
        (spec(cost={"kind": "sum", "costs": ["euclidean", 3]}), ("cost", "costs", 1), "a table"),
        (spec(cost={"kind": "sum", "costs": []}), ("cost",), "at least one cost"),
        (spec(cost={"kind": "code"}), ("cost",), "is code"),
        (spec(region={"kind": "polygon", "vertices": [[0, 0], [1]]}), ("region", "vertices", 1), "2 numbers"),
        (spec(region=[{"kind": "linear", "coefficients": {"a": 1}}]), ("region", 0), "finite lower= or up"),
        (spec(region={"kind": "linear", "coefficients": {"a": 1}, "upper": -5}), ("region",), "nothing"),
        (spec(region={"kind": "candidates", "points": []}), ("region", "points"), "at least one"),
        (spec(start={"a": 5, "b": 0}), ("start",), "between 0 and 1"),
        (spec(start={"a": None, "b": 0}), ("start", "a"), "a number"),
        (spec(objectives=[]), ("objectives",), "at least one"),
        (spec(objectives=[{"name": "u", "direction": "up"}]), ("objectives", 0, "direction"), "maximize or"),
        (spec(objectives=[{"name": "u"}, {"name": "u"}]), ("objectives", 1, "name"), "new, non-empty"),
        (spec(objectives=[{"name": "u", "share": -1}]), ("objectives", 0, "share"), "negative"),
        (spec(objectives=["u"]), ("objectives", 0), "a table"),
        (spec(cost_budget=0), ("cost_budget",), "positive"),
        (spec(protocol="paper"), ("protocol", "guess"), "missing"),
        (spec(protocol={"kind": "cold", "kernel": "x"}), ("protocol",), "Unknown kernel"),
        (spec(protocol={"kind": "cold", "lengthscales": {"z": 1}}), ("protocol",), "unknown variable 'z'"),
        (spec(protocol={"kind": "fixed", "sets": []}), ("protocol",), "0 sets"),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_place(wrong: Any, path: tuple[Any, ...], message: str) -> None:
    error = fault(wrong)
    assert error.path == path
    with pytest.raises(SpecError, match=message):
        raise error


def test_places_read_as_people_write_them() -> None:
    error = fault(spec(variables=[TWO[0], {"name": "b", "low": "x", "high": 1}]))
    assert str(error) == "variables[1].low: must be a number; got 'x' (str)."


def test_costs_inside_costs_have_an_end() -> None:
    cost: dict[str, Any] = {"kind": "euclidean"}
    for _ in range(2000):
        cost = {"kind": "scaled", "factor": 1, "cost": cost}
    assert "nested more than 20 deep" in str(fault(spec(cost=cost)))


def test_a_region_without_room_is_said_so() -> None:
    assert isinstance(
        fault(spec(region={"kind": "linear", "coefficients": {"a": 1}, "upper": -5})).__cause__, RegionError
    )


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(), st.text(max_size=8),
    st.sampled_from(["nan", "inf", "-inf", "a", "b", 0, 1, -1, 10**400, 1e308, "snake", "cold", "euclidean"]),
)  # fmt: skip
WORDS = sorted(
    {
        *KEYS, "kind", "low", "high", "unit", "free", "step", "vertices", "holes", "variables", "points", "p",
        "coefficients", "upper", "lower", "weights", "rates", "constants", "combine", "costs", "factor", "a",
        "b", "direction", "share", "kernel", "scaling", "lengthscales", "noise", "sets", "guess", "polygon",
        "mean", "outputscale", "growth", "noise_floor", "what",
    }
)  # fmt: skip
KINDS = (
    "polygon", "linear", "candidates", "euclidean", "norm", "weighted", "first-order-response", "ramp-rate",
    "geodesic", "sum", "maximum", "scaled", "cold", "fixed", "paper", "code", "x",
)  # fmt: skip
JUNK = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), inner, max_size=5),
        st.builds(
            lambda kind, rest: {**rest, "kind": kind},
            st.sampled_from(KINDS), st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
        ),
    ),
    max_leaves=25,
)  # fmt: skip


def survives(junk: Any) -> None:
    """Either it is a definition, which then comes back, or a SpecError says where it is none."""
    try:
        arguments = from_spec(junk)
    except SpecError:
        return
    assert read(to_spec(Settings.read(**arguments))) == Settings.read(**arguments)


@given(JUNK)
@settings(max_examples=200)
def test_junk_is_refused_in_words(junk: Any) -> None:
    survives(junk)


@given(st.dictionaries(st.sampled_from(KEYS), JUNK, min_size=1, max_size=3))
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@example({"region": {"kind": "polygon", "vertices": [[0, 0], [1e308, 0], [0, 1e308]]}})
@example({"region": {"kind": "polygon", "vertices": [[0, 0], [0, 0], [0, 0]]}})
@example({"region": {"kind": "linear", "coefficients": {"a": 1e308, "b": 1e308}, "upper": 1e308}})
@example({"region": {"kind": "candidates", "points": [[], []]}})
@example({"region": {"kind": "candidates", "points": ["ab", "cd"]}})
@example({"region": []})
@example({"cost": {"kind": "geodesic", "polygon": {"vertices": [[0, 0], [1e308, 0], [0, 1e308]]}}})
@example({"variables": [{"name": "a", "low": -1e308, "high": 1e308}]})
@example({"variables": [{"name": "a", "low": 0, "high": 5e-324}]})
@example({"variables": [{"name": "a", "low": 0, "high": 1, "step": 5e-324}]})
@example({"budget": -(10**5000)})
def test_a_definition_with_junk_in_it_is_refused_in_words(junk: dict[str, Any]) -> None:
    survives(spec(**junk))


def junk_at(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    if isinstance(value, dict):
        return {**value, path[0]: junk_at(value[path[0]], path[1:], junk)}
    return [junk_at(each, path[1:], junk) if index == path[0] else each for index, each in enumerate(value)]


def places(value: Any) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *rest) for key, each in inner for rest in places(each))]


WHOLE = spec(
    region=[
        {"kind": "polygon", "vertices": [[0, 0], [1, 0], [1, 1], [0, 1]], "variables": ["a", "b"]},
        {"kind": "linear", "coefficients": {"a": 1}, "upper": 1},
    ],
    cost={
        "kind": "sum",
        "costs": [
            {"kind": "ramp-rate", "rates": {"a": [1, "inf"]}, "combine": "max"},
            {"kind": "scaled", "factor": 2, "cost": {"kind": "weighted", "weights": {"a": 1}, "p": 2}},
            {"kind": "first-order-response", "constants": {"a": [1, 1, 1]}},
            {"kind": "geodesic", "polygon": {"vertices": [[0, 0], [1, 0], [1, 1], [0, 1]]}},
        ],
    },
    start={"a": 0.5, "b": 0.5},
    objectives=[{"name": "u", "direction": "minimize", "share": 2.0}],
    protocol={"kind": "cold", "lengthscales": {"a": [0.1, 1]}, "noise": "2%"},
    method="snake:epsilon=0.1",
    seed=3,
    cost_budget=7.5,
)


@given(place=st.sampled_from(places(WHOLE)), junk=st.one_of(LEAVES, JUNK))
@settings(max_examples=100)
def test_junk_anywhere_in_a_definition_is_refused_in_words(place: tuple[Any, ...], junk: Any) -> None:
    survives(junk_at(WHOLE, place, junk))
