"""What the service listens on, and its token."""

import socket
from pathlib import Path

import pytest

from snakebo.errors import InputError
from snakebo.service.server import TOKEN, address_of, open_socket, read_token

SECRET = "correct-horse-battery"


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN, raising=False)


def write_token(folder: Path, text: str = SECRET, mode: int = 0o600) -> Path:
    file = folder / "token.txt"
    file.write_text(text)
    file.chmod(mode)
    return file


def test_a_token_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_token(None) is None
    assert read_token(write_token(tmp_path, f"{SECRET}\n")) == SECRET
    monkeypatch.setenv(TOKEN, "another-token-of-mine")
    assert read_token(None) == "another-token-of-mine"
    assert read_token(write_token(tmp_path)) == SECRET


@pytest.mark.parametrize("mode", [0o644, 0o602, 0o604, 0o777])
def test_a_token_that_everybody_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(InputError, match="chmod 600"):
        read_token(write_token(tmp_path, mode=mode))


@pytest.mark.parametrize(
    "text", ["", "short", "two words are no token", "é" * 20, "a" * 16 + "\0", "a\n" * 20]
)
def test_an_unfit_token_is_refused_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    with pytest.raises(InputError, match="at least 16 visible") as caught:
        read_token(write_token(tmp_path, text))
    assert not text.strip() or text.strip() not in str(caught.value)
    if "\0" not in text:
        monkeypatch.setenv(TOKEN, text)
        with pytest.raises(InputError, match=TOKEN):
            read_token(None)


def test_a_token_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nope.*No such file"):
        read_token(tmp_path / "nope")
    with pytest.raises(InputError, match="cannot be read"):
        read_token(write_token(tmp_path) / "nope")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2"])
def test_this_machine_is_served_without_a_token(host: str) -> None:
    with open_socket(host, 0, None) as listening:
        assert listening.getsockname()[1] > 0
        assert address_of(listening).startswith("http://")
        with socket.create_connection(listening.getsockname()[:2], timeout=5):
            pass


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::"])
def test_other_machines_need_a_token(host: str) -> None:
    with pytest.raises(InputError, match="a token is needed"):
        open_socket(host or "0", 0, None)
    if host != "::":
        with open_socket(host or "0", 0, SECRET) as listening:
            assert address_of(listening).startswith("http://localhost:")


def test_nagle_is_off_for_what_is_accepted() -> None:
    with open_socket("127.0.0.1", 0, None) as listening:
        assert listening.proto == socket.IPPROTO_TCP  # by which asyncio knows that it may switch it off


def test_a_port_that_is_taken_or_a_host_that_is_not_there_is_named() -> None:
    with open_socket("127.0.0.1", 0, None) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: Address already in use"):
            open_socket("127.0.0.1", port, None)
    with pytest.raises(InputError, match="cannot listen on no-such-host"):
        open_socket("no-such-host.invalid", 0, SECRET)
