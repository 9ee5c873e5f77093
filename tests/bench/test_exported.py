"""Exported results: the same frames in small files, and the same files whatever the order of the runs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from snakebo.bench.exported import export, read_results
from snakebo.bench.perform import perform
from snakebo.bench.record import Record
from snakebo.bench.results import Results
from snakebo.bench.run import KEY, Run
from snakebo.errors import StorageError, StorageFormatError

RUN = Run("branin2d", 6, 0, "random-tour", "cold", None, "random", 0)
RUNS = [RUN, replace(RUN, seed=1), replace(RUN, problem="ackley4d"), replace(RUN, cost_budget=1.5)]
ORDER = ["problem", "cost_budget", "seed", "objective", "step"]


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [perform(run) for run in RUNS]


def store(records: list[Record], file: Path) -> Path:
    with Results.open(file) as results:
        for record in records:
            results.add(record)
    return file


def test_frames_are_the_same_in_single_precision(records: list[Record], tmp_path: Path) -> None:
    stored = read_results(store(records, tmp_path / "results.db"))
    export(stored, tmp_path / "out")
    exported = read_results(tmp_path / "out")
    for ours, theirs in (
        (exported.steps(), stored.steps()),
        (exported.runs(), stored.runs()),
        (_with_key(exported.paths(), exported.runs()), _with_key(stored.paths(), stored.runs())),
    ):
        order = [name for name in ORDER if name in theirs]
        pd.testing.assert_frame_equal(
            ours.drop(columns="run").sort_values(order, ignore_index=True),
            theirs.drop(columns="run").sort_values(order, ignore_index=True),
            check_dtype=False, rtol=1e-6, atol=1e-6,
        )  # fmt: skip


def _with_key(paths: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    joined = paths.merge(runs[["run", *KEY]], on="run")
    joined["x"] = joined["x"].map(np.asarray)
    return joined


def test_the_order_of_runs_does_not_matter(records: list[Record], tmp_path: Path) -> None:
    for name, order in (("a", records), ("b", records[::-1])):
        export(read_results(store(order, tmp_path / f"{name}.db")), tmp_path / name)
    for file in ("runs.parquet", "steps.parquet"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_exported_results_can_be_exported_again(records: list[Record], tmp_path: Path) -> None:
    export(read_results(store(records, tmp_path / "results.db")), tmp_path / "a")
    export(read_results(tmp_path / "a"), tmp_path / "b")
    assert read_results(tmp_path / "a").steps().equals(read_results(tmp_path / "b").steps())


def test_no_runs_at_all(tmp_path: Path) -> None:
    export(read_results(store([], tmp_path / "results.db")), tmp_path / "out")
    assert read_results(tmp_path / "out").steps().empty


def test_directories_without_results(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"There is no .*runs\.parquet.*snakebo bench export"):
        read_results(tmp_path).runs()
    (tmp_path / "runs.parquet").write_text("nothing of the kind")
    with pytest.raises(StorageFormatError, match="holds no results"):
        read_results(tmp_path).runs()
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "runs.parquet")
    with pytest.raises(StorageFormatError, match="holds no results"):
        read_results(tmp_path).runs()
