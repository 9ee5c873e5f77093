"""Results as two small files to keep beside code, in single precision: runs.parquet and steps.parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from snakebo.bench.frames import RUN_COLUMNS, follow_steps, set_types
from snakebo.bench.results import Results
from snakebo.bench.run import KEY
from snakebo.errors import InputError, StorageError, StorageFormatError

if TYPE_CHECKING:
    import pandas as pd

_RUNS, _STEPS = "runs.parquet", "steps.parquet"
_MEASURED = ("cost", "seconds", "value", "regret")  # spent and best follow from them


class ResultsReader(Protocol):
    """Results to look at: in a database, or exported to a directory."""

    def runs(self) -> pd.DataFrame:
        """Return a row for each run; see `Results.runs`."""

    def steps(self) -> pd.DataFrame:
        """Return a row for each run, step and objective; see `follow_steps`."""

    def paths(self) -> pd.DataFrame:
        """Return where each run went: run, step, x."""


def read_results(path: str | Path) -> ResultsReader:
    """Open results for reading: a database, or a directory that `export` wrote. Raises StorageError."""
    return Exported(Path(path)) if Path(path).is_dir() else Results.read(path)


class Exported:
    """Results in a directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def runs(self) -> pd.DataFrame:
        """Return a row for each run."""
        return _read(self.directory / _RUNS, ["run", *RUN_COLUMNS])

    def steps(self) -> pd.DataFrame:
        """Return a row for each run, step and objective."""
        steps = _read(self.directory / _STEPS, ["run", "step", "objective", *_MEASURED])
        return follow_steps(self.runs(), steps)

    def paths(self) -> pd.DataFrame:
        """Return where each run went."""
        return _read(self.directory / _STEPS, ["run", "step", "x"]).drop_duplicates(["run", "step"])


def export(results: ResultsReader, directory: str | Path) -> list[Path]:
    """Write results to a directory; equal ones give equal files, in whatever order they came."""
    measured = results.steps()[["run", "step", "objective", *_MEASURED]]
    steps, runs = measured.merge(results.paths(), on=["run", "step"]), results.runs()
    runs = runs[runs["run"].isin(steps["run"])]  # one may have been added meanwhile
    runs = runs.sort_values(list(KEY), ignore_index=True)
    number = {run: index for index, run in enumerate(runs["run"])}
    runs["run"], steps["run"] = runs["run"].map(number), steps["run"].map(number)
    steps = steps.sort_values(["run", "objective", "step"], ignore_index=True)
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    single = dict.fromkeys(_MEASURED, "float32")
    _write(runs.astype({"seconds": "float32", "seconds_guess": "float32"}), folder / _RUNS)
    _write(steps.astype({**single, "run": "int32", "step": "int32"}), folder / _STEPS)
    return [folder / _RUNS, folder / _STEPS]


def _write(frame: pd.DataFrame, file: Path) -> None:
    pa, parquet = _load_arrow()
    numbers = frame.drop(columns="x", errors="ignore")
    table = pa.Table.from_pandas(numbers, preserve_index=False).replace_schema_metadata()
    if "x" in frame:
        table = table.append_column("x", pa.array(list(frame["x"]), pa.list_(pa.float32())))
    unfinished = file.with_name(f"{file.name}.part")
    parquet.write_table(table, unfinished, compression="zstd", compression_level=19)
    unfinished.replace(file)


def _read(file: Path, columns: list[str]) -> pd.DataFrame:
    pa, parquet = _load_arrow()
    try:
        return set_types(parquet.read_table(file, columns=columns).to_pandas()[columns])
    except FileNotFoundError:
        raise StorageError(
            f"There is no {file}. Write it with: snakebo bench export EXPERIMENT --to {file.parent}"
        ) from None
    except (pa.ArrowException, OSError, KeyError) as error:
        raise StorageFormatError(f"{file} holds no results of snakebo bench: {error}") from error


def _load_arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise InputError("Parquet files need pyarrow: pip install 'snakebo[bench]'") from None
    return pa, parquet
