"""The dashboard's files: there without a token, and nothing beside them."""

from typing import Any

import pytest


def test_plotly_is_served_from_where_it_is_installed(client: Any) -> None:
    from plotly.offline import get_plotlyjs

    answer = client.get("/static/plotly.min.js")
    assert answer.text == get_plotlyjs()
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "max-age" in answer.headers["cache-control"]
    same = client.get("/static/plotly.min.js", headers={"If-None-Match": answer.headers["etag"]})
    assert same.status_code == 304


@pytest.mark.parametrize(
    "target",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/%2e%2e%2fapp.py",
        "/static/../../../../../../../../etc/passwd",
        "/static//etc/passwd",
        "/static/..\\app.py",
        "/static/",
        "/static",
        "/static/nope.js",
        "/static/%00",
        "/static/\xff",
        "/static/" + "a" * 5000,
        "/etc/passwd",
        "/docs",
        "//",
        "",
        "*",
        "http://localhost/api/health",
        "/api",
        "/api/",
        "/api/campaigns/",
        "/API/health",
        "/%61pi/health",
        "/api%2Fhealth",
        "/static/../api/health",
    ],
)
def test_nothing_else_is_served(client: Any, problem: Any, target: str) -> None:
    problem(client.send_raw(target.encode("latin-1")), 404, "not-found")


def test_files_need_no_token(connect: Any, storage: Any) -> None:
    guarded = connect(storage, token="correct-horse-battery")
    assert guarded.get("/static/plotly.min.js").status_code == 200
    assert guarded.get("/openapi.json").status_code == 200
    assert guarded.get("/api/campaigns").status_code == 401
