"""Sheets as text: a terminal of 110 columns holds them, and Markdown and LaTeX are well formed."""

import io
import re
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from snakebo.bench.experiment_file import read_experiment, shipped
from snakebo.bench.render import render_latex, render_markdown, render_terminal
from snakebo.bench.results import Results
from snakebo.bench.series import collect_series
from snakebo.bench.sheet import Group, Sheet, Text
from snakebo.bench.summary import summarise
from snakebo.bench.table import make_notes, make_sheets

NASTY = Sheet(
    r"50% of #1_a & $x\{y}^~", ("method", "cost"),
    (Group("T = 5 | *x*", ((Text("[a|b]", bold=True), Text("−1.0 ± 0.5")),)),),
)  # fmt: skip


@pytest.fixture(scope="module")
def content(small: Any) -> tuple[str, tuple[Sheet, ...], tuple[str, ...]]:
    entries = summarise(small.collect(), small.experiment.paper.columns)
    return small.experiment.title, make_sheets(entries), make_notes(entries)


def print_at(width: int, *content: Any) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    console.print(*render_terminal(*content), sep="\n")
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("name", [name for name in shipped() if read_experiment(name).grids])
def test_shipped_tables_fit_a_terminal(name: str, small: Any, tmp_path: Any) -> None:
    experiment = read_experiment(name)
    real = small.collect()[0]
    with Results.open(tmp_path / "empty.db") as results:
        empty = collect_series(experiment.runs(), results.steps())
    filled = [replace(each, regret=real.regret, spent=10 * real.spent) for each in empty]
    entries = summarise(filled, experiment.paper.columns if experiment.paper else {})
    sheets = make_sheets(entries)
    lines = print_at(1000, experiment.title, sheets, ())
    assert max(map(len, lines[1:])) <= 110
    assert len(lines) > sum(len(group.rows) for sheet in sheets for group in sheet.groups)


def test_a_narrow_terminal_loses_nothing(content: Any) -> None:
    wide, narrow = ("".join("".join(print_at(width, *content)).split()) for width in (200, 72))
    assert "…" not in narrow
    assert sorted(wide) == sorted(narrow)


def test_markdown_rows_have_the_cells_of_their_head(content: Any) -> None:
    text = render_markdown(*content)
    tables = re.findall(r"(?:^\|.*\n)+", text, re.M)
    assert len(tables) == len(content[1])
    for table, sheet in zip(tables, content[1], strict=True):
        counts = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert counts == {len(sheet.columns) + 2}
    assert text.startswith("# A small grid & more\n")


def test_markdown_escapes_what_has_a_meaning() -> None:
    text = render_markdown("t", [NASTY], [])
    assert r"| T = 5 \| \*x\* | **[a\|b]** | −1.0 ± 0.5 |" in text
    assert r"## 50% of \#1\_a & $x\\{y}^~" in text


def test_latex_is_balanced(content: Any) -> None:
    text = render_latex(content[0], (*content[1], NASTY), content[2])
    bare = re.sub(r"\\[\\{}$&%#_]", "", re.sub(r"^%.*", "", text))
    depth = 0
    for letter in bare:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    opened = re.findall(r"\\(begin|end)\{(\w+)\}", text)
    stack: list[str] = []
    for kind, name in opened:
        stack.append(name) if kind == "begin" else None
        assert kind == "begin" or stack.pop() == name
    assert not stack
    assert text.isascii()


def test_latex_rows_have_the_cells_of_their_head(content: Any) -> None:
    bodies = re.findall(r"\\toprule\n(.*?)\\bottomrule", render_latex(*content), re.S)
    for body, sheet in zip(bodies, content[1], strict=True):
        rows = [row for row in body.splitlines() if row.endswith(r"\\") and "multicolumn" not in row]
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(sheet.columns) - 1}
        assert len(rows) == 1 + sum(len(group.rows) for group in sheet.groups)


def test_latex_escapes_what_has_a_meaning() -> None:
    text = render_latex("t", [NASTY], [])
    assert r"50\% of \#1\_a \& \$x\textbackslash{}\{y\}\textasciicircum{}\textasciitilde{}" in text
    assert r"\textbf{\boldmath {[}a|b{]}} & $-$1.0 $\pm$ 0.5 \\" in text
