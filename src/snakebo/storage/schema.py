"""The tables, their version, and how an older database becomes a present one."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy import Connection

from snakebo.errors import StorageFormatError

VERSION = 2

_metadata = sa.MetaData()

schema = sa.Table("snakebo_schema", _metadata, sa.Column("version", sa.Integer, nullable=False))

campaigns = sa.Table(
    "snakebo_campaigns",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
)

events = sa.Table(
    "snakebo_events",
    _metadata,
    sa.Column("campaign_id", sa.ForeignKey(campaigns.c.id), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)

# Apart from the campaigns, whose rows then never change.
plans = sa.Table(
    "snakebo_plans",
    _metadata,
    sa.Column("campaign_id", sa.ForeignKey(campaigns.c.id), primary_key=True, autoincrement=False),
    sa.Column("seq", sa.Integer, nullable=False),  # of the event that brought it
    sa.Column("points", sa.Text, nullable=False),
    sa.Column("previous_seq", sa.Integer, nullable=False, server_default="0"),  # the same of the one before
    sa.Column("previous_points", sa.Text, nullable=False, server_default="[]"),
)


def _keep_previous_plans(connection: Connection) -> None:
    for column in (plans.c.previous_seq, plans.c.previous_points):
        kind = column.type.compile(connection.dialect)
        default = f"DEFAULT '{column.server_default.arg}'"  # type: ignore[union-attr]
        connection.exec_driver_sql(
            f"ALTER TABLE {plans.name} ADD COLUMN {column.name} {kind} NOT NULL {default}"
        )


# From which version each step starts; it leads to the next one, inside the transaction of `bring_up_to_date`.
MIGRATIONS: dict[int, Callable[[Connection], None]] = {1: _keep_previous_plans}


def version_of(connection: Connection) -> int | None:
    """Return the version of the tables; None where there are none. Raises if they are newer than ours."""
    if not sa.inspect(connection).has_table(schema.name):
        return None
    version = connection.execute(sa.select(schema.c.version)).scalar_one_or_none()
    if version is None:
        raise StorageFormatError(f"{schema.name} has no version; the database was tampered with.")
    if version > VERSION:
        raise StorageFormatError(
            f"The database was written by a newer snakebo (format {version}, this one knows {VERSION}); "
            "upgrade snakebo to use it."
        )
    return int(version)


def bring_up_to_date(connection: Connection) -> None:
    """Create the tables, or migrate older ones step by step; to be called inside a writing transaction."""
    version = version_of(connection)
    if version is None:
        _metadata.create_all(connection)
        connection.execute(schema.insert().values(version=VERSION))
        return
    while version < VERSION:
        if version not in MIGRATIONS:
            raise StorageFormatError(f"No way is known from format {version} of the database to {VERSION}.")
        MIGRATIONS[version](connection)
        version += 1
        connection.execute(schema.update().values(version=version))
