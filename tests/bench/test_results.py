"""Results in a file: all of a run or nothing, each once, and clear words about what is no such file."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import snakebo as sb
from snakebo.bench.frames import STEP_COLUMNS
from snakebo.bench.perform import perform
from snakebo.bench.record import Record
from snakebo.bench.results import Results
from snakebo.bench.run import KEY, Run
from snakebo.errors import StorageBusyError, StorageError, StorageFormatError

RUN = Run("branin2d", 6, 0, "random-tour", "cold", None, "random", 0)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [perform(run) for run in (RUN, replace(RUN, seed=1), replace(RUN, cost_budget=1.5))]


@pytest.fixture
def path(tmp_path: Path, records: list[Record]) -> Path:
    file = tmp_path / "deep" / "results.db"
    with Results.open(file) as results:
        for record in records:
            assert results.add(record)
    return file


def test_runs_are_there_after_opening_again(path: Path, records: list[Record]) -> None:
    with Results.open(path) as results:
        assert results.done() == {record.run for record in records}


def test_no_run_is_stored_twice(path: Path, records: list[Record]) -> None:
    with Results.open(path) as results:
        before = results.steps()
        assert not any(results.add(record) for record in records)
        assert not results.add(perform(RUN))
        assert len(results.runs()) == 3
        assert results.steps().equals(before)


def test_every_part_of_the_key_tells_runs_apart(tmp_path: Path, records: list[Record]) -> None:
    other = {
        "problem": "ackley4d", "budget": 7, "delay": 1, "method": "ei", "protocol": "paper",
        "cost_budget": 2.0, "start": "{}", "seed": 9,
    }  # fmt: skip
    assert set(other) == set(KEY)
    with Results.open(tmp_path / "results.db") as results:
        results.add(records[0])
        for name, value in other.items():
            assert results.add(replace(records[0], run=replace(RUN, **{name: value})))  # type: ignore[arg-type]
        assert len(results.done()) == 1 + len(KEY)


def test_frames_hold_what_was_recorded(path: Path, records: list[Record]) -> None:
    results = Results.read(path)
    runs, steps, paths = results.runs(), results.steps(), results.paths()
    assert list(steps.columns) == list(STEP_COLUMNS)
    assert runs["seed"].tolist() == [0, 1, 0]
    np.testing.assert_array_equal(runs["cost_budget"], [np.nan, np.nan, 1.5])
    for record, (_, run) in zip(records, runs.iterrows(), strict=True):
        own = steps[steps["run"] == run["run"]]
        assert (own["seed"] == record.run.seed).all()
        assert own["step"].tolist() == list(range(len(record.steps.cost)))
        np.testing.assert_array_equal(own["value"], record.steps.values[:, 0])
        np.testing.assert_array_equal(own["regret"], record.steps.regrets[:, 0])
        np.testing.assert_array_equal(own["seconds"], record.steps.seconds)
        np.testing.assert_allclose(own["spent"], record.steps.cost.cumsum())
        np.testing.assert_array_equal(own["best"], np.minimum.accumulate(record.steps.regrets[:, 0]))
        np.testing.assert_array_equal(paths[paths["run"] == run["run"]]["x"].tolist(), record.steps.x)


def test_spent_and_best_are_by_objective(tmp_path: Path, records: list[Record]) -> None:
    steps = records[0].steps
    both = replace(steps, values=np.hstack([steps.values, -steps.values]),
                   regrets=np.hstack([steps.regrets, steps.regrets[::-1]]))  # fmt: skip
    with Results.open(tmp_path / "results.db") as results:
        results.add(replace(records[0], objectives=("b", "a"), steps=both))
    frame = Results.read(tmp_path / "results.db").steps()
    a, b = frame[frame["objective"] == "a"], frame[frame["objective"] == "b"]
    np.testing.assert_array_equal(a["spent"], b["spent"])
    np.testing.assert_array_equal(b["best"], np.minimum.accumulate(steps.regrets[:, 0]))
    np.testing.assert_array_equal(a["best"], np.minimum.accumulate(steps.regrets[::-1, 0]))


def test_a_run_that_cannot_be_stored_leaves_nothing(path: Path, records: list[Record]) -> None:
    steps = records[0].steps
    no_regrets = replace(steps, regrets=np.full_like(steps.regrets, np.nan))
    broken = replace(records[0], run=replace(RUN, seed=5), steps=no_regrets)
    with Results.open(path) as results:
        with pytest.raises(StorageError, match="NOT NULL"):
            results.add(broken)
        assert len(results.done()) == 3
        assert len(results.paths()) == sum(len(record.steps.cost) for record in records)
        assert results.add(replace(records[0], run=replace(RUN, seed=5)))


def test_only_one_can_add_but_others_can_read(path: Path, records: list[Record]) -> None:
    with Results.open(path) as results:
        with pytest.raises(StorageBusyError, match="Another process is adding"):
            Results.open(path)
        results.add(replace(records[0], run=replace(RUN, seed=5)))
        assert len(Results.read(path).runs()) == 4
    Results.open(path).close()


def test_the_lock_ends_with_its_process(path: Path) -> None:
    program = (
        "import sys, time; from snakebo.bench.results import Results; "
        "held = Results.open(sys.argv[1]); print('open', flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        with pytest.raises(StorageBusyError):
            Results.open(path)
        process.kill()
        process.wait()
    Results.open(path).close()


def test_reading_after_a_kill_in_the_middle_of_adding(path: Path, records: list[Record]) -> None:
    before = Results.read(path).steps()
    program = (
        "import os, signal, sqlite3, sys; held = sqlite3.connect(sys.argv[1]); "
        "held.execute('PRAGMA cache_size = 1'); "  # writes to the file long before the end of the transaction
        "rows = ((100 + i, 'x' * 500) for i in range(999)); "
        "held.executemany('INSERT INTO steps VALUES (1, ?, 0, 0, ?)', rows); "
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert path.with_name(f"{path.name}-journal").stat().st_size > 0
    assert Results.read(path).steps().equals(before)


def test_reading_adds_nothing(path: Path, records: list[Record]) -> None:
    with pytest.raises(StorageError, match="opened for reading"):
        Results.read(path).add(records[0])
    with pytest.raises(StorageError, match=r"no results at.*snakebo bench run"):
        Results.read(path.with_name("none.db"))
    assert not path.with_name("none.db").exists()
    path.with_name("new.db").touch()
    with pytest.raises(StorageError, match=r"new\.db has no results of runs yet"):
        Results.read(path.with_name("new.db"))


@pytest.mark.parametrize("how", ["open", "read"])
def test_files_that_are_something_else(how: str, tmp_path: Path, path: Path) -> None:
    use = getattr(Results, how)
    text = tmp_path / "text.db"
    text.write_text("problem,budget\n" * 1000)
    with pytest.raises(StorageFormatError, match=r"text\.db is not a database, or it is damaged"):
        use(text)
    campaign = tmp_path / "campaign.db"
    sb.Campaign(sb.Space([sb.Variable("a", 0, 1)]), 5, storage=f"sqlite:///{campaign}")
    with pytest.raises(StorageFormatError, match="not one of results of runs"):
        use(campaign)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(StorageFormatError, match="format 9; this snakebo knows 1"):
        use(path)


def test_a_damaged_file(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = b"\x55" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StorageFormatError, match="damaged"):
        Results.read(path).steps()
    with Results.open(path) as results, pytest.raises(StorageFormatError, match="damaged"):
        results.done()


def test_results_are_a_file_in_a_directory(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is a directory"):
        Results.open(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="Choose another path"):
        Results.open(tmp_path / "file" / "results.db")


def test_a_second_name_for_a_file_is_the_same_file(path: Path, tmp_path: Path) -> None:
    (tmp_path / "other.db").symlink_to(path)
    with Results.open(path), pytest.raises(StorageBusyError):
        Results.open(tmp_path / "other.db")
