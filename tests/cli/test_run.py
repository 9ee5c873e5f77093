"""`run`: what it measures with, what fails a trial, delays, several at once, Ctrl-C and going on later."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest
from numpy.random import Generator

import snakebo as sb
from snakebo.drive import Driver
from snakebo.errors import StorageError
from snakebo.evaluators import FailedEvaluationError, Function, read_result
from snakebo.space import Points
from snakebo.toml_spec import EXAMPLES
from snakebo.trial import Trial

Write = Callable[[Any, str], str]


def load(name: str = "line") -> sb.Campaign:
    return sb.Campaign.load("sqlite:///snakebo.db", name)


# --- evaluators ------------------------------------------------------------------------------------


def test_a_program_measures(snakebo: Any, write_program: Write) -> None:
    command = write_program(snakebo, "print('a log line')\nprint(x['a'] + trial)")
    shown = snakebo("run", "--command", command)
    assert "6 results told, 0 failed, 0 outstanding; 6 of 6 steps used" in shown
    assert "snakebo report" in shown
    assert all(trial.value == trial.x["a"] + trial.id for trial in load().trials)
    assert "Nothing is left to ask" in snakebo("run", "--command", command, code=3)


def test_a_program_gives_objectives_by_name(pair: Any, write_program: Write) -> None:
    command = write_program(pair, "print(json.dumps({'waste': 2, 'yield': x['b']}, indent=1))")
    summary = pair.json("run", "--command", command)
    assert (summary["told"], summary["failed"], summary["outstanding"]) == (6, 0, [])
    assert all(trial.values == {"yield": trial.x["b"], "waste": 2.0} for trial in load("pair").trials)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("sys.exit('no gas')", "exit code 1: no gas"),
        ("sys.exit(7)", "exit code 7"),
        ("os.kill(os.getpid(), 9)", "ended by SIGKILL"),
        ("print('rubbish')", "printed 'rubbish'; expected a number"),
        ("pass", "printed nothing; expected a number"),
        ("print('nan')", "no result: got nan"),
        ("print('null')", "no result: got None"),
        ("print('[1]')", "printed '[1]'"),
        ("print('true')", "printed 'true'"),
        ("print('1e999')", "unusable result: 'value' must be a finite number"),
        ("print('{\"other\": 1}')", "unusable result: Expected values for value; got other."),
        ("print('{\"value\": null}')", "no result for value: got None"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe')", "printed "),
        ("time.sleep(60)", "no result after 0.5 s"),
    ],
)
def test_what_fails_a_trial(snakebo: Any, write_program: Write, body: str, reason: str) -> None:
    command = write_program(snakebo, body)
    words = ["--timeout", "0.5"] if "sleep" in body else []
    assert snakebo.json("run", "--command", command, "--steps", 1, *words)["failed"] == 1
    (trial,) = load().trials
    assert str(trial.state) == "failed"
    assert trial.reason.startswith(reason)


def test_an_apparatus_that_is_off_does_not_use_up_the_budget(snakebo: Any) -> None:
    message = snakebo("run", "--command", "false", "--max-failures", 3, code=1)
    assert "gave up: 3 trials failed in a row, the last one with: exit code 1" in message
    assert len(load().trials) == 3
    assert snakebo.json("run", "--command", "false", "--max-failures", 0)["failed"] == 3


def test_programs_and_functions_that_there_are_not(snakebo: Any) -> None:
    snakebo.write("mylab.py", "import nothing_like_that")
    for words in (
        ["--command", "no-such-program"], ["--command", ""], ["--command", "a 'b"], ["--python", "nothing"],
        ["--python", "nothing:f"], ["--python", "json:nothing"], ["--python", "mylab:f"], ["--python", ":f"],
        ["--problem", "nothing"], ["--problem", "branin2d"],
    ):  # fmt: skip
        assert snakebo("run", *words, code=1).startswith("Error: ")
    assert load().trials == ()


def test_a_program_that_cannot_be_started_leaves_the_trial_alone(snakebo: Any) -> None:
    snakebo.write("broken", "#!/no/such/interpreter\n")
    (snakebo.at / "broken").chmod(0o755)
    assert "cannot be started" in snakebo("run", "--command", "./broken", code=1)
    assert [trial.id for trial in load().outstanding] == [0]


def test_a_function_of_ones_own(snakebo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    snakebo.write(
        "my_own_lab.py",
        "def measure(x):\n    if x['b'] > 0:\n        raise OSError('leak')\n    return {'value': x['a']}\n",
    )
    assert "told" in snakebo("run", "--python", "my_own_lab:measure")
    for trial in load().trials:
        assert (trial.reason == "OSError: leak") if trial.x["b"] > 0 else (trial.value == trial.x["a"])


def test_a_test_problem_with_a_delay_is_the_same_as_optimize(empty: Any) -> None:
    spec = EXAMPLES["reactor"].replace("budget = 100", "budget = 7").replace('"snake"', '"random-tour"')
    empty("init", empty.write("reactor.toml", spec))
    empty("run", "--problem", "snar4d", "--delay", "3")
    problem = sb.problems.get("snar4d")
    result = sb.optimize(
        problem.evaluate, problem.space, 7, delay=3, method="random-tour", cost=problem.cost,
        objectives=problem.objectives,
    )  # fmt: skip
    assert load("reactor").trials == result.campaign.trials


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ("1", 1),
        ("  .5\n", 0.5),
        ("log\n-1e-3\n\n", -0.001),
        ('{"a": 1,\n "b": 2.5}', {"a": 1, "b": 2.5}),
        ('log {}\n{"a": 1}', {"a": 1}),
    ],
)
def test_what_counts_as_a_result(output: str, result: Any) -> None:
    assert read_result(output) == result


@pytest.mark.parametrize("output", ["", "\n", "x", "1 2", '"1"', "{}", '{"a": "1"}', "[" * 100_000, "1_0x"])
def test_what_does_not(output: str) -> None:
    with pytest.raises(FailedEvaluationError, match="printed"):
        read_result(output)


# --- the driver ------------------------------------------------------------------------------------

LINE = sb.Space([sb.Variable("a", 0, 1)])


@pytest.mark.parametrize("delay", [0, 2, 5, 20])
def test_each_result_is_told_delay_asks_late(delay: int) -> None:
    known: list[int] = []

    class Recorder:
        def plan(self, view: sb.View, rng: Generator) -> Points:
            known.append(len(view.told))
            return rng.random((1, 1))  # one point: asked anew at every step

    campaign = sb.Campaign(LINE, 8, Recorder())
    ending = Driver(campaign, Function(lambda x: x["a"]), delay=delay).run()
    assert known == [max(0, t - delay) for t in range(8)]
    assert (ending.told, ending.failed, ending.interrupted) == (8, 0, False)


def test_several_at_once_are_told_as_they_finish() -> None:
    campaign = sb.Campaign(LINE, 9, "random-tour")
    others_told, together = Event(), Barrier(2)
    order: list[int] = []

    class Lab:
        def evaluate(self, trial: Trial) -> float:
            if trial.id == 0:
                assert others_told.wait(60)
            elif trial.id <= 2:
                together.wait(60)  # both of them are being measured
            return trial.x["a"]

        def stop(self) -> None: ...

    def watch(trial: Trial | None, number: int) -> None:
        assert number <= 3
        if trial is not None:
            order.append(trial.id)
        if len(order) == 5:
            others_told.set()

    Driver(campaign, Lab(), parallel=3, watch=watch).run()
    assert sorted(order) == list(range(9))
    assert order.index(0) >= 5  # the slow one did not hold up the others
    assert campaign.outstanding == ()


def test_a_result_that_somebody_else_told_stands() -> None:
    campaign = sb.Campaign(LINE, 2, "random-tour")

    def measure(x: dict[str, float]) -> float:
        campaign.tell(len(campaign.trials) - 1, 42.0)
        return 1.0

    Driver(campaign, Function(measure)).run()
    assert [trial.value for trial in campaign.trials] == [42.0, 42.0]


def test_a_measurement_that_cannot_be_stored_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = sb.Campaign(LINE, 2, "random-tour")

    def refuse(*arguments: object, **others: object) -> Trial:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(campaign, "tell", refuse)
    with pytest.raises(StorageError, match=r"The disk is full\. Measured but not stored.*: trial 0: 0\.25\."):
        Driver(campaign, Function(lambda x: 0.25)).run()


def test_a_cost_budget_ends_the_run() -> None:
    campaign = sb.Campaign(LINE, 50, "random-tour", cost_budget=0.5)
    Driver(campaign, Function(lambda x: x["a"]), delay=4).run()
    assert campaign.finished
    assert campaign.outstanding == ()
    assert campaign.spent <= 0.5


# --- Ctrl-C, kill, and going on --------------------------------------------------------------------


def wait_for(condition: Callable[[], bool], process: Any, at_most_s: float = 60.0) -> None:
    deadline = time.monotonic() + at_most_s
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "zombie" not in Path(f"/proc/{pid}/status").read_text() if Path("/proc").exists() else True


@pytest.mark.parametrize(
    ("kind", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_run_that_is_stopped_goes_on_later(
    snakebo: Any, write_program: Write, kind: signal.Signals, code: int
) -> None:
    command = write_program(
        snakebo,
        "open('log', 'a').write(f'{trial} {os.getpid()}\\n')\n"
        "if trial == 2 and os.path.exists('slow'): time.sleep(60)\n"
        "print(trial + x['a'])",
    )
    snakebo.write("slow", "")
    process = snakebo.start("run", "--command", command, "--delay", "1", "--json")
    log = snakebo.at / "log"
    wait_for(lambda: log.exists() and log.read_text().count("\n") == 3, process)
    process.send_signal(kind)
    output, complaint = process.communicate(timeout=30)
    assert process.returncode == code
    assert "Traceback" not in complaint
    pid = int(log.read_text().splitlines()[2].split()[1])
    campaign = load()
    if kind is signal.SIGKILL:
        os.kill(pid, signal.SIGKILL)  # nobody else could
    else:
        assert json.loads(output)["interrupted"] is True
        assert "The same command goes on" in complaint
        assert not alive(pid)
    assert [trial.value is not None for trial in campaign.trials] == [True, True, False]
    (snakebo.at / "slow").unlink()
    summary = snakebo.json("run", "--command", command, "--delay", "1")
    assert summary["outstanding"] == []
    assert all(trial.value == trial.id + trial.x["a"] for trial in load().trials)
    measured = [int(line.split()[0]) for line in log.read_text().splitlines()]
    assert measured == [0, 1, 2, 2, 3, 4, 5]  # only what was not measured is measured again
    uninterrupted = sb.Campaign(load().space, 6, "random-tour")
    while not uninterrupted.finished:
        uninterrupted.ask()
    assert [trial.x for trial in uninterrupted.trials] == [trial.x for trial in load().trials]
