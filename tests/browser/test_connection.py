"""Tokens, services that go away and come back, and no more requests than needed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Request, expect

import snakebo as sb

pytestmark = pytest.mark.slow

Browse = Callable[..., Any]
Dashboard = Any


def saying(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


def enter(dashboard: Dashboard, token: str) -> None:
    dialog = dashboard.page.get_by_role("dialog", name="This service asks for a token")
    dialog.get_by_role("textbox", name="Token").fill(token)
    dialog.get_by_role("button", name="Go on").click()


def test_a_wrong_token_then_the_right_one(browse: Browse, guarded: Any) -> None:
    dashboard = browse(guarded)
    dashboard.open()
    field = dashboard.page.get_by_role("textbox", name="Token")
    expect(field).to_be_focused()
    enter(dashboard, "tökén")
    expect(field).to_have_accessible_description(saying("visible ASCII characters"))
    enter(dashboard, "not-the-token-of-this-service")
    expect(field).to_have_accessible_description(saying("The token is wrong."))
    expect(field).to_be_focused()
    enter(dashboard, guarded.token)
    expect(dashboard.page.get_by_role("heading", name="No campaign yet")).to_be_visible()
    expect(dashboard.page.get_by_role("dialog")).to_have_count(0)
    assert set(dashboard.refused) == {401}
    dashboard.refused.clear()
    dashboard.page.reload()
    expect(dashboard.page.get_by_role("heading", name="No campaign yet")).to_be_visible()  # it is kept
    assert dashboard.page.evaluate("[localStorage.length, document.cookie]") == [0, ""]  # for this tab alone
    dashboard.page.get_by_role("button", name="Forget the token").click()
    expect(field).to_be_focused()
    dashboard.page.keyboard.press("Escape")
    expect(dashboard.page.get_by_role("alert")).to_contain_text("A token is needed")
    assert set(dashboard.refused) == {401}
    dashboard.refused.clear()


def test_a_service_that_goes_away_and_comes_back(browse: Browse, guarded: Any, spec: Any) -> None:
    spec |= {"name": "on and off", "method": "random-tour"}
    campaign = sb.connect(guarded.url, guarded.token).create(spec)
    campaign.ask()
    campaign.ask()
    dashboard = browse(guarded)
    dashboard.open("campaign/on%20and%20off")
    enter(dashboard, guarded.token)
    assert set(dashboard.refused) == {401}
    dashboard.refused.clear()
    page = dashboard.page
    status, banner = page.locator("#connection"), page.locator("#lost")
    expect(status).to_have_text("Live")
    expect(banner).to_be_hidden()
    expect(dashboard.part("plan")).to_contain_text("6 points")

    guarded.kill()
    expect(status).to_have_text("Disconnected")
    expect(banner).to_contain_text("The service cannot be reached.")
    page.get_by_label("yield of trial 0").fill("0.5")
    row = page.locator("[data-trial='0']")
    row.get_by_role("button", name="Tell").click()
    expect(row.get_by_role("alert")).to_contain_text("what you entered is still here")

    page.route("**/api/**", lambda route: route.abort())  # the page must not notice before all has happened
    guarded.start()
    campaign.tell(1, 0.25)
    with page.expect_request("**/events"):
        page.get_by_role("button", name="Try now").click()
    expect(status).to_have_text("Disconnected")
    resumed: list[Request] = []
    page.on("request", lambda request: resumed.append(request) if request.url.endswith("/events") else None)
    page.unroute("**/api/**")
    expect(status).to_have_text("Live")
    expect(banner).to_be_hidden()
    expect(page.locator("[data-best=yield] .value")).to_have_text("0.25")
    expect(dashboard.part("latest")).to_contain_text("Trial 1 told: yield 0.25")  # which only the stream says
    assert {request.headers["last-event-id"] for request in resumed} == {"2"}
    expect(page.get_by_label("yield of trial 0")).to_have_value("0.5")
    row.get_by_role("button", name="Tell").click()
    expect(page.locator("[data-best=yield] .value")).to_have_text("0.5")


def test_plans_are_asked_for_one_at_a_time(dashboard: Dashboard, campaign: Any) -> None:
    under_way: set[Request] = set()
    asked, most = 0, 0

    def begin(request: Request) -> None:
        nonlocal asked, most
        if request.url.endswith("/plan"):
            under_way.add(request)
            asked, most = asked + 1, max(most, len(under_way))

    dashboard.page.on("request", begin)
    dashboard.page.on("requestfinished", lambda request: under_way.discard(request))  # noqa: PLW0108
    dashboard.open(f"campaign/{campaign.name}")
    expect(dashboard.part("plan")).to_contain_text("8 points")
    assert asked == 1
    for _ in range(6):
        campaign.ask()
    for trial in range(6):
        campaign.fail(trial)
    expect(dashboard.fact("Results told")).to_contain_text("6 failed")
    expect(dashboard.part("plan")).to_have_attribute("data-seq", "12")
    assert most == 1
    assert asked <= 12  # not one for each event


def test_a_page_that_nobody_sees_keeps_no_connection(browse: Browse, service: Any, campaign: Any) -> None:
    dashboard = browse(service)
    dashboard.open(f"campaign/{campaign.name}")
    page = dashboard.page
    expect(page.locator("#connection")).to_have_text("Live")
    streams: list[Request] = []
    page.on("request", lambda request: streams.append(request) if request.url.endswith("/events") else None)
    hide = """hidden => {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/events")):
        page.evaluate(hide, True)
    campaign.ask()
    assert streams == []
    page.evaluate(hide, False)
    expect(page.locator("[data-trial='0']")).to_be_visible()
    assert len(streams) == 1
