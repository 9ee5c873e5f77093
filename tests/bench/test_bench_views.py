"""`snakebo bench table` and `figures` at the command line."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from snakebo.cli import app


def run(*words: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["bench", *map(str, words)])
    assert result.exit_code == code, (result.stdout, result.stderr)
    return result.stderr if code else result.stdout


def test_table_in_a_terminal(small: Any) -> None:
    out = run("table", small.file, "--results", small.results)
    assert "A small grid & more" in out
    assert "T = 15" in out
    assert "best SnAKe (cost: ℓ-SnAKe)" in out


@pytest.mark.parametrize(("form", "mark"), [("markdown", "| ---"), ("latex", "\\toprule")])
def test_table_for_documents(small: Any, form: str, mark: str) -> None:
    assert mark in run("table", small.file, "--results", small.results, "--format", form)


def test_table_of_one_metric(small: Any) -> None:
    out = run("table", small.file, "--results", small.results, "--metric", "cost", "--format", "markdown")
    assert "|  | method | cost | paper | better |" in out


def test_table_of_exported_results_is_the_same(small: Any, tmp_path: Path) -> None:
    run("export", small.file, "--results", small.results, "--to", tmp_path)
    from_directory = run("table", small.file, "--results", tmp_path)
    assert from_directory == run("table", small.file, "--results", small.results)


def test_table_before_any_run(small: Any, tmp_path: Path) -> None:
    assert "There are no results" in run("table", small.file, "--results", tmp_path / "none.db", code=4)


def test_figures_are_written_and_named(small: Any, tmp_path: Path) -> None:
    out = run("figures", small.file, "--results", small.results, "--to", tmp_path / "out", "--format", "svg")
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == 4
    assert all(file.suffix == ".svg" and str(file) in out for file in files)


def test_study_has_no_table() -> None:
    assert "no grid" in run("table", "non-escape", code=1)
