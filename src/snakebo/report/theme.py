"""Colours, type and texts that every figure and the page share.

Figures are drawn in the light colours. A page that is dark replaces each of them in the figure's JSON by its
dark partner (`SHADES`); `plain` keeps colours out of what users have written.
"""

from __future__ import annotations

import html
from typing import Any

from snakebo.space import Variable

LIGHT = {
    "accent": "#0b6e4f",
    "ink": "#1f2933",
    "quiet": "#616e7c",
    "grid": "#e4e8ec",
    "line": "#9aa5b1",
    "fault": "#b3261e",
    "card": "#f6f8f9",
    "paper": "#fefefe",
}
DARK = {
    "accent": "#5cc9a2",
    "ink": "#e5e9ed",
    "quiet": "#a3aeb9",
    "grid": "#2b333b",
    "line": "#6b7682",
    "fault": "#ff8f85",
    "card": "#1b2127",
    "paper": "#14191d",
}
ACCENT, INK, QUIET, GRID, LINE, FAULT, CARD, PAPER = LIGHT.values()

# Viridis: colour-blind readers can tell its shades apart, and it survives print in grey. On dark paper its
# darkest quarter would look like nothing at all.
VALUES = (
    "#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725",
)  # fmt: skip
_VALUES_DARK = (
    "#4a62ad", "#3f76a5", "#34899b", "#26988f", "#25a885", "#45ba74", "#79cf59", "#b8de3a", "#fde725",
)  # fmt: skip

SHADES = dict(zip((*LIGHT.values(), *VALUES), (*DARK.values(), *_VALUES_DARK), strict=True))  # light: dark
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
CLEAR = "rgba(0,0,0,0)"

_AXIS: dict[str, Any] = {
    "gridcolor": GRID, "linecolor": LINE, "zeroline": False, "showline": True, "ticks": "outside",
    "tickcolor": LINE, "ticklen": 4, "nticks": 6, "title": {"standoff": 8, "font": {"size": 12}},
}  # fmt: skip

TEMPLATE: dict[str, Any] = {
    "layout": {
        "font": {"family": FONT, "size": 12, "color": INK},
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "xaxis": _AXIS,
        "yaxis": _AXIS,
        "hovermode": "closest",
        "hoverlabel": {"bgcolor": PAPER, "bordercolor": LINE, "font": {"color": INK, "family": FONT}},
        "modebar": {"bgcolor": CLEAR, "color": LINE, "activecolor": ACCENT},
        "legend": {"orientation": "h", "font": {"size": 12}, "itemsizing": "constant"},
    }
}

_LONGEST = 28  # letters of a name that fit beside an axis


def plain(text: str) -> str:
    """Return a text from outside so that Plotly shows it letter by letter: no tags, templates or colours."""
    escaped = html.escape(" ".join(text.split()), quote=False)
    return escaped.replace("#", "&#35;").replace("%", "&#37;").replace("$", "&#36;")


def shorten(text: str, longest: int = _LONGEST) -> str:
    """Cut a text that is too long for its place."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def name_of(text: str) -> str:
    """Return a name from outside, cut and made plain."""
    return plain(shorten(text))


def label(variable: Variable) -> str:
    """Return a variable's name with its unit, for an axis."""
    unit = f" ({plain(shorten(variable.unit, 12))})" if variable.unit else ""
    return name_of(variable.name) + unit


def number(value: float, digits: int = 5) -> str:
    """Return a number with so many significant digits, without an exponent while that reads well."""
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in text and 1.0 <= abs(value) < 1e9 else text
