"""Start a PostgreSQL server in a temporary folder, print its URL, and end it when stdin closes.

    python benchmarks/postgres_server.py [--no-fsync]

It listens on a socket in that folder alone. Started by root it runs as the user postgres or nobody, since
PostgreSQL refuses to run as root. Exit code 3: there is no PostgreSQL here.
"""

import argparse
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ABSENT = 3


def find_programs() -> Path | None:
    """The folder of initdb and pg_ctl; Debian keeps them out of the PATH."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def unprivileged() -> pwd.struct_passwd | None:
    """The user to run as; None where we are no root."""
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def serve(programs: Path, fsync: bool) -> None:
    user = unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="snakebo-pg-"))
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)

    def run(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(programs / program), "-D", str(folder / "data"), *arguments],
            user=None if user is None else user.pw_uid,
            group=None if user is None else user.pw_gid,
            extra_groups=None if user is None else [],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{program} failed: {done.stderr.decode(errors='replace')}")

    try:
        run("initdb", "-U", "snakebo", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c fsync={'on' if fsync else 'off'}"
        run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            print(f"postgresql+psycopg://snakebo@/postgres?host={folder}", flush=True)
            sys.stdin.read()
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--no-fsync", action="store_true", help="do not wait for the disk: for tests")
    where = find_programs()
    if where is None:
        print("PostgreSQL is not installed: there is no initdb", file=sys.stderr)
        sys.exit(ABSENT)
    serve(where, not parser.parse_args().no_fsync)
