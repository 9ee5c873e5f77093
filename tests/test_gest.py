"""The generator standard: a campaign in the loops of Xopt, libEnsemble and their like."""

import inspect
import math
import os
import pickle
import random
import subprocess
import sys
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import snakebo as sb

pytest.importorskip("gest_api", reason="needs snakebo[gest]")

from gest_api import Generator
from gest_api.vocs import VOCS, ContextualVariable, ContinuousVariable, DiscreteVariable

from snakebo.errors import InputError, TrialStateError
from snakebo.gest import SnakeboGenerator, SuggestionError

BOX = {"x": [0.0, 1.0], "y": [-5.0, 5.0]}


def make_vocs(**changes: Any) -> VOCS:
    return VOCS(**{"variables": BOX, "objectives": {"f": "MINIMIZE"}, **changes})


def make(budget: int = 20, vocs: VOCS | None = None, **settings: Any) -> SnakeboGenerator:
    return SnakeboGenerator(vocs or make_vocs(), budget, **{"method": "random-tour", **settings})


def bowl(point: dict[str, Any]) -> float:
    return float((point["x"] - 0.3) ** 2 + (point["y"] / 10 - 0.2) ** 2)


def measured(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**point, "f": bowl(point)} for point in points]


# --- the standard -----------------------------------------------------------------------------------------


def test_signatures_are_those_of_the_standard() -> None:
    assert issubclass(SnakeboGenerator, Generator)
    assert SnakeboGenerator.returns_id
    for verb in ("suggest", "ingest", "finalize"):
        ours = list(inspect.signature(getattr(SnakeboGenerator, verb)).parameters)
        assert ours == list(inspect.signature(getattr(Generator, verb)).parameters)


def test_points_have_variables_constants_and_an_id() -> None:
    generator = make(vocs=make_vocs(constants={"alpha": 0.5, "mode": "fast"}))
    points = generator.suggest(3)
    assert [point["_id"] for point in points] == [0, 1, 2]
    for point in points:
        assert list(point) == ["x", "y", "alpha", "mode", "_id"]
        assert (point["alpha"], point["mode"]) == (0.5, "fast")
        assert type(point["x"]) is float
        assert 0 <= point["x"] <= 1
        assert -5 <= point["y"] <= 5


def test_without_a_number_one_point_is_suggested_and_none_for_zero() -> None:
    generator = make()
    assert len(generator.suggest()) == 1
    assert len(generator.suggest(None)) == 1
    assert generator.suggest(0) == []
    assert len(generator.suggest(np.int64(2))) == 2  # type: ignore[arg-type]
    assert len(generator.campaign.trials) == 4


@pytest.mark.parametrize("wrong", [-1, 1.5, "two", True])
def test_a_number_of_points_that_is_none(wrong: Any) -> None:
    with pytest.raises(InputError, match="num_points must be a whole number"):
        make().suggest(wrong)


def test_results_reach_the_campaign_with_the_direction_of_the_vocs() -> None:
    generator = make(vocs=make_vocs(objectives={"f": "MINIMIZE", "g": "MAXIMIZE"}))
    rows = [{**point, "f": 1.0 + point["_id"], "g": 2.0 + point["_id"]} for point in generator.suggest(3)]
    generator.ingest(rows)
    assert generator.campaign.settings.directions == {"f": "minimize", "g": "maximize"}
    best, best_g = generator.campaign.best, generator.campaign.best_by("g")
    assert best is not None
    assert best_g is not None
    assert (best.id, dict(best.values)) == (0, {"f": 1.0, "g": 2.0})
    assert best_g.id == 2


def test_several_suggestions_before_any_result_then_results_in_another_order() -> None:
    generator = make()
    points = [point for _ in range(4) for point in generator.suggest(2)]
    assert len({(point["x"], point["y"]) for point in points}) == 8
    random.Random(0).shuffle(points)
    generator.ingest(measured(points[:5]))
    assert [trial.id for trial in generator.campaign.outstanding] == sorted(p["_id"] for p in points[5:])
    generator.ingest(measured(points[5:]))
    assert all(trial.value == bowl(dict(trial.x)) for trial in generator.campaign.trials)


def test_the_way_is_that_of_the_campaign() -> None:
    generator = make(method="snake", seed=3)
    campaign = sb.Campaign(
        sb.Space([sb.Variable("x", 0, 1), sb.Variable("y", -5, 5)]), 20, "snake", seed=3,
        objectives=("f",), direction="minimize",
    )  # fmt: skip
    for _ in range(4):
        points, trials = generator.suggest(2), [campaign.ask(), campaign.ask()]
        assert [{"x": p["x"], "y": p["y"]} for p in points] == [dict(trial.x) for trial in trials]
        generator.ingest(measured(points))
        for trial in trials:
            campaign.tell(trial.id, bowl(dict(trial.x)))


# --- what can be optimised --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"variables": {}}, "at least one variable"),
        ({"objectives": {}}, "at least one objective"),
        ({"objectives": {"f": "EXPLORE"}}, "'f' must be MINIMIZE or MAXIMIZE; got ExploreObjective"),
        ({"constraints": {"c": ["LESS_THAN", 0.0]}}, r"not supported \(c\)"),
        ({"variables": {"x": {1.0, 2.0}}}, "'x' must be continuous"),
        ({"variables": {"x": DiscreteVariable(values={"a"})}}, "'x' must be continuous"),
        ({"variables": {"x": [0, 1], "t": ContextualVariable()}}, "'t' must be continuous"),
        ({"variables": {"x": ContinuousVariable(domain=[0, 1], dtype=(float, (3,)))}}, "one number"),
        ({"variables": {"x": ContinuousVariable(domain=[0, 1], dtype=int)}}, "'x' must be continuous"),
        ({"variables": {"x": [0, math.inf]}}, "high of 'x' must be a finite number"),
        ({"variables": {"_id": [0, 1]}}, "choose another name"),
        ({"observables": ["_id"]}, "choose another name"),
        ({"variables": {"cost": [0, 1]}}, "choose another name"),
    ],
)
def test_what_cannot_be_optimised_is_a_value_error(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make(vocs=make_vocs(**changes))


def test_a_scalar_type_and_observables_are_fine() -> None:
    variables = {"x": ContinuousVariable(domain=[0, 1], dtype="float64"), "y": [0, 1]}
    generator = make(vocs=make_vocs(variables=variables, observables=["temperature"]))
    generator.ingest([{**point, "f": 1.0, "temperature": 300.0} for point in generator.suggest(1)])
    assert generator.campaign.trials[0].value == 1.0


def test_something_else_than_a_vocs() -> None:
    with pytest.raises(InputError, match="must be a VOCS"):
        SnakeboGenerator({"variables": BOX}, 5)


def test_settings_of_a_campaign_are_passed_on() -> None:
    space = sb.Space([sb.Variable("x", 0, 1, free=True), sb.Variable("y", -5, 5, step=0.5)])
    generator = make(
        5, space=space, cost=sb.RampRate({"y": (1, 2)}), start={"x": 0, "y": -5}, cost_budget=100, seed=2
    )
    points = generator.suggest(3)
    assert all(point["y"] % 0.5 == 0 for point in points)
    assert generator.campaign.spent == pytest.approx(sum(t.cost for t in generator.campaign.trials))
    assert generator.campaign.settings.cost_budget == 100


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"space": sb.Space([sb.Variable("x", 0, 1), sb.Variable("y", 0, 5)])}, "The variables of the VOCS"),
        ({"space": sb.Space([sb.Variable("x", 0, 1)])}, "The variables of the VOCS"),
        ({"objectives": ("f",)}, "leave objectives=… out"),
        ({"direction": "maximize"}, "leave direction=… out"),
        ({"method": "nonsense"}, "nonsense"),
    ],
)
def test_settings_that_do_not_fit(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        make(**settings)


# --- results ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", [math.nan, None, np.float64("nan"), np.array([np.nan])])
def test_no_number_is_a_failure(nothing: Any) -> None:
    generator = make()
    (point,) = generator.suggest(1)
    generator.ingest([{**point, "f": nothing}])
    (trial,) = generator.campaign.trials
    assert (trial.state, trial.reason) == (sb.State.FAILED, "no result for f")


def test_an_error_of_xopt_is_a_failure_with_its_reason() -> None:
    generator = make()
    (point,) = generator.suggest(1)
    trace = "Traceback (most recent call last):\n  File …\nZeroDivisionError: division by zero\n"
    generator.ingest([{**point, "xopt_error": True, "xopt_error_str": trace}])
    assert generator.campaign.trials[0].reason == "ZeroDivisionError: division by zero"


def test_points_of_others_inform_and_move_nothing() -> None:
    generator = make()
    rows: list[dict[str, Any]] = [{"x": 0.1, "y": 1.0, "f": 3.0}, {"x": 0.2, "y": 2.0, "f": math.nan}]
    generator.ingest([*rows, {"x": 0.3, "y": 2.0, "f": 4.0, "_id": None, "more": "text"}])
    assert generator.campaign.trials == ()
    assert generator.campaign.position is None
    assert generator.campaign.view().told.Y.ravel().tolist() == [-3.0, -4.0]  # minimised: turned round


def test_measured_somewhere_else_than_suggested() -> None:
    generator = make(start={"x": 0.0, "y": 0.0}, cost=sb.Norm(1))
    (point,) = generator.suggest(1)
    generator.ingest([{**point, "x": 0.5, "y": 0.0, "f": 1.0}])
    (trial,) = generator.campaign.trials
    assert trial.x == {"x": 0.5, "y": 0.0}
    assert generator.campaign.spent == pytest.approx(0.5)


def test_a_row_without_variables_was_measured_where_suggested() -> None:
    generator = make()
    (point,) = generator.suggest(1)
    generator.ingest([{"_id": point["_id"], "f": 1.0}])
    assert generator.campaign.trials[0].x == {"x": point["x"], "y": point["y"]}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"_id": 7, "f": 1.0}, "There is no trial 7: ids run from 0 to 1.* that were not suggested here"),
        ({"_id": -1, "f": 1.0}, "There is no trial -1"),
        ({"_id": 0.5, "f": 1.0}, "There is no trial 0.5"),
        ({"_id": "0", "f": 1.0}, "There is no trial '0'"),
        ({"_id": True, "f": 1.0}, "There is no trial True"),
        ({"_id": 1}, "it lacks f; an evaluation that failed has NaN there"),
        ({"_id": 1, "f": math.inf}, "must be a finite number"),
        ({"_id": 1, "f": "high"}, "must be a real number"),
        ({"_id": 1, "f": 1.0, "x": 2.0}, "'x' must be between 0 and 1"),
        ({"f": 1.0, "x": 0.5}, "no value for 'y'"),
        ({"f": 1.0, "x": 0.5, "y": math.nan}, "'y' must be a finite number"),
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_ingested(row: dict[str, Any], words: str) -> None:
    generator = make()
    good = measured(generator.suggest(2))[0]
    with pytest.raises(ValueError, match=f"(?s)Row 1 of the results: .*{words}.* Nothing was ingested"):
        generator.ingest([good, row])
    assert len(generator.campaign.outstanding) == 2
    assert len(generator.campaign.view().told) == 0


@pytest.mark.parametrize("wrong", ["f", None, 3, {"_id": 0, "f": 1.0}, [1.0], pd.DataFrame({"f": [1.0]})])
def test_results_that_are_no_list_of_dictionaries(wrong: Any) -> None:
    with pytest.raises(InputError, match="a list of dictionaries"):
        make().ingest(wrong)


def test_the_same_again_changes_nothing_and_another_value_is_refused() -> None:
    generator = make()
    rows = measured(generator.suggest(2))
    generator.ingest(rows)
    before = generator.campaign.trials
    generator.ingest(rows)
    assert generator.campaign.trials == before
    with pytest.raises(TrialStateError, match="was told"):
        generator.ingest([{**rows[0], "f": 99.0}])
    assert generator.campaign.trials == before


# --- the end of the budget --------------------------------------------------------------------------------


def test_more_points_than_steps_are_a_value_error_and_none_is_lost() -> None:
    generator = make(budget=3)
    with pytest.raises(ValueError, match="Only 3 points are left in the budget; 4 were asked for"):
        generator.suggest(4)
    assert generator.campaign.trials == ()
    assert len(generator.suggest(3)) == 3
    with pytest.raises(SuggestionError, match="Only 0 points"):
        generator.suggest()


def test_the_cost_budget_ends_a_suggestion_and_what_was_planned_is_suggested_next() -> None:
    generator = make(budget=50, start={"x": 0, "y": -5}, cost_budget=1.5)
    with pytest.raises(SuggestionError, match=r"50 points were asked for, but \d+ can be had") as caught:
        generator.suggest(50)
    assert isinstance(caught.value, sb.errors.BudgetSpentError)
    held = len(generator.campaign.trials)
    assert 0 < held < 50
    points = generator.suggest(held)
    assert [point["_id"] for point in points] == list(range(held))
    assert generator.campaign.spent <= 1.5


def test_without_gest_api_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['gest_api'] = None; import snakebo.gest"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "pip install 'snakebo[gest]'" in done.stderr.splitlines()[-1]


# --- storage and processes --------------------------------------------------------------------------------


def test_a_stored_campaign_goes_on_with_what_was_outstanding(tmp_path: Path) -> None:
    storage = f"sqlite:///{tmp_path / 'run.db'}"
    first = make(8, storage=storage, name="ring", seed=1)
    whole = make(8, seed=1)
    points, others = first.suggest(4), whole.suggest(4)
    first.ingest(measured(points[1:3]))
    whole.ingest(measured(others[1:3]))
    first.finalize()
    again = SnakeboGenerator.load(make_vocs(), storage, "ring")
    assert again.suggest(3) == [points[0], points[3], *whole.suggest(1)]
    again.ingest(measured([points[0]]))
    assert [trial.id for trial in again.campaign.outstanding] == [3, 4]
    again.finalize()


def test_what_was_told_meanwhile_is_not_suggested_again(tmp_path: Path) -> None:
    storage = f"sqlite:///{tmp_path / 'run.db'}"
    points = make(8, storage=storage).suggest(3)
    again = SnakeboGenerator.load(make_vocs(), storage)
    again.ingest(measured(points[:1]))
    sb.Campaign.load(storage, "gest").fail(1, "spilt")
    assert [point["_id"] for point in again.suggest(2)] == [2, 3]


def test_a_space_that_does_not_fit_leaves_no_campaign_behind(tmp_path: Path) -> None:
    storage = f"sqlite:///{tmp_path / 'run.db'}"
    with pytest.raises(InputError, match="The variables of the VOCS"):
        make(space=sb.Space([sb.Variable("x", 0, 9)]), storage=storage)
    make(storage=storage)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"variables": {"x": [0, 2], "y": [-5, 5]}}, "The variables of the VOCS"),
        ({"objectives": {"f": "MAXIMIZE"}}, "The objectives of the VOCS"),
        ({"constraints": {"c": ["LESS_THAN", 0.0]}}, "not supported"),
    ],
)
def test_a_stored_campaign_about_something_else(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    storage = f"sqlite:///{tmp_path / 'run.db'}"
    make(storage=storage).finalize()
    with pytest.raises(InputError, match=words):
        SnakeboGenerator.load(make_vocs(**changes), storage)


def test_a_generator_travels_between_processes() -> None:
    generator = make()
    points = generator.suggest(2)
    copied = pickle.loads(pickle.dumps(generator))
    copied.ingest(measured(points))
    assert copied.suggest(1)[0]["_id"] == 2
    assert len(generator.campaign.outstanding) == 2


# --- the loops of others ----------------------------------------------------------------------------------


def test_a_loop_with_tables_and_errors_like_that_of_xopt() -> None:
    """Points pass through tables of all data, in which an integer id becomes a float beside a NaN."""

    def evaluate(inputs: dict[str, Any]) -> dict[str, Any]:
        if inputs["x"] > 0.9:
            raise RuntimeError("quench")
        return {"f": bowl(inputs)}

    generator = make(30, method="snake")
    earlier: Any = pd.DataFrame([{"x": 0.5, "y": 0.0, "f": 1.0}]).to_dict("records")
    generator.ingest(earlier)
    running: dict[Any, dict[str, Any]] = {}
    with ThreadPoolExecutor(3) as pool:
        while len(generator.campaign.trials) < 30 or running:
            room = min(3 - len(running), generator.campaign.steps_left)
            for point in generator.suggest(room):
                running[pool.submit(evaluate, point)] = point
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            rows = []
            for future in done:
                error = future.exception()
                outputs = future.result() if error is None else {"xopt_error_str": f"RuntimeError: {error}"}
                rows.append({**running.pop(future), **outputs, "xopt_error": error is not None})
            foreign = {"x": 0.25, "y": 2.5, "f": bowl({"x": 0.25, "y": 2.5}), "xopt_error": False}
            records: Any = pd.DataFrame([foreign, *rows]).to_dict("records")
            generator.ingest(records)
    states = [trial.state for trial in generator.campaign.trials]
    assert sb.State.OUTSTANDING not in states
    assert all(
        (trial.state is sb.State.FAILED) == (trial.x["x"] > 0.9) for trial in generator.campaign.trials
    )
    best = generator.campaign.best
    assert best is not None
    assert best.value is not None
    assert best.value < 1e-3


def test_a_loop_with_structured_arrays_like_that_of_libensemble() -> None:
    generator = make(12)
    columns: list[Any] = [("x", float), ("y", float), ("_id", int), ("f", float, (1,))]
    for _ in range(3):
        points = generator.suggest(4)
        results = np.zeros(4, dtype=columns)
        for number, point in enumerate(reversed(points)):
            for name, value in {**point, "f": bowl(point)}.items():
                results[name][number] = value
        generator.ingest([{name: row[name] for name, *_ in columns} for row in results])
    generator.finalize()
    assert [trial.value for trial in generator.campaign.trials] == [
        bowl(dict(trial.x)) for trial in generator.campaign.trials
    ]


LIBENSEMBLE = """
import sys

from gest_api.vocs import VOCS
from libensemble import Ensemble
from libensemble.alloc_funcs.start_only_persistent import only_persistent_gens
from libensemble.specs import AllocSpecs, ExitCriteria, GenSpecs, LibeSpecs, SimSpecs

from snakebo.gest import SnakeboGenerator


def bowl(point):
    return {"f": (point["x"] - 0.3) ** 2 + (point["y"] / 10 - 0.2) ** 2}


if __name__ == "__main__":
    vocs = VOCS(variables={"x": [0.0, 1.0], "y": [-5.0, 5.0]}, objectives={"f": "MINIMIZE"})
    generator = SnakeboGenerator(vocs, budget=30, seed=0, storage="sqlite:///run.db", name="libe")
    history, _, flag = Ensemble(
        libE_specs=LibeSpecs(gen_on_manager=True, final_gen_send=True, nworkers=2),
        sim_specs=SimSpecs(simulator=bowl, vocs=vocs),
        gen_specs=GenSpecs(generator=generator, batch_size=2, vocs=vocs),
        alloc_specs=AllocSpecs(alloc_f=only_persistent_gens),
        exit_criteria=ExitCriteria(sim_max=20),
    ).run()
    sys.exit(flag)
"""


@pytest.mark.slow
def test_libensemble_drives_it(tmp_path: Path) -> None:
    pytest.importorskip("libensemble")
    (tmp_path / "run.py").write_text(LIBENSEMBLE)
    done = subprocess.run(
        [sys.executable, "run.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    campaign = sb.Campaign.load(f"sqlite:///{tmp_path / 'run.db'}", "libe")
    told = [trial.values["f"] for trial in campaign.trials if trial.state is sb.State.TOLD]
    assert len(campaign.trials) >= 20
    assert len(told) >= 20
    assert min(told) < 0.02
