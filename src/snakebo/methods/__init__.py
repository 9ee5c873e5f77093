"""Methods by name, with their settings: `"snake"`, `"snake:epsilon=0.1"`, `"eipu:gamma=0.5"`.

A new one is a file here and a line in this table.
"""

from __future__ import annotations

from dataclasses import fields
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from snakebo.errors import InputError

if TYPE_CHECKING:
    from snakebo.methods.method import Method

_METHODS = {
    "snake": "snake:SnAKe",
    "snake-paper": "snake_paper:SnAKePaper",
    "snake-resampling": "snake_resampling:SnAKeResampling",
    "random-tour": "random_tour:RandomTour",
    "ei": "expected_improvement:ExpectedImprovement",
    "ucb": "upper_confidence_bound:UpperConfidenceBound",
    "pi": "probability_of_improvement:ProbabilityOfImprovement",
    "eipu": "improvement_per_cost:ImprovementPerCost",
    "trei": "truncated_improvement:TruncatedImprovement",
    "ts": "thompson_sampling:ThompsonSampling",
    "ucb-lp": "upper_confidence_bound:PenalizedUpperConfidenceBound",
    "eipu-lp": "improvement_per_cost:PenalizedImprovementPerCost",
}


def names() -> tuple[str, ...]:
    """Return the names of all methods."""
    return tuple(_METHODS)


def get(method: str | Method) -> Method:
    """Return a method by its name, with settings after a colon; a method itself is returned as it is.

    Raises InputError for an unknown name or setting, listing the valid ones.
    """
    if not isinstance(method, str):
        if isinstance(method, type) or not callable(getattr(method, "plan", None)):
            raise InputError(f"A method is a name, or an object with plan(view, rng); got {method!r}.")
        return method
    name, colon, text = method.partition(":")
    if name not in _METHODS:
        raise InputError(
            f"Unknown method {name!r}{_hint(name, _METHODS)}; choose one of {', '.join(_METHODS)}."
        )
    module, class_name = _METHODS[name].split(":")
    kind = getattr(import_module(f"snakebo.methods.{module}"), class_name)
    found: Method = kind(**_read_settings(name, kind, text) if colon else {})
    return found


def name_of(method: Method) -> str | None:
    """Return the text that `get` makes this method from; None for one that is not in the table."""
    kind = type(method)
    for name, where in _METHODS.items():
        if f"{kind.__module__}:{kind.__qualname__}" == f"{__name__}.{where}":
            changed = [
                f"{field.name}={getattr(method, field.name)}"
                for field in fields(kind)  # type: ignore[arg-type]
                if getattr(method, field.name) != field.default
            ]
            text = f"{name}:{','.join(changed)}" if changed else name
            return text if get(text) == method else None
    return None


def _read_settings(name: str, kind: Any, text: str) -> dict[str, Any]:
    """Read `field=value,field=value`."""
    known = [field.name for field in fields(kind)]
    settings: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise InputError(
                f"Settings of a method are written {name}:field=value,field=value; got {part!r}."
            )
        if key not in known:
            valid = ", ".join(known) or "none"
            raise InputError(f"{name} has no setting {key!r}{_hint(key, known)}; its settings are: {valid}.")
        if key in settings:
            raise InputError(f"The setting {key!r} of {name} is given twice.")
        settings[key] = _read_value(value)
    return settings


def _read_value(text: str) -> float | str:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _hint(name: str, known: Any) -> str:
    close = get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
