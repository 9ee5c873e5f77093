"""serve: campaigns over HTTP, for programs and for people with a browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from snakebo.commands.options import STORAGE, Storage, check_lasting
from snakebo.errors import InputError


def serve(
    storage: Storage = None,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes one that is free.")
    ] = 8765,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="What clients must show. [env var: SNAKEBO_TOKEN]"),
    ] = None,
) -> None:
    """Serve the campaigns of the storage over HTTP, with a dashboard, until Ctrl-C.

    Without a token only this machine is served; any other address needs one. The command line may be used on
    the same storage meanwhile, and so may other services.

    \b
    Examples:
      snakebo serve
      snakebo serve --storage sqlite:///lab.db --port 0
      snakebo serve --host 0.0.0.0 --token-file token.txt
    """
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise InputError("The service needs FastAPI and Uvicorn: pip install 'snakebo[service]'.")
    from snakebo.service.server import address_of, open_socket, read_token, run_service
    from snakebo.storage import open_storage

    where = storage or STORAGE
    check_lasting(where)
    token = read_token(token_file)
    listening = open_socket(host, port, token)
    opened = open_storage(where, timeout_s=10.0)
    who = "whoever has the token" if token else "this machine only"
    run_service(
        opened,
        listening,
        token,
        f"Serving {opened.url} at {address_of(listening)} for {who}. Stop with Ctrl-C.",
    )
