"""Every figure for every awkward campaign, and that what they show is right."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

import snakebo as sb
from snakebo.report import FIGURES
from snakebo.report.figures.best import running_best
from snakebo.report.figures.cost_shares import group_columns, price_alone
from snakebo.report.figures.delays import choose_unit, count_steps, places_late
from snakebo.report.figures.path import AHEAD, PAIRS, choose_pairs
from snakebo.report.figures.slices import predict_along
from snakebo.report.snapshot import MODELLED, take

Build = Callable[[str], sb.Campaign]

CAMPAIGNS = [
    "empty", "one outstanding", "one told", "only failures", "mixed", "equal values", "several objectives",
    "one variable", "ten variables", "free only", "finished", "lake", "candidates", "earlier data", "hostile",
]  # fmt: skip


def _named(figure: Any, name: str) -> list[Any]:
    return [trace for trace in figure.data if trace.name == name]


@pytest.mark.parametrize("name", CAMPAIGNS)
@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_can_be_drawn(build: Build, name: str, figure: str) -> None:
    drawn = FIGURES[figure](build(name))
    meta = drawn.layout.meta
    assert drawn.data or drawn.layout.annotations  # a picture, or a word why there is none
    assert meta["title"]
    assert meta["caption"].endswith(".")
    json.loads(drawn.to_json(), parse_constant=pytest.fail)  # no NaN, no Infinity: browsers refuse them
    panels = [key for key in drawn.to_dict()["layout"] if key.startswith("xaxis")]
    for width in ("wide", "narrow"):
        assert {key for key in meta[width] if key.startswith("xaxis")} == set(panels)


@pytest.mark.parametrize("figure", FIGURES)
def test_panels_lie_inside_and_apart_at_both_widths(build: Build, figure: str) -> None:
    meta = FIGURES[figure](build("ten variables")).layout.meta
    for width in ("wide", "narrow"):
        boxes = list(_boxes(meta[width]))
        for x, y in boxes:
            assert 0 <= x[0] < x[1] <= 1
            assert 0 <= y[0] < y[1] <= 1
        for i, (x, y) in enumerate(boxes):
            for u, v in boxes[:i]:
                assert x[0] >= u[1] or u[0] >= x[1] or y[0] >= v[1] or v[0] >= y[1]
    assert all(x == [0, 1] for x, _ in _boxes(meta["narrow"]))


def _boxes(updates: dict[str, Any]) -> Iterator[tuple[list[float], list[float]]]:
    for key in updates:
        if key.startswith("xaxis"):
            yield list(updates[key]["domain"]), list(updates["y" + key[1:]]["domain"])


def test_drawing_changes_nothing_about_a_campaign(build: Build) -> None:
    campaign = build("mixed")
    before = (campaign.trials, campaign.plan(), campaign.spent)
    for draw in FIGURES.values():
        draw(campaign)
    assert (campaign.trials, campaign.plan(), campaign.spent) == before


# --- best ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sign", "expected"), [(1.0, [2, 2, 5, 5, 5]), (-1.0, [2, 2, 2, 1, 1])])
def test_the_best_so_far_knows_its_direction(sign: float, expected: list[float]) -> None:
    values = np.array([2.0, np.nan, 5.0, 1.0, np.nan])
    assert running_best(values, sign).tolist() == expected


def test_each_objective_has_its_own_best(build: Build) -> None:
    campaign = build("several objectives")
    figure = FIGURES["best_against_cost"](campaign)
    lines = _named(figure, "best so far")
    assert len(lines) == 2
    assert lines[0].y[-1] == max(trial.values["yield"] for trial in campaign.trials)
    assert lines[1].y[-1] == min(trial.values["waste"] for trial in campaign.trials)
    assert lines[0].x[-1] == pytest.approx(campaign.spent)
    assert "less is better" in figure.layout.yaxis2.title.text


def test_steps_are_those_of_asking_and_failures_leave_the_best_as_it_is(build: Build) -> None:
    campaign = build("mixed")
    dots, line = FIGURES["best_against_steps"](campaign).data
    assert dots.x.tolist() == [0, 1, 2, 3, 4, 5, 7]
    assert line.x.tolist() == list(range(9))


# --- path ------------------------------------------------------------------------------------------


def test_a_path_has_a_trace_for_everything_there_is(build: Build) -> None:
    campaign = build("mixed")
    figure = FIGURES["path"](campaign)
    for name in ("way so far", "plan", "result", "outstanding", "failed", "best", "here now"):
        assert len(_named(figure, name)) == 6, name
        assert sum(bool(trace.showlegend) for trace in _named(figure, name)) == 1
    result = _named(figure, "result")[0]
    assert list(result.marker.symbol) == ["circle"] * 6 + ["square"]
    assert result.marker.color.tolist() == [trial.value for trial in campaign.trials if trial.values]
    assert len(_named(figure, "way so far")[0].x) == len(campaign.trials) + 1  # from the start
    assert len(_named(figure, "plan")[0].x) == min(len(campaign.plan()), AHEAD) + 1  # from here


def test_a_path_shows_the_pairs_that_matter(build: Build) -> None:
    snapshot = take(build("ten variables"))
    pairs = choose_pairs(snapshot)
    assert len(pairs) == len(set(pairs)) == PAIRS
    assert set(pairs[0]) == set(np.argsort(-snapshot.relevance)[:2])
    assert f"the {PAIRS} that matter most" in FIGURES["path"](snapshot).layout.meta["caption"]


def test_one_variable_is_drawn_over_trials(build: Build) -> None:
    figure = FIGURES["path"](build("one variable"))
    assert _named(figure, "result")[0].y.tolist() == list(range(6))


def test_the_region_is_drawn_with_its_holes_in_the_order_of_its_variables(build: Build) -> None:
    figure = FIGURES["path"](build("lake"))
    (region,) = _named(figure, "region")
    gaps = np.flatnonzero(np.isnan(region.x))
    assert gaps.tolist() == [5]
    assert set(region.x[:5]) == {0.0, 8.0}
    assert set(region.x[6:]) == {3.0, 5.0}
    assert figure.layout.xaxis.title.text.startswith("v1")
    assert figure.layout.yaxis.scaleanchor == "x"


def test_a_few_very_poor_results_do_not_use_up_the_colours() -> None:
    campaign = sb.Campaign(sb.Space([sb.Variable("a", 0, 1)]), 30, "random-tour", direction="minimize")
    for value in [*range(19), 1e6]:
        campaign.tell(campaign.attach({"a": value / 1e6}).id, value)
    scale = FIGURES["path"](campaign).layout.coloraxis
    assert (scale.cmin, scale.reversescale) == (0.0, True)
    assert scale.cmax < 20
    assert "and above" in scale.colorbar.title.text


# --- settings over time ----------------------------------------------------------------------------


def test_settings_go_from_the_start_to_the_end_of_the_plan(build: Build) -> None:
    campaign = build("mixed")
    figure = FIGURES["settings_over_time"](campaign)
    line, plan = _named(figure, "set to")[2], _named(figure, "plan")[2]
    assert line.x.tolist() == list(range(-1, 9))
    assert line.y.tolist() == [1.0, *(trial.x["v2"] for trial in campaign.trials)]
    assert plan.x.tolist() == list(range(8, 8 + len(plan.x)))
    assert plan.y.tolist() == [campaign.trials[-1].x["v2"], *(x["v2"] for x in campaign.plan())]
    assert figure.layout.yaxis3.title.text == "v2<br>(mm)"


# --- costs -----------------------------------------------------------------------------------------


def test_costs_by_variable_add_up_where_the_cost_is_a_sum(build: Build) -> None:
    snapshot = take(build("mixed"))
    costs = price_alone(snapshot, group_columns(snapshot))
    assert costs.shape == (4,)
    assert costs.sum() == pytest.approx(snapshot.total)
    first = np.abs(np.diff([1.0, *snapshot.X[:, 0]])).sum() / 10.0
    assert costs[0] == pytest.approx(first)


def test_a_way_by_water_is_not_taken_apart(build: Build) -> None:
    snapshot = take(build("lake"))
    assert group_columns(snapshot) == [(1, 0)]
    assert price_alone(snapshot, [(1, 0)])[0] == pytest.approx(snapshot.total)


def test_parts_of_a_sum_of_costs_are_found() -> None:
    polygon = sb.Polygon([(0, 0), (1, 0), (1, 1)], variables=("x", "y"))
    space = sb.Space([sb.Variable(name, 0, 1) for name in ("depth", "x", "y")], region=polygon)
    cost = 2.0 * sb.Geodesic(polygon) + sb.Weighted({"depth": 3.0})
    assert group_columns(take(sb.Campaign(space, 5, "random-tour", cost=cost))) == [(0,), (1, 2)]


def test_a_cost_that_cannot_be_taken_apart_says_so() -> None:
    def along_the_diagonal(A: Any, B: Any) -> Any:
        costs = np.abs(A[:, None] - B[None]).sum(axis=2)
        askew = np.abs(B[:, 0] - B[:, 1]) > 1e-9
        return np.where(askew[None], np.nan, costs)

    space = sb.Space([sb.Variable("a", 0, 1), sb.Variable("b", 0, 1)])
    campaign = sb.Campaign(space, 5, "random-tour", cost=along_the_diagonal)
    for value in (0.1, 0.5):
        campaign.attach({"a": value, "b": value})
    plannable = take(sb.Campaign(space, 5, "random-tour"))
    figure = FIGURES["cost_shares"](replace(plannable, settings=campaign.settings, trials=campaign.trials))
    assert "cannot be told apart" in figure.layout.annotations[0].text


# --- slices ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", [0, 1])
def test_the_model_passes_through_the_best_in_its_own_units(build: Build, objective: int) -> None:
    snapshot = take(build("several objectives"))
    name = snapshot.objectives[objective]
    center, best = snapshot.center(name), snapshot.best_by(name)
    assert center is not None
    assert best is not None
    line, (lower, median, upper) = predict_along(snapshot, snapshot.surrogates[objective], center, 0)
    place = int(np.argmin(np.abs(line[:, 0] - center[0])))
    assert (lower <= median).all()
    assert (median <= upper).all()
    spread = np.ptp(snapshot.values(name))
    assert median[place] == pytest.approx(best.values[name], abs=0.05 * spread)
    assert upper[place] - lower[place] < 0.5 * (upper - lower).max()


def test_slices_have_a_panel_for_each_variable_and_objective(build: Build) -> None:
    assert len(_named(FIGURES["slices"](build("several objectives")), "expected (median)")) == 4
    assert len(_named(FIGURES["slices"](build("ten variables")), "expected (median)")) == 10


def test_slices_end_at_the_shore(build: Build) -> None:
    snapshot = take(build("lake"))
    center = snapshot.center("value")
    assert center is not None
    for column in (0, 1):
        line, _ = predict_along(snapshot, snapshot.surrogates[0], center, column)
        assert snapshot.space.inside(line).all()
        assert (np.abs(line - center).sum(axis=1) == 0).any()


def test_measurements_from_before_are_enough_for_a_model(build: Build) -> None:
    figure = FIGURES["slices"](build("earlier data"))
    assert [star.x[0] for star in _named(figure, "best")] == [2.0, 5.0]


# --- delays ----------------------------------------------------------------------------------------


def test_delays_count_what_was_asked_in_between() -> None:
    asked = np.array([0.0, 1.0, 2.0, 3.0])
    known = np.array([2.5, 1.5, np.nan, 3.0])
    assert count_steps(asked, known, np.array([0, 1, 3])).tolist() == [2, 0, 0]


def test_delays_use_times_where_they_were_noted(build: Build) -> None:
    campaign = build("mixed")
    noon = datetime(2024, 1, 1, 12, tzinfo=UTC)
    trials = tuple(
        replace(
            trial, asked_at=noon + timedelta(hours=trial.id), told_at=noon + timedelta(hours=trial.id + 2)
        )
        for trial in campaign.trials
    )
    figure = FIGURES["delays"](replace(take(campaign), trials=trials))
    steps, waiting, hours = figure.data
    assert steps.y.tolist() == [2, 2, 2, 2, 2, 2, 1]
    assert waiting.y.tolist() == [0]
    assert hours.y.tolist() == [2.0] * 7
    assert "within 2 steps" in figure.layout.meta["caption"]


def test_without_times_only_the_order_is_known() -> None:
    campaign = sb.Campaign(sb.Space([sb.Variable("a", 0, 1)]), 9, "random-tour")
    for number in range(4):
        campaign.attach({"a": number / 10})
    for number in (2, 0, 3, 1):
        campaign.tell(number, 0.0)
    trials = tuple(replace(trial, asked_at=None, told_at=None) for trial in campaign.trials)
    snapshot = replace(take(campaign), trials=trials)
    assert places_late(snapshot).tolist() == [1, 2, -2, -1]
    assert "order of asking" in FIGURES["delays"](snapshot).layout.meta["caption"]


@pytest.mark.parametrize(
    ("seconds", "unit"), [(0.0, "s"), (60.0, "s"), (300.0, "min"), (9e3, "h"), (1e6, "days")]
)
def test_times_come_in_a_unit_that_reads_well(seconds: float, unit: str) -> None:
    assert choose_unit(np.full(3, seconds))[0] == unit


# --- many ------------------------------------------------------------------------------------------


def test_the_model_of_many_results_rests_on_the_nearest(build: Build) -> None:
    snapshot = take(build("many"))
    assert len(snapshot.surrogates[0].gp.y) == MODELLED
    assert str(MODELLED) in FIGURES["slices"](snapshot).layout.meta["caption"]
