"""Specs in TOML: the examples, and what is said about files that are not one."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import snakebo as sb
from snakebo.errors import InputError
from snakebo.toml_spec import EXAMPLE_NAMES, EXAMPLES, LARGEST, SpecFileError, parse_spec, read_spec


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_the_examples_are_campaigns(name: str) -> None:
    campaign = sb.Campaign(**parse_spec(EXAMPLES[name]))
    assert campaign.name == name
    assert all(variable.unit or variable.free for variable in campaign.space.variables)
    trial = campaign.ask()
    assert set(trial.x) == set(campaign.space.names)


def test_the_reactor_is_the_test_problem() -> None:
    campaign, problem = sb.Campaign(**parse_spec(EXAMPLES["reactor"])), sb.problems.get("snar4d")
    assert campaign.space == problem.space
    assert campaign.settings.cost == problem.cost
    assert campaign.objectives == problem.objectives


def test_the_boat_stays_on_the_water() -> None:
    campaign = sb.Campaign(**parse_spec(EXAMPLES["boat"]))
    assert campaign.settings.directions == {"chlorophyll": "maximize", "oxygen": "minimize"}
    assert campaign.settings.proportions == (2.0, 1.0)
    assert campaign.settings.cost_budget == 25.0
    assert isinstance(campaign.space.region, sb.Polygon)
    assert isinstance(campaign.settings.cost, sb.Geodesic)
    assert campaign.settings.cost.polygon == campaign.space.region


def test_a_name_may_be_given_instead() -> None:
    assert parse_spec(EXAMPLES["minimal"], name="tuesday")["name"] == "tuesday"
    without = EXAMPLES["minimal"].replace('name = "minimal"', "")
    assert parse_spec(without, name="tuesday")["name"] == "tuesday"
    with pytest.raises(SpecFileError, match=r"spec, line 1, name: is missing\."):
        parse_spec(without)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('unit = "M"', "unit = 3", "line 24, variables[1].unit: must be a text"),
        ("low = 0.1", "lw = 0.1", "line 22, variables[1].lw: unknown key. Did you mean 'low'?"),
        ("low = 0.1\n", "", "line 20, variables[1].low: is missing."),
        ("high = 120", "high = 20", "line 13, variables[0]: 'temperature' must have low < high"),
        ("budget = 100", "budget = 0", "line 5, budget: must be at least 1"),
        ("budget = 100", "budget = 1.5", "line 5, budget: must be a whole number"),
        ('method = "snake"', 'method = "snaek"', "line 10, method: Unknown method 'snaek'"),
        ('"maximize"', '"up"', "line 41, objectives[0].direction: must be maximize or minimize"),
        ("[5.0, 1.0, 1.0]", "[5.0, 1.0]", "line 55, cost.constants.temperature: must be a list of 3 numbers"),
        ("[5.0, 1.0, 1.0]", '[5.0, 1.0, "x"]', "line 55, cost.constants.temperature[2]: must be a number"),
        ("constants.temperature", "constants.pressure", "line 53, cost: "),
    ],
)
def test_errors_name_line_and_key(old: str, new: str, place: str, tmp_path: Path) -> None:
    text = EXAMPLES["reactor"]
    assert old in text
    file = tmp_path / "reactor.toml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SpecFileError) as caught:
        read_spec(file)
    assert str(caught.value).startswith(f"reactor.toml, {place}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "describes nothing"),
        (b"# only a comment\n", "describes nothing"),
        (b"a = 1\nb = = 2\n", "line 2, column 5: this is not TOML: Invalid value"),
        (b"a = 1\nb = [1,\n", "line 3, column 1: this is not TOML: "),
        (b"a = 1\na = 2\n", "line 2, column 6: this is not TOML: Cannot overwrite a value"),
        (b"a = 1\nunit = '\xb0C'\n", "line 2: byte 0xb0 is not UTF-8"),
        (b"a\0b", "is not a text file"),
        (b"a = " + b"[" * 50_000, "nested too deeply"),
        (b"b = 2\na = " + b"1" * 10_000, "line 2: a value cannot be read"),
        (b"#" * (LARGEST + 1), "is larger than 1 MB"),
    ],
)
def test_files_that_are_no_spec(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "spec.toml"
    file.write_bytes(content)
    with pytest.raises(SpecFileError) as caught:
        read_spec(file)
    assert "spec.toml" in str(caught.value)
    assert message in str(caught.value)


def test_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(SpecFileError, match=r"There is no file .*nothing\.toml\. Write a commented example"):
        read_spec(tmp_path / "nothing.toml")
    with pytest.raises(SpecFileError, match="is a directory"):
        read_spec(tmp_path)
    with pytest.raises(SpecFileError, match="cannot be read"):
        read_spec("a\0b")


def test_notepads_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "spec.toml"
    file.write_bytes(b"\xef\xbb\xbf" + EXAMPLES["minimal"].replace("\n", "\r\n").encode())
    assert read_spec(file)["budget"] == 20


# --- fuzzing ---------------------------------------------------------------------------------------


def read_or_complain(text: str) -> None:
    try:
        parse_spec(text, "fuzz.toml")
    except SpecFileError as error:
        message = str(error)
        assert message.startswith("fuzz.toml")
        placed = message.startswith("fuzz.toml, line ")
        assert placed or "describes nothing" in message or "nested too deeply" in message
    assert issubclass(SpecFileError, InputError)


@settings(max_examples=300)
@given(st.text())
@example("﻿a=1")
@example("[variables]\n[[variables]]")
@example("variables = 1\nname = 2\nbudget = 3")
def test_random_text_is_read_or_placed(text: str) -> None:
    read_or_complain(text)


rubbish = st.sampled_from(
    ["-1", "0", "1e400", "nan", "inf", '""', '"x"', "true", "[]", "{}", "[[1, 2]]", "[1, [2]]", "1979-05-27",
     "{kind = 1}", '{kind = "code"}', "9" * 400, '"snake:epsilon=x"', "[{}]", "07:32:00", "'%s'"]
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """An example spec with a few lines or values changed, moved or lost."""
    lines = draw(st.sampled_from(list(EXAMPLES.values()))).splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "value", "cut", "key"])):
            case "drop":
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "swap":
                lines[at], lines[-1] = lines[-1], lines[at]
            case "value":
                lines[at] = f"{lines[at].partition('=')[0]}= {draw(rubbish)}"
            case "cut":
                lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
            case "key":
                lines[at] = (
                    f"{draw(st.sampled_from(['name', 'kind', 'x', 'region', 'cost']))} = {draw(rubbish)}"
                )
        if not lines:
            break
    return "\n".join(lines)


@settings(max_examples=400)
@given(mutated())
def test_mutated_specs_are_read_or_placed(text: str) -> None:
    read_or_complain(text)
