"""Sign-in, hand-over and leaving, as a person does them."""

import re

from playwright.sync_api import expect


def test_a_floorperson_signs_in_and_stands_before_the_own_pit(new_tablet):
    tablet = new_tablet()
    tablet.sign_in("floor")
    expect(tablet.page).to_have_url(re.compile(r"/pits/\d+/$"))
    tablet.is_live()
    expect(tablet.page.locator("#tiles article")).not_to_have_count(0)


def test_a_wrong_password_says_so_and_keeps_the_name(new_tablet):
    tablet = new_tablet()
    page = tablet.page
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill("floor")
    page.get_by_label("Password").fill("not-the-password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert").first).to_contain_text("not right")
    expect(page.get_by_label("User name")).to_have_value("floor")
    expect(page.get_by_label("Password")).to_have_value("")


def test_a_tablet_is_handed_over_by_badge_and_pin(new_tablet):
    tablet = new_tablet()
    page = tablet.page
    tablet.sign_in("floor")
    page.goto("/accounts/handover/")
    page.get_by_role("textbox", name="Badge").fill("215")
    page.get_by_role("textbox", name="PIN").fill("2580")
    page.get_by_role("button", name="Take over").click()
    page.wait_for_url(lambda url: "/accounts/" not in url)
    expect(page.locator("#menu summary")).to_contain_text("215")
    tablet.is_live()


def test_signing_out_in_one_window_ends_the_board_in_the_other(new_tablet):
    """The socket is told: a board that nobody is signed in on does not go on showing the pit as if it were live."""
    tablet = new_tablet()
    tablet.sign_in("floor")
    tablet.is_live()
    other = tablet.context.new_page()
    other.goto("/accounts/")
    other.locator("#menu summary").click()
    other.get_by_role("button", name="Sign out").click()
    other.wait_for_url("**/accounts/login/**")
    tablet.page.wait_for_selector("body[data-live=signed-out]", timeout=25_000)
    expect(
        tablet.page.locator("[data-command]:visible:not([disabled]):not([aria-disabled=true])")
    ).to_have_count(0)


def test_a_page_asked_for_before_signing_in_comes_after_it(new_tablet):
    tablet = new_tablet()
    tablet.page.goto("/record/")
    expect(tablet.page).to_have_url(re.compile("/accounts/login/"))
    tablet.fill_in("floor")
    expect(tablet.page).to_have_url(re.compile("/record/$"))


def test_surveillance_sees_the_board_and_can_press_nothing(new_tablet):
    tablet = new_tablet()
    tablet.sign_in("surveillance")
    tablet.open_pit(1)
    tablet.open_sheet("BJ-01")
    expect(tablet.page.locator("#sheet [data-command]")).to_have_count(0)
    expect(tablet.page.locator("#needs [data-command]:visible")).to_have_count(0)
