"""`python -m snakebo` is the command line."""

from snakebo.cli import app

app(prog_name="snakebo")
