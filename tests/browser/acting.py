"""What a floorperson does in these tests, whatever the demo's tables stand at."""

from playwright.sync_api import Locator

from tests.browser.conftest import Tablet


def in_play(tablet: Tablet) -> str:
    """Number of a table of this board that is in play and has no hold."""
    number = tablet.page.locator("#tiles article[data-condition=in_play]").first.get_attribute("data-number")
    assert number
    return number


def step(tablet: Tablet) -> Locator:
    """A press that any table in play takes: a player comes to or leaves the first seat. The seat's form is open."""
    tablet.page.locator("#sheet a.seat").first.click()
    press = tablet.page.locator("#ask form button[data-command]").first
    press.wait_for()
    return press


def a_step(tablet: Tablet) -> None:
    """Records it; returns when the answer is there."""
    press = step(tablet)
    with tablet.page.expect_response(lambda response: response.request.method == "POST") as answer:
        press.click()
    assert answer.value.status == 200, answer.value.text()
