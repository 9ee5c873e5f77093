"""CSV as spreadsheets and scripts write it, and what is said about the rest."""

from pathlib import Path

import pytest

from snakebo.csv_table import LARGEST, CsvError, read_csv, read_number
from snakebo.errors import InputError


def write(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        "trial,yield\n0,1.5\n1,2\n",
        "trial;yield\n0;1.5\n1;2\n",
        "trial\tyield\n0\t1.5\n1\t2",
        "\ufefftrial,yield\r\n0,1.5\r\n1,2\r\n",
        '"trial", yield ,,\n0,"1.5",,\n\n1.0, 2 ,,\n,,,\n',
    ],
)
def test_common_dialects(content: str, tmp_path: Path) -> None:
    table = read_csv(write(tmp_path, content))
    assert list(table.columns) == ["trial", "yield"]
    assert [(row.whole_in("trial"), row.number_in("yield")) for row in table.rows] == [(0, 1.5), (1, 2.0)]


def test_rows_know_their_number_and_line(tmp_path: Path) -> None:
    table = read_csv(write(tmp_path, 'a,b\n1,"x\ny"\n\n2,z\n'))
    assert [(row.number, row.line) for row in table.rows] == [(1, 2), (2, 5)]
    with pytest.raises(CsvError, match=r"^t\.csv, row 2 \(line 5\), column b: must be a number; got 'z'\.$"):
        table.rows[1].number_in("b")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "t.csv is empty"),
        ("\n\n", "t.csv is empty"),
        (",,\n", "t.csv is empty"),
        ("a,,b\n", "t.csv, column 2 has no name"),
        ("a,b,a\n", "t.csv, column a comes 2 times"),
        ("a,b\n1\n", "t.csv, row 1 (line 2), column b: has 1 of 2 cells"),
        ("a,b\n1,2\n1,2,3\n", "t.csv, row 2 (line 3): has 3 cells"),
        ('a,b\n1,"2\n', "t.csv, line 2: this is not CSV"),
        ('a,b\n1,"2"3\n', "t.csv, line 2: this is not CSV"),
        (b"a,b\n1,\xb0\n", "t.csv, line 2: byte 0xb0 is not UTF-8"),
        ("a\n" + "1" * 200_000, "t.csv, line 2: this is not CSV"),
        (b"1" * (LARGEST + 1), "t.csv is larger than"),
    ],
)
def test_what_is_no_table(content: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(CsvError) as caught:
        read_csv(write(tmp_path, content))
    assert str(caught.value).startswith(message)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(CsvError, match="cannot be read: No such file"):
        read_csv(tmp_path / "x.csv")
    with pytest.raises(CsvError, match="cannot be read: Is a directory"):
        read_csv(tmp_path)


@pytest.mark.parametrize(
    ("text", "hint"), [("", ""), ("abc", ""), ("1_000", ""), ("0,5", " Write 0.5."), ("1,2,3", "")]
)
def test_texts_that_are_no_numbers(text: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_number(text, "yield")
    assert str(caught.value) == f"yield must be a number; got {text!r}.{hint}"
