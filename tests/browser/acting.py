"""What a floorperson does in these tests, whatever the demo's tables stand at."""

from playwright.sync_api import Locator

from tests.browser.conftest import Tablet

DIRECT = "#sheet form button[data-command]:not([disabled])"


def in_play(tablet: Tablet) -> str:
    """Number of a table of this board that is in play and has no hold."""
    number = tablet.page.locator("#tiles article[data-condition=in_play]").first.get_attribute("data-number")
    assert number
    return number


def step(tablet: Tablet) -> Locator:
    """A step of the open sheet that is recorded with one press."""
    return tablet.page.locator(DIRECT).last


def a_step(tablet: Tablet) -> None:
    """Records one; returns when the answer is there."""
    with tablet.page.expect_response(lambda response: response.request.method == "POST") as answer:
        step(tablet).click()
    assert answer.value.status == 200, answer.value.text()
