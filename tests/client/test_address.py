"""URLs, tokens and names as users give them."""

from typing import Any

import pytest

from snakebo.client.address import check_seconds, check_token, check_url, encode
from snakebo.errors import InputError


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:8765", ("http://localhost:8765", "localhost")),
        ("http://localhost:8765/", ("http://localhost:8765", "localhost")),
        ("https://lab.example/snakebo/", ("https://lab.example/snakebo", "lab.example")),
        ("http://[::1]:8765", ("http://[::1]:8765", "::1")),
    ],
)
def test_urls(url: str, expected: tuple[str, str]) -> None:
    assert check_url(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost:8765", "ftp://localhost", "http://", "http://host:99999", "http://host:port",
        "http://host/a b", "http://host/\n", "http://[::1", "http://host/?token=hush", "http://host/#x",
        "http://me:hush@host", None, 8765, b"http://host",
    ],
)  # fmt: skip
def test_what_is_no_url_of_a_service_is_not_repeated(url: Any) -> None:
    with pytest.raises(InputError, match="such as http://localhost:8765") as caught:
        check_url(url)
    assert "hush" not in str(caught.value)


def test_tokens() -> None:
    assert check_token(None) is None
    assert check_token("abc.DEF-1\n") == "abc.DEF-1"


@pytest.mark.parametrize("token", ["", "  ", "hush hush", "hush\r\nX-Evil: 1", "hüsh", 12345, b"hush"])
def test_a_token_that_no_header_can_hold_is_not_shown(token: Any) -> None:
    with pytest.raises(InputError, match="visible ASCII") as caught:
        check_token(token)
    assert "sh" not in str(caught.value).replace("visible ASCII", "")


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "10", None, True])
def test_seconds_are_positive_numbers(seconds: Any) -> None:
    with pytest.raises(InputError, match="patience must be"):
        check_seconds(seconds, "patience")


@pytest.mark.parametrize(
    ("part", "encoded"),
    [("snar", "snar"), ("a/b <c>", "a%2Fb%20%3Cc%3E"), ("..", "%2E%2E"), (".", "%2E"), ("a.b", "a.b"),
     ("50%", "50%25"), ("ü?#", "%C3%BC%3F%23"), ("\ud800", "%3F")],
)  # fmt: skip
def test_parts_of_a_path(part: str, encoded: str) -> None:
    assert encode(part) == encoded
