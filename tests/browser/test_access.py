"""Usable by everybody: without a mouse, with a screen reader, at every size, in the dark and in the light."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.acting import in_play, step

PAGES = [
    "/accounts/",
    "/accounts/handover/",
    "/record/",
    "/inbox/",
    "/house/",
    "/rules/",
    "/rules/ny/",
    "/rules/ny/NY-b-3-i/",
]
SIZES = [(768, 1024), (1024, 768), (1920, 1080)]


def serious(page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {each['help']} {[node['target'] for node in each['nodes']][:3]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_no_page_has_a_serious_finding_of_axe(new_tablet, scheme):
    tablet = new_tablet(color_scheme=scheme)
    tablet.page.goto("/accounts/login/")
    findings = {"/accounts/login/": serious(tablet.page)}
    tablet.sign_in("floor")
    for address in PAGES:
        tablet.page.goto(address)
        findings[address] = serious(tablet.page)
    assert {address: found for address, found in findings.items() if found} == {}


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_board_sheet_and_form_have_no_serious_finding_of_axe(new_tablet, scheme):
    tablet = new_tablet(color_scheme=scheme)
    tablet.sign_in("floor")
    tablet.open_pit(1)
    findings = {"board": serious(tablet.page)}
    tablet.open_sheet(in_play(tablet))
    findings["sheet"] = serious(tablet.page)
    tablet.page.locator("#sheet .steps a[data-ask]").first.click()
    tablet.page.locator("#ask form").wait_for()
    findings["form"] = serious(tablet.page)
    tablet.page.keyboard.press("Escape")
    step(tablet)
    findings["seat"] = serious(tablet.page)
    assert {what: found for what, found in findings.items() if found} == {}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_nothing_is_wider_than_the_screen(new_tablet, size):
    tablet = new_tablet(viewport={"width": size[0], "height": size[1]})
    tablet.sign_in("shift")
    for address in ["/", *PAGES]:
        tablet.page.goto(address)
        assert tablet.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    tablet.open_pit(1)
    assert tablet.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_pressed_is_large_enough_for_a_finger(new_tablet):
    tablet = new_tablet()
    tablet.sign_in("floor")
    tablet.open_pit(1)
    tablet.open_sheet(in_play(tablet))
    for control in tablet.page.locator("#sheet [data-command]:visible, #needs [data-command]:visible").all():
        box = control.bounding_box()
        assert box is None or box["height"] >= 44, control.inner_text()


def test_a_floorperson_without_a_mouse_signs_in_opens_a_sheet_records_and_closes_it(new_tablet):
    tablet = new_tablet(has_touch=False)
    page = tablet.page
    page.goto("/accounts/login/")
    page.get_by_label("User name").focus()
    page.keyboard.type("floor")
    page.keyboard.press("Tab")
    page.keyboard.type("pitstand-demo")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pits/*/")
    tablet.is_live()
    table = in_play(tablet)
    reach(page, f'#tiles article[data-number="{table}"] a')
    page.keyboard.press("Enter")
    page.locator("#sheet [data-sheet]").wait_for()
    before = tablet.seen()
    reach(page, "#sheet form button[data-test=RecordNoGamingActivity]")
    with page.expect_response(lambda response: response.request.method == "POST") as answer:
        page.keyboard.press("Enter")
    assert answer.value.status == 200
    expect(page.locator("#sheet [data-sheet]")).not_to_have_attribute("data-seq", str(before))
    page.keyboard.press("Escape")
    expect(page.locator("#sheet-dialog")).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('#tiles a')"), "the focus returns to the tile"


def reach(page, selector: str, *, presses: int = 150) -> None:
    """Tab until the focus is on something that matches, and check that the focus can be seen."""
    for _ in range(presses):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            shadow = page.evaluate("getComputedStyle(document.activeElement).boxShadow")
            assert outline != "none" or shadow != "none", "the focus cannot be seen"
            return
    raise AssertionError(f"{selector} cannot be reached by Tab")


def test_nothing_moves_for_who_asks_for_less_motion(new_tablet):
    tablet = new_tablet(reduced_motion="reduce")
    tablet.sign_in("floor")
    tablet.open_pit(1)
    moving = "document.getAnimations().filter(one => one.effect.getComputedTiming().duration > 50).length"
    assert tablet.page.evaluate(moving) == 0
