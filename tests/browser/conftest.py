"""One demo for all browser tests, and tablets to hold."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Locator,
    Page,
    Route,
)

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
        self.expected: tuple[str, ...] = ()
        self.protocol: CDPSession | None = None
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))

    def sign_in(self, login: str) -> None:
        self.page.goto("/accounts/login/")
        self.fill_in(login)
        self.page.wait_for_url(lambda url: "/accounts/" not in url)

    def fill_in(self, login: str) -> None:
        """The sign-in form, where the page already shows it."""
        self.page.get_by_label("User name").fill(login)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()

    def open_pit(self, number: int) -> None:
        """The board of a pit, live."""
        self.page.goto("/")
        self.page.get_by_role("navigation", name="Pits").get_by_role("link", name=f"Pit {number}").click()
        self.is_live()

    def tile(self, table: str) -> Locator:
        return self.page.locator(f'#tiles article[data-number="{table}"]')

    def seq(self, table: str) -> int:
        """The version of a table that this board shows."""
        return int(self.tile(table).get_attribute("data-seq") or 0)

    def open_sheet(self, table: str) -> Locator:
        self.tile(table).locator("a").click()
        sheet = self.page.locator("#sheet [data-sheet]")
        sheet.wait_for()
        return sheet

    def address(self, table: str) -> str:
        return (self.tile(table).locator("a").get_attribute("href") or "").rstrip("/")

    def seen(self) -> int:
        """The version that the open sheet speaks of."""
        return int(self.page.locator("#sheet [data-sheet]").get_attribute("data-seq") or 0)

    def post(self, table: str, command: str, fields: dict[str, Any]) -> APIResponse:
        """A command as JSON from this session, past the page."""
        token = next(one["value"] for one in self.context.cookies() if one["name"] == "csrftoken")
        headers = {"Accept": "application/json", "X-CSRFToken": token, "Referer": self.page.url}
        headers["Idempotency-Key"] = uuid4().hex
        return self.page.request.post(f"{self.address(table)}/{command}", data=fields, headers=headers)

    def entries(self, table: str) -> int:
        """How many changes of a table the Record holds."""
        return int(self.json(table)["seq"])

    def goes_offline(self) -> None:
        self.context.set_offline(True)

    def comes_back(self) -> None:
        self.context.set_offline(False)

    def loses_the_next_answer(self) -> None:
        """The next press reaches the server; its answer reaches nobody."""

        def swallow(route: Route) -> None:
            route.fetch()
            route.abort()

        self.page.route("**/tables/**", swallow, times=1)

    def sleep(self) -> None:
        """The page is frozen, as by a closed cover: no script runs."""
        self.protocol = self.context.new_cdp_session(self.page)
        self.protocol.send("Page.setWebLifecycleState", {"state": "frozen"})

    def wake(self) -> None:
        assert self.protocol is not None
        self.protocol.send("Page.setWebLifecycleState", {"state": "active"})

    def expects(self, *complaints: str) -> None:
        """Complaints of the browser that this test provokes on purpose."""
        self.expected += complaints

    def json(self, table: str) -> dict[str, Any]:
        """The table as the JSON address tells it."""
        found: dict[str, Any] = self.page.request.get(f"{self.address(table)}.json").json()
        return found

    def is_live(self) -> None:
        """Returns once the page hears the pit."""
        self.page.wait_for_selector("body[data-live=live]")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(each in message.text for each in self.expected):
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
