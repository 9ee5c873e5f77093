"""A campaign in the browser: ask, tell, fail, attach, correct; what others do shows up by itself."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, expect

import snakebo as sb

pytestmark = pytest.mark.slow

Dashboard = Any


def saying(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


def traces(plot: Any) -> dict[str, Any]:
    """Return x and y of the traces of a figure, by name."""
    found: dict[str, Any] = plot.evaluate(
        """plot => Object.fromEntries(
            plot._fullData.map(({name, x, y}) => [name, [Array.from(x), Array.from(y)]]))"""
    )
    return found


def wait_for_traces(plot: Any, condition: str) -> None:
    """Wait until the names of a figure's traces fulfil a condition."""
    plot.page.wait_for_function(
        f"plot => (names => {condition})(plot.data.map(({{name}}) => name))", arg=plot.element_handle()
    )


def test_asks_and_tells_change_headline_figures_and_plan(dashboard: Dashboard, campaign: Any) -> None:
    dashboard.open(f"campaign/{campaign.name}")
    page, plan, row = dashboard.page, dashboard.part("plan"), dashboard.page.locator("[data-trial='0']")
    expect(page).to_have_title(f"{campaign.name} · snakebo")
    expect(dashboard.part("outstanding")).to_contain_text("Nothing is awaited")
    expect(page.locator("[data-best=yield] .value")).to_have_text("–")
    expect(plan).to_contain_text("8 points")
    before = plan.locator("tbody").inner_text()

    page.get_by_role("button", name="Ask for the next").click()
    expect(row).to_be_visible()
    expect(dashboard.fact("Steps left")).to_contain_text("7")
    expect(dashboard.part("latest")).to_contain_text("Trial 0 asked: temperature")
    expect(plan).to_contain_text("7 points")
    first_of_rest = before.splitlines()[1].split()[1:]
    assert plan.locator("tbody tr").first.inner_text().split()[1:4] == first_of_rest[:3]  # the plan goes on

    assert "best so far" not in traces(dashboard.drawn("best_against_steps"))
    row.get_by_label("yield of trial 0").fill("0.25")
    row.get_by_role("button", name="Tell").click()
    expect(page.locator("[data-best=yield] .value")).to_have_text("0.25")
    expect(row).to_have_count(0)
    expect(dashboard.part("latest")).to_contain_text("Trial 0 told: yield 0.25, the best so far")
    plot = page.locator("[data-figure=best_against_steps] .plot")
    wait_for_traces(plot, "names.includes('best so far')")
    assert traces(plot)["best so far"][1] == [0.25]

    expect(dashboard.part("change")).to_contain_text("What the last re-plan changed")
    drawn = traces(plan.locator(".plot"))
    assert len(drawn["plan before"][0]) == 7
    assert drawn["plan"] != drawn["plan before"]
    assert drawn["plan"][0][0] == drawn["here now"][0][0]  # it leads on from where the apparatus is
    page.get_by_label("with the plan before").uncheck()
    wait_for_traces(plan.locator(".plot"), "!names.includes('plan before')")
    assert campaign.best.value == 0.25


def test_what_others_do_shows_up_and_what_one_writes_stays(dashboard: Dashboard, campaign: Any) -> None:
    campaign.ask()
    campaign.ask()
    dashboard.open(f"campaign/{campaign.name}")
    written = dashboard.page.get_by_label("yield of trial 1")
    written.fill("0.5")
    campaign.tell(0, 0.125)
    expect(dashboard.page.locator("[data-best=yield] .value")).to_have_text("0.125")
    expect(dashboard.page.locator("[data-trial='0']")).to_have_count(0)
    expect(written).to_have_value("0.5")
    expect(written).to_be_focused()


def test_a_value_that_is_none_is_refused_beside_its_field(dashboard: Dashboard, campaign: Any) -> None:
    campaign.ask()
    dashboard.open(f"campaign/{campaign.name}")
    value = dashboard.page.get_by_label("yield of trial 0")
    value.fill("0,7")
    value.press("Enter")
    expect(value).to_have_attribute("aria-invalid", "true")
    expect(value).to_have_accessible_description(saying("Expected a number such as 0.73; got “0,7”."))
    expect(value).to_be_focused()
    value.fill("1e400")
    value.press("Enter")
    expect(value).to_have_accessible_description(saying("Expected a number such as 0.73; got “1e400”."))
    value.fill("0.7")
    expect(value).not_to_have_attribute("aria-invalid", "true")
    campaign.tell(0, 0.5)  # somebody was faster
    expect(dashboard.page.locator("[data-trial='0']")).to_have_count(0)
    assert campaign.best.value == 0.5


def test_told_twice_at_the_same_time(dashboard: Dashboard, campaign: Any) -> None:
    campaign.ask()
    dashboard.open(f"campaign/{campaign.name}")
    row = dashboard.page.locator("[data-trial='0']")

    def tell_first(route: Route) -> None:
        campaign.tell(0, 0.5)
        route.continue_()

    dashboard.page.route("**/tell", tell_first)
    dashboard.page.route("**/events", lambda route: route.abort())  # so that the row is still there
    dashboard.away = True
    dashboard.page.get_by_label("yield of trial 0").fill("0.75")
    row.get_by_role("button", name="Tell").click()
    expect(row.get_by_role("alert")).to_contain_text("Trial 0 was told 0.5 already; got 0.75")
    assert dashboard.refused == [409]
    dashboard.refused.clear()


def test_fail_attach_and_correct(dashboard: Dashboard, campaign: Any) -> None:
    campaign.ask()
    dashboard.open(f"campaign/{campaign.name}")
    page, trials = dashboard.page, dashboard.part("trials")
    page.get_by_role("button", name="Trial 0 failed").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("pump stalled")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(trials).to_contain_text("pump stalled")
    expect(dashboard.fact("Results told")).to_contain_text("1 failed")

    page.get_by_role("button", name="Attach a point…").click()
    dialog = page.get_by_role("dialog", name="Attach a point")
    dialog.get_by_label("temperature").fill("500")
    dialog.get_by_role("button", name="Attach").click()
    expect(dialog.get_by_role("alert")).to_contain_text("500")
    assert dashboard.refused == [422]
    dashboard.refused.clear()
    dialog.get_by_label("temperature").fill("60")
    dialog.get_by_role("button", name="Attach").click()
    expect(page.get_by_role("button", name="Attach a point…")).to_be_focused()
    expect(page.locator("[data-trial='1']")).to_contain_text("60.00")
    assert campaign.trials[1].attached

    page.get_by_label("yield of trial 1").fill("0.5")
    page.get_by_label("yield of trial 1").press("Enter")
    page.get_by_role("button", name="Correct trial 1").click()
    dialog = page.get_by_role("dialog", name="Correct trial 1")
    expect(dialog.get_by_label("yield")).to_have_value("0.5")
    dialog.get_by_label("yield").fill("0.625")
    dialog.get_by_label("temperature").fill("61")
    dialog.get_by_role("button", name="Correct").click()
    expect(page.locator("[data-best=yield] .value")).to_have_text("0.625")
    assert dict(campaign.trials[1].x)["temperature"] == 61.0


def test_an_ask_whose_answer_is_lost_is_not_asked_twice(dashboard: Dashboard, campaign: Any) -> None:
    dashboard.open(f"campaign/{campaign.name}")
    page, ask = dashboard.page, dashboard.page.get_by_role("button", name="Ask for the next")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/ask", lose, times=1)
    ask.click()
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    ask.click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("[data-trial]")).to_have_count(1)
    ask.click()
    expect(page.locator("[data-trial]")).to_have_count(2)
    assert len(campaign.trials) == 2


def test_by_keyboard_alone(dashboard: Dashboard, campaign: Any) -> None:
    dashboard.open(f"campaign/{campaign.name}")
    page, press = dashboard.page, dashboard.page.keyboard.press
    ask = page.get_by_role("button", name="Ask for the next")
    expect(ask).to_be_visible()
    press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    press("Enter")
    expect(page.locator("main")).to_be_focused()
    press("Tab")
    expect(ask).to_be_focused()
    assert ask.evaluate("button => getComputedStyle(button).outlineStyle") == "solid"
    press("Enter")
    expect(page.locator("[data-trial='0']")).to_be_visible()
    expect(ask).to_be_focused()  # to ask for more
    value = page.get_by_label("yield of trial 0")
    for _ in range(10):
        press("Tab")
        if value.evaluate("input => input === document.activeElement"):
            break
    page.keyboard.type("0.25")
    press("Enter")
    expect(page.locator("[data-best=yield] .value")).to_have_text("0.25")
    expect(ask).to_be_focused()  # nothing is left to tell
    press("Tab")
    press("Enter")
    expect(page.get_by_role("dialog").get_by_label("temperature")).to_be_focused()
    press("Escape")
    expect(page.get_by_role("button", name="Attach a point…")).to_be_focused()


def test_download(dashboard: Dashboard, campaign: Any, tmp_path: Path) -> None:
    campaign.tell(campaign.ask().id, 0.25)
    dashboard.open(f"campaign/{campaign.name}")
    with dashboard.page.expect_download() as download:
        dashboard.page.get_by_role("button", name="Download CSV").click()
    assert download.value.suggested_filename == f"{campaign.name}.csv"
    download.value.save_as(tmp_path / "trials.csv")
    head, line = (tmp_path / "trials.csv").read_text().splitlines()
    assert "temperature" in head
    assert "0.25" in line


def test_a_finished_campaign(dashboard: Dashboard, service: Any, campaign: Any) -> None:
    for _ in range(campaign.budget):
        campaign.tell(campaign.ask().id, 1.0)
    dashboard.open(f"campaign/{campaign.name}")
    expect(dashboard.fact("Steps left")).to_contain_text("finished")
    expect(dashboard.part("plan")).to_contain_text("All steps are used.")
    expect(dashboard.page.get_by_role("button", name="Ask for the next")).to_be_hidden()
    dashboard.open()
    expect(dashboard.page.get_by_role("row").filter(has_text=campaign.name)).to_contain_text("finished")


def test_a_campaign_that_is_not_there(dashboard: Dashboard) -> None:
    dashboard.open("campaign/nowhere")
    expect(dashboard.page.get_by_role("alert")).to_contain_text("nowhere")
    assert set(dashboard.refused) == {404}
    dashboard.refused.clear()
    dashboard.page.get_by_role("link", name="All campaigns").click()
    expect(dashboard.page.get_by_role("heading", name="Campaigns")).to_be_focused()


def test_a_campaign_that_only_python_can_go_on_with(dashboard: Dashboard, service: Any) -> None:
    space = sb.Space([sb.Variable("a", 0, 1)])
    sb.Campaign(space, 3, cost=lambda A, B: abs(A - B.T), storage=service.storage, name="made of code")
    dashboard.open()
    row = dashboard.page.get_by_role("row").filter(has_text="made of code")
    expect(row).to_contain_text("unusable")
    expect(row.get_by_role("link")).to_have_count(0)


def test_one_variable_alone(dashboard: Dashboard, service: Any, spec: Any) -> None:
    spec |= {"name": "alone", "variables": spec["variables"][:1], "start": {"temperature": 40}}
    sb.connect(service.url).create(spec)
    dashboard.open("campaign/alone")
    plot = dashboard.part("plan").locator(".plot")
    expect(plot.locator(".main-svg").first).to_be_visible()
    assert traces(plot)["plan"][1] == list(range(9))  # the steps go up, from here
    assert traces(plot)["here now"] == [[40], [0]]
    expect(dashboard.page.get_by_label("Across")).to_be_hidden()


def test_names_are_text(dashboard: Dashboard, service: Any) -> None:
    evil = "<script>alert(1)</script>"
    image = "<img src=x onerror=alert(2)>"
    spec = {
        "name": evil,
        "budget": 3,
        "variables": [
            {"name": image, "low": 0, "high": 1, "unit": "<b>%"},
            {"name": "#0b6e4f", "low": 0, "high": 1},
        ],
        "objectives": [{"name": f"{image} %{{x}}"}],
    }
    campaign = sb.connect(service.url).create(spec)
    campaign.ask()
    campaign.fail(0, evil)
    campaign.tell(campaign.ask().id, 0.5)
    dashboard.open()
    dashboard.page.get_by_role("link", name=evil).click()
    assert dashboard.page.url.endswith(f"#/campaign/{quote(evil, safe='()')}")
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(evil)
    expect(dashboard.part("trials")).to_contain_text(evil)
    expect(dashboard.part("plan").locator(".xtitle")).to_have_text(f"{image} (<b>%)")
    for figure in ("best_against_steps", "path", "slices"):
        dashboard.drawn(figure)
    caption = dashboard.page.locator("[data-figure=path] figcaption")
    expect(caption).to_contain_text("coloured by its <img src=x onerror=alert(2)…")
    assert dashboard.page.locator("main script, main img, main b:not(.settings b)").count() == 0
