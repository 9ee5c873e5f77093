"""snakebo bench from a shell: run, stop in any way, go on, export."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from snakebo.bench.experiment_file import read_experiment
from snakebo.bench.exported import read_results
from snakebo.bench.perform import perform
from snakebo.bench.results import Results
from snakebo.cli import app
from snakebo.errors import StorageError

SMALL = """
title = "Small"
problems = ["branin2d"]
budgets = [{budget}]
methods = ["{method}", "snake"]
protocols = ["cold"]
seeds = 3
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a small experiment."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SMALL.format(budget=6, method="random-tour"))
    return tmp_path


def snakebo(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["bench", *words])
    assert result.exit_code == code, (result.stdout, result.stderr)
    assert "Traceback" not in result.stderr
    return result


def test_run_and_go_on() -> None:
    first = snakebo("run", "small.toml", "--seeds", "1", "--methods", "snake")
    assert first.stdout == "1 of 1 runs are in runs/bench/small.db.\n"
    assert "small: 1/1 runs" in first.stderr
    assert "6 of 6 runs" in snakebo("run", "small.toml").stdout
    assert "small: 6/6 runs" in snakebo("run", "small.toml").stderr.splitlines()[0]
    assert len(Results.read("runs/bench/small.db").runs()) == 6


def test_export_and_read_again() -> None:
    snakebo("run", "small.toml", "--results", "other.db", "--seeds", "1")
    shown = snakebo("export", "small.toml", "--results", "other.db", "--to", "out").stdout
    assert "Wrote out/runs.parquet" in shown
    assert len(read_results("out").steps()) == 2 * 6


def test_list_names_the_shipped_experiments() -> None:
    assert "Synchronous experiments" in snakebo("list").stdout
    names = [each["name"] for each in json.loads(snakebo("list", "--json").stdout)]
    assert {"synchronous", "asynchronous", "ypacarai", "results-snar"} <= set(names)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["run", "smal"], 1, "No experiment is called 'smal'"),
        (["run", "none.toml"], 1, "no file none.toml"),
        (["run", "small.toml", "--jobs", "0"], 2, "--jobs"),
        (["run", "small.toml", "--budgets", "six"], 2, "whole numbers"),
        (["run", "small.toml", "--budgets", "7"], 1, "7 is none of the budgets"),
        (["run", "small.toml", "--methods", "snaky"], 1, "Unknown method 'snaky'"),
        (["run", "small.toml", "--methods", "ei"], 1, "ei is none of the methods"),
        (["run", "small.toml", "--problems", "ackley4d"], 1, "It has branin2d"),
        (["run", "small.toml", "--results", "small.toml"], 4, "not a database"),
        (["run", "small.toml", "--jobs", "2", "--scheduler", "tcp://x"], 2, "--jobs or --scheduler"),
        (["run", "non-escape", "--seeds", "2"], 2, "no grid of runs"),
        (["export", "small.toml", "--to", "out"], 4, "There are no results"),
    ],
)
def test_errors(words: list[str], code: int, message: str) -> None:
    assert message in snakebo(*words, code=code).stderr


def test_methods_with_settings_can_be_chosen(here: Path) -> None:
    method = "snake:keep=0.4,polish=0.2"
    (here / "small.toml").write_text(SMALL.format(budget=4, method=method))
    snakebo("run", "small.toml", "--seeds", "1", "--methods", f"snake,{method}")
    assert set(Results.read("runs/bench/small.db").runs()["method"]) == {"snake", method}


def test_a_run_that_fails_gives_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    from snakebo.methods.random_tour import RandomTour

    def plan(*arguments: object) -> None:
        raise RuntimeError("out of tea")

    with monkeypatch.context() as patch:
        patch.setattr(RandomTour, "plan", plan)
        shown = snakebo("run", "small.toml", code=1)
    assert "3 of 6 runs are in" in shown.stdout
    assert shown.stderr.count("failed: branin2d T=6 random-tour (cold) seed") == 3
    assert "RuntimeError: out of tea (test_bench_cli.py:" in shown.stderr
    assert "6 of 6 runs are in" in snakebo("run", "small.toml").stdout


def start(*words: str) -> subprocess.Popen[str]:
    source = Path(__file__).parents[2] / "src"
    return subprocess.Popen(
        [sys.executable, "-m", "snakebo", "bench", *words],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_runs(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until some runs are stored."""
    stored = 0
    while stored < count:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
        with suppress(StorageError):  # no file yet, or nothing in it
            stored = len(Results.read(path).done())


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stop_and_go_on_loses_nothing_and_stores_nothing_twice(
    jobs: str, how: signal.Signals, here: Path
) -> None:
    (here / "small.toml").write_text(SMALL.format(budget=30, method="snake:keep=0.4"))
    path = here / "runs" / "bench" / "small.db"
    with start("run", "small.toml", "--jobs", jobs) as process:
        wait_for_runs(path, 1, process)
        if how == signal.SIGINT:
            os.killpg(process.pid, how)  # as a terminal does: to all of the group
        else:
            process.send_signal(how)
        _, complaint = process.communicate()
        if how == signal.SIGINT:
            assert process.returncode == 130
            assert "Finished runs are stored" in complaint
            assert "Traceback" not in complaint
    wait_for_silence(process.pid)
    before = Results.read(path).runs()
    assert 1 <= len(before) < 6
    assert "6 of 6 runs" in snakebo("run", "small.toml").stdout
    results = Results.read(path)
    assert results.runs().iloc[: len(before)].equals(before)
    runs = read_experiment("small.toml").runs()
    assert results.done() == set(runs)
    assert len(results.runs()) == 6
    paths = results.paths()
    assert (paths.groupby("run").size() == 30).all()
    for run in runs[:2]:
        number = results.runs().query("seed == @run.seed and method == @run.method")["run"].item()
        found = paths[paths["run"] == number]["x"].tolist()
        np.testing.assert_array_equal(found, perform(run).steps.x)


def wait_for_silence(group: int) -> None:
    """Wait until no process of a group is left: workers end with the process that started them."""
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
