"""Sheets as people read them: in a terminal, as Markdown, as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from snakebo.bench.sheet import Sheet, Text

if TYPE_CHECKING:
    from rich.console import RenderableType

_TONES = {"plain": "", "good": "green", "bad": "red"}
_MARKDOWN = re.compile(r"([\\`*_|<>#])")
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#",
        "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$", '"': "''",
        "[": "{[}", "]": "{]}",  # after \\ a bracket would be a distance
        "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\le$", "∞": r"$\infty$", "ℓ": r"$\ell$",
        "ε": r"$\varepsilon$", "–": "--",
    }
)  # fmt: skip


def render_terminal(title: str, sheets: Sequence[Sheet], notes: Sequence[str]) -> Iterator[RenderableType]:
    """Yield what a Rich console prints."""
    from rich.table import Table
    from rich.text import Text as RichText

    yield RichText(title, style="bold")
    for sheet in sheets:
        table: Table = Table(box=None, pad_edge=False, header_style="dim")
        for index, column in enumerate(sheet.columns):
            justify: Literal["left", "right"] = "left" if index < sheet.names else "right"
            table.add_column(RichText(column), justify=justify, overflow="fold", no_wrap=index < sheet.names)
        for group in sheet.groups:
            table.add_row(RichText(group.label, style="italic"))
            for row in group.rows:
                styles = (f"{'bold ' * cell.bold}{_TONES[cell.tone]}".strip() for cell in row)
                table.add_row(*(RichText(cell.text, style) for cell, style in zip(row, styles, strict=True)))
        yield RichText(f"\n{sheet.title}", style="bold")
        yield table
    yield RichText("\n" + "\n".join(notes), style="dim")


def render_markdown(title: str, sheets: Sequence[Sheet], notes: Sequence[str]) -> str:
    """Return a document with a section for each sheet."""
    lines = [f"# {_mark(title)}", "", *map(_mark, notes)]
    for sheet in sheets:
        lines += ["", f"## {_mark(sheet.title)}", "", _mark_row(["", *map(_mark, sheet.columns)])]
        lines.append(_mark_row(["---"] * (1 + sheet.names) + ["---:"] * (len(sheet.columns) - sheet.names)))
        for group in sheet.groups:
            labels = [_mark(group.label), *[""] * (len(group.rows) - 1)]  # beside the first of its rows
            for label, row in zip(labels, group.rows, strict=True):
                lines.append(_mark_row([label, *map(_mark_cell, row)]))
    return "\n".join(lines) + "\n"


def render_latex(title: str, sheets: Sequence[Sheet], notes: Sequence[str]) -> str:
    """Return a table environment for each sheet; the document needs the package booktabs."""
    lines = ["% \\usepackage{booktabs}"]
    for index, sheet in enumerate(sheets):
        caption = [f"{title}: {sheet.title}.", *(() if index else notes)]
        layout = "l" * sheet.names + "r" * (len(sheet.columns) - sheet.names)
        lines += ["", "\\begin{table}[ht]", "\\centering", "\\small"]
        lines += [f"\\caption{{{_tex(' '.join(caption))}}}", f"\\begin{{tabular}}{{{layout}}}"]
        lines += ["\\toprule", _tex_row(map(_tex, sheet.columns))]
        for group in sheet.groups:
            label = f"\\multicolumn{{{len(sheet.columns)}}}{{l}}{{\\textit{{{_tex(group.label)}}}}}"
            lines += ["\\midrule", _tex_row([label]), *(_tex_row(map(_tex_cell, row)) for row in group.rows)]
        lines += ["\\bottomrule", "\\end{tabular}", "\\end{table}"]
    return "\n".join(lines) + "\n"


def _mark(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _mark_cell(cell: Text) -> str:
    return f"**{_mark(cell.text)}**" if cell.bold else _mark(cell.text)


def _mark_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _tex(text: str) -> str:
    return text.translate(_LATEX)


def _tex_cell(cell: Text) -> str:
    return f"\\textbf{{\\boldmath {_tex(cell.text)}}}" if cell.bold else _tex(cell.text)


def _tex_row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
