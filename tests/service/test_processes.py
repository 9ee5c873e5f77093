"""`snakebo serve` as a process: what it says, when it refuses, how it ends, and two of them on one file."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import snakebo as sb

httpx = pytest.importorskip("httpx", reason="needs snakebo[client]")

pytestmark = pytest.mark.slow

TOKEN = "correct-horse-battery"
SPEC = {
    "name": "a",
    "budget": 200,
    "method": "random-tour",
    "variables": [{"name": "x", "low": 0, "high": 1}],
}

Start = Callable[..., tuple[subprocess.Popen[str], str]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Start]:
    """A function that starts `snakebo serve` on one SQLite file; returns the process and its first line."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str, **environment: str) -> tuple[subprocess.Popen[str], str]:
        storage = f"sqlite:///{tmp_path / 'run.db'}"
        process = subprocess.Popen(
            [sys.executable, "-m", "snakebo", "serve", "--storage", storage, "--port", "0", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **{key: value for key, value in os.environ.items() if key != "SNAKEBO_TOKEN"},
                **environment,
            },
        )
        started.append(process)
        assert process.stdout is not None
        return process, process.stdout.readline()

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def http() -> Iterator[Any]:
    """A client with patience: machines that run tests are busy."""
    with httpx.Client(timeout=60) as client:
        yield client


def address_in(line: str) -> str:
    found = re.search(r"http://\S+:\d+", line)
    assert found, line
    return found[0]


def test_it_says_what_it_serves_and_where(serve: Start, http: Any, tmp_path: Path) -> None:
    process, line = serve()
    assert re.fullmatch(
        rf"Serving sqlite:///{tmp_path}/run\.db at http://127\.0\.0\.1:\d+ for this machine only\. "
        r"Stop with Ctrl-C\.\n",
        line,
    )
    url = address_in(line)
    assert http.get(f"{url}/api/health").json()["status"] == "ok"
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=30)
    assert (process.returncode, out, errors) == (0, "Stopped.\n", "")


def test_the_address_is_in_use_message_and_others_have_no_traceback(serve: Start) -> None:
    _, line = serve()
    port = address_in(line).rpartition(":")[2]
    second, said = serve("--port", port)
    _, errors = second.communicate(timeout=60)
    assert (second.returncode, said) == (1, "")
    assert errors.startswith(
        f"Error: The service cannot listen on 127.0.0.1, port {port}: Address already in use"
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_it_refuses_other_machines_without_a_token(serve: Start, tmp_path: Path, host: str) -> None:
    process, line = serve("--host", host)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, line) == (1, "")
    assert "a token is needed" in errors
    assert not (tmp_path / "run.db").exists()


def test_with_a_token_it_serves_all(serve: Start, http: Any, tmp_path: Path) -> None:
    file = tmp_path / "token.txt"
    file.write_text(TOKEN)
    file.chmod(0o600)
    process, line = serve("--host", "0.0.0.0", "--token-file", str(file))
    assert "for whoever has the token" in line
    url = address_in(line)
    assert http.get(f"{url}/api/campaigns").status_code == 401
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert http.get(f"{url}/api/campaigns", headers=headers).json() == {"campaigns": []}
    process.send_signal(signal.SIGTERM)
    out, errors = process.communicate(timeout=30)
    assert TOKEN not in line + out + errors
    assert TOKEN not in Path(f"/proc/{os.getpid()}/cmdline").read_text()


def test_a_token_that_everybody_can_read_is_refused(serve: Start, tmp_path: Path) -> None:
    file = tmp_path / "token.txt"
    file.write_text(TOKEN)
    file.chmod(0o644)
    process, _ = serve("--token-file", str(file))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "chmod 600" in errors
    assert TOKEN not in errors


def test_a_storage_that_would_end_with_it_is_refused(serve: Start) -> None:
    process, _ = serve("--storage", "memory:")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "memory: ends with the command" in errors


def test_ctrl_c_ends_it_with_streams_open_and_a_plan_under_way(
    serve: Start, http: Any, tmp_path: Path
) -> None:
    process, line = serve()
    url = address_in(line)
    space = sb.Space([sb.Variable(f"v{number}", 0, 1) for number in range(50)])
    minutes = "snake:candidates=8192,starts=48,climbs=112,features=4096"
    slow = sb.Campaign(space, 3000, minutes, storage=f"sqlite:///{tmp_path}/run.db", name="slow")
    for number in range(2):
        slow.tell(slow.attach(dict.fromkeys(space.names, number)).id, number)
    ended: list[str] = []

    def listen() -> None:
        with http.stream("GET", f"{url}/api/campaigns/slow/events") as stream:
            ended.extend(stream.iter_lines())

    def plan() -> None:
        try:
            http.get(f"{url}/api/campaigns/slow/plan")
        except httpx.TransportError:
            ended.append("cut")

    threads = [threading.Thread(target=each) for each in (listen, listen, plan)]
    for thread in threads:
        thread.start()
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "Stopped.\n"), errors
    for thread in threads:
        thread.join(timeout=10)
        assert not thread.is_alive()


def test_events_of_the_command_line_and_of_another_service_show_up(
    serve: Start, http: Any, tmp_path: Path
) -> None:
    first, second = address_in(serve()[1]), address_in(serve()[1])
    assert http.post(f"{first}/api/campaigns", json=SPEC).status_code == 201
    events: list[tuple[str, Any]] = []
    with http.stream("GET", f"{first}/api/campaigns/a/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert next(lines) == ": listening"
        http.post(f"{second}/api/campaigns/a/ask")
        command = [
            sys.executable,
            "-m",
            "snakebo",
            "tell",
            "0",
            "0.5",
            "--storage",
            f"sqlite:///{tmp_path}/run.db",
        ]
        subprocess.run(command, check=True, capture_output=True)
        kind = ""
        while len(events) < 3:
            line = next(lines)
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: "):
                events.append((kind, json.loads(line.removeprefix("data: "))))
    assert [kind for kind, _ in events] == ["asked", "replanned", "told"]
    assert events[2][1]["trial"]["value"] == 0.5
    with http.stream("GET", f"{second}/api/campaigns/a/events", headers={"Last-Event-ID": "1"}) as stream:
        texts = (line for line in stream.iter_lines() if line.startswith("id: "))
        assert next(texts) == "id: 2"


def test_two_services_on_one_file_hand_out_every_trial_once(serve: Start, http: Any, tmp_path: Path) -> None:
    urls = [address_in(serve()[1]) for _ in range(2)]
    http.post(f"{urls[0]}/api/campaigns", json=SPEC)
    asked: list[int] = []
    faults: list[Any] = []

    def work(url: str) -> None:
        with httpx.Client(base_url=url, timeout=60) as client:
            for _ in range(15):
                answer = client.post("/api/campaigns/a/ask")
                if answer.status_code != 201:
                    faults.append(answer.text)
                    return
                asked.append(answer.json()["id"])
                told = client.post(f"/api/campaigns/a/trials/{asked[-1]}/tell", json={"value": 0.5})
                if told.status_code != 200:
                    faults.append(told.text)

    threads = [threading.Thread(target=work, args=(url,)) for url in urls * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sorted(asked) == list(range(90))
    campaign = sb.Campaign.load(f"sqlite:///{tmp_path}/run.db", "a")
    assert all(trial.state == "told" for trial in campaign.trials)


def test_an_ask_whose_answer_was_lost_is_repeated_after_a_crash(serve: Start, http: Any) -> None:
    process, line = serve()
    url = address_in(line)
    http.post(f"{url}/api/campaigns", json=SPEC)
    key = {"Idempotency-Key": "0b0e1a52"}
    trial = http.post(f"{url}/api/campaigns/a/ask", headers=key).json()
    process.kill()
    process.wait()
    _, line = serve()
    again = http.post(f"{address_in(line)}/api/campaigns/a/ask", headers=key)
    assert (again.status_code, again.json()) == (200, trial)
