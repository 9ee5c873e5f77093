"""How a command ends: its exit code, and a message on stderr instead of a traceback."""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import Any

import typer
from typer.core import TyperGroup

from snakebo.errors import (
    BudgetSpentError,
    CampaignExistsError,
    SnakeboError,
    StorageError,
    UnknownCampaignError,
    reword,
)


class Exit(IntEnum):
    """What the exit code says; 2 is a command that was written wrongly, as usual."""

    OK = 0
    ERROR = 1
    USAGE = 2
    NOTHING_LEFT = 3
    STORAGE = 4
    INTERRUPTED = 130


_IN_COMMANDS = {
    "Go on with Campaign.load": "Go on with it",
    "Pass replace=True": "Pass --replace",
    "fail(id, reason)": "snakebo fail ID REASON",
    "Use add_data for": "Use snakebo import for",
    "pass Paper(guess=…), or use optimize(f, protocol='paper')": "give its guess",
}


def code_of(error: Exception) -> Exit:
    """Return the exit code for an error of the package."""
    if isinstance(error, BudgetSpentError):
        return Exit.NOTHING_LEFT
    if isinstance(error, StorageError) and not isinstance(error, UnknownCampaignError | CampaignExistsError):
        return Exit.STORAGE
    return Exit.ERROR


def say(message: str) -> None:
    """Print a message for people to stderr, in one piece, so that scripts can search it."""
    print(message, file=sys.stderr, flush=True)


class Commands(TyperGroup):
    """A group of commands in which no error of a request ends in a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; turn errors into messages and exit codes."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a terminal that has no °C gets a question mark
        try:
            return super().invoke(ctx)
        except SnakeboError as error:
            say(f"Error: {reword(error, _IN_COMMANDS)}")
            raise typer.Exit(code_of(error)) from error
        except BrokenPipeError:
            raise  # `snakebo export | head`: Typer ends quietly
        except OSError as error:
            say(f"Error: {error}")
            raise typer.Exit(Exit.ERROR) from error
        except KeyboardInterrupt:
            say("Interrupted.")
            raise typer.Exit(Exit.INTERRUPTED) from None
