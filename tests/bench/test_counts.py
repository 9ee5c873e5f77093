"""Counts agree with the entries they are made of."""

from typing import Any

import pytest

from snakebo.bench.counts import Count, count_cells
from snakebo.bench.paper import find_numbers
from snakebo.bench.summary import Entry, summarise


@pytest.fixture(scope="module")
def entries(small: Any) -> tuple[Entry, ...]:
    return summarise(small.collect(), small.experiment.paper.columns)


def by_column(entries: tuple[Entry, ...], method: str) -> dict[str, Count]:
    return {count.against: count for count in count_cells(entries) if count.method == method}


def test_snake_is_counted_against_every_column(entries: tuple[Entry, ...]) -> None:
    numbers = find_numbers("branin2d", "value", 15, 0)
    counts = by_column(entries, "snake")
    assert next(iter(counts)) == "best SnAKe (cost: ℓ-SnAKe)"
    assert {name.replace("ℓ", "l") for name in list(counts)[1:]} == set(numbers["cost"])
    assert {count.cells for count in counts.values()} == {1}, "budget 8 is not in the paper"
    assert {count.protocol for count in counts.values()} == {"cold"}


def test_counts_say_what_the_means_say(entries: tuple[Entry, ...]) -> None:
    numbers = find_numbers("branin2d", "value", 15, 0)
    snake = next(entry for entry in entries if (entry.method, entry.cell.budget) == ("snake", 15))
    assert snake.regret.ours is not None
    assert snake.cost.ours is not None
    counts = by_column(entries, "snake")
    for column in numbers["cost"]:
        count = counts[column.replace("l-", "ℓ-")]
        better = snake.regret.ours.mean <= numbers["log_regret"][column].mean
        cheaper = snake.cost.ours.mean <= numbers["cost"][column].mean
        assert (count.regret, count.cost, count.both) == (better, cheaper, better and cheaper)


def test_others_are_counted_against_their_own_column(entries: tuple[Entry, ...]) -> None:
    assert list(by_column(entries, "ei")) == ["EI"]
    assert by_column(entries, "ucb") == {}, "no run of it is done"


def test_protocols_are_counted_apart(entries: tuple[Entry, ...]) -> None:
    from dataclasses import replace

    twice = (*entries, *(replace(entry, protocol="fixed:noise=1") for entry in entries))
    counts = [count for count in count_cells(twice) if count.method == "ei"]
    assert [count.protocol for count in counts] == ["cold", "fixed"]
    assert {count.cells for count in counts} == {1}
