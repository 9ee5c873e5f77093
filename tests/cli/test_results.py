"""Tables of results under fuzzing: told completely, or not at all with the place named."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import snakebo as sb
from snakebo.cli import app
from snakebo.csv_table import CsvError
from snakebo.results import read_measurements, read_results

SPACE = sb.Space([sb.Variable("a", 0, 10), sb.Variable("b", -1, 1)])

cells = st.one_of(
    st.sampled_from(
        ["0", "1", "2", "3", "0.5", "-1", "", " ", "nan", "inf", "1e400", "x", "0,5", '"', "7.0", "\0"]
    ),
    st.text(max_size=5),
)
names = st.one_of(
    st.sampled_from(["trial", "yield", "waste", "a", "b", "state", "cost", "reason", "yeild", "", "trial "]),
    st.text(max_size=4),
)


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A table that is almost right."""
    head = ["trial", "yield", "waste", *draw(st.lists(names, max_size=3))]
    if draw(st.integers(0, 4)) == 0:
        head = draw(st.lists(names, max_size=5))
    delimiter = draw(st.sampled_from([",", ",", ";", "\t"]))
    rows = [head]
    for _ in range(draw(st.integers(0, 4))):
        size = max(0, len(head) + draw(st.sampled_from([0, 0, 0, 0, -1, 1])))
        rows.append(draw(st.lists(cells, min_size=size, max_size=size)))
    return draw(st.sampled_from(["\n", "\r\n"])).join(delimiter.join(row) for row in rows)


def campaign() -> sb.Campaign:
    made = sb.Campaign(SPACE, 5, "random-tour", objectives=("yield", "waste"))
    for _ in range(4):
        made.ask()
    made.fail(3)
    return made


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "t.csv"


FUZZ = settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FUZZ
@given(st.one_of(tables().map(str.encode), st.text().map(str.encode), st.binary()), st.booleans())
def test_a_table_is_read_as_a_whole_or_placed(file: Path, content: bytes, replace: bool) -> None:
    file.write_bytes(content)
    target, complaints = campaign(), []
    try:
        for each in read_results(file, target, replace).measured:  # what was found fit can be told
            target.tell(each.trial, each.values, x=each.x, replace=replace)
    except CsvError as error:
        complaints.append(str(error))
    try:
        target.add_data(read_measurements(file, target)[0])
    except CsvError as error:
        complaints.append(str(error))
    assert all(complaint.startswith("t.csv") for complaint in complaints)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=tables())
def test_the_command_never_ends_in_a_traceback(file: Path, content: str) -> None:
    url = f"sqlite:///{file.with_name('fuzz.db')}"
    if not file.with_name("fuzz.db").exists():
        kept = sb.Campaign(SPACE, 5, "random-tour", objectives=("yield", "waste"), storage=url, name="fuzz")
        kept.ask()
        kept.ask()
    before = states(url)
    file.write_bytes(content.encode())
    result = CliRunner().invoke(app, ["tell", "--csv", str(file), "--storage", url, "--replace"])
    assert result.exit_code in (0, 1), result.exception
    if result.exit_code:
        assert result.stderr.startswith("Error: t.csv")
        assert result.stdout == ""
        assert states(url) == before


def states(url: str) -> list[Any]:
    return list(sb.Campaign.load(url, "fuzz").trials)
