"""The examples run, in sizes that take seconds, and do what they say."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import snakebo as sb

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TOKEN = "correct-horse-battery"


def run(example: str, *words: str, **environment: str) -> str:
    """Run an example and return what it printed; it must end well and complain about nothing."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / example), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# --- droplets ---------------------------------------------------------------------------------------------


def words_for_droplets(tmp_path: Path, *more: str) -> list[str]:
    short = ["--droplets", "12", "--speed", "600", "--method", "random-tour"]
    return [*short, "--folder", str(tmp_path), *more]


def test_droplets_with_a_service_of_their_own(tmp_path: Path) -> None:
    pytest.importorskip("httpx", reason="needs snakebo[client]")
    pytest.importorskip("fastapi", reason="needs snakebo[service]")
    printed = run("droplets.py", *words_for_droplets(tmp_path))
    (database,) = tmp_path.glob("droplets-*.db")
    campaign = sb.Campaign.load(f"sqlite:///{database}", database.stem)
    assert len(campaign.trials) == 12
    assert campaign.outstanding == ()
    assert campaign.best is not None
    assert f"Best: droplet {campaign.best.id}, {campaign.best.value:.4f}" in printed
    order = [int(each) for each in re.findall(r"droplet +(\d+) .*under way", printed)]
    assert sorted(order) == list(range(12))
    times = [trial.told_at for trial in campaign.trials if trial.told_at is not None]
    assert order == sorted(order, key=lambda number: times[number])


@pytest.mark.parametrize("signal_", [signal.SIGINT, signal.SIGTERM])
def test_droplets_that_are_interrupted_leave_no_service_behind(tmp_path: Path, signal_: int) -> None:
    pytest.importorskip("httpx", reason="needs snakebo[client]")
    pytest.importorskip("fastapi", reason="needs snakebo[service]")
    with subprocess.Popen(
        [sys.executable, str(ROOT / "examples" / "droplets.py"), "--folder", str(tmp_path), "--speed", "1"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"},
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        while not _asked(tmp_path):
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal_)
        rest, _ = process.communicate(timeout=60)
    assert "interrupted" in rest
    assert process.returncode == 0
    found = re.search(r"http://\S+\d", first)
    assert found is not None
    with pytest.raises(sb.SnakeboError, match="No answer"):
        sb.connect(found[0])


def _asked(folder: Path) -> int:
    """How many droplets the campaign in that folder has asked for."""
    for database in folder.glob("*.db"):
        with suppress(sb.errors.StorageError):  # it is being made
            return len(sb.Campaign.load(f"sqlite:///{database}", database.stem).trials)
    return 0


def test_droplets_at_a_service_that_runs_already(start_service: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("httpx", reason="needs snakebo[client]")
    service = start_service(token=TOKEN)
    for _ in range(2):  # each run is a campaign of its own
        run("droplets.py", *words_for_droplets(tmp_path, "--url", service.url), SNAKEBO_TOKEN=TOKEN)
    names = sb.open_storage(service.storage).names()
    assert len(names) == 2
    assert all(sb.Campaign.load(service.storage, name).finished for name in names)
    assert list(tmp_path.iterdir()) == []


# --- boat -------------------------------------------------------------------------------------------------


def lines_of(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if "chlorophyll" in line and "oxygen" in line]


def test_a_boat_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = run("boat.py", "--folder", str(tmp_path / "whole"), "--jars", "7")
    first = run("boat.py", "--folder", str(tmp_path / "parts"), "--jars", "7", "--stop-after", "4")
    second = run("boat.py", "--folder", str(tmp_path / "parts"))
    assert "Going on after 4 places" in second
    assert len(lines_of(whole)) == 7
    assert len(lines_of(first) + lines_of(second)) == 7
    assert lines_of(first) == lines_of(whole)[:4]
    campaign = sb.Campaign.load(f"sqlite:///{tmp_path / 'parts' / 'boat.db'}", "boat")
    assert campaign.outstanding == ()
    assert campaign.finished
    page = (tmp_path / "parts" / "boat.html").read_text(encoding="utf-8")
    assert "chlorophyll" in page
    assert "oxygen" in page


def test_a_boat_measures_first_what_it_was_sent_to(tmp_path: Path) -> None:
    run("boat.py", "--folder", str(tmp_path), "--jars", "4", "--stop-after", "2")
    storage = f"sqlite:///{tmp_path / 'boat.db'}"
    asked = sb.Campaign.load(storage, "boat").ask()  # and then the power was cut
    run("boat.py", "--folder", str(tmp_path))
    trials = sb.Campaign.load(storage, "boat").trials
    assert [trial.state for trial in trials] == [sb.State.TOLD] * 4
    assert trials[asked.id].x == asked.x


def test_a_boat_has_fuel_for_the_way_home(tmp_path: Path) -> None:
    printed = run("boat.py", "--folder", str(tmp_path), "--jars", "40", "--tank", "3.5")
    campaign = sb.Campaign.load(f"sqlite:///{tmp_path / 'boat.db'}", "boat")
    assert campaign.steps_left > 0
    home = float(campaign.settings.cost([list(campaign.trials[-1].x.values())], [[0.6, 0.6]])[0, 0])
    assert campaign.spent + home <= 3.5
    assert "set aside for the way home" in printed
    for trial in campaign.trials:
        assert campaign.space.inside(campaign.space.to_unit([list(trial.x.values())])).all()


# --- curl -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def curled(start_service: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """What the lines of curl.md print, and the storage that they worked on."""
    if shutil.which("curl") is None or shutil.which("sh") is None:
        pytest.skip("needs curl and a shell")
    text = (ROOT / "examples" / "curl.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    service = start_service(token=TOKEN)
    done = subprocess.run(
        ["sh", "-e"],
        input="\n".join(f"{block}\necho" for block in blocks),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=tmp_path_factory.mktemp("curl"),
        env={**os.environ, "URL": service.url, "TOKEN": TOKEN},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, service.storage


def test_the_lines_of_curl_do_what_they_say(curled: tuple[str, str]) -> None:
    _, storage = curled
    campaign = sb.Campaign.load(storage, "snar")
    states = [(trial.state, trial.attached) for trial in campaign.trials]
    assert states == [(sb.State.FAILED, False), (sb.State.TOLD, False), (sb.State.OUTSTANDING, True)]
    assert campaign.trials[0].reason == "pump stalled"
    assert campaign.trials[1].values == {"yield": 0.73}
    assert campaign.trials[2].x == {"temperature": 60, "equivalents": 2}
    assert len(sb.Campaign.load(storage, "a/b <c>").trials) == 1


def test_the_lines_of_curl_print_answers(curled: tuple[str, str]) -> None:
    printed, _ = curled
    assert '"status":"ok"' in printed
    assert "trial,state,temperature,equivalents,yield,cost,spent,attached,reason" in printed
    assert re.findall(r"^event: (\w+)$", printed, re.MULTILINE).count("asked") == 2
    assert '"type":"urn:snakebo:trial-state"' in re.sub(r'": "', '":"', printed)
