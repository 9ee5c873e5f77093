"""A real browser on a real service; what a page does wrong is noticed, also where no test looks for it."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Response,
    expect,
    sync_playwright,
)

import snakebo as sb

PATIENCE_MS = 60_000  # the first plan of a process may have to compile
TOKEN = "a-token-for-the-tests-only"
SPEC: dict[str, Any] = {  # but for its name
    "budget": 8,
    "seed": 1,
    "variables": [
        {"name": "temperature", "low": 40, "high": 120, "unit": "°C"},
        {"name": "flow", "low": 0.5, "high": 5},
        {"name": "equivalents", "low": 1, "high": 5, "free": True},
    ],
    "objectives": [{"name": "yield"}],
}


@dataclass
class Dashboard:
    """A page of a browser on a service, and what went wrong on it."""

    page: Page
    service: Any
    faults: list[str] = field(default_factory=list)  # errors, dialogs, requests to elsewhere
    refused: list[int] = field(default_factory=list)  # statuses that the service answered with, from 400 on

    def __post_init__(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", self._on_error)
        self.page.on("dialog", self._on_dialog)
        self.page.on("request", lambda request: self._check_address(request.url))
        self.page.on("response", self._on_response)

    def open(self, address: str = "") -> None:
        """Go to a page of the dashboard: what follows the #."""
        self.page.goto(f"{self.service.url}/#/{address}")

    def part(self, name: str) -> Any:
        """Return a section of a campaign's page."""
        return self.page.locator(f"[data-part={name}]")

    def fact(self, name: str) -> Any:
        """Return one of the numbers in the headline."""
        return self.page.locator(f"[data-fact='{name}'] dd")

    def drawn(self, figure: str) -> Any:
        """Scroll to a figure, wait until it is drawn, and return where it is."""
        plot = self.page.locator(f"[data-figure={figure}] .plot")
        plot.scroll_into_view_if_needed()
        expect(plot.locator(".main-svg").first).to_be_visible()
        return plot

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")

    def _on_error(self, error: Error) -> None:
        self.faults.append(f"error: {error}")

    def _on_dialog(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:
            self.refused.append(response.status)

    def _check_address(self, url: str) -> None:
        if not url.startswith((f"{self.service.url}/", "blob:", "data:")):
            self.faults.append(f"request to {url}")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for one file of tests: while Playwright is open, no other test can run an event loop."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("needs Chromium; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        sandbox = [] if os.geteuid() else ["--no-sandbox"]  # root has none
        browser = playwright.chromium.launch(executable_path=path, args=sandbox)
        expect.set_options(timeout=PATIENCE_MS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def service(start_service: Callable[..., Any]) -> Any:
    """A service that all tests share, each with campaigns of its own."""
    return start_service()


@pytest.fixture(scope="session")
def guarded(start_service: Callable[..., Any]) -> Any:
    """A service with a token."""
    return start_service(token=TOKEN)


@pytest.fixture(scope="module")
def desk(chromium: Browser) -> BrowserContext:
    """A large screen, shared so that it loads Plotly once."""
    return chromium.new_context(viewport={"width": 1280, "height": 900})


@pytest.fixture
def browse(chromium: Browser, desk: BrowserContext) -> Iterator[Callable[..., Dashboard]]:
    """A function that opens a dashboard on a service; at the end nothing may have gone wrong on any."""
    opened: list[Dashboard] = []

    def open_dashboard(service: Any, **settings: Any) -> Dashboard:
        context = chromium.new_context(**settings) if settings else desk
        context.set_default_timeout(PATIENCE_MS)
        opened.append(Dashboard(context.new_page(), service))
        return opened[-1]

    yield open_dashboard
    for each in opened:
        each.page.close()
    for each in opened:
        assert each.faults == []
        assert each.refused == []


@pytest.fixture
def dashboard(browse: Callable[..., Dashboard], service: Any) -> Dashboard:
    return browse(service)


@pytest.fixture
def spec() -> dict[str, Any]:
    return SPEC.copy()


@pytest.fixture
def campaign(request: pytest.FixtureRequest, service: Any) -> Any:
    """A campaign of this test's own, as another client of the service sees it."""
    return sb.connect(service.url).create({**SPEC, "name": request.node.name})
