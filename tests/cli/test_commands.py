"""Every command: what it does, prints, and how it ends."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import snakebo as sb
from snakebo.errors import StorageError
from snakebo.toml_spec import EXAMPLES

COMMANDS = [
    "init", "ask", "tell", "fail", "attach", "status", "plan", "best", "list", "export", "import", "report",
    "run", "methods", "problems",
]  # fmt: skip


def load(name: str = "line") -> sb.Campaign:
    return sb.Campaign.load("sqlite:///snakebo.db", name)


# --- help and usage --------------------------------------------------------------------------------


def test_the_help_lists_commands_and_exit_codes(empty: Any) -> None:
    shown = empty("--help")
    assert all(f"  {command} " in shown for command in [*COMMANDS, "serve"])
    assert "3    nothing is left to ask" in shown
    assert "SNAKEBO_STORAGE" in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples_and_json(empty: Any, command: str) -> None:
    shown = empty(command, "--help")
    assert f"\n    snakebo {command}" in shown
    assert "--json" in shown


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"], ["ask", "-n", "0"], ["ask", "-n", "x"], ["tell"], ["tell", "0"], ["tell", "x", "1"],
        ["tell", "0", "1", "--csv", "x.csv"], ["tell", "--csv", "x.csv", "--x", "a=1"], ["fail"], ["attach"],
        ["init"], ["init", "--example", "nonsense"], ["run"], ["run", "--problem", "a", "--command", "b"],
        ["run", "--problem", "branin2d", "--timeout", "3"], ["import"], ["export", "--format", "parquet"],
        ["export", "--format", "xls"], ["run", "--command", "true", "--parallel", "0"],
    ],
)  # fmt: skip
def test_usage_errors(snakebo: Any, words: list[str]) -> None:
    assert "Error" in snakebo(*words, code=2)


def test_the_version(empty: Any) -> None:
    assert empty("--version") == f"snakebo {sb.__version__}\n"


# --- init and list ---------------------------------------------------------------------------------


@pytest.mark.parametrize("example", ["reactor", "boat", "minimal"])
def test_from_an_example_to_a_campaign(empty: Any, example: str) -> None:
    assert f"snakebo init {example}.toml" in empty("init", "--example", example)
    assert (empty.at / f"{example}.toml").read_text(encoding="utf-8") == EXAMPLES[example]
    shown = empty("init", f"{example}.toml")
    assert f"Created campaign {example}" in shown
    assert "snakebo ask" in shown
    assert set(empty.json("ask")["x"]) == set(load(example).space.names)


def test_nothing_is_overwritten(empty: Any) -> None:
    empty.write("reactor.toml", "mine")
    assert "nothing is overwritten" in empty("init", "--example", "reactor", code=1)
    assert (empty.at / "reactor.toml").read_text() == "mine"
    assert empty.json("init", "other.toml", "--example", "reactor") == {"path": "other.toml"}
    empty("init", "other.toml")
    assert "has a campaign 'reactor' already" in empty("init", "other.toml", code=1)


def test_init_names_line_and_key(empty: Any) -> None:
    empty.write("bad.toml", EXAMPLES["minimal"].replace("high = 80", "high = 8"))
    shown = empty("init", "bad.toml", code=1)
    assert shown.startswith("Error: bad.toml, line 5, variables[0]: 'temperature' must have low < high")
    assert not (empty.at / "snakebo.db").exists()


def test_several_campaigns_need_a_name(snakebo: Any) -> None:
    assert "snakebo ask --name other\n" in snakebo("init", "line.toml", "--name", "other")
    assert "choose one with --name: 'line', 'other'" in snakebo("ask", code=1)
    assert snakebo.json("ask", "--name", "other")["trial"] == 0
    assert snakebo.json("--name", "other", "ask")["trial"] == 1
    assert [(each["name"], each["steps"]) for each in snakebo.json("list")] == [("line", 0), ("other", 2)]
    assert "other" in snakebo("list")
    assert "has no campaign 'third'" in snakebo("ask", "--name", "third", code=1)


def test_init_suggests_the_name_where_it_is_needed(snakebo: Any) -> None:
    snakebo.write("two.toml", (snakebo.at / "line.toml").read_text().replace('"line"', '"two words"'))
    assert "with: snakebo ask --name 'two words'\n" in snakebo("init", "two.toml")


def test_a_campaign_with_code_in_it_is_listed_and_not_loaded(snakebo: Any) -> None:
    space = sb.Space([sb.Variable("a", 0, 1)])

    def cost(A: Any, B: Any) -> Any:
        return np.zeros((len(A), len(B)))

    sb.Campaign(space, 3, "random-tour", cost=cost, storage="sqlite:///snakebo.db", name="code")
    line, code = snakebo.json("list")
    assert line["budget"] == 6
    assert "is code" in code["error"]
    assert "is code" in snakebo("list")
    assert "is code" in snakebo("ask", "--name", "code", code=1)


# --- storage ---------------------------------------------------------------------------------------


def test_the_storage_by_option_and_environment(empty: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    empty("init", "--example", "minimal")
    shown = empty("init", "minimal.toml", "--storage", "sqlite:///one.db")
    assert "snakebo ask --storage sqlite:///one.db" in shown
    assert empty.json("--storage", "sqlite:///one.db", "ask")["trial"] == 0
    monkeypatch.setenv("SNAKEBO_STORAGE", "sqlite:///one.db")
    assert empty.json("ask")["trial"] == 1
    assert "no such file" in empty("ask", "--storage", "sqlite:///two.db", code=1)
    assert "no such file" in empty("--storage", "sqlite:///two.db", "ask", code=1)
    assert not (empty.at / "two.db").exists()


def test_reading_creates_nothing(empty: Any) -> None:
    for command in (["ask"], ["tell", 0, 1], ["status"], ["list"], ["export"], ["best"], ["plan"]):
        assert "snakebo init SPEC.toml" in empty(*command, code=1)
    assert list(empty.at.iterdir()) == []


def test_a_storage_that_is_unavailable(empty: Any) -> None:
    empty("init", "--example", "minimal")
    for url in ("sqlite:////nowhere/x.db", "sqlite:///minimal.toml"):
        assert "Error: " in empty("init", "minimal.toml", "--storage", url, code=4)
    assert "Error: " in empty("ask", "--storage", "sqlite:///minimal.toml", code=4)
    for url in ("x.db", "mysql://a/b", "memory:", "sqlite://"):
        assert "Error: " in empty("init", "minimal.toml", "--storage", url, code=1)
    server = "postgresql+psycopg://me:secret@127.0.0.1:1/none"
    shown = empty("status", "--storage", server, code=4)
    assert "secret" not in shown


# --- ask, tell, fail, attach -----------------------------------------------------------------------


def test_ask_gives_settings_with_units(snakebo: Any) -> None:
    shown = snakebo("ask")
    assert "Trial 0 (outstanding)" in shown
    assert " mm\n" in shown
    assert "snakebo tell 0 VALUE" in shown
    table = snakebo("ask", "-n", 2)
    assert "a [mm]" in table
    assert snakebo.json("ask", "-n", 1)[0]["trial"] == 3
    exact = snakebo.json("ask")
    assert exact["x"] == dict(load().trial(4).x)


def test_ask_until_nothing_is_left(snakebo: Any) -> None:
    assert len(snakebo.json("ask", "-n", 9)) == 6
    assert "All 6 steps are used" in snakebo("ask", code=3)
    assert "All 6 steps are used" in snakebo("attach", "a=1", "b=0", code=3)
    assert "Nothing is left to plan: 6 of 6 steps" in snakebo("plan")
    assert snakebo.json("plan") == []


def test_what_was_handed_out_is_shown_when_the_storage_breaks(
    snakebo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, calls = sb.Campaign.ask, iter(range(9))

    def break_down(campaign: sb.Campaign) -> sb.Trial:
        if next(calls) == 2:
            raise StorageError("The disk is full.")
        return ask(campaign)

    monkeypatch.setattr(sb.Campaign, "ask", break_down)
    assert [each["trial"] for each in snakebo.json("ask", "-n", 4, code=4)] == [0, 1]


def test_tell_and_correct(snakebo: Any) -> None:
    snakebo("ask", "-n", 3)
    shown = snakebo("tell", 1, "-0.5")
    assert "Trial 1 told: value -0.5." in shown
    assert "snakebo ask" in shown
    assert snakebo.json("tell", 1, "-0.5")["values"] == {"value": -0.5}
    message = snakebo("tell", 1, 2, code=1)
    assert "was told -0.5 already; got 2. Pass --replace to correct it." in message
    told = snakebo.json("tell", 1, "value=2", "--replace", "--x", "a=3.25")
    assert told["x"]["a"] == 3.25
    assert told["x"]["b"] == load().trial(1).x["b"]
    snakebo("tell", 0, "-1e-3")
    assert load().trial(0).value == -0.001


@pytest.mark.parametrize(
    "words",
    [
        ["0", "abc"], ["0", "0,5"], ["0", "nan"], ["0", "inf"], ["0", "1e200"], ["0", "1", "2"], ["0", "x=1"],
        ["0", "=1"], ["0", "value="], ["0", "value=1", "value=2"], ["9", "1"], ["-1", "1"], ["0", "--replce"],
        ["0", "1", "--x", "c=1"], ["0", "1", "--x", "a=99"], ["0", "1", "--x", "a"], ["0", ""],
    ],
)  # fmt: skip
def test_results_that_cannot_be_told(snakebo: Any, words: list[str]) -> None:
    snakebo("ask")
    assert snakebo("tell", *words, code=1).startswith("Error: ")
    assert load().outstanding == load().trials


def test_several_objectives(pair: Any) -> None:
    assert "snakebo tell 0 yield=VALUE waste=VALUE" in pair("ask")
    assert "by name" in pair("tell", 0, 1, code=1)
    pair("tell", 0, "yield=1", "waste=2")
    pair("ask")
    pair("tell", 1, "waste=1", "yield=0")
    assert pair.json("best")["trial"] == 0
    assert pair.json("best", "--by", "waste")["trial"] == 1
    assert "no objective 'x'" in pair("best", "--by", "x", code=1)


def test_fail_and_attach(snakebo: Any) -> None:
    attached = snakebo.json("attach", "a=2.5", "b=0.5")
    assert attached["attached"] is True
    assert "attached" in snakebo("attach", "b=-0.5", "a=1")
    assert "Trial 0 failed: pump stalled." in snakebo("fail", 0, "pump", "stalled")
    assert load().trial(0).reason == "pump stalled"
    assert "Pass --replace to tell it after all" in snakebo("tell", 0, 1, code=1)
    for words in (["a=1"], ["a=1", "b=0", "c=1"], ["a=99", "b=0"], ["a=x", "b=0"], ["1", "2"]):
        assert snakebo("attach", *words, code=1).startswith("Error: ")
    assert "no trial 7" in snakebo("fail", 7, code=1)


# --- status, plan, best ----------------------------------------------------------------------------


def test_status_plan_and_best(snakebo: Any) -> None:
    assert snakebo.json("best") is None
    assert "Nothing was told yet" in snakebo("best")
    assert snakebo.json("status")["best"] is None
    assert "position" in snakebo("status")
    ahead = snakebo.json("plan")
    assert len(ahead) == 6
    assert snakebo.json("plan") == ahead  # reading changes nothing
    assert snakebo.json("ask")["x"] == ahead[0]["x"]
    assert snakebo.json("plan", "-n", 2) == ahead[1:3]
    assert "a [mm]" in snakebo("plan")
    snakebo("ask", "-n", 3)
    snakebo("tell", 0, 1)
    snakebo("fail", 1)
    state = snakebo.json("status")
    assert (state["steps"], state["told"], state["failed"], state["outstanding"]) == (4, 1, 1, [2, 3])
    assert state["spent"] == load().spent
    assert state["method"] == "random-tour"
    shown = snakebo("status")
    assert "4 of 6: 1 told, 1 failed, 2 outstanding" in shown
    assert "Outstanding:\ntrial  a [mm]" in shown
    assert "Trial 0 (told)" in snakebo("best")


# --- tables ----------------------------------------------------------------------------------------


def test_export_in_every_format(snakebo: Any) -> None:
    snakebo("ask", "-n", 2)
    snakebo("tell", 0, "0.1")
    frame = load().to_frame()
    rows = list(csv.DictReader(io.StringIO(snakebo("export"))))
    assert [float(row["a"]) for row in rows] == frame["a"].tolist()
    assert rows[1]["value"] == ""
    records = snakebo.json("export")
    assert records[0]["a"] == frame["a"][0]
    assert records[1]["value"] is None
    assert json.loads(snakebo("export", "--format", "json")) == records
    for name in ("t.csv", "t.json", "t.parquet"):
        assert snakebo.json("export", name) == {"path": name, "format": Path(name).suffix[1:], "rows": 2}
    assert pd.read_parquet(snakebo.at / "t.parquet")["a"].tolist() == frame["a"].tolist()
    assert json.loads((snakebo.at / "t.json").read_text()) == records
    snakebo("export", "table", "--format", "csv")
    assert (snakebo.at / "table").read_text() == (snakebo.at / "t.csv").read_text()
    assert "must end in one of" in snakebo("export", "t.xls", code=1)
    assert "Error: " in snakebo("export", "nowhere/t.csv", code=1)
    assert "is a directory" in snakebo("export", ".", "--format", "csv", code=1)
    assert sorted(path.name for path in snakebo.at.glob(".*")) == []


def test_parquet_without_pyarrow(snakebo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snakebo.commands.tables.find_spec", lambda name: None)
    assert "pip install 'snakebo[parquet]'" in snakebo("export", "t.parquet", code=1)


def test_a_table_of_results(snakebo: Any) -> None:
    snakebo("ask", "-n", 4)
    snakebo("fail", 3, "leak")
    snakebo("export", "t.csv")
    rows = list(csv.DictReader(io.StringIO((snakebo.at / "t.csv").read_text())))
    rows[0]["value"], rows[2]["value"], rows[2]["a"] = "0.5", "-1", "2.25"
    with (snakebo.at / "t.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    told = snakebo.json("tell", "--csv", "t.csv")
    assert [each["trial"] for each in told["told"]] == [0, 2]
    assert told["left_out"] == 2
    assert load().trial(2).x["a"] == 2.25
    assert "2 results told; 2 rows" in snakebo("tell", "--csv", "t.csv")  # the same again is harmless
    snakebo.write("t.csv", "trial,value\n0,0.75\n")
    assert "row 1 (line 2), column trial: trial 0 was told value=0.5 already. Pass --replace" in snakebo(
        "tell", "--csv", "t.csv", code=1
    )
    snakebo("tell", "--csv", "t.csv", "--replace")
    assert load().trial(0).value == 0.75
    snakebo("tell", "--csv", "-", stdin="trial;value\n1;3\n")
    assert load().trial(1).value == 3.0


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ("trial,value\n0,1\n1,x\n", "row 2 (line 3), column value: must be a number; got 'x'."),
        ("trial,value\n0,1\n1,nan\n", "row 2 (line 3), column value: must be a finite number"),
        ("trial,value\n0,1\nx,1\n", "row 2 (line 3), column trial: must be a number"),
        ("trial,value\n0,1\n1.5,1\n", "row 2 (line 3), column trial: must be a whole number"),
        ("trial,value\n0,1\n7,1\n", "row 2 (line 3), column trial: There is no trial 7"),
        ("trial,value\n0,1\n0,2\n", "row 2 (line 3), column trial: trial 0 is in row 1 already."),
        ("trial,value\n0,1\n1,1e200\n", "row 2 (line 3): 'value' must lie within"),
        ("trial,value,a\n0,1,\n1,1,99\n", "row 2 (line 3): 'a' must be between 0 and 10 mm; got 99"),
        ("trial,value,a\n0,1,\n1,1,x\n", "row 2 (line 3), column a: must be a number"),
        ("trial,valeu\n0,1\n", "lacks the column value; it has trial, valeu."),
        ("trial,value,aa\n0,1,2\n", "column aa: unknown. Did you mean 'a'?"),
        ("trial,value\n0\n", "row 1 (line 2), column value: has 1 of 2 cells."),
        ("", "is empty"),
    ],
)
def test_a_faulty_table_tells_nothing(snakebo: Any, table: str, place: str) -> None:
    snakebo("ask", "-n", 2)
    snakebo.write("t.csv", table)
    message = snakebo("tell", "--csv", "t.csv", code=1)
    assert message.startswith("Error: t.csv")
    assert place in message
    assert len(load().outstanding) == 2


def test_measurements_from_before(snakebo: Any) -> None:
    snakebo.write("old.csv", "a,b,value,who\n1,0,5,me\n2.5,0.5,6,you\n")
    assert "not used: who" in snakebo("import", "old.csv")
    assert snakebo.json("import", "old.csv") == {"added": 2, "columns_not_used": ["who"]}
    campaign = load()
    assert len(campaign.view().told) == 4
    assert campaign.trials == ()
    for table, place in [
        ("a,b,value\n1,0,5\n1,0,x\n", "row 2 (line 3), column value: must be a number"),
        ("a,b,value\n1,9,5\n", "row 1 (line 2): 'b' must be between"),
        ("a,value\n1,9\n", "lacks the column b"),
        ("a,b,value\n", "has no rows"),
    ]:
        snakebo.write("old.csv", table)
        assert place in snakebo("import", "old.csv", code=1)
    assert len(load().view().told) == 4


def test_the_report(snakebo: Any) -> None:
    snakebo("ask")
    snakebo("tell", 0, 1)
    assert snakebo.json("report") == {"path": "line.html"}
    assert "<html" in (snakebo.at / "line.html").read_text(encoding="utf-8")[:500]
    assert "Wrote other.html" in snakebo("report", "other.html")
    assert "Error: " in snakebo("report", "nowhere/x.html", code=1)


# --- what there is ---------------------------------------------------------------------------------


def test_methods_and_problems(empty: Any) -> None:
    assert [each["name"] for each in empty.json("methods")] == list(sb.methods.names())
    assert "snake-paper" in empty("methods")
    listed = {each["name"]: each for each in empty.json("problems")}
    assert list(listed) == list(sb.problems.names())
    assert listed["snar4d"]["variables"][0]["unit"] == "°C"
    assert listed["snar4d"]["optimum"] == sb.problems.get("snar4d").optimum
    assert listed["snar4d-two"]["direction"] == {"space_time_yield": "maximize", "e_factor": "minimize"}
    lines = [line.rstrip() for line in empty("problems").splitlines()]
    assert any(line.startswith("branin2d") and line.endswith("1.0474") for line in lines)
    assert any("space_time_yield 11526, e_factor 8.4516 (least)" in line for line in lines)
