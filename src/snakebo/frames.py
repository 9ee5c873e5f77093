"""Tables at the border: measurements from before come in, trials go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from snakebo.errors import InputError
from snakebo.settings import Settings
from snakebo.trial import Trial
from snakebo.view import Data

if TYPE_CHECKING:
    import pandas as pd


def read_rows(
    frame: pd.DataFrame | Sequence[Mapping[str, float]], settings: Settings
) -> list[dict[str, float]]:
    """Read one measurement a row, a column for each variable and objective; others are left alone.

    Returns plain numbers by name, in the user's units. Raises InputError that names the row at fault.
    """
    import pandas as pd

    try:
        table = pd.DataFrame(frame)
    except (TypeError, ValueError) as error:
        raise InputError(f"The data must be a table or a list of rows by name; got {frame!r}.") from error
    space, columns = settings.space, list(table.columns)
    needed = (*space.names, *settings.objectives)
    if missing := [name for name in needed if name not in columns]:
        given = ", ".join(map(str, columns)) or "none"
        raise InputError(f"The data lack the columns {', '.join(missing)}; they have {given}.")
    if repeated := [name for name in needed if columns.count(name) > 1]:
        raise InputError(f"The data have several columns {', '.join(repeated)}; keep one of each.")
    rows = []
    for number, row in enumerate(table[list(needed)].to_dict("records")):
        try:
            x = space.mapping(space.point({name: row[name] for name in space.names}))
            rows.append({**x, **settings.values({name: row[name] for name in settings.objectives})})
        except InputError as error:
            raise InputError(f"Row {number} of the data: {error} Nothing was added.") from error
    return rows


def as_data(rows: Sequence[Mapping[str, float]], settings: Settings) -> Data:
    """Return rows of plain numbers as observations in the unit cube, to be maximised."""
    space, objectives = settings.space, settings.objectives
    X = np.array([[row[name] for name in space.names] for row in rows]).reshape(len(rows), space.dim)
    Y = np.array([[row[name] for name in objectives] for row in rows]).reshape(len(rows), len(objectives))
    return Data(space.to_unit(X), Y * settings.signs)


def trials_frame(trials: Sequence[Trial], settings: Settings) -> pd.DataFrame:
    """Return one row a trial: state, settings, values, cost of the move, cost spent until then."""
    import pandas as pd

    spent = np.cumsum([trial.cost for trial in trials])
    rows = [
        {
            "trial": trial.id,
            "state": str(trial.state),
            **trial.x,
            **{name: trial.values.get(name, np.nan) for name in settings.objectives},
            "cost": trial.cost,
            "spent": so_far,
            "attached": trial.attached,
            "reason": trial.reason,
        }
        for trial, so_far in zip(trials, spent, strict=True)
    ]
    names = (*settings.space.names, *settings.objectives)
    return pd.DataFrame(
        rows, columns=["trial", "state", *names, "cost", "spent", "attached", "reason"]
    ).set_index("trial")
