"""A service under load, and killed under load: what it hands out, and how long its answers take.

    python benchmarks/service_load.py [--clients 50] [--rounds 20] [--kills 3] [--method snake]

Three parts, each against a `snakebo serve` of its own on SQLite. Reads while plans are made, against reads
when nothing goes on. Clients that ask and tell at the same time, results in random order. The same with the
service killed (SIGKILL) in the middle and clients that try again with the same Idempotency-Key. Fails unless
every trial was handed out once and told, without a 5xx, and unless the ratios of latencies hold.
"""

import argparse
import http.client
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

READ_RATIO, TELL_RATIO = 5.0, 20.0  # of 95th percentiles: while planning, and under load, to idle
PATIENCE_S = 120.0
_IDLE = 40  # asks and tells before the load, one after the other
VARIABLES = [{"name": name, "low": 0, "high": 1} for name in "abcd"]


class Service:
    """A `snakebo serve` process on one port, which can be killed and started again."""

    def __init__(self, storage: str) -> None:
        self.storage, self.port = storage, 0
        self.start()

    def start(self) -> None:
        """Start it, on the port that it had before, if it had one."""
        command = [
            sys.executable,
            "-m",
            "snakebo",
            "serve",
            "--storage",
            self.storage,
            "--port",
            str(self.port),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()  # once it answers
        self.port = int(line.split("127.0.0.1:")[1].split()[0])

    def kill(self) -> None:
        """End it without a warning."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)


@contextmanager
def serving() -> Iterator[Service]:
    with tempfile.TemporaryDirectory() as folder:
        service = Service(f"sqlite:///{folder}/run.db")
        try:
            yield service
        finally:
            service.stop()


class Client:
    """One connection; `patient` ones try again until the service is back."""

    def __init__(self, service: Service, patient: bool = False) -> None:
        self.service, self.patient = service, patient
        self.connection: http.client.HTTPConnection | None = None

    def send(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, Any]:
        """Return the status and the document that a request led to."""
        headers = {} if body is None else {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        text, deadline = None if body is None else json.dumps(body), time.monotonic() + PATIENCE_S
        while True:
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(
                        "127.0.0.1", self.service.port, timeout=PATIENCE_S
                    )
                self.connection.request(method, f"/api/campaigns{path}", text, headers)
                answer = self.connection.getresponse()
                return answer.status, json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                self.connection = None
                if not self.patient or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)


def create(service: Service, name: str, budget: int, method: str) -> Client:
    client = Client(service)
    status, found = client.send(
        "POST", "", {"name": name, "budget": budget, "method": method, "variables": VARIABLES}
    )
    assert status == 201, found
    return client


def measure(x: dict[str, float]) -> float:
    """Something with many hills and some noise, which is not found out soon: plans stay long."""
    hills = math.prod(math.sin((5 + number) * value + number) for number, value in enumerate(x.values()))
    return hills - sum((value - 0.4) ** 2 for value in x.values()) + 0.05 * math.sin(1e5 * sum(x.values()))


def time_calls(call: Callable[[], object], count: int, pause_s: float = 0.0) -> list[float]:
    times = []
    for _ in range(count):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
        time.sleep(pause_s)
    return times


def percentile(times: list[float], share: float = 0.95) -> float:
    """In ms."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


def show(times: list[float]) -> str:
    return f"p50 {percentile(times, 0.5):.1f} p95 {percentile(times):.1f} ms"


def read_while_planning(method: str) -> bool:
    """Read one campaign while another request makes it plan again and again."""
    with serving() as service:
        planner = create(service, "read", 400, method)
        for _ in range(60):
            _, trial = planner.send("POST", "/read/ask")
            planner.send("POST", f"/read/trials/{trial['id']}/tell", {"value": measure(trial["x"])})
        reader, stop, plans = Client(service), threading.Event(), []

        def plan() -> None:
            while not stop.is_set():
                _, trial = planner.send("POST", "/read/ask")
                plans.extend(time_calls(lambda: planner.send("GET", "/read/plan"), 1))
                planner.send("POST", f"/read/trials/{trial['id']}/tell", {"value": measure(trial["x"])})
                plans.extend(time_calls(lambda: planner.send("GET", "/read/plan"), 1))

        reads = {"campaign": "/read", "trials": "/read/trials", "all campaigns": ""}
        idle = {
            what: time_calls(partial(reader.send, "GET", path), 300, 0.005) for what, path in reads.items()
        }
        thread = threading.Thread(target=plan)
        thread.start()
        busy = {
            what: time_calls(partial(reader.send, "GET", path), 300, 0.005) for what, path in reads.items()
        }
        stop.set()
        thread.join()
    print(f"Reads while planning ({len(plans)} plans, 95 % within {percentile(plans):.0f} ms)")
    good = True
    for what in reads:
        ratio = percentile(busy[what]) / percentile(idle[what])
        good &= ratio < READ_RATIO
        print(f"  {what:13} idle {show(idle[what])}, planning {show(busy[what])}: {ratio:.1f} ×")
    return good


@dataclass
class Tally:
    """What the clients saw."""

    asked: list[int] = field(default_factory=list)
    told: list[int] = field(default_factory=list)
    faults: list[tuple[int, Any]] = field(default_factory=list)
    ask_s: list[float] = field(default_factory=list)
    tell_s: list[float] = field(default_factory=list)

    def ask(self, client: Client) -> dict[str, Any]:
        """Ask with a key of its own, which is the same when it has to be tried again."""
        return self._send(client, "/load/ask", None, str(uuid.uuid4()), self.ask_s, self.asked)

    def tell(self, client: Client, trial: dict[str, Any]) -> None:
        """Tell a result."""
        path, body = f"/load/trials/{trial['id']}/tell", {"value": measure(trial["x"])}
        self._send(client, path, body, None, self.tell_s, self.told)

    def _send(
        self, client: Client, path: str, body: Any, key: str | None, times: list[float], ids: list[int]
    ) -> dict[str, Any]:
        began = time.perf_counter()
        status, found = client.send("POST", path, body, key)
        times.append(time.perf_counter() - began)
        if status in (200, 201):
            ids.append(found["id"])
        else:
            self.faults.append((status, found))
        answer: dict[str, Any] = found
        return answer


def work(client: Client, rounds: int, rng: random.Random, tally: Tally) -> None:
    """Ask and tell by turns; results are told in random order."""
    held: list[dict[str, Any]] = []
    left = rounds
    while left or held:
        if left and (not held or rng.random() < 0.5):
            left -= 1
            held.append(tally.ask(client))
        else:
            tally.tell(client, held.pop(rng.randrange(len(held))))


def load(clients: int, rounds: int, kills: int, method: str) -> bool:
    """Let clients work at the same time, with the service killed so many times in between."""
    with serving() as service:
        first = create(service, "load", clients * rounds + _IDLE, method)
        idle = Tally()
        for _ in range(_IDLE):
            idle.tell(first, idle.ask(first))
        tally, began = Tally(), time.perf_counter()
        threads = [
            threading.Thread(
                target=work, args=(Client(service, patient=True), rounds, random.Random(number), tally)
            )
            for number in range(clients)
        ]
        for thread in threads:
            thread.start()
        for kill in range(kills):
            while len(tally.told) < (kill + 1) * clients * rounds // (kills + 1):
                time.sleep(0.01)
            service.kill()
            service.start()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - began
        _, stored = Client(service).send("GET", "/load/trials")
    ratio = percentile(tally.tell_s) / percentile(idle.tell_s)
    every = list(range(_IDLE, _IDLE + clients * rounds))
    claims = {
        "every trial was handed out once": sorted(tally.asked) == every,
        "every result was taken": sorted(tally.told) == every,
        "the storage holds just these, all told": [each["state"] for each in stored["trials"]]
        == ["told"] * (_IDLE + clients * rounds),
        "no request failed": not tally.faults,
    }
    if not kills:
        claims[f"a tell takes at most {TELL_RATIO:g} × as long as alone"] = ratio <= TELL_RATIO
    print(f"{clients} clients × {rounds} ask/tell with {method}, {kills} kills: {took:.1f} s")
    print(f"  ask   {show(tally.ask_s)}; alone {show(idle.ask_s)}")
    print(f"  tell  {show(tally.tell_s)}; alone {show(idle.tell_s)}: {ratio:.1f} ×")
    for claim, holds in claims.items():
        print(f"  {'ok   ' if holds else 'FAIL '}{claim}")
    for fault in tally.faults[:5]:
        print("  ", *fault)
    return all(claims.values())


def main() -> int:
    parser = argparse.ArgumentParser(description="A service under load, and killed under load.")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--method", default="snake")
    parser.add_argument("--only", choices=["reads", "load", "kills"])
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    parts: dict[str, Callable[[], bool]] = {
        "reads": lambda: read_while_planning(options.method),
        "load": lambda: load(options.clients, options.rounds, 0, options.method),
        "kills": lambda: load(options.clients, options.rounds, options.kills, options.method),
    }
    chosen = [run for name, run in parts.items() if options.only in (None, name)]
    return 1 if [run() for run in chosen].count(False) else 0


if __name__ == "__main__":
    sys.exit(main())
