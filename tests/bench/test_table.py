"""Tables: complete, honest about what is missing, and marked right."""

import math
from dataclasses import replace
from typing import Any

import pytest

from snakebo.bench.estimate import Estimate
from snakebo.bench.summary import Beside, Entry, summarise
from snakebo.bench.table import make_notes, make_sheets
from snakebo.bench.wording import write_estimate, write_estimates, write_verdict


@pytest.fixture(scope="module")
def entries(small: Any) -> tuple[Entry, ...]:
    return summarise(small.collect(), small.experiment.paper.columns)


def test_a_sheet_for_each_problem_and_objective_and_the_counts(entries: tuple[Entry, ...]) -> None:
    titles = [sheet.title for sheet in make_sheets(entries)]
    assert titles[:-1] == ["branin2d", "ypacarai, o1", "ypacarai, o2", "ypacarai, o3"]
    assert titles[-1].startswith("In how many cells")


def test_every_method_has_a_row_in_every_cell(entries: tuple[Entry, ...]) -> None:
    groups = make_sheets(entries)[0].groups
    assert [group.label for group in groups] == ["T = 8", "T = 15"]
    for group in groups:
        assert [row[0].text for row in group.rows] == ["snake", "ei (2/3)", "random-tour", "ucb (0/3)"]


def test_numbers_stand_where_they_belong(entries: tuple[Entry, ...]) -> None:
    sheet = make_sheets(entries)[0]
    assert sheet.columns == ("method", "log-regret", "paper", "better", "cost", "paper", "better")
    entry = next(entry for entry in entries if (entry.method, entry.cell.budget) == ("snake", 15))
    row = [cell.text for cell in sheet.groups[1].rows[0]]
    assert entry.regret.ours is not None
    assert entry.cost.ours is not None
    assert row[1] == write_estimate(entry.regret.ours, 2)
    assert row[2].startswith("−3.9 ± 1.7 [0.0]")
    assert row[4] == write_estimate(entry.cost.ours, 1)
    assert row[5] == "5.7 ± 1.5 [ℓ]"
    assert row[3] == write_verdict(entry.regret).text


def test_missing_numbers_are_dashes(entries: tuple[Entry, ...]) -> None:
    small, large = make_sheets(entries)[0].groups
    assert [cell.text for cell in large.rows[3][1:]] == ["–", "−5.0 ± 1.5", "–", "–", "4.4 ± 1.6", "–"]
    assert [row[2].text for row in small.rows] == ["–"] * 4, "budget 8 is not in the paper"


def test_the_least_is_bold_among_ours_and_among_the_papers(entries: tuple[Entry, ...]) -> None:
    group = make_sheets(entries)[0].groups[1]
    shown = [entry for entry in entries if entry.cell.budget == 15]
    ours = [entry.regret.ours.mean if entry.regret.ours else math.inf for entry in shown]
    assert [row[1].bold for row in group.rows] == [mean == min(ours) for mean in ours]
    assert [row[2].bold for row in group.rows] == [False, False, False, True], "UCB, −5.0"


@pytest.mark.parametrize(("shown", "columns"), [("regret", 4), ("cost", 4), ("both", 7)])
def test_metrics_of_choice(entries: tuple[Entry, ...], shown: Any, columns: int) -> None:
    sheet = make_sheets(entries, shown)[0]
    assert len(sheet.columns) == columns
    assert all(len(row) == columns for group in sheet.groups for row in group.rows)


def test_columns_of_the_paper_are_left_out_where_it_has_nothing(entries: tuple[Entry, ...]) -> None:
    assert make_sheets(entries)[1].columns == ("method", "log-regret", "cost")


def test_protocol_is_named_where_it_is_not_the_usual_one(entries: tuple[Entry, ...]) -> None:
    mixed = (entries[0], replace(entries[0], protocol="fixed:noise=1"))
    assert [row[0].text for row in make_sheets(mixed)[0].groups[0].rows] == ["snake", "snake, fixed"]
    assert any("cold unless" in note for note in make_notes(mixed))


def test_counts_have_a_row_for_each_column_of_the_paper(entries: tuple[Entry, ...]) -> None:
    sheet = make_sheets(entries)[-1]
    (group,) = sheet.groups
    assert group.label == "protocol: cold"
    assert [row[0].text for row in group.rows] == ["snake"] * 11 + ["ei", "random-tour"]
    assert all(row[2].text == "1" for row in group.rows)


def test_notes_explain_only_what_is_there(entries: tuple[Entry, ...]) -> None:
    assert any("(2/5)" in note for note in make_notes(entries))
    complete = [replace(entry, columns=()) for entry in entries if entry.done == entry.planned]
    assert not any("(2/5)" in note or "paper:" in note or "SnAKe" in note for note in make_notes(complete))


def test_verdicts() -> None:
    paper = Estimate(-2.0, 1.0, 25)
    assert write_verdict(Beside(Estimate(-4.0, 1.0, 25), "EI", paper)).text == "ours 7.1"
    assert write_verdict(Beside(Estimate(-1.9, 1.0, 25), "EI", paper)).text == "paper 0.4"
    assert write_verdict(Beside(Estimate(-2.0, 1.0, 25), "EI", paper)).text == "equal"
    assert write_verdict(Beside(Estimate(-3.0, math.nan, 1), "EI", paper)).text == "ours"
    assert write_verdict(Beside(Estimate(3.0, 0.0, 5), "EI", Estimate(1.0, 0.0, 5))).text == "paper ∞"
    assert write_verdict(Beside(None, "EI", paper)).text == "–"


def test_only_clear_differences_are_coloured() -> None:
    paper = Estimate(0.0, 1.0, 25)
    tones = [
        write_verdict(Beside(Estimate(mean, 1.0, 25), "EI", paper)).tone for mean in (-1.0, -0.1, 0.1, 1.0)
    ]
    assert tones == ["good", "plain", "plain", "bad"]


def test_estimates_as_text() -> None:
    assert write_estimate(Estimate(-18.664, 2.611, 10), 2) == "−18.66 ± 2.61"
    assert write_estimate(Estimate(1.5, math.nan, 1), 2) == "1.50"
    assert write_estimate(Estimate(-0.001, 0.2, 5), 1) == "0.0 ± 0.2", "no minus before a zero"
    assert write_estimate(Estimate(12.0, 4.0, 25)) == "12 ± 4"
    assert write_estimate(Estimate(1.0, 0.25, 25)) == "1.00 ± 0.25"


def test_a_single_number_is_not_the_best_of_anything() -> None:
    assert not write_estimates([Estimate(1.0, 1.0, 5), None], 1)[0].bold
