"""For all tests: examples take their time; a real service in a process of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)  # how long an example takes is not tested
settings.load_profile("any machine")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # a shell does that to what it runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs under test are to hear it


@dataclass
class ServiceProcess:
    """`snakebo serve` on a storage. It can be killed, and started again at the same address."""

    storage: str
    token: str | None = None
    port: int = 0  # any, until the first start
    _process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it says that it serves."""
        environment = {key: value for key, value in os.environ.items() if key != "SNAKEBO_TOKEN"}
        environment |= {"OMP_NUM_THREADS": "1"} | ({"SNAKEBO_TOKEN": self.token} if self.token else {})
        words = ["serve", "--storage", self.storage, "--port", str(self.port)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "snakebo", *words], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://\S+?:(\d+)", line)
        if found is None:
            self.kill()
            pytest.fail(f"the service did not start; it said {line!r}")
        self.port = int(found[1])

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="session")
def start_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """A function that starts a service on a new SQLite file, or on a given storage."""
    pytest.importorskip("fastapi", reason="needs snakebo[service]")
    started: list[ServiceProcess] = []

    def start(storage: str | None = None, **settings: Any) -> ServiceProcess:
        folder: Path = tmp_path_factory.mktemp("service")
        started.append(ServiceProcess(storage or f"sqlite:///{folder / 'campaigns.db'}", **settings))
        return started[-1]

    yield start
    for service in started:
        service.kill()
