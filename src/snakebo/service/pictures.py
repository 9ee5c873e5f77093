"""The figures of a campaign as Plotly's JSON, drawn once for each event."""

from __future__ import annotations

from functools import cache

import pandas  # noqa: F401  Plotly stumbles over one that another thread is in the middle of importing

from snakebo.campaign import Campaign
from snakebo.report import FIGURES
from snakebo.report.snapshot import Snapshot
from snakebo.service.documents import Document
from snakebo.service.problems import NotFoundError
from snakebo.service.shelf import Loaded
from snakebo.space import Space, Variable
from snakebo.view import Memo


def check_figure(name: str) -> None:
    """Raise NotFoundError for a figure that is not there."""
    if name not in FIGURES:
        raise NotFoundError(f"There is no figure {name!r:.80}; there are {', '.join(FIGURES)}.")


def draw_figure(name: str, loaded: Loaded) -> tuple[int, bytes]:
    """Return a figure as JSON, and the event as of which it was drawn; it may have to plan."""
    history, ahead = loaded.campaign.look_ahead()

    def take() -> Snapshot:
        space = history.settings.space
        points = tuple(space.mapping(x) for x in space.from_unit(ahead))
        return Snapshot(history.settings, tuple(history.trials), points, history.view(Memo()))

    def draw() -> bytes:
        snapshot = loaded.recall("snapshot", history.seq, take)  # shared, so that one fit serves all
        return str(FIGURES[name](snapshot).to_json()).encode()

    return history.seq, loaded.recall(("figure", name), history.seq, draw)


@cache
def list_figures() -> tuple[Document, ...]:
    """Return name, title and caption of every figure; a figure's own caption may say more."""
    empty = Campaign(Space([Variable("setting", 0.0, 1.0)]), 1, objectives=("result",))
    snapshot = Snapshot(empty.settings, (), (), empty.view())
    figures = {name: draw(snapshot).layout.meta for name, draw in FIGURES.items()}
    return tuple(
        {"name": name, "title": meta["title"], "caption": meta["caption"]} for name, meta in figures.items()
    )
