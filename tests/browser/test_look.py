"""How pages look and read: on a phone, in the dark, to a screen reader, while they load."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

import snakebo as sb

pytestmark = pytest.mark.slow

Browse = Callable[..., Any]
Dashboard = Any


def saying(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG = "chlorophyll_concentration_near_the_surface"
# What a screen reader would stumble over: fields and buttons without a name, ids that are not unique.
UNNAMED = """() => {
  const text = (e) => e.tagName !== "INPUT" && e.textContent.trim();
  const named = (e) => e.labels?.length || e.getAttribute("aria-label") || text(e);
  const all = [...document.querySelectorAll("input, select, textarea, button, a[href]")];
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  return [
    ...all.filter((e) => !e.closest(".plot") && !named(e)).map((e) => e.outerHTML),
    ...ids.filter((id, place) => id && ids.indexOf(id) !== place),
  ];
}"""


@pytest.fixture
def boat(request: pytest.FixtureRequest, service: Any) -> Any:
    """A campaign with a region, two objectives, long names, and trials in every state."""
    from snakebo.toml_spec import EXAMPLES

    name = f"{request.node.name} of a lake with_a_name_that_is_so_long_that_it_does_not_fit_anywhere"
    text = EXAMPLES["boat"].replace('name = "boat"', f'name = "{name}"').replace("chlorophyll", LONG)
    campaign = sb.connect(service.url).create(text)
    for _ in range(6):
        campaign.ask()
    campaign.fail(0, "an-anchor-that-was-lost-" * 8)
    campaign.tell(1, {LONG: 0.123456789, "oxygen": 8})
    return campaign


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(browse: Browse, service: Any, boat: Any, scheme: str) -> None:
    dashboard = browse(service, **PHONE, color_scheme=scheme)
    page = dashboard.page

    def check() -> None:
        assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [390, 390]
        assert page.evaluate(UNNAMED) == []

    dashboard.open()
    page.get_by_role("link", name=boat.name).wait_for()
    check()
    page.get_by_role("link", name=boat.name).click()
    expect(page.locator("[data-trial]")).to_have_count(4)
    expect(dashboard.part("plan").locator(".main-svg").first).to_be_visible()
    dashboard.drawn("path")
    check()
    page.get_by_role("button", name="More about trial 2").click()
    check()
    page.keyboard.press("Escape")
    dashboard.open("new")
    page.get_by_role("button", name="Add a variable").click()
    page.get_by_label("Kind of cost").select_option("first-order-response")
    check()
    dashboard.open("new/spec")
    page.get_by_label("Spec in TOML").wait_for()
    check()


def test_figures_turn_dark_with_the_page(browse: Browse, service: Any, boat: Any) -> None:
    dashboard = browse(service, color_scheme="light")
    dashboard.open("campaign/" + boat.name.replace(" ", "%20"))
    page = dashboard.page
    title = dashboard.part("plan").locator(".xtitle")
    expect(title).to_have_css("fill", "rgb(31, 41, 51)")
    expect(page.locator("body")).to_have_css("background-color", "rgb(254, 254, 254)")
    page.emulate_media(color_scheme="dark")
    expect(title).to_have_css("fill", "rgb(229, 233, 237)")
    expect(page.locator("body")).to_have_css("background-color", "rgb(20, 25, 29)")


def test_two_objectives_and_a_map(dashboard: Dashboard, boat: Any) -> None:
    dashboard.open("campaign/" + boat.name.replace(" ", "%20"))
    page = dashboard.page
    expect(page.locator("[data-best]")).to_have_count(2)
    expect(page.locator("[data-best=oxygen]")).to_contain_text("Lowest oxygen so far, trial 1")
    page.get_by_label("oxygen of trial 2").fill("5")
    page.get_by_label("oxygen of trial 2").press("Enter")
    missing = page.get_by_label(f"{LONG} of trial 2")
    expect(missing).to_have_accessible_description(saying("Enter a number."))
    expect(missing).to_be_focused()
    missing.fill("0.1")
    missing.press("Enter")
    expect(page.locator("[data-best=oxygen] .value")).to_have_text("5")
    plot = dashboard.part("plan").locator(".plot")
    expect(plot.locator(".main-svg").first).to_be_visible()
    names = plot.evaluate("plot => plot.data.map(({name}) => name)")
    assert "region" in names
    assert page.evaluate(UNNAMED) == []


def test_it_says_that_it_loads(dashboard: Dashboard, campaign: Any) -> None:
    held: list[Route] = []
    dashboard.page.route("**/plan", lambda route: held.append(route))  # noqa: PLW0108
    dashboard.open(f"campaign/{campaign.name}")
    plan = dashboard.part("plan")
    expect(plan).to_have_attribute("aria-busy", "true")
    words = "p => getComputedStyle(p, '::after').content"
    assert "Planning" in plan.locator(".section-head p").evaluate(words)
    held.pop().continue_()
    expect(plan).to_contain_text("8 points")
    expect(plan).not_to_have_attribute("aria-busy", "true")


def test_a_plan_that_cannot_be_made(dashboard: Dashboard, campaign: Any) -> None:
    problem = '{"title": "Conflict", "status": 409, "detail": "The method has no idea."}'

    def refuse(route: Route) -> None:
        route.fulfill(status=409, body=problem, content_type="application/problem+json")

    dashboard.page.route("**/plan", refuse, times=1)
    dashboard.open(f"campaign/{campaign.name}")
    plan = dashboard.part("plan")
    expect(plan.get_by_role("alert")).to_have_text("The method has no idea.")
    assert dashboard.refused == [409]
    dashboard.refused.clear()
    plan.get_by_role("button", name="Try again").click()
    expect(plan).to_contain_text("8 points")
    expect(plan.get_by_role("alert")).to_be_hidden()
