"""New campaigns, from the form and from a pasted spec; what is wrong is said where it is."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import snakebo as sb

pytestmark = pytest.mark.slow

Dashboard = Any


def saying(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


def fill_variable(row: Any, **values: str) -> None:
    for label, value in values.items():
        row.get_by_label(label.capitalize(), exact=True).fill(value)


def test_by_form(dashboard: Dashboard, service: Any) -> None:
    dashboard.open()
    page = dashboard.page
    page.get_by_role("link", name="New campaign").click()
    expect(page.get_by_role("heading", name="New campaign")).to_be_focused()
    page.get_by_label("Name").first.fill("by form")
    page.get_by_label("Steps in all").fill("12")
    page.get_by_label("Cost budget").fill("300")
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Method").fill("snake:epsilon=0.1")
    rows = page.locator(".row.variable")
    fill_variable(rows.nth(0), name="temperature", low="40", high="120", unit="°C", step="0.5")
    page.get_by_role("button", name="Add a variable").click()
    fill_variable(rows.nth(1), name="equivalents", low="1", high="5")
    rows.nth(1).get_by_label("Free").check()
    page.get_by_label("Kind of cost").select_option("ramp-rate")
    page.get_by_label("temperature: up per minute").fill("5")
    page.get_by_label("temperature: down per minute").fill("2")
    expect(page.get_by_label("equivalents: up per minute")).to_have_count(0)  # it is free
    page.locator(".row.objective").get_by_label("Name").fill("yield")
    page.locator(".row.objective").get_by_label("Direction").select_option("minimize")
    page.get_by_label("temperature: now at").fill("40")
    page.get_by_label("equivalents: now at").fill("1")
    page.get_by_role("button", name="Start the campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("by form")
    expect(dashboard.part("plan")).to_contain_text("points")
    spec = sb.connect(service.url).campaign("by form").spec
    assert {key: value for key, value in spec.items() if key != "protocol"} == {
        "name": "by form",
        "budget": 12,
        "cost_budget": 300.0,
        "seed": 7,
        "method": "snake:epsilon=0.1",
        "variables": [
            {"name": "temperature", "low": 40.0, "high": 120.0, "unit": "°C", "step": 0.5},
            {"name": "equivalents", "low": 1.0, "high": 5.0, "free": True},
        ],
        "cost": {"kind": "ramp-rate", "rates": {"temperature": [5.0, 2.0]}, "combine": "max"},
        "objectives": [{"name": "yield", "direction": "minimize", "share": 1.0}],
        "start": {"temperature": 40.0, "equivalents": 1.0},
    }


def test_what_is_wrong_is_said_beside_it(dashboard: Dashboard, campaign: Any) -> None:
    dashboard.open("new")
    page = dashboard.page
    start = page.get_by_role("button", name="Start the campaign")
    name, steps = page.get_by_label("Name").first, page.get_by_label("Steps in all")
    rows = page.locator(".row.variable")

    def refused(place: Any, text: str) -> None:
        start.click()
        expect(place).to_have_attribute("aria-invalid", "true")
        expect(place).to_be_focused()
        expect(place).to_have_accessible_description(saying(text))
        expect(page.get_by_role("alert")).to_have_count(1)

    refused(rows.nth(0).get_by_label("Low"), "variables[0].low: is missing.")
    fill_variable(rows.nth(0), name="temperature", low="cold", high="120")
    refused(rows.nth(0).get_by_label("Low"), "variables[0].low: must be a number; got 'cold' (str).")
    page.get_by_role("button", name="Add a variable").click()
    fill_variable(rows.nth(0), low="40")
    fill_variable(rows.nth(1), name="flow", low="5", high="1")
    start.click()
    expect(rows.nth(1).get_by_role("alert")).to_contain_text("must have low < high")
    fill_variable(rows.nth(1), low="0.5")
    page.locator(".row.objective").get_by_label("Name").fill("yield")
    page.get_by_label("Kind of cost").select_option("ramp-rate")
    page.get_by_label("flow: up per minute").fill("fast")
    page.get_by_label("flow: down per minute").fill("1")
    refused(name, "name: must not be empty.")
    name.fill(campaign.name)
    rate = page.get_by_label("flow: up per minute")
    refused(rate, "cost.rates.flow[0]: must be a number; got 'fast' (str).")
    page.get_by_label("Kind of cost").select_option("euclidean")
    refused(steps, "budget: is missing.")
    steps.fill("3.5")
    refused(steps, "budget: must be a whole number; got 3.5 (float).")
    steps.fill("3")
    refused(name, "A campaign of this name is there already")
    assert dashboard.refused == [422] * 7 + [409]
    dashboard.refused.clear()


def test_by_spec(dashboard: Dashboard, service: Any) -> None:
    dashboard.open("new")
    page = dashboard.page
    page.get_by_role("link", name="From a spec").click()
    text = page.get_by_label("Spec in TOML")
    text.fill('name = "pasted"\nbudget = 5\n\n[[variables]]\nname = "a"\nlow = "x"\nhigh = 1\n')
    page.get_by_role("button", name="Start the campaign").click()
    expect(text).to_have_accessible_description(saying("line 6, variables[0].low: must be a number"))
    assert text.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)") == 'low = "x"'
    assert dashboard.refused == [422]
    dashboard.refused.clear()
    page.get_by_role("button", name="Insert an example").click()
    text.evaluate("area => { area.value = area.value.replace('\"reactor\"', '\"pasted\"'); }")
    page.get_by_role("button", name="Start the campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("pasted")
    expect(dashboard.part("plan")).to_contain_text("60 points")
    assert sb.connect(service.url).campaign("pasted").spec["cost"]["rates"] == {"temperature": [5.0, 2.0]}


def test_rows_come_and_go(dashboard: Dashboard) -> None:
    dashboard.open("new")
    page = dashboard.page
    variables, objectives = page.locator(".row.variable"), page.locator(".row.objective")
    expect(variables.get_by_role("button", name="Remove")).to_be_hidden()
    fill_variable(variables.nth(0), name="first")
    page.get_by_role("button", name="Add a variable").click()
    expect(variables.nth(1).get_by_label("Name")).to_be_focused()
    fill_variable(variables.nth(1), name="second")
    page.get_by_label("second: now at").fill("2")
    variables.nth(0).get_by_role("button", name="Remove").click()
    expect(variables).to_have_count(1)
    expect(page.get_by_label("second: now at")).to_have_value("2")  # what belongs to a variable stays with it
    expect(page.get_by_label("first: now at")).to_have_count(0)
    expect(objectives.get_by_label("Share")).to_be_hidden()
    page.get_by_role("button", name="Add an objective").click()
    expect(objectives.nth(1).get_by_label("Share")).to_be_visible()
