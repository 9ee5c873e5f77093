"""The command line: `snakebo`. Parse, call, print; nothing heavy is imported before a command needs it."""

from __future__ import annotations

from typing import Annotated

import typer

from snakebo.commands import bench_views, definition, overview, run, serve, tables, trials
from snakebo.commands.bench import bench_app
from snakebo.commands.exits import Commands
from snakebo.commands.options import GlobalName, GlobalStorage

_EPILOG = """
\b
Exit codes:
  0    done
  1    the request cannot be fulfilled; stderr says why
  2    the command is written wrongly
  3    nothing is left to ask: the budget is spent
  4    the storage is unavailable
  130  interrupted with Ctrl-C
"""

app = typer.Typer(
    name="snakebo",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=_EPILOG,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from snakebo import __version__

        print(f"snakebo {__version__}")
        raise typer.Exit


@app.callback()
def main(
    storage: GlobalStorage = None,
    name: GlobalName = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Bayesian optimization where moving between settings costs something and results come late.

    \b
    From nothing to a first setting:
      snakebo init --example reactor     write reactor.toml, and adapt it
      snakebo init reactor.toml          create the campaign
      snakebo ask                        which setting to try next
      snakebo tell 0 0.12                what came out of it
      snakebo status                     where the campaign stands
    """


_NEGATIVE = {"ignore_unknown_options": True}  # -0.3 is a result, not an option

app.command()(definition.init)
app.command()(trials.ask)
app.command(context_settings=_NEGATIVE)(trials.tell)
app.command(context_settings=_NEGATIVE)(trials.fail)
app.command()(trials.attach)
app.command()(overview.status)
app.command()(overview.plan)
app.command()(overview.best)
app.command("list")(definition.list_campaigns)
app.command()(tables.export)
app.command("import")(tables.import_data)
app.command()(tables.report)
app.command()(run.run)
app.command()(serve.serve)
app.command("methods")(definition.list_methods)
app.command("problems")(definition.list_problems)
bench_app.command()(bench_views.table)
bench_app.command()(bench_views.figures)
app.add_typer(bench_app, name="bench")
