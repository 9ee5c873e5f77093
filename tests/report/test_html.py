"""The report is one valid page that loads nothing, runs nothing from outside, and is written whole."""

import base64
import errno
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import snakebo as sb
from snakebo.report import FIGURES, ReportError, render_report, write_report

Build = Callable[[str], sb.Campaign]

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
VOID = {"meta", "link", "img", "br", "hr", "input"}
CAMPAIGNS = [
    "empty", "one outstanding", "only failures", "mixed", "several objectives", "one variable",
    "ten variables", "lake", "candidates", "earlier data", "hostile",
]  # fmt: skip


class Page(HTMLParser):
    """Reads a page strictly: what is opened is closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(autouse=True)
def _light(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave Plotly's 5 MB out, except where they matter."""
    if "whole" not in request.node.name:
        monkeypatch.setattr("plotly.offline.get_plotlyjs", lambda: "/* plotly */")


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_page_is_valid_and_accessible(build: Build, name: str) -> None:
    page = Page(render_report(build(name)))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert len(page.all("h1")) == 1
    assert len(page.all("figure")) == len(page.all("figcaption")) == len(FIGURES)
    for _, attributes in page.elements:
        for key in ("aria-labelledby", "aria-describedby", "data-figure"):
            assert attributes.get(key) is None or attributes[key] in ids
    plots = [each for each in page.all("div") if each.get("role") == "img"]
    assert len(plots) == len(FIGURES)
    rows = build(name).trials
    assert len([each for each in page.all("th") if each.get("scope") == "row"]) == len(rows)


@pytest.mark.parametrize("name", ["mixed", "hostile"])
def test_nothing_comes_from_outside(build: Build, name: str) -> None:
    text = render_report(build(name))
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
        assert not {"src", "href", "srcset", "action", "data"} & set(attributes)
        assert not [key for key in attributes if key.startswith("on")]
    assert "://" not in text
    assert "@import" not in text
    assert "url(" not in text


def test_only_the_page_s_own_scripts_may_run_in_the_whole_page(build: Build, tmp_path: Path) -> None:
    text = write_report(build("mixed"), tmp_path / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    scripts = [
        body
        for body, attributes in zip(page.texts["script"], page.all("script"), strict=True)
        if "type" not in attributes
    ]
    assert len(scripts) == 2
    assert len(scripts[0]) > 1e6  # Plotly, once
    (policy,) = [each["content"] for each in page.all("meta") if "http-equiv" in each]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for script in scripts:
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy


def test_what_users_wrote_stays_text(build: Build) -> None:
    text = render_report(build("hostile"))
    page = Page(text)
    assert page.texts["title"] == [EVIL]
    assert page.texts["h1"] == [EVIL]
    assert len(page.all("script")) == len(FIGURES) + 3  # data, colours, Plotly, the page's own
    assert page.all("img") == []
    assert any(EVIL in cell for cell in page.texts["td"])
    assert "<script>alert" not in text


def test_texts_in_figures_are_plain(build: Build) -> None:
    page = Page(render_report(build("hostile")))
    bodies = zip(page.texts["script"], page.all("script"), strict=True)
    data = {attributes["id"]: json.loads(body) for body, attributes in bodies if "type" in attributes}
    assert len(data) == len(FIGURES) + 1
    colors = data.pop("shades")
    for figure in data.values():
        for text in _strings(figure):
            assert "<script" not in text
            assert "<img" not in text
            if "alert" in text:
                assert not any(color in text for color in colors)
                assert "%{x}#" not in text


def _strings(node: Any) -> list[str]:
    if isinstance(node, dict):
        return [text for each in node.values() for text in _strings(each)]
    if isinstance(node, list):
        return [text for each in node for text in _strings(each)]
    return [node] if isinstance(node, str) else []


def test_the_headline_says_what_there_is(build: Build) -> None:
    campaign = build("mixed")
    page = Page(render_report(campaign))
    best = campaign.best
    assert best is not None
    assert page.texts["dd"][1].startswith("9 of 20")
    assert page.texts["dd"][3].startswith("1")
    assert page.texts["dd"][4].startswith("1")
    items = " ".join(page.texts["li"])
    assert f"trial {best.id} at" in items
    for name, value in best.x.items():
        assert f"{name} {value:.5g} mm" in items
    assert any("pump stalled" in cell for cell in page.texts["td"])


def test_each_objective_has_a_headline(build: Build) -> None:
    heads = Page(render_report(build("several objectives"))).texts["h2"]
    assert heads[:2] == ["Highest yield so far", "Lowest waste so far"]


def test_many_trials_make_a_whole_file_below_10_mb(build: Build, tmp_path: Path) -> None:
    assert write_report(build("many"), tmp_path / "many.html").stat().st_size < 10e6


def test_a_report_is_written_whole_or_not_at_all(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.write_text("before")

    def full(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(ReportError, match="No space left"):
            write_report(build("empty"), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    assert write_report(build("empty"), str(path)) == path
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_to_is_named(build: Build, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"no folder .*missing.*create it"):
        write_report(build("empty"), tmp_path / "missing" / "report.html")
    with pytest.raises(ReportError, match="is a folder; name a file"):
        write_report(build("empty"), tmp_path)
    with pytest.raises(ReportError, match="could not be written to '/proc"):
        write_report(build("empty"), "/proc/report.html")


def test_plotly_waits_until_a_figure_is_drawn() -> None:
    program = "import sys, snakebo.report; print('plotly' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "False", done.stderr


def test_a_campaign_writes_its_own_report(build: Build, tmp_path: Path) -> None:
    path = build("one told").report(tmp_path / "mine.html")
    assert path == tmp_path / "mine.html"
    assert Page(path.read_text(encoding="utf-8")).texts["h1"] == ["campaign"]
