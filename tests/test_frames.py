"""Tables in and out. Bad tables are in test_campaign_errors."""

import numpy as np
import pandas as pd
import pytest

import snakebo as sb
from snakebo.frames import as_data, read_rows, trials_frame

SPACE = sb.Space([sb.Variable("a", 0, 2), sb.Variable("b", -1, 1)])
SETTINGS = sb.Campaign(
    SPACE, 5, objectives=("yield", "waste"), direction={"yield": "maximize", "waste": "minimize"}
).settings


def test_columns_are_found_by_name_and_others_left_alone() -> None:
    frame = pd.DataFrame(
        {"waste": [1, 2], "note": ["x", None], "b": [0.0, 1.0], "yield": [0.5, 0.6], "a": [0, 1]}
    )
    data = as_data(read_rows(frame, SETTINGS), SETTINGS)
    assert data.X.tolist() == [[0.0, 0.5], [0.5, 1.0]]
    assert data.Y.tolist() == [[0.5, -1.0], [0.6, -2.0]]


def test_rows_and_columns_of_plain_python_will_do() -> None:
    rows = [{"a": 0, "b": 0.0, "yield": 0.5, "waste": 1}, {"a": 1, "b": 1.0, "yield": 0.6, "waste": 2}]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    assert read_rows(rows, SETTINGS) == read_rows(columns, SETTINGS) == rows  # type: ignore[arg-type]


def test_other_columns_may_repeat() -> None:
    frame = pd.DataFrame([[1.0, 0.0, 0.5, 1.0, 7, 8]], columns=["a", "b", "yield", "waste", "note", "note"])
    assert len(read_rows(frame, SETTINGS)) == 1


def test_the_frame_given_is_not_touched() -> None:
    frame = pd.DataFrame({"a": [0.0], "b": [0.0], "yield": [1.0], "waste": [1.0], "note": ["x"]})
    before = frame.copy()
    read_rows(frame, SETTINGS)
    pd.testing.assert_frame_equal(frame, before)


def test_trials_become_rows() -> None:
    told = sb.Trial(0, {"a": 1.0, "b": 0.5}, cost=0.25).told(
        {"yield": 0.5, "waste": 2.0}, {"a": 1.0, "b": 0.5}
    )
    failed = sb.Trial(1, {"a": 0.0, "b": 0.0}, cost=0.5, attached=True).failed("leak")
    frame = trials_frame([told, failed], SETTINGS)
    assert list(frame.columns) == ["state", "a", "b", "yield", "waste", "cost", "spent", "attached", "reason"]
    assert list(frame.loc[0]) == ["told", 1.0, 0.5, 0.5, 2.0, 0.25, 0.25, False, ""]
    assert frame["yield"].isna().tolist() == [False, True]
    assert frame.loc[1, "spent"] == pytest.approx(0.75)
    assert bool(frame.loc[1, "attached"])


def test_what_goes_out_can_come_in() -> None:
    first = sb.optimize(lambda x: x["a"] - x["b"] ** 2, SPACE, 6, method="random-tour")
    second = sb.Campaign(SPACE, 5)
    second.add_data(first.to_frame())
    np.testing.assert_array_equal(second.view().told.X, first.campaign.view().told.X)
    np.testing.assert_array_equal(second.view().told.Y, first.campaign.view().told.Y)
