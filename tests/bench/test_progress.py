"""What is shown while an experiment runs: lines that are neither too many nor too few, and a bar."""

import io
from dataclasses import replace

import pytest

from snakebo.bench import progress
from snakebo.bench.executors import Failure
from snakebo.bench.perform import perform
from snakebo.bench.progress import Lines, show_duration, show_progress
from snakebo.bench.record import Record
from snakebo.bench.run import Run
from snakebo.bench.runner import Tally

RUN = Run("branin2d", 3, 2, "random-tour", "cold", None, "random", 0)


@pytest.fixture(scope="module")
def record() -> Record:
    return perform(RUN)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still; its only element is the time."""
    time = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: time[0])
    return time


def test_a_line_comes_with_every_twentieth_of_the_runs(record: Record, clock: list[float]) -> None:
    stream, tally = io.StringIO(), Tally(200, 0)
    lines = Lines("try", stream)
    lines(tally, None)
    for _ in range(200):
        tally.stored += 1
        clock[0] += 0.1
        lines(tally, record)
    written = stream.getvalue().splitlines()
    assert len(written) == 1 + 20
    assert written[0] == "try: 0/200 runs"
    assert written[1] == (
        "try: 10/200 runs, about 19 s left; last: branin2d T=3 delay=2 random-tour (cold) seed 0"
    )
    assert written[-1].startswith("try: 200/200 runs; last:")


def test_a_line_comes_after_ten_seconds(record: Record, clock: list[float]) -> None:
    stream, tally = io.StringIO(), Tally(10_000, 0)
    lines = Lines("try", stream)
    lines(tally, None)
    for _ in range(10):
        tally.stored += 1
        clock[0] += 4.0
        lines(tally, record)
    assert len(stream.getvalue().splitlines()) == 1 + 3


def test_failures_are_always_written(record: Record, clock: list[float]) -> None:
    stream, tally = io.StringIO(), Tally(1000, 0)
    lines = Lines("try", stream)
    lines(tally, None)
    failure = Failure(replace(RUN, seed=7), "ValueError: no")
    tally.failures.append(failure)
    lines(tally, failure)
    assert stream.getvalue().splitlines()[-1] == (
        "failed: branin2d T=3 delay=2 random-tour (cold) seed 7: ValueError: no"
    )


def test_the_bar_says_what_is_done_and_what_failed(
    record: Record, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    with show_progress("try") as watch:
        tally = Tally(3, 1)
        watch(tally, None)
        tally.stored = 2
        watch(tally, record)
        tally.failures.append(Failure(replace(RUN, seed=7), "ValueError: [bold] no"))
        watch(tally, tally.failures[0])
    shown = capsys.readouterr().err
    assert "2/3" in shown
    assert "1 failed" in shown
    assert "seed 7: ValueError: [bold] no" in shown


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (80, "80 s"), (600, "10 min"), (5400, "1 h 30 min"), (7500, "2 h 05 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert show_duration(seconds) == text
