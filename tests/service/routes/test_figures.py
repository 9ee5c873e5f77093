"""Figures over HTTP: every one of the report, drawn once for each event."""

from typing import Any

import pytest

import snakebo as sb
from snakebo.report import FIGURES

FIGURE = "/api/campaigns/snar/figures"


@pytest.mark.parametrize("name", list(FIGURES))
def test_every_figure_of_the_report_can_be_drawn(client: Any, snar: sb.Campaign, name: str) -> None:
    for value in (0.1, 0.4, 0.2):
        snar.tell(snar.ask().id, value)
    answer = client.get(f"{FIGURE}/{name}")
    assert answer.status_code == 200
    found = answer.json()
    assert {"data", "layout"} <= set(found)
    assert found["layout"]["meta"]["title"]


def test_a_figure_is_drawn_once_for_each_event(
    client: Any, snar: sb.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, draw = [], FIGURES["path"]

    def watch(campaign: Any) -> Any:
        drawn.append(len(campaign.trials))
        return draw(campaign)

    monkeypatch.setitem(FIGURES, "path", watch)
    first = client.get(f"{FIGURE}/path")
    tag = {"If-None-Match": first.headers["etag"]}
    assert client.get(f"{FIGURE}/path").content == first.content
    same = client.get(f"{FIGURE}/path", headers=tag)
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", first.headers["etag"])
    snar.ask()
    changed = client.get(f"{FIGURE}/path", headers=tag)
    assert changed.status_code == 200
    assert changed.headers["etag"] != first.headers["etag"]
    assert changed.content != first.content
    assert drawn == [0, 1]


def test_an_unknown_figure_is_not_found(client: Any, snar: sb.Campaign, problem: Any) -> None:
    for name in ("nope", "..%2Fpath", "path.json", "__class__"):
        assert "there are best_against_cost" in problem(client.get(f"{FIGURE}/{name}"), 404, "not-found")
