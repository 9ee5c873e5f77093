"""Experiment files: what they mean, and errors that name the file, the line and the key."""

from pathlib import Path

import pytest

from snakebo.bench.experiment import Experiment, PaperColumns
from snakebo.bench.experiment_file import read_experiment, shipped
from snakebo.bench.run import Run
from snakebo.toml_spec import SpecFileError

SMALL = """\
title = "Small"
problems = ["branin2d", {name = "hartmann3d", noise = 0.1}]
budgets = [15]
methods = ["snake", "ei"]
seeds = {first = 1000, count = 2}
figures = ["curves"]
[paper]
setting = "sync"
columns = {snake = "l-SnAKe", "snake-paper:epsilon=lengthscale" = "l-SnAKe"}
[[also]]
problems = ["branin2d"]
methods = ["snake"]
protocols = ["cold", "fixed"]
delays = [5]
cost_budget = 3
start = {x1 = 1, x2 = 2}
fixed = {outputscale = 1, lengthscales = [0.1, 0.2], noise = 1e-5}
"""


def read(text: str, tmp_path: Path) -> Experiment:
    (tmp_path / "small.toml").write_text(text, encoding="utf-8")
    return read_experiment(tmp_path / "small.toml")


def test_a_file_describes_grids(tmp_path: Path) -> None:
    experiment = read(SMALL, tmp_path)
    assert (experiment.name, experiment.title, experiment.kind) == ("small", "Small", "grid")
    assert experiment.figures == ("curves",)
    assert experiment.paper == PaperColumns("sync", {"snake": "l-SnAKe", "snake-paper": "l-SnAKe"})
    fixed = 'fixed:kernel="rbf",lengthscales=[0.1,0.2],mean=0,noise=1e-05,outputscale=1'
    assert set(experiment.runs()) == {
        *(
            Run(problem, 15, 0, method, "paper", None, "random", seed)
            for problem in ("branin2d", "hartmann3d:noise=0.1")
            for method in ("snake", "ei")
            for seed in (1000, 1001)
        ),
        *(
            Run("branin2d", 15, 5, "snake", protocol, 3.0, '{"x1":1.0,"x2":2.0}', seed)
            for protocol in ("cold", fixed)
            for seed in (1000, 1001)
        ),
    }


def test_a_problem_may_have_its_own_hyperparameters(tmp_path: Path) -> None:
    experiment = read(
        'title = "t"\nbudgets = [5]\nseeds = 1\nmethods = ["ei"]\nprotocols = ["fixed"]\n'
        "fixed = {outputscale = 1, lengthscales = 0.1, noise = 1e-5}\n"
        'problems = [{name = "branin2d", fixed = {mean = 0.5}}, "ackley4d"]\n',
        tmp_path,
    )
    means = {run.problem: run.protocol.split("mean=")[1].split(",")[0] for run in experiment.runs()}
    assert means == {"branin2d": "0.5", "ackley4d": "0"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"branin2d", {',
            '"brannin2d", {',
            r"line 2, problems\[0\]: unknown problem.*Did you mean 'branin2d'",
        ),
        ("noise = 0.1", "nois = 0.1", r"line 2, problems\[1\].*nois.*Did you mean 'noise'"),
        ("noise = 0.1", "noise = -1", r"line 2, problems\[1\].*at least 0"),
        ("[15]", "[]", "line 3, budgets: must not be empty"),
        ("[15]", "[15, 0]", r"line 3, budgets\[1\]: must be a whole number from 1 to"),
        ("[15]", "[true]", r"line 3, budgets\[0\]: must be a whole number"),
        ("[15]", '"15"', "line 3, budgets: must be a list"),
        ('"ei"]', '"eii"]', r"line 4, methods\[1\]: Unknown method 'eii'.*did you mean 'ei'"),
        ('"ei"]', "3]", r"line 4, methods\[1\]: must be the name of a method"),
        ("count = 2", "cound = 2", "line 5, seeds.cound: unknown key. Did you mean 'count'"),
        ("{first = 1000, count = 2}", "0", "line 5, seeds: must be a whole number from 1 to"),
        ('"curves"', '"curve"', r"line 6, figures\[0\]: unknown figure.*Did you mean 'curves'"),
        ("figures =", "figure =", "line 6, figure: unknown key. Did you mean 'figures'"),
        ('"l-SnAKe", "snake-paper', '1, "snake-paper', "line 9, paper.columns.snake: must be the name"),
        ('"cold"', '"warm"', r"line 13, also\[0\].protocols\[0\]: unknown protocol.*cold"),
        ("[5]", "[-1]", r"line 14, also\[0\].delays\[0\]"),
        ("cost_budget = 3", "cost_budget = -3", r"line 15, also\[0\].cost_budget: must be positive"),
        ("x2 = 2", "x3 = 2", r"line 16, also\[0\].start.*x3"),
        ("x2 = 2", "x2 = 1000", r"line 16, also\[0\].start"),
        ("[0.1, 0.2]", "[0.1]", r"line 17, also\[0\].fixed: lengthscales has 1 numbers for 2 variables"),
        ("outputscale = 1, ", "", r"line 17, also\[0\].fixed.outputscale: is missing"),
        ('title = "Small"', "", "line 1, title: is missing"),
        (
            'title = "Small"',
            'title = "Small"\nkind = "grit"',
            "line 2, kind: unknown kind.*Did you mean 'grid'",
        ),
        ('title = "Small"', "title = ", "line 1, column 9: this is not TOML"),
        ('title = "Small"', f"title = {'1' * 6000}", "line 1: a value cannot be read"),
    ],
)
def test_errors_name_line_and_key(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in SMALL
    with pytest.raises(SpecFileError, match=rf"(?s)small\.toml.*{message}"):
        read(SMALL.replace(old, new, 1), tmp_path)


def test_hyperparameters_that_nothing_uses_are_an_error(tmp_path: Path) -> None:
    text = (
        SMALL.split("[paper]", maxsplit=1)[0]
        + "fixed = {outputscale = 1, lengthscales = 0.1, noise = 1e-5}\n"
    )
    with pytest.raises(SpecFileError, match="line 7, fixed: is not used"):
        read(text, tmp_path)


def test_one_step_methods_do_not_take_several_objectives(tmp_path: Path) -> None:
    text = SMALL.split("[paper]", maxsplit=1)[0].replace('{name = "hartmann3d", noise = 0.1}', '"ypacarai"')
    with pytest.raises(SpecFileError, match=r"line 4, methods\[1\]: ei optimises one objective"):
        read(text, tmp_path)


def test_other_kinds_keep_their_parameters(tmp_path: Path) -> None:
    experiment = read('title = "t"\nkind = "step"\nfigures = ["step"]\nsteps = 10\n', tmp_path)
    assert (experiment.kind, experiment.parameters, experiment.runs()) == ("step", {"steps": 10}, ())


@pytest.mark.parametrize("name", ["synchronus", "nowhere/none.toml", "."])
def test_an_experiment_that_is_not_there(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecFileError, match=r"Did you mean synchronous|no file|No experiment"):
        read_experiment(name)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    for content, why in {b"\xff\xfe": "UTF-8", b"\0": "not a text file", b"#" * 1_000_001: "larger"}.items():
        (tmp_path / "small.toml").write_bytes(content)
        with pytest.raises(SpecFileError, match=why):
            read_experiment(tmp_path / "small.toml")


@pytest.mark.parametrize("name", shipped())
def test_shipped_experiments_can_be_read(name: str) -> None:
    experiment = read_experiment(name)
    assert experiment.name == name
    assert experiment.title
    assert experiment.figures
    assert experiment.runs() or experiment.kind != "grid"
    if experiment.paper is not None:  # every method that was run stands beside a column
        assert {run.method for run in experiment.runs()} == set(experiment.paper.columns)


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("synchronous", 25 * 6 * 4 * (11 + 1)),
        ("asynchronous", 25 * 6 * 2 * 2 * (9 + 1)),
        ("snar-synchronous", 10 * 4 * (10 + 1)),
        ("snar-asynchronous", 10 * 4 * (9 + 1)),
        ("ypacarai", 10 * 3 * 4),
        ("ypacarai-simultaneous", 10 * 4),
    ],
)
def test_the_papers_experiments_have_their_full_size(name: str, runs: int) -> None:
    assert len(read_experiment(name).runs()) == runs


LAKE = """title = "t"
problems = ["ypacarai-o1"]
budgets = [3]
methods = ["ei"]
protocols = ["fixed"]
fixed = {outputscale = 1, lengthscales = 0.1, noise = 1e-5}
seeds = 2
"""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("delays = []", "line 8, delays: must not be empty"),
        ("start = {x1 = 0, x2 = 0}", "line 8, start: .*outside of its region"),
        ('[paper]\ncolumns = {ei = "EIE"}', r"line 9, paper.columns.ei: .*no column 'EIE'.*'EI'"),
        (
            "[[also]]\nfixed = {outputscale = 1, lengthscales = 0.5, noise = 1e-5}",
            r"line 9, also\[0\].fixed: ypacarai-o1 has other hyper-parameters above",
        ),
    ],
)
def test_what_only_a_table_would_notice_is_noticed_at_once(more: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SpecFileError, match=message):
        read(LAKE + more + "\n", tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds = 2", "seeds = 1000000000", "line 7, seeds: must be a whole number from 1 to"),
        ('"ypacarai-o1"', '{name = "branin2d", noise = 2020-01-01}', r"line 2, problems\[0\]: A setting is"),
    ],
)
def test_what_no_setting_can_be(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SpecFileError, match=message):
        read(LAKE.replace(old, new), tmp_path)
