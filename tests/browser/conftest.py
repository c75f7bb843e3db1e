"""One demo for all browser tests, and tablets to hold."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.browser.site import Site
from tests.services import chromium

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]  # fmt: skip
TABLET = {"width": 1024, "height": 768}
PASSWORD = "pitstand-demo"


class Tablet:
    """A tablet in somebody's hands: a browser of its own with its own session."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self.site = site
        self.context = context
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))

    def sign_in(self, login: str, password: str) -> None:
        self.page.goto("/accounts/login/")
        self.page.get_by_label("User name").fill(login)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(lambda url: "/accounts/" not in url)

    def is_live(self) -> None:
        """Returns once the page hears the pit."""
        self.page.wait_for_selector("body[data-live=live]")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    place: Path = tmp_path_factory.mktemp("demo") / "data"
    running = Site(place)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return {"executable_path": chromium(), "args": QUIET}


@pytest.fixture
def new_tablet(browser: Browser, site: Site) -> Iterator[Callable[..., Tablet]]:
    """`new_tablet()`: a tablet that nobody has signed in on. Complaints of the browser fail the test at its end."""
    tablets: list[Tablet] = []

    def make(**options: Any) -> Tablet:
        place = {
            "viewport": TABLET,
            "has_touch": True,
            "base_url": site.url,
            "timezone_id": "America/New_York",
        }
        context = browser.new_context(**{**place, **options})
        context.set_default_timeout(10_000)
        tablets.append(Tablet(context, site))
        return tablets[-1]

    yield make
    complaints = [complaint for tablet in tablets for complaint in tablet.complaints]
    for tablet in tablets:
        tablet.context.close()
    assert not complaints, "\n".join(complaints)
