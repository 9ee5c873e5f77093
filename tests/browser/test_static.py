"""The dashboard's files: nothing from elsewhere, nothing inline, no HTML made of texts."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import snakebo
from snakebo import methods

STATIC = Path(snakebo.__file__).parent / "service" / "static"
SCRIPTS = sorted(STATIC.glob("js/**/*.js"))
STYLES = sorted(STATIC.glob("css/*.css"))
GENERATED = {"/static/theme.css", "/static/theme.js", "/static/plotly.min.js"}


def test_the_page_has_no_script_style_or_handler_of_its_own() -> None:
    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            names = dict(attrs)
            assert tag not in ("style", "iframe", "object", "base")
            assert not [name for name in names if name.startswith("on") or name == "style"]
            assert tag != "script" or names.get("src")
            for link in (names.get("src"), names.get("href")):
                if link and link.startswith("/"):
                    assert link in GENERATED or (STATIC / link.removeprefix("/static/")).is_file()
                else:
                    assert link is None or link.startswith("#")

    Reader().feed((STATIC / "index.html").read_text())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_make_no_html_and_load_only_what_is_there(script: Path) -> None:
    text = script.read_text()
    assert max(map(len, text.splitlines())) <= 110
    assert not re.search(r"(inner|outer|Adjacent)HTML|document\.write|\beval\b|new Function|https?:", text)
    for found in re.findall(r'^import .*? from "(.*?)";$|import\("(.*?)"\)', text, flags=re.MULTILINE):
        module = found[0] or found[1]
        assert module in GENERATED or (script.parent / module).resolve().is_file(), module


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.name)
def test_styles_take_their_colours_from_the_theme(style: Path) -> None:
    text = style.read_text()
    assert not re.search(r"url\(|@import|#[0-9a-f]{3,8}\b", text)


def test_the_form_offers_every_method() -> None:
    text = (STATIC / "js" / "views" / "definition.js").read_text()
    found = re.search(r"METHODS = \[(.*?)\]", text, flags=re.DOTALL)
    assert found
    assert tuple(re.findall(r'"(.*?)"', found[1])) == methods.names()
