"""Run a campaign against a function that can be called: simulations, benchmarks, callable apparatus."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from snakebo.campaign import Campaign
from snakebo.checks import as_whole
from snakebo.errors import InputError, SnakeboError
from snakebo.settings import as_plain
from snakebo.space import Points, Space
from snakebo.trial import Trial

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from snakebo.surrogate.paper_protocol import Paper

Function = Callable[[dict[str, float]], Any]
Callback = Callable[[Campaign, Trial], object]


@dataclass(frozen=True)
class Result:
    """What a run found, and the campaign that holds all of it."""

    campaign: Campaign
    interrupted: bool = False

    @property
    def best(self) -> Trial | None:
        """The best trial; see Campaign.best."""
        return self.campaign.best

    @property
    def spent(self) -> float:
        """The cost of all moves."""
        return self.campaign.spent

    def to_frame(self) -> pd.DataFrame:
        """Return one row a trial."""
        return self.campaign.to_frame()


class EvaluationError(SnakeboError):
    """The function raised; `result` has all that was measured before."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


def optimize(
    function: Function,
    space: Space,
    budget: int,
    *,
    delay: int = 0,
    progress: bool = False,
    callback: Callback | None = None,
    on_error: Literal["raise", "fail"] = "raise",
    protocol: Any = None,
    first: Sequence[Mapping[str, float]] = (),
    **settings: Any,
) -> Result:
    """Ask and tell until the budget is spent; each result is told `delay` asks after its own.

    function: gets the settings as a dictionary; returns a number, or a mapping with several objectives; NaN
    or None is a failed trial. With delay 0 every result is known before the next ask. callback(campaign,
    trial) is called after each tell or fail. on_error: whether an exception or an unusable value ends the run
    (EvaluationError, with all that was measured) or fails the trial. protocol="paper" makes the paper's
    educated guess, which calls the function max(budget/5, 10·d) times more. first: settings that are tried
    before the method is asked; they count. Other settings go to Campaign. Ctrl-C ends the run and keeps what
    was measured.
    """
    delay = as_whole(delay, "delay", 0)
    if not callable(function):
        raise InputError(f"function must be a function of a dictionary of settings; got {function!r}.")
    if callback is not None and not callable(callback):
        raise InputError(f"callback must be a function of (campaign, trial); got {callback!r}.")
    if on_error not in ("raise", "fail"):
        raise InputError(f"on_error must be 'raise' or 'fail'; got {on_error!r}.")
    if isinstance(first, Mapping | str) or not all(isinstance(x, Mapping) for x in first):
        raise InputError(f"first must be a list of settings, each a mapping from variables; got {first!r}.")
    own = deque(first)
    if isinstance(protocol, str) and protocol == "paper":
        protocol = _educated(function, Campaign(space, budget, **{**settings, "storage": None}))
    if own:  # before the campaign is stored
        tried = Campaign(space, budget, **{**settings, "storage": None})
        for x in own:
            tried.attach(x)
    campaign = Campaign(space, budget, protocol=protocol, **settings)
    waiting: deque[tuple[Trial, Any]] = deque()

    def deliver(at_most: int) -> None:
        while len(waiting) > at_most:
            trial, value = waiting[0]
            if isinstance(value, Exception) or _missing(value):
                trial = campaign.fail(trial.id, _reason(value))
            else:
                trial = campaign.tell(trial.id, value)
            waiting.popleft()  # not before: an interrupt would lose it
            if callback is not None:
                callback(campaign, trial)

    with _ProgressBar(campaign) if progress else nullcontext(lambda: None) as show:
        try:
            while True:
                deliver(at_most=delay)
                if campaign.finished:
                    deliver(at_most=0)
                    show()
                    if campaign.finished:  # late results may bring something within reach of a cost budget
                        break
                trial = campaign.attach(own.popleft()) if own else campaign.ask()
                waiting.append((trial, _evaluate(function, campaign, trial, on_error, deliver)))
                show()
        except KeyboardInterrupt:
            deliver(at_most=0)
            return Result(campaign, interrupted=True)
    return Result(campaign)


def _evaluate(
    function: Function, campaign: Campaign, trial: Trial, on_error: str, deliver: Callable[[int], None]
) -> Any:
    """The value of the function, checked; what went wrong instead of it, if that may only fail the trial."""
    try:
        value = function(dict(trial.x))
        return value if _missing(value) else campaign.settings.values(value)
    except Exception as error:
        if on_error == "fail":
            return error
        deliver(0)
        campaign.fail(trial.id, _reason(error))
        what = "gave an unusable value" if isinstance(error, InputError) else f"raised {type(error).__name__}"
        raise EvaluationError(
            f"The function {what} at {dict(trial.x)}: {str(error).rstrip('.')}. All that was measured is in "
            "the .result of this error; pass on_error='fail' to go on.",
            Result(campaign),
        ) from error


def _reason(value: object) -> str:
    return str(value) or type(value).__name__


def _missing(value: Any) -> bool:
    numbers = value.values() if isinstance(value, Mapping) else [value]
    return any(number is None or _is_nan(number) for number in numbers)


def _is_nan(number: Any) -> bool:
    try:
        return not isinstance(number, str | bytes) and math.isnan(as_plain(number))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False  # no number at all: the campaign will say so


def _educated(function: Function, campaign: Campaign) -> Paper:
    """The paper's educated guess, from points of the seed's own stream."""
    from snakebo.surrogate.paper_protocol import Paper

    settings, space = campaign.settings, campaign.space

    def evaluate(points: Points) -> NDArray[np.float64]:
        return np.array([settings.maximized(function(space.mapping(x))) for x in space.from_unit(points)])

    rng = np.random.default_rng([settings.seed, 25])
    return Paper.educated(evaluate, space, campaign.budget, rng)


class _ProgressBar:
    """A progress bar with the best value and the cost spent."""

    def __init__(self, campaign: Campaign) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self.campaign = campaign
        self.bar = Progress(
            TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
            TimeRemainingColumn(), TextColumn("best {task.fields[best]}  spent {task.fields[spent]}"),
        )  # fmt: skip
        self.task = self.bar.add_task(campaign.name, total=campaign.budget, best="–", spent="0")

    def __enter__(self) -> Callable[[], None]:
        self.bar.__enter__()
        return self.show

    def __exit__(self, *exception: Any) -> None:
        self.bar.__exit__(*exception)

    def show(self) -> None:
        best = self.campaign.best
        shown = "–" if best is None else f"{best.values[self.campaign.objectives[0]]:.4g}"
        done, spent = len(self.campaign.trials), f"{self.campaign.spent:.4g}"
        self.bar.update(self.task, completed=done, best=shown, spent=spent)
