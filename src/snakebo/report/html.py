"""The report: one HTML file with everything in it, for a browser without a network.

The page's own rules forbid it to load anything, and to run any script but the two it came with.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import platform
import secrets
from datetime import datetime
from html import escape
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from snakebo.errors import SnakeboError
from snakebo.report.figures import FIGURES
from snakebo.report.snapshot import Snapshot, Source, take
from snakebo.report.theme import DARK, FONT, LIGHT, SHADES
from snakebo.report.words import write_headline, write_table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_HALF = ("best_against_cost", "best_against_steps")  # side by side where there is room


class ReportError(SnakeboError):
    """A report cannot be written there; what was there before is as it was."""


def write_report(campaign: Source, path: str | os.PathLike[str]) -> Path:
    """Write the report of a campaign to a file, whole or not at all, and return its path.

    Raises ReportError if the folder is missing or cannot be written to.
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise ReportError(f"There is no folder {str(target.parent)!r} for the report; create it first.")
    if target.is_dir():
        raise ReportError(f"{str(target)!r} is a folder; name a file in it, such as 'report.html'.")
    page = render_report(campaign).encode("utf-8", errors="replace")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("xb") as file:
            file.write(page)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        raise ReportError(
            f"The report could not be written to {str(target)!r}: {error.strerror or error}. "
            "Nothing was changed; choose a folder that can be written to."
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    return target


def render_report(campaign: Source) -> str:
    """Return the report of a campaign as one HTML page."""
    from plotly.offline import get_plotlyjs

    snapshot = take(campaign)
    figures = {name: draw(snapshot) for name, draw in FIGURES.items()}
    plotly, script = get_plotlyjs(), _resource("page.js")
    return Template(_resource("page.html")).substitute(
        policy=_policy(plotly, script),
        title=escape(snapshot.settings.name),
        style=_style(),
        about=escape(_about(snapshot)),
        headline=write_headline(snapshot),
        figures="\n".join(_place(name, figure) for name, figure in figures.items()),
        table=write_table(snapshot),
        foot=escape(_foot()),
        data="\n".join(
            [
                _embed("shades", json.dumps(SHADES)),
                *(_embed(f"data-{name}", figure.to_json()) for name, figure in figures.items()),
            ]
        ),
        plotly=plotly,
        script=script,
    )


def _resource(name: str) -> str:
    return (resources.files("snakebo.report") / name).read_text(encoding="utf-8")


def _policy(*scripts: str) -> str:
    """The rules for a page that loads nothing and runs only the given scripts."""
    digests = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:"


def _style() -> str:
    def scheme(colors: dict[str, str]) -> str:
        return " ".join(f"--{name}: {color};" for name, color in colors.items())

    return (
        f":root {{ color-scheme: light dark; --font: {FONT}; {scheme(LIGHT)} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {scheme(DARK)} }} }}\n{_resource('page.css')}"
    )


def _about(snapshot: Snapshot) -> str:
    settings = snapshot.settings
    goals = ", ".join(f"{way} {name}" for name, way in settings.directions.items())
    count = "1 variable" if snapshot.space.dim == 1 else f"{snapshot.space.dim} variables"
    return f"To {goals} over {count} with {type(settings.method).__name__}"


def _foot() -> str:
    now = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    return (
        f"Written {now} with snakebo {version('snakebo')}, Plotly {version('plotly')}, "
        f"Python {platform.python_version()}."
    )


def _place(name: str, figure: Figure) -> str:
    """Where a figure will be drawn, with its heading and caption."""
    meta = figure.layout.meta
    kind = "half" if name in _HALF else "whole"
    return (
        f'<figure class="{kind}" id="{name}">\n<h2 id="title-{name}">{meta["title"]}</h2>\n'
        f'<figcaption id="caption-{name}">{meta["caption"]}</figcaption>\n'
        f'<div class="plot" data-figure="data-{name}" role="img" aria-labelledby="title-{name}" '
        f'aria-describedby="caption-{name}" style="height: {meta["wide"]["height"]}px"></div>\n</figure>'
    )


def _embed(name: str, text: str) -> str:
    """JSON in the page; nothing in it can end the element it stands in."""
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f'<script type="application/json" id="{name}">{text}</script>'
