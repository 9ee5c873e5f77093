"""Lines: a colour and a dash for each method, which all readers can tell apart; known ones keep theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Line:
    """How the curve of a method looks; what is heavier lies on top."""

    color: str
    dashes: Any = "-"
    weight: float = 1.1
    shade: float = 0.10  # of the band around it
    marker: str = ""

    @property
    def options(self) -> dict[str, Any]:
        """The line as Matplotlib takes it."""
        return {
            "color": self.color, "linestyle": self.dashes, "linewidth": self.weight, "marker": self.marker,
            "markersize": 2.6, "markerfacecolor": "white", "markeredgewidth": 0.8, "markevery": 0.12,
        }  # fmt: skip


# Okabe and Ito's colours, with a wine red of Tol's. Relatives share one: SnAKe with its values of ε, a method
# and its penalised form.
_LINES = {
    "snake": Line("#d55e00", weight=1.9, shade=0.20),
    "snake-paper": Line("#0072b2", weight=1.4),
    "snake-paper:epsilon=0": Line("#0072b2", (0, (1, 1.4))),
    "snake-paper:epsilon=0.1": Line("#0072b2", (0, (4, 1.6))),
    "snake-paper:epsilon=1": Line("#0072b2", (0, (5, 1.4, 1, 1.4))),
    "ei": Line("#009e73"),
    "ts": Line("#009e73", (0, (4, 1.6))),
    "ucb": Line("#56b4e9", (0, (6, 1.4))),
    "ucb-lp": Line("#56b4e9"),
    "pi": Line("#cc79a7", (0, (2, 1.2))),
    "eipu": Line("#e69f00", (0, (5, 1.4, 1, 1.4))),
    "eipu-lp": Line("#e69f00"),
    "trei": Line("#882255", (0, (3, 1.2, 1, 1.2, 1, 1.2))),
    "random-tour": Line("#7f7f7f", (0, (1, 1.4))),
}
_OTHERS = ("#332288", "#117733", "#999933", "#aa4499", "#000000")  # for methods without a line of their own


def choose_lines(methods: Sequence[str]) -> dict[str, Line]:
    """Return a line for each method."""
    strangers = [method for method in dict.fromkeys(methods) if method not in _LINES]
    others = {method: Line(_OTHERS[index % len(_OTHERS)]) for index, method in enumerate(strangers)}
    return {method: _LINES.get(method) or others[method] for method in methods}


def set_apart(line: Line) -> Line:
    """Return the line of the same method under another protocol: with markers on it."""
    return replace(line, weight=0.75 * line.weight, shade=line.shade / 2, marker="s")
