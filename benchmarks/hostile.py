"""Hostile requests to a service: none may lead to a fault (5xx), and none may change anything.

    python benchmarks/hostile.py [--requests 10000] [--seed 0]

A `snakebo serve` with a token and campaigns in which everything has happened. Four kinds of requests, a
quarter each: made up by Schemathesis from the OpenAPI document, those that may change something with a wrong
token; proper ones that would change something, without the token; with the token, and with something wrong in
each, so that none may be granted; and bytes that are no proper HTTP. Fails unless every answer is below 500,
names, definitions, journals and plans in the storage are what they were, and the service still answers.
"""

import argparse
import http.client
import itertools
import json
import math
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import snakebo as sb

TOKEN = "correct-horse-battery-staple"
SPACE = sb.Space([sb.Variable("temperature", 40, 120, unit="°C"), sb.Variable("flow", 1, 5)])
X = {"temperature": 60, "flow": 2}


def fill(storage: str) -> None:
    """Campaigns in which everything has happened: one with a name of all kinds of signs, one that is over."""
    for name in ("snar", "<script>alert(1)</script> a/b %2F é", "over"):
        campaign = sb.Campaign(SPACE, 12, "random-tour", storage=storage, name=name)
        for number in range(12 if name == "over" else 6):
            campaign.ask(key=f"key-{number}")
        campaign.tell(0, 0.5)
        campaign.fail(1, "pump stalled")
        campaign.tell(2, 0.7, x=X)


def state_of(storage: str) -> Any:
    """Everything that the storage holds."""
    opened = sb.open_storage(storage)
    found = {name: (opened.spec(name), opened.read(name)) for name in opened.names()}
    opened.close()
    return found


class Service:
    """A `snakebo serve` process."""

    def __init__(self, storage: str) -> None:
        command = [sys.executable, "-m", "snakebo", "serve", "--storage", storage, "--port", "0"]
        environment = {**os.environ, "SNAKEBO_TOKEN": TOKEN, "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", self.process.stdout.readline())
        assert found, "the service did not start"
        self.port = int(found[1])
        self.statuses: Counter[tuple[str, int | str]] = Counter()
        self.faults: list[Any] = []

    def memory_mb(self) -> float:
        """Return what the process holds in memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def count(self, kind: str) -> int:
        """Return how many requests of a kind were sent."""
        return sum(number for (each, _), number in self.statuses.items() if each == kind)

    def note(self, kind: str, status: int | str, request: Any) -> None:
        """Count an answer."""
        self.statuses[kind, status] += 1
        if isinstance(status, int) and status >= 500:
            self.faults.append((kind, status, request))

    def send(self, kind: str, method: str, path: str, body: Any = None, headers: Any = None) -> int | None:
        """Send a request that HTTP allows; a connection that is cut counts as such."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, headers or {}, encode_chunked=not isinstance(body, bytes))
            answer = connection.getresponse()
            answer.read(10_000)
            status: int | str = answer.status
        except (OSError, http.client.HTTPException) as error:
            status = "cut" if isinstance(error, ConnectionError | http.client.HTTPException) else repr(error)
        finally:
            connection.close()
        self.note(kind, status, (method, path, repr(body)[:300], headers))
        return status if isinstance(status, int) else None

    def send_bytes(self, kind: str, data: bytes) -> None:
        """Send bytes as they are."""
        status: int | str = "cut"
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                answer = connection.recv(1000)
                found = re.match(rb"HTTP/1\.[01] (\d{3})", answer)
                status = int(found[1]) if found else "cut"
            except OSError:
                status = "cut"
        self.note(kind, status, data[:300])


# --- what is wrong with a request ------------------------------------------------------------------------

Request = tuple[str, str, Any, dict[str, str]]  # method, path, body, headers

TELL, FAIL, ATTACH, ASK = (
    f"/api/campaigns/snar/{each}" for each in ("trials/3/tell", "trials/3/fail", "attach", "ask")
)
NEW = "/api/campaigns"
JSON, TOML = {"Content-Type": "application/json"}, {"Content-Type": "application/toml"}


def make_text(rng: random.Random) -> str:
    ranges = [(32, 127), (0, 32), (0x80, 0xD7FF), (0x1F300, 0x1FAFF)]
    known = [
        "../../etc/passwd", "..\\..\\", "' OR 1=1 --", "\u202e", "\ufeff", "%00", "{{7*7}}", "${7*7}", "",
        "<img src=x onerror=alert(1)>", "a" * 100_000, "__proto__", "NaN", "-0", "null", "\x00", "\ud800",
    ]  # fmt: skip
    low, high = rng.choice(ranges)
    return rng.choice([rng.choice(known), "".join(chr(rng.randrange(low, high)) for _ in range(30))])


def make_value(rng: random.Random, depth: int = 0) -> Any:
    """Return anything that JSON, or Python's idea of it, can hold."""
    plain = [
        True,
        None,
        rng.randrange(-(10**30), 10**30),
        rng.uniform(-1e308, 1e308),
        math.nan,
        math.inf,
        1e-320,
    ]
    if depth > 3 or rng.random() < 0.5:
        return rng.choice([*plain, make_text(rng)])
    inner = [make_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return rng.choice([inner, {make_text(rng)[:50]: each for each in inner}])


def break_json(rng: random.Random) -> Request:
    whole = json.dumps({"value": 1, "x": X, "name": "new", "budget": 3}).encode()
    body = rng.choice(
        [
            whole[: rng.randrange(1, len(whole))], whole + b"}", b"\xff\xfe" + whole, b"value=1", b"<xml/>",
            b"[" * rng.randrange(1, 100_000), b'{"a":' * rng.randrange(1, 50_000), b"{'value': 1}",
            b'{"value": ' + b"9" * 10_000 + b"x}", b'"\\ud800"', rng.randbytes(50) + b"\x00", b"\x00" * 100,
        ]
    )  # fmt: skip
    return "POST", rng.choice([TELL, FAIL, ATTACH, NEW, ASK]), body, JSON


def break_definition(rng: random.Random) -> Request:
    variable: dict[str, Any] = {"name": "a", "low": 0, "high": 1}
    spec: dict[str, Any] = {"name": "new", "budget": 5, "variables": [variable]}
    deep: Any = "euclidean"
    for _ in range(rng.randrange(21, 90)):
        deep = {"kind": "sum", "costs": [deep]}
    shore = {"kind": "polygon", "vertices": [[0, 0]] * rng.randrange(2000, 9000)}
    wrong: dict[str, list[Any]] = {
        "budget": [0, -1, 1.5, "5", 10**9, 10**400, True, [5], {}, None],
        "name": ["", ".", "..", "x" * 201, 7, "a\nb", "snar", {}, None],
        "variables": [[], {}, "a", 7, [7], [{}], [variable] * 2, [variable] * 5000, None],
        "method": ["os.system", "snake:x=1", "snake:candidates=99999", "x" * 9999, 7, []],
        "cost": [{"kind": "code", "what": "x"}, {"kind": "geodesic"}, 7, deep, [], "/etc/passwd"],
        "region": [shore, {"kind": "candidates", "file": "/etc/passwd"}, {"kind": "predicate"}, 7],
        "objectives": [[], [{}], {}, [{"name": "a"}], [{"name": "b"}] * 99],
        "start": [{"a": 5}, {"b": 0}, {}, 7, {"a": math.inf}],
        "protocol": ["paper", {"kind": "x"}, 7],
        "cost_budget": [0, -1, "1", math.nan],
        f"not a key {make_text(rng)[:900]}": [make_value(rng) or 0],
    }
    key = rng.choice(list(wrong))
    if rng.random() < 0.2:
        variable["low"] = rng.choice(["0", 2, math.nan, math.inf, True, [0], make_text(rng), None])
    else:
        spec[key] = rng.choice(wrong[key])
    return "POST", NEW, json.dumps(spec).encode(), JSON


def break_toml(rng: random.Random) -> Request:
    body = rng.choice(
        [
            ".".join([rng.choice(["a", "'a#'", "1"])] * rng.randrange(100, 200_000)).encode() + b" = 1",
            b"a = " + b"[" * rng.randrange(1000, 100_000), b"name = 'x'\nbudget = 1" + b"0" * 10_000, b"\xff",
            make_text(rng).encode("utf-8", "replace"), b"[[variables]]\n" * 10_000,
            b'name = "new"\nbudget = 3\n' + b"# " * 300_000,
        ]
    )  # fmt: skip
    return "POST", NEW, body, TOML


def break_values(rng: random.Random) -> Request:
    wrong: dict[str, list[Any]] = {
        TELL: [
            {"value": rng.choice(["1", True, None, [], {}, math.nan, 1e200])}, {"values": {"purity": 1}}, {},
            {"value": 1, "x": rng.choice([7, {}, [], {"temperature": 60}, {**X, "flow": make_text(rng)}])},
            {"value": 1, "hostile": make_value(rng)}, {"value": 1, "replace": 1}, [1], 1, None,
        ],
        TELL.replace("3", "0"): [{"value": 0.6}],  # told already
        FAIL.replace("3", "0"): [{"reason": "told already"}],
        FAIL: [{"reason": 7}, {"reason": []}, {"reason": {}}, {"reason": "x" * 9999}],
        ATTACH: [{"x": {**X, "flow": make_text(rng)}}, {"x": {**X, "flow": 1e9}}, {"y": make_value(rng)}, {}],
        ATTACH.replace("snar", "over"): [{"x": X}],
        ASK: [{"hostile": make_value(rng)}],
        ASK.replace("snar", "over"): [{}],
    }  # fmt: skip
    path = rng.choice(list(wrong))
    return "POST", path, json.dumps(rng.choice(wrong[path])).encode(), JSON


def send_too_much(rng: random.Random) -> Request:
    size = rng.choice([1_000_001, 1_500_000])
    chunks = (b" " * 50_000 for _ in range(size // 50_000 + 1))  # a length that is not announced
    return "POST", rng.choice([TELL, FAIL, ATTACH, NEW, ASK]), rng.choice([b" " * size, chunks]), JSON


def mistype(rng: random.Random) -> Request:
    known = ["", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-7", "*/*"]
    kind = rng.choice([*known, "application/jsonp", rng.randbytes(20).hex()])
    return "POST", TELL, b'{"value": 1, "replace": true}', {"Content-Type": kind}


def miss(rng: random.Random) -> Request:
    name = quote(make_text(rng)[:200].encode("utf-8", "replace"), safe="")
    paths = [
        f"/api/campaigns/no-{name}/ask",
        *(f"{NEW}/snar/trials/{n}/tell" for n in ("99", "-1", "1e1", name)),
    ]
    return "POST", rng.choice(paths), b"{}", JSON


def mislabel(rng: random.Random) -> Request:
    keys = ["", "x" * 201, "two words", "\xe9", "a\tb"]
    wrong = [{"Idempotency-Key": rng.choice(keys)}, {"Origin": "https://evil.example"}, {"Origin": "null"},
             {"Sec-Fetch-Site": "cross-site"}, {"Content-Length": "7x"}]  # fmt: skip
    return "POST", ASK, b"", rng.choice(wrong)


def stray(rng: random.Random) -> Request:
    trick = rng.choice(
        ["..", "%2e%2e", "%2e%2e%2f", "%00", "%ff", "%c0%ae", "//", "\\", ";a", "%", "%2", "."]
    )
    base = rng.choice([f"{NEW}/snar", "/static", "/api", f"{NEW}/snar/figures", ""])
    end = rng.choice(["app.py", "etc/passwd", "index.html", "token", trick])
    return rng.choice(["GET", "POST"]), f"{base}/{trick}/{end}", b"", {}


def misdo(rng: random.Random) -> Request:
    method = rng.choice(["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "HEAD", "BREW"])
    return method, rng.choice([TELL, FAIL, ATTACH, NEW, ASK, f"{NEW}/snar"]), b"{}", JSON


def misread(rng: random.Random) -> Request:
    part, number = (
        quote(make_text(rng)[:100].encode("utf-8", "replace"), safe=""),
        rng.randrange(-(10**20), 10**20),
    )
    what = rng.choice(
        [f"trials?after={part}", f"trials?limit={number}", f"trials?state={part}", f"trials?format={part}",
         f"figures/{part}", f"events?after={part}x", f"trials?{'a=1&' * 2000}", f"plan?{part}"]
    )  # fmt: skip
    return "GET", f"{NEW}/snar/{what}", b"", {"If-None-Match": quote(part)}


WRONGS = (
    break_json, break_definition, break_toml, break_values, send_too_much, mistype, miss, mislabel, stray,
    misdo, misread,
)  # fmt: skip


# --- the four kinds ---------------------------------------------------------------------------------------


def send_wrong(service: Service, rng: random.Random) -> None:
    """Send a request with the token and something wrong in it."""
    method, path, body, headers = rng.choice(WRONGS)(rng)
    service.send("wrong", method, path, body, {"Authorization": f"Bearer {TOKEN}", **headers})


def send_without_token(service: Service, rng: random.Random) -> None:
    """Send a proper request that would change something, with no token or a wrong one."""
    name = quote(rng.choice(["snar", "over", "<script>alert(1)</script> a/b %2F é"]), safe="")
    spec = {"name": f"new{rng.random()}", "budget": 5, "variables": [{"name": "a", "low": 0, "high": 1}]}
    method, path, body = rng.choice(
        [
            ("POST", f"{NEW}/{name}/ask", {}),
            ("POST", f"{NEW}/{name}/attach", {"x": X}),
            ("POST", f"{NEW}/{name}/trials/{rng.randrange(6)}/tell", {"value": 9, "replace": True}),
            ("POST", f"{NEW}/{name}/trials/{rng.randrange(6)}/fail", {"reason": "hostile"}),
            ("POST", NEW, spec),
            ("GET", f"{NEW}/{name}/trials", {}),
        ]
    )
    given = ["Bearer", "Bearer x", f"bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN,
             f"Bearer {TOKEN.upper()}", f"Bearer {TOKEN} {TOKEN}", "Bearer null", "Bearer é"]  # fmt: skip
    headers = {"Idempotency-Key": "key-0", "X-Forwarded-For": "127.0.0.1", "Cookie": f"token={TOKEN}"}
    if rng.random() < 0.8:
        headers["Authorization"] = rng.choice(given)
    service.send("no token", method, path, json.dumps(body).encode(), {**JSON, **headers})


def send_garbage(service: Service, rng: random.Random) -> None:
    """Send bytes that are no proper HTTP; what a server may take after all asks where nothing is left."""
    head = b" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN.encode() + b"\r\n"
    proper, futile = b"POST " + ASK.encode() + head, b"POST " + ASK.replace("snar", "over").encode() + head
    noise = rng.randbytes(rng.randrange(1, 400))
    garbage = [
        noise,
        b"\x16\x03\x01" + noise,  # a TLS greeting
        proper[: rng.randrange(1, len(proper))],
        proper + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        proper + b"Content-Length: -1\r\n\r\n",
        proper + b"Content-Length: 99999999999999999999\r\n\r\n{",
        proper + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nZZZ\r\n",
        proper + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        proper + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        proper + b"X-Bad\x00Name: 1\r\n\r\n",
        futile.replace(b"HTTP/1.1", b"HTTP/9.9") + b"\r\n",
        futile + b"X: " + b"a" * rng.randrange(70_000, 200_000) + b"\r\n\r\n",
        futile + b"".join(b"X-%d: y\r\n" % n for n in range(10_000)) + b"\r\n",
        b"GET " + b"/" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\n\r\n",
        b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        futile.replace(b"POST", b"GET")
        + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\n"
        b"Sec-WebSocket-Version: 13\r\n\r\n",
    ]
    service.send_bytes("garbage", rng.choice(garbage))


def send_made_up(service: Service, count: int) -> None:
    """Send what Schemathesis makes up from the document; what may change something with a wrong token."""
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis.errors import Unsatisfiable

    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{service.port}/openapi.json")
    operations: list[Any] = [each.ok() for each in schema.get_all_operations()]  # type: ignore[union-attr]
    operations = [each for each in operations if not each.path.endswith("/events")]  # streams do not end

    def send(case: Any) -> None:
        token = TOKEN if case.method.upper() == "GET" else "wrong-wrong-wrong-wrong"
        answer = case.call(headers={"Authorization": f"Bearer {token}"}, timeout=30)
        service.note("schemathesis", answer.status_code, (case.method, case.formatted_path))

    for number, (operation, mode) in enumerate(itertools.product(operations, schemathesis.GenerationMode)):
        while_left = max(1, (count - service.count("schemathesis")) // (2 * len(operations) - number))
        budget = settings(
            max_examples=while_left, phases=[Phase.generate], deadline=None, database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        with suppress(Unsatisfiable):  # an operation without parameters cannot be asked wrongly
            seed(0)(budget(given(case=operation.as_strategy(generation_mode=mode))(send)))()


def main() -> int:
    parser = argparse.ArgumentParser(description="Hostile requests to a service.")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    quarter, rng = options.requests // 4, random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        storage = f"sqlite:///{folder}/run.db"
        fill(storage)
        before, service = state_of(storage), Service(storage)
        memory = service.memory_mb()
        try:
            send_made_up(service, quarter)
            for send in (send_without_token, send_wrong, send_garbage):
                for _ in range(quarter):
                    send(service, rng)
            alive = service.send("alive", "GET", "/api/health") == 200
            grown = service.memory_mb() - memory
        finally:
            service.process.send_signal(signal.SIGINT)
            service.process.communicate(timeout=20)
        unchanged = state_of(storage) == before
    claims = {
        "no answer was a fault": not service.faults,
        "nothing was changed": unchanged,
        "no request without the token was let in": not any(
            kind == "no token" and status != 401 for kind, status in service.statuses
        ),
        "the service still answers": alive,
    }
    print(f"{service.statuses.total()} hostile requests; the service grew by {grown:.0f} MB")
    for kind in dict.fromkeys(kind for kind, _ in service.statuses):
        counts = {status: n for (each, status), n in service.statuses.items() if each == kind}
        print(f"  {kind:13}", ", ".join(f"{status}: {n}" for status, n in sorted(counts.items(), key=str)))
    for claim, holds in claims.items():
        print(f"  {'ok   ' if holds else 'FAIL '}{claim}")
    for fault in service.faults[:10]:
        print("  ", *fault)
    return 0 if all(claims.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
