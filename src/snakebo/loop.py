"""Run a campaign against a function that can be called: for simulations, benchmarks and callable apparatus."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from snakebo.campaign import Campaign
from snakebo.errors import InputError, SnakeboError
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
    **settings: Any,
) -> Result:
    """Ask and tell until the budget is spent; each result is told `delay` asks after its own.

    function: gets the settings as a dictionary; returns a number, or a mapping with several objectives; NaN or
    None is a failed trial. With delay 0 every result is known before the next ask. callback(campaign, trial) is
    called after each tell or fail. on_error: whether an exception ends the run (EvaluationError, with all that
    was measured) or fails the trial. protocol="paper" makes the paper's educated guess, which calls the function
    max(budget/5, 10·d) times more. Other settings go to Campaign. Ctrl-C ends the run and keeps what was measured.
    """
    if isinstance(delay, bool) or not isinstance(delay, int) or delay < 0:
        raise InputError(f"delay must be a whole number of steps, at least 0; got {delay!r}.")
    if on_error not in ("raise", "fail"):
        raise InputError(f"on_error must be 'raise' or 'fail'; got {on_error!r}.")
    if protocol == "paper":
        protocol = _educated(function, Campaign(space, budget, **settings))
    campaign = Campaign(space, budget, protocol=protocol, **settings)
    waiting: deque[tuple[Trial, Any]] = deque()

    def deliver(at_most: int) -> None:
        while len(waiting) > at_most:
            trial, value = waiting.popleft()
            if isinstance(value, Exception) or _missing(value):
                trial = campaign.fail(trial.id, str(value) or type(value).__name__)
            else:
                trial = campaign.tell(trial.id, value)
            if callback is not None:
                callback(campaign, trial)

    with _progress(campaign) if progress else nullcontext(lambda: None) as advance:
        try:
            while True:
                deliver(at_most=delay)
                if campaign.finished:
                    break
                trial = campaign.ask()
                waiting.append((trial, _evaluate(function, campaign, trial, on_error, deliver)))
                advance()
            deliver(at_most=0)
        except KeyboardInterrupt:
            deliver(at_most=0)
            return Result(campaign, interrupted=True)
    return Result(campaign)


def _evaluate(
    function: Function, campaign: Campaign, trial: Trial, on_error: str, deliver: Callable[[int], None]
) -> Any:
    try:
        return function(dict(trial.x))
    except Exception as error:
        if on_error == "fail":
            return error
        deliver(0)
        campaign.fail(trial.id, str(error))
        raise EvaluationError(
            f"The function raised {type(error).__name__} at {dict(trial.x)}: {error}. All that was measured is in "
            "the .result of this error; pass on_error='fail' to go on.",
            Result(campaign),
        ) from error


def _missing(value: Any) -> bool:
    numbers = value.values() if isinstance(value, Mapping) else [value]
    return any(number is None or number != number for number in numbers)


def _educated(function: Function, campaign: Campaign) -> Paper:
    """The paper's educated guess, from points of the seed's own stream."""
    from snakebo.surrogate.paper_protocol import Paper

    def evaluate(points: Points) -> NDArray[np.float64]:
        rows = [campaign.settings.maximized(function(campaign.space.mapping(x))) for x in campaign.space.from_unit(points)]
        return np.array(rows)

    rng = np.random.default_rng([campaign.settings.seed, 25])
    return Paper.educated(evaluate, campaign.space, campaign.budget, rng)


class _progress:  # noqa: N801
    """A progress bar with the best value and the cost spent."""

    def __init__(self, campaign: Campaign) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self.campaign = campaign
        self.bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            TextColumn("best {task.fields[best]}  spent {task.fields[spent]}"),
        )  # fmt: skip
        self.task = self.bar.add_task(campaign.name, total=campaign.budget, best="–", spent="0")

    def __enter__(self) -> Callable[[], None]:
        self.bar.__enter__()
        return self.advance

    def __exit__(self, *exception: Any) -> None:
        self.bar.__exit__(*exception)

    def advance(self) -> None:
        best = self.campaign.best
        shown = "–" if best is None else f"{best.values[self.campaign.objectives[0]]:.4g}"
        self.bar.update(self.task, advance=1, best=shown, spent=f"{self.campaign.spent:.4g}")
