"""bench run, list, export: experiments of many runs, and their results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snakebo.commands.display import print_json, say_table
from snakebo.commands.exits import Exit, say
from snakebo.commands.options import AsJson

if TYPE_CHECKING:
    from snakebo.bench.executors import Executor

bench_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Experiments of many runs: perform them, and tabulate, draw and export their results.",
)

ExperimentName = Annotated[
    str,
    typer.Argument(metavar="EXPERIMENT", help="Name of an experiment (snakebo bench list) or a TOML file."),
]
ResultsPath = Annotated[
    Path | None,
    typer.Option(
        "--results", metavar="PATH", help="Results of the experiment. [default: runs/bench/NAME.db]"
    ),
]


@bench_app.command()
def run(
    experiment: ExperimentName,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, max=1000, metavar="N", help="Processes to use; 1: this one.")
    ] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="Use the Dask cluster there, as tcp://host:8786."
        ),
    ] = None,
    results: ResultsPath = None,
    seeds: Annotated[
        int | None, typer.Option("--seeds", min=1, metavar="N", help="Only the first N seeds.")
    ] = None,
    budgets: Annotated[
        str | None, typer.Option("--budgets", metavar="T,T", help="Only these budgets.")
    ] = None,
    methods: Annotated[
        str | None, typer.Option("--methods", metavar="NAME,NAME", help="Only these methods.")
    ] = None,
    problems: Annotated[
        str | None, typer.Option("--problems", metavar="NAME,NAME", help="Only these problems.")
    ] = None,
) -> None:
    """Perform the runs of an experiment that are not in its results yet.

    Stop it at any time, with Ctrl-C or otherwise: finished runs are stored, and the same command goes on
    with the rest. A run that fails is reported, and missing the next time; the exit code is then 1.

    \b
    Examples:
      snakebo bench run synchronous --jobs 8
      snakebo bench run synchronous --seeds 5 --budgets 15,50 --methods snake,ei
      snakebo bench run mine.toml --scheduler tcp://10.0.0.5:8786
    """
    if scheduler is not None and jobs > 1:
        raise typer.BadParameter("Give --jobs or --scheduler; a cluster has its own number of workers.")
    from snakebo.bench.experiment_file import read_experiment
    from snakebo.bench.progress import show_progress, show_study
    from snakebo.bench.run import name_method
    from snakebo.bench.runner import results_path, run_grid, run_study

    chosen = read_experiment(experiment)
    path = results or results_path(chosen)
    if chosen.kind != "grid":
        if any(each is not None for each in (scheduler, seeds, budgets, methods, problems)) or jobs > 1:
            raise typer.BadParameter(f"{chosen.name} is no grid of runs; it takes no option but --results.")
        with show_study(chosen.name) as watch_study:
            run_study(chosen, path, watch_study)
        print(f"The results are in {path}.")
        return
    chosen = chosen.narrow(
        seeds,
        None if budgets is None else _read_wholes(budgets),
        None if methods is None else [name_method(each) for each in _split_names(methods)],
        None if problems is None else _split_names(problems),
    )
    if not chosen.runs():
        raise typer.BadParameter("No run has all of these: the grids of the experiment differ.")
    try:
        with show_progress(chosen.name) as watch:
            tally = run_grid(chosen, path, _executor(jobs, scheduler), watch)
    except KeyboardInterrupt:
        say(f"Interrupted. Finished runs are stored in {path}; the same command goes on with the rest.")
        raise typer.Exit(Exit.INTERRUPTED) from None
    print(f"{tally.stored} of {tally.total} runs are in {path}.")
    if tally.failures:
        say(f"{len(tally.failures)} runs failed, as told above; the same command tries them again.")
        raise typer.Exit(Exit.ERROR)


@bench_app.command("list")
def list_experiments(json: AsJson = False) -> None:
    """List the experiments that come with snakebo.

    \b
    Examples:
      snakebo bench list
      snakebo bench list --json
    """
    from snakebo.bench.experiment_file import shipped

    titles = shipped()
    if json:
        print_json([{"name": name, "title": title} for name, title in titles.items()])
    else:
        say_table(["name", "what it is"], [list(row) for row in titles.items()])


@bench_app.command()
def export(
    experiment: ExperimentName,
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Where runs.parquet and steps.parquet go.")],
    results: ResultsPath = None,
) -> None:
    """Write results as two Parquet files, small enough to keep beside code.

    The other commands take the directory as --results.

    \b
    Examples:
      snakebo bench export results-snar --to docs/results/snar
    """
    from snakebo.bench.experiment_file import read_experiment
    from snakebo.bench.exported import export as write
    from snakebo.bench.exported import read_results
    from snakebo.bench.runner import results_path

    for file in write(read_results(results or results_path(read_experiment(experiment))), to):
        print(f"Wrote {file} ({file.stat().st_size / 1e3:,.0f} kB).")


def _executor(jobs: int, scheduler: str | None) -> Executor:
    if scheduler is not None:
        from snakebo.bench.dask_cluster import DaskCluster

        return DaskCluster(scheduler)
    if jobs > 1:
        from snakebo.bench.processes import Processes

        return Processes(jobs)
    from snakebo.bench.executors import InProcess

    return InProcess()


def _read_wholes(text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"--budgets are whole numbers, as in 15,50; got {text!r}.") from None


def _split_names(text: str) -> list[str]:
    """Split at commas, except at those between settings: ei,snake:polish=0,keep=1,ucb."""
    names: list[str] = []
    for part in text.split(","):
        if names and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part.strip())
    return names
