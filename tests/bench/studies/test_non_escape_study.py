"""The study of the non-escape probability: its file, resuming it, and what may be wrong with either."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from snakebo.bench.experiment import Experiment
from snakebo.bench.experiment_file import read_experiment
from snakebo.bench.results import Results
from snakebo.bench.studies import non_escape_study
from snakebo.bench.studies.non_escape import Setting, estimate_non_escape
from snakebo.bench.studies.non_escape_results import NonEscapeResults
from snakebo.bench.studies.non_escape_study import NonEscape, run_non_escape
from snakebo.errors import SpecError, StorageBusyError, StorageError, StorageFormatError

SMALL: dict[str, Any] = {
    "problem": "bimodal1d",
    "intervals": [[0.1, 0.2], [0.0, 0.1]],
    "fixed": [{"outputscale": 0.6, "lengthscales": 0.1, "noise": 1e-5}],
    "observations": 3,
    "samples": 50,
    "repeats": 2,
    "grid": 51,
}


def experiment(**changes: Any) -> Experiment:
    return Experiment("try", "A try", "non-escape", parameters={**SMALL, **changes})


def run(path: Path, **changes: Any) -> list[tuple[int, int]]:
    told: list[tuple[int, int]] = []
    run_non_escape(experiment(**changes), path, lambda done, total: told.append((done, total)))
    return told


def stored(path: Path) -> dict[Any, float]:
    with NonEscapeResults.read(path) as results:
        return {tuple(row[:-1]): row[-1] for row in results.frame().itertuples(index=False)}


def test_the_shipped_file_is_the_study_of_the_paper() -> None:
    study = NonEscape.read(read_experiment("non-escape").parameters)
    assert {(each.low, each.high) for each in study.settings} == {(0.1, 0.2), (0.0, 0.1)}
    assert len(study.settings) == 4
    assert (study.observations, study.repeats, study.settings[0].samples) == (15, 10, 5000)


def test_everything_is_estimated_once_and_progress_is_told(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "p.db"
    assert run(path) == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    found = stored(path)
    assert len(found) == 2 * 2 * 3
    setting = NonEscape.read(SMALL).settings[0]
    key = (setting.problem, setting.protocol, 0.1, 0.2, 50, 51, 1, 2)
    assert found[key] == estimate_non_escape(setting, 1, 2)


def test_an_interrupted_study_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    run(whole)
    monkeypatch.setattr(non_escape_study, "estimate_non_escape", _interrupt_after(7))
    with pytest.raises(KeyboardInterrupt):
        run(cut)
    assert len(stored(cut)) == 6  # two whole repeats, nothing of the third
    count: list[int] = []
    monkeypatch.setattr(non_escape_study, "estimate_non_escape", _counting(count))
    run(cut)
    assert len(count) == 6
    assert stored(cut) == stored(whole)


def test_more_observations_and_repeats_add_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "p.db"
    run(path)
    before = stored(path)
    run(path, observations=4, repeats=3)
    after = stored(path)
    assert len(after) == 2 * 3 * 4
    assert {key: after[key] for key in before} == before


def test_other_settings_never_mix(tmp_path: Path) -> None:
    path = tmp_path / "p.db"
    run(path)
    run(path, samples=60)
    run(path, fixed=[{"outputscale": 0.36, "lengthscales": 0.1, "noise": 1e-5}])
    assert len(stored(path)) == 3 * 12


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"problem": "bimodal"}, "problem", "bimodal1d"),
        ({"problem": "branin2d"}, "problem", "one variable"),
        ({"intervals": [[0.2, 0.1]]}, "intervals[0]", "rising"),
        ({"intervals": [[0.5, 1.5]]}, "intervals[0]", "to 1"),
        ({"intervals": []}, "intervals", "empty"),
        ({"fixed": []}, "fixed", "empty"),
        ({"fixed": [{"outputscale": 0.6}]}, "fixed[0].lengthscales", "missing"),
        ({"fixed": [{"outputscale": -1, "lengthscales": 0.1, "noise": 1e-5}]}, "fixed[0]", "positive"),
        ({"samples": 0}, "samples", "at least 1"),
        ({"grid": 2.5}, "grid", "whole number"),
        ({"repeat": 3}, "repeat", "repeats"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(changes: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        NonEscape.read({**SMALL, **changes})
    assert str(caught.value).startswith(f"{place}:")
    assert words in str(caught.value)


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    with Results.open(tmp_path / "runs.db"):
        pass
    (tmp_path / "text.db").write_text("no database at all, but long enough to look at" * 20)
    for name in ("runs.db", "text.db"):
        with pytest.raises(StorageFormatError, match=name):
            run(tmp_path / name)
    with pytest.raises(StorageError, match="bench run"):
        NonEscapeResults.read(tmp_path / "none.db")


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    with NonEscapeResults.open(tmp_path / "p.db"), pytest.raises(StorageBusyError):
        run(tmp_path / "p.db")
    run(tmp_path / "p.db")


def test_a_repeat_is_not_stored_in_part(tmp_path: Path) -> None:
    setting = NonEscape.read(SMALL).settings[0]
    with NonEscapeResults.open(tmp_path / "p.db") as results:
        results.add(setting, 0, {1: 0.5})
        with pytest.raises(StorageError):
            results.add(setting, 0, {2: 0.5, 1: 0.5})
        assert results.count(setting, 0) == 1
        assert results.count(replace(setting, samples=7), 0) == 0


Estimate = Callable[[Setting, int, int], float]


def _interrupt_after(calls: int) -> Estimate:
    done: list[int] = []

    def estimate(setting: Setting, repeat: int, observations: int) -> float:
        if len(done) == calls:
            raise KeyboardInterrupt
        done.append(observations)
        return estimate_non_escape(setting, repeat, observations)

    return estimate


def _counting(calls: list[int]) -> Estimate:
    def estimate(setting: Setting, repeat: int, observations: int) -> float:
        calls.append(observations)
        return estimate_non_escape(setting, repeat, observations)

    return estimate


def test_a_place_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place, why in {tmp_path: "is a directory", tmp_path / "file" / "p.db": "cannot be made"}.items():
        with pytest.raises(StorageError, match=why):
            NonEscapeResults.open(place)
