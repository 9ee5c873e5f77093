"""What every method promises, whatever it does: feasible points, in any situation, the same for a seed."""

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import snakebo as sb
from snakebo.errors import InputError
from snakebo.grid import TOLERANCE
from snakebo.space import Points

NAMES = sb.methods.names()
T = 6

A, B, C = sb.Variable("a", 0, 1), sb.Variable("b", -5, 15), sb.Variable("c", 100, 300)
SQUARE = sb.Space([A, B])
SPACES = {
    "line": sb.Space([A]),
    "square": SQUARE,
    "lake with an island": sb.Space(
        [A, sb.Variable("b", 0, 1)],
        region=sb.Polygon(
            [(0, 0), (1, 0.1), (0.9, 1), (0.1, 0.9)], holes=[[(0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7)]]
        ),
    ),
    "mixture": sb.Space([A, B, C], region=sb.LinearInequalities({"a": 10, "b": 1}, upper=5, lower=-2)),
    "candidates": sb.Space(
        [A, B], region=sb.Candidates([(i / 4, j * 5.0 - 5) for i in range(5) for j in range(5)])
    ),
    "few candidates": sb.Space([A], region=sb.Candidates([(0.2,), (0.5,)])),
    "steps": sb.Space([sb.Variable("a", 0, 1, step=0.05), sb.Variable("b", -5, 15, step=0.1), C]),
    "steps in a region": sb.Space(
        [sb.Variable("a", 0, 1, step=0.1), sb.Variable("b", 0, 1, step=0.1)],
        region=sb.LinearInequalities({"a": 1, "b": 1}, upper=1),
    ),
    "partly free": sb.Space([A, sb.Variable("b", -5, 15, free=True)]),
    "all free": sb.Space([sb.Variable("a", 0, 1, free=True)]),
}


class Checked:
    """A method whose every plan is checked."""

    def __init__(self, name: str) -> None:
        self.method = sb.methods.get(name)
        self.protocol = getattr(self.method, "protocol", None)
        self.several_objectives = getattr(self.method, "several_objectives", True)
        self.plans = 0

    def plan(self, view: sb.View, rng: Generator) -> Points:
        self.plans += 1
        points = self.method.plan(view, rng)
        check(view, points)
        return points


def check(view: sb.View, points: Points) -> None:
    assert points.dtype == np.float64
    assert points.shape[1:] == (view.space.dim,)
    assert len(points) >= 1
    assert np.isfinite(points).all()
    assert ((points >= 0.0) & (points <= 1.0)).all()
    assert view.space.inside(points).all()
    assert np.abs(view.space.snap(points) - points).max() <= TOLERANCE


def start(name: str, space: sb.Space = SQUARE, **settings: Any) -> sb.Campaign:
    return sb.Campaign(space, settings.pop("budget", T), Checked(name), **settings)


def value_at(x: Any) -> float:
    return float(np.sin(7 * x["a"]) + sum(0.01 * value for name, value in x.items() if name != "a"))


def run(campaign: sb.Campaign, delay: int = 0, factor: float = 1.0) -> sb.Campaign:
    while not campaign.finished:
        if len(campaign.outstanding) > delay:
            trial = campaign.outstanding[0]
            campaign.tell(trial.id, factor * value_at(trial.x))
        else:
            campaign.ask()
    method = campaign.settings.method
    assert isinstance(method, Checked)
    assert method.plans >= 1
    return campaign


def path(campaign: sb.Campaign) -> list[dict[str, float]]:
    return [dict(trial.x) for trial in campaign.trials]


pytestmark = pytest.mark.parametrize("name", NAMES)


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES.keys())
def test_points_are_feasible_in_every_space(name: str, space: sb.Space) -> None:
    campaign = run(start(name, space), delay=1)
    assert len(campaign.trials) == T
    assert space.inside(campaign.view().asked).all()


@pytest.mark.parametrize("delay", [0, 5])
def test_results_may_be_late(name: str, delay: int) -> None:
    assert len(run(start(name, budget=8, start={"a": 0.5, "b": 0.0}), delay).trials) == 8


def test_results_may_come_out_of_order_and_fail(name: str) -> None:
    campaign = start(name, budget=8)
    for _ in range(4):
        campaign.ask()
    for number in (3, 0, 2):
        campaign.tell(number, float(number))
        campaign.ask()
    campaign.fail(1, "leak")
    campaign.ask()
    assert campaign.finished


def test_the_same_view_and_generator_give_the_same_plan(name: str) -> None:
    campaign = start(name, budget=12)
    for _ in range(5):
        trial = campaign.ask()
        campaign.tell(trial.id, value_at(trial.x))
    campaign.ask()
    method = sb.methods.get(name)
    first, second = (method.plan(campaign.view(), np.random.default_rng(7)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_the_same_seed_gives_the_same_campaign_and_another_seed_another(name: str) -> None:
    assert path(run(start(name, seed=1), delay=1)) == path(run(start(name, seed=1), delay=1))
    assert path(run(start(name, seed=1), delay=1)) != path(run(start(name, seed=2), delay=1))


def test_the_plan_is_never_longer_than_the_steps_left(name: str) -> None:
    campaign = start(name)
    while not campaign.finished:
        assert 1 <= len(campaign.plan()) <= campaign.steps_left
        trial = campaign.ask()
        campaign.tell(trial.id, value_at(trial.x))


def test_a_budget_of_one(name: str) -> None:
    assert len(run(start(name, budget=1)).trials) == 1
    informed = start(name, budget=1)
    informed.add_data([{"a": 0.1, "b": 0.0, "value": 1.0}, {"a": 0.9, "b": 3.0, "value": 2.0}])
    assert len(run(informed).trials) == 1


def test_nothing_is_ever_told(name: str) -> None:
    campaign = start(name)
    asked = [tuple(campaign.ask().x.values()) for _ in range(T)]
    assert len(set(asked)) == T


def test_everything_fails(name: str) -> None:
    campaign = start(name)
    while not campaign.finished:
        campaign.fail(campaign.ask().id, "leak")
    assert len(campaign.trials) == T


def rows(values: list[float], same_place: bool = False) -> list[dict[str, float]]:
    points = SQUARE.from_unit(SQUARE.sobol(len(values), np.random.default_rng(0)))
    points = points[:1].repeat(len(values), axis=0) if same_place else points
    return [{**SQUARE.mapping(x), "value": value} for x, value in zip(points, values, strict=True)]


WAVE = [float(np.sin(i)) for i in range(12)]
AWKWARD: dict[str, list[dict[str, float]]] = {
    "one value": rows([3.0]),
    "two values": rows([3.0, 4.0]),
    "constant": rows([2.5] * 12),
    "zero": rows([0.0] * 12),
    "the same place": rows(WAVE, same_place=True),
    "the same place, the same value": rows([1.0] * 12, same_place=True),
    "every place twice": rows(WAVE[:6]) + rows(WAVE[:6]),
    "every place twice, otherwise": rows(WAVE[:6]) + rows(WAVE[6:]),
    "huge": rows([1e12 * value for value in WAVE]),
    "tiny": rows([1e-12 * value for value in WAVE]),
    "enormous": rows([1e150 * value for value in WAVE]),
    "far from zero": rows([1e9 + value for value in WAVE]),
    "an outlier": rows([*WAVE[:11], 1e9]),
    "an outlier below": rows([*WAVE[:11], -1e9]),
    "one that differs": rows([1.0] * 11 + [2.0]),
    "on the corners": [{"a": a, "b": b, "value": a * b} for a in (0.0, 1.0) for b in (-5.0, 15.0)],
}


@pytest.mark.parametrize("data", AWKWARD.values(), ids=AWKWARD.keys())
def test_awkward_data(name: str, data: list[dict[str, float]]) -> None:
    campaign = start(name, budget=20)
    campaign.add_data(data)
    for _ in range(2):
        trial = campaign.ask()
        campaign.tell(trial.id, data[0]["value"])


def test_the_last_step(name: str) -> None:
    campaign = start(name, budget=14, start={"a": 0.2, "b": 1.0})
    for row in rows(WAVE):
        campaign.attach({"a": row["a"], "b": row["b"]})
    for number, row in enumerate(rows(WAVE)[:11]):
        campaign.tell(number, row["value"])
    campaign.ask()
    campaign.ask()
    assert campaign.finished


def test_the_apparatus_may_be_outside_of_the_region(name: str) -> None:
    campaign = start(name, SPACES["lake with an island"], start={"a": 0.5, "b": 0.5})
    campaign.ask()
    campaign.tell(0, 1.0, x={"a": 0.5, "b": 0.5})
    campaign.attach({"a": 0.55, "b": 0.45})
    campaign.tell(1, 2.0)
    assert SPACES["lake with an island"].inside(
        SPACES["lake with an island"].to_unit([list(campaign.ask().x.values())])
    )


@pytest.mark.parametrize(
    "cost",
    [
        sb.RampRate({"a": (1.0, 0.1), "b": (5.0, 50.0)}),
        sb.FirstOrderResponse({"a": (1.0, 0.1, 2.0)}),
        lambda A, B: np.zeros((len(A), len(B))),
        lambda A, B: 1e9 * np.abs(A[:, None, 0] - B[None, :, 0]),
        lambda A, B: 1.0 + (A[:, None, 0] > B[None, :, 0]),
    ],
    ids=["ramps", "response", "nothing", "much", "staying costs too"],
)
def test_costs_may_be_of_any_kind(name: str, cost: Any) -> None:
    assert len(run(start(name, cost=cost, start={"a": 0.0, "b": 0.0}), delay=1).trials) == T


def test_a_cost_budget_is_kept(name: str) -> None:
    campaign = run(start(name, budget=10, cost_budget=0.9, start={"a": 0.0, "b": -5.0}))
    assert campaign.spent <= 0.9 + 1e-12


def test_maximising_is_minimising_the_negative(name: str) -> None:
    up = run(start(name), delay=1)
    down = run(start(name, direction="minimize"), delay=1, factor=-1.0)
    assert path(up) == path(down)


def test_units_do_not_matter(name: str) -> None:
    as_it_is = run(start(name), delay=1)
    for factor in (2.0**-40, 2.0**40):  # exact in binary
        assert path(run(start(name), delay=1, factor=factor)) == path(as_it_is)


@pytest.mark.parametrize("proportions", [None, (3, 1), (0, 1)])
def test_two_objectives_are_shared_or_refused(name: str, proportions: Any) -> None:
    if not Checked(name).several_objectives:
        with pytest.raises(InputError, match="one objective"):
            start(name, objectives=("up", "down"), proportions=proportions)
        return
    campaign = start(name, objectives=("up", "down"), proportions=proportions)
    while not campaign.finished:
        trial = campaign.ask()
        campaign.tell(trial.id, {"up": trial.x["a"], "down": -trial.x["a"]})
    assert len(campaign.trials) == campaign.budget
