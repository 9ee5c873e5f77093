"""What `snakebo run` can measure with: a test problem, a Python function, a program of the user's own."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from snakebo.campaign import Campaign
from snakebo.drive import CannotEvaluateError
from snakebo.errors import InputError, SnakeboError
from snakebo.trial import Trial


class FailedEvaluationError(SnakeboError):
    """A measurement that gave no usable result; the message is the reason."""


@dataclass(frozen=True)
class Function:
    """A function of a dictionary of settings."""

    function: Callable[[dict[str, float]], Any]

    def evaluate(self, trial: Trial) -> Any:
        """Call it."""
        return self.function(dict(trial.x))

    def stop(self) -> None:
        """Do nothing: a function cannot be ended from outside."""


def load_problem(name: str, campaign: Campaign) -> Function:
    """Return a test problem; InputError unless it has the variables of the campaign."""
    from snakebo import problems

    problem = problems.get(name)
    if set(problem.space.names) != set(campaign.space.names):
        raise InputError(
            f"The problem {name} has the variables {', '.join(problem.space.names)}, the campaign "
            f"{', '.join(campaign.space.names)}."
        )
    given, needed = problem.objectives, campaign.objectives
    if len(given) != len(needed) or (len(given) > 1 and set(given) != set(needed)):
        raise InputError(
            f"The problem {name} gives {', '.join(given)}, the campaign needs {', '.join(needed)}."
        )
    return Function(problem.evaluate)


def load_function(where: str) -> Function:
    """Return the function at `module:function`; modules in the present directory are found too."""
    module, colon, name = where.partition(":")
    if not colon or not module or not name:
        raise InputError(f"A Python function is written module:function; got {where!r}.")
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = importlib.import_module(module)
    except Exception as error:
        raise InputError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error
    function: Any = found
    for part in name.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise InputError(f"{module} has no function {name!r}.")
    return Function(function)


class Program:
    """A program that gets the settings as JSON on stdin and prints a number, or a JSON object by objective.

    It runs in a session of its own, so that Ctrl-C reaches snakebo alone, which then ends it.
    """

    def __init__(self, command: str, timeout_s: float | None = None) -> None:
        """Raise InputError unless there is such a program."""
        try:
            self.words = shlex.split(command, posix=os.name == "posix")
        except ValueError as error:
            raise InputError(f"The command {command!r} cannot be read: {error}.") from None
        if not self.words:
            raise InputError("The command is empty.")
        if shutil.which(self.words[0]) is None:
            raise InputError(f"There is no program {self.words[0]!r}.")
        self.timeout_s = timeout_s
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False
        self._lock = Lock()

    def evaluate(self, trial: Trial) -> Any:
        """Run it once; a non-zero exit, a timeout or rubbish raises FailedEvaluationError."""
        process = self._start(trial)
        try:
            output, complaint = process.communicate(json.dumps(dict(trial.x)).encode(), self.timeout_s)
        except subprocess.TimeoutExpired:
            raise FailedEvaluationError(f"no result after {self.timeout_s:g} s") from None
        finally:
            with self._lock:
                self._running.discard(process)
                _kill(process)
            _clean_up(process)
        if process.returncode:
            raise FailedEvaluationError(f"{_show_exit(process.returncode)}{_last_line(complaint)}")
        return read_result(output.decode(errors="replace"))

    def stop(self) -> None:
        """End all that are running, and start no more."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    def _start(self, trial: Trial) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._stopped:
                raise FailedEvaluationError("stopped")
            try:
                process = subprocess.Popen(
                    self.words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                    env={**os.environ, "SNAKEBO_TRIAL": str(trial.id)},
                )
            except OSError as error:
                raise CannotEvaluateError(f"{self.words[0]} cannot be started: {error}.") from None
            self._running.add(process)
            return process


def read_result(output: str) -> float | dict[str, float]:
    """Read what a program printed: all of it, or its last line, is a number or an object of numbers."""
    text = output.strip()
    for candidate in (text, text.rsplit("\n", 1)[-1]):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if _is_number(value) or (isinstance(value, dict) and value and all(map(_is_number, value.values()))):
            found: float | dict[str, float] = value
            return found
    try:
        return float(text.rsplit("\n", 1)[-1])  # .5 and +1 are numbers, but not JSON
    except ValueError:
        shown = f"{text[-80:]!r}" if text else "nothing"
        raise FailedEvaluationError(
            f"printed {shown}; expected a number or a JSON object of numbers"
        ) from None


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and all that it has started, also what outlives the program itself."""
    with contextlib.suppress(OSError):  # no such group: all have ended
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _clean_up(process: subprocess.Popen[bytes]) -> None:
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError, ValueError):
            if stream is not None:
                stream.close()


def _show_exit(code: int) -> str:
    if code > 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"ended by {signal.Signals(-code).name}"
    return f"ended by signal {-code}"


def _last_line(complaint: bytes) -> str:
    lines = complaint.decode(errors="replace").strip().splitlines()
    return f": {lines[-1][-200:]}" if lines else ""
