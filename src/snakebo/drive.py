"""Close the loop around evaluations that run beside each other, and stop without losing a measurement."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Protocol

from snakebo.campaign import Campaign
from snakebo.errors import BudgetSpentError, InputError, SnakeboError, StorageError, TrialStateError
from snakebo.trial import Trial

_STOP = object()
_PATIENCE_S = 0.5  # with evaluations that are about to end, when a run is stopped


class Evaluator(Protocol):
    """Something that measures."""

    def evaluate(self, trial: Trial) -> Any:
        """Return a number or numbers by objective; None, NaN or an exception is a failed trial."""

    def stop(self) -> None:
        """End what is being evaluated, if that is possible."""


class CannotEvaluateError(SnakeboError):
    """Nothing can be evaluated at all; the trial is not to blame and stays outstanding."""


@dataclass(frozen=True)
class Ending:
    """How a run ended."""

    told: int
    failed: int
    interrupted: bool = False
    trouble: str = ""  # why it was given up


Watcher = Callable[[Trial | None, int], object]  # the trial that was settled, how many are being evaluated


@dataclass
class Driver:
    """Asks, evaluates up to `parallel` settings at once, and tells each result `delay` asks after its own.

    Trials that are outstanding at the beginning are evaluated first. `most_failures` in a row end the run:
    an apparatus that is switched off should not use up the budget. `most_steps`: evaluations, this time.
    """

    campaign: Campaign
    evaluator: Evaluator
    delay: int = 0
    parallel: int = 1
    most_failures: float = 10
    most_steps: float = math.inf
    watch: Watcher = lambda trial, running: None
    _events: SimpleQueue[Any] = field(default_factory=SimpleQueue, init=False)
    _measured: dict[int, tuple[Trial, Any]] = field(default_factory=dict, init=False)  # and not told yet
    _running: set[int] = field(default_factory=set, init=False)
    _threads: list[Thread] = field(default_factory=list, init=False)
    _stopped: bool = field(default=False, init=False)
    _told: int = field(default=0, init=False)
    _failed: int = field(default=0, init=False)
    _failures: int = field(default=0, init=False)  # in a row
    _trouble: str = field(default="", init=False)

    def stop(self) -> None:
        """End the run soon; may be called from a signal handler."""
        self._events.put(_STOP)

    def run(self) -> Ending:
        """Go on until nothing is left to ask or something ends the run; all that was measured is told."""
        try:
            try:
                self._loop()
            except KeyboardInterrupt:
                self._stopped = True
            self._wind_up()
        except StorageError as error:
            self.evaluator.stop()
            raise StorageError(f"{error}{self._not_stored()}") from error
        return Ending(self._told, self._failed, self._stopped and not self._trouble, self._trouble)

    def _loop(self) -> None:
        waiting, steps = deque(self.campaign.outstanding), 0
        while not self._stopped:
            self._receive(block=False)
            self._settle(self.delay)
            while not self._stopped and len(self._running) < self.parallel and steps < self.most_steps:
                trial = waiting.popleft() if waiting else self._ask()
                if trial is None:
                    break
                self._settle(self.delay)  # one ask more: what is due now is safe while this one is measured
                self._start(trial)
                steps += 1
                self._receive(block=False)
                self._settle(self.delay)
            if self._running:
                self._receive(block=True)
            elif self._measured:
                self._settle(0)  # late results may bring something within reach of a cost budget
            else:
                break

    def _wind_up(self) -> None:
        """End what is running, wait for what is about to end anyway, tell what was measured."""
        self.evaluator.stop()
        deadline = monotonic() + _PATIENCE_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))
        self._receive(block=False)
        self._settle(0)

    def _not_stored(self) -> str:
        lost = [f"trial {trial.id}: {value}" for trial, value in self._measured.values()]
        return f" Measured but not stored, tell it by hand: {'; '.join(lost)}." if lost else ""

    def _ask(self) -> Trial | None:
        try:
            return None if self.campaign.finished else self.campaign.ask()
        except BudgetSpentError:  # another process was faster
            return None

    def _start(self, trial: Trial) -> None:
        def work() -> None:
            try:
                value = self.evaluator.evaluate(trial)
            except BaseException as error:
                value = error
            self._events.put((trial, value))

        self._running.add(trial.id)
        self.watch(None, len(self._running))
        thread = Thread(target=work, name=f"trial {trial.id}", daemon=True)  # daemon: Ctrl-C must not wait
        self._threads = [each for each in self._threads if each.is_alive()] + [thread]
        thread.start()

    def _receive(self, block: bool) -> None:
        """Take in what has happened; with `block`, wait for one event."""
        while True:
            try:
                event = self._events.get(block)
            except Empty:
                return
            block = False
            if event is _STOP:
                self._stopped = True
                continue
            trial, value = event
            self._running.discard(trial.id)
            if isinstance(value, CannotEvaluateError):
                self._stopped, self._trouble = True, str(value)
            elif not (self._stopped and isinstance(value, BaseException)):  # else it was ended, not measured
                self._measured[trial.id] = (trial, value)

    def _settle(self, delay: int) -> None:
        """Tell, in the order of asking, what at least `delay` asks came after."""
        asked = len(self.campaign.trials)
        for trial_id in sorted(self._measured):
            if asked - 1 - trial_id < delay:
                break
            trial, value = self._measured[trial_id]
            self._record(trial, value)
            del self._measured[trial_id]  # not before: an interrupt would lose it

    def _record(self, trial: Trial, value: Any) -> None:
        reason = _why_missing(value)
        try:
            if not reason:
                try:
                    settled = self.campaign.tell(trial.id, value)
                except InputError as error:
                    reason = f"unusable result: {error}"
            if reason:
                settled = self.campaign.fail(trial.id, reason)
        except TrialStateError:  # somebody else told it; what stands is theirs
            return
        self._told, self._failed = self._told + (not reason), self._failed + bool(reason)
        self._failures = self._failures + 1 if reason else 0
        if self._failures >= self.most_failures and not self._stopped:
            self._stopped = True
            self._trouble = f"{self._failures} trials failed in a row, the last one with: {reason}"
        self.watch(settled, len(self._running))


def _why_missing(value: Any) -> str:
    """The reason why a value is none; empty if it looks like one."""
    if isinstance(value, BaseException):
        kind = "" if isinstance(value, SnakeboError) else f"{type(value).__name__}: "
        return f"{kind}{value}".rstrip(": ")
    numbers = value.items() if isinstance(value, Mapping) else [("", value)]
    for name, number in numbers:
        if number is None or (isinstance(number, float) and math.isnan(number)):
            return f"no result{f' for {name}' if name else ''}: got {number}"
    return ""
