"""A pit's network is bad: tablets sleep, walls swallow presses, servers restart. Nothing is lost, nothing is doubled."""

from playwright.sync_api import expect

from tests.browser.acting import a_step, in_play, step

NOT_SENT = "[data-toast=not-sent]"


def floor(new_tablet, login="floor"):
    tablet = new_tablet()
    tablet.sign_in(login)
    tablet.open_pit(1)
    return tablet


def test_a_tablet_that_slept_shows_the_present_state_once_it_wakes(new_tablet):
    one, sleeper = floor(new_tablet), floor(new_tablet)
    table = in_play(one)
    before = sleeper.seq(table)
    sleeper.sleep()
    one.open_sheet(table)
    a_step(one)
    sleeper.wake()
    expect(sleeper.tile(table)).not_to_have_attribute("data-seq", str(before), timeout=8_000)
    sleeper.is_live()


def test_without_a_network_the_board_says_so_and_blocks_its_buttons_and_comes_back_by_itself(new_tablet):
    one, lost = floor(new_tablet), floor(new_tablet)
    table = in_play(one)
    before = lost.seq(table)
    lost.expects("ERR_INTERNET_DISCONNECTED", "WebSocket connection", "htmx:")
    lost.goes_offline()
    lost.page.wait_for_selector("body[data-live=stale]", timeout=40_000)
    expect(lost.page.locator("#live-banner")).to_contain_text("Not live")
    expect(lost.page.locator("#needs button[data-command]:visible:not([disabled])")).to_have_count(0)
    one.open_sheet(table)
    a_step(one)
    lost.comes_back()
    lost.page.wait_for_selector("body[data-live=live]", timeout=30_000)
    expect(lost.tile(table)).not_to_have_attribute("data-seq", str(before))
    expect(lost.page.locator("#live-banner")).to_be_hidden()


def test_a_press_without_a_network_is_shown_as_not_sent_and_recorded_once_when_tried_again(new_tablet):
    tablet = floor(new_tablet)
    table = in_play(tablet)
    tablet.open_sheet(table)
    press = step(tablet)
    entries = tablet.entries(table)
    tablet.expects("ERR_INTERNET_DISCONNECTED", "WebSocket connection", "htmx:")
    tablet.goes_offline()
    press.click()
    note = tablet.page.locator(NOT_SENT)
    expect(note).to_contain_text("Not sent")
    tablet.comes_back()
    tablet.page.wait_for_selector("body[data-live=live]", timeout=30_000)
    assert tablet.entries(table) == entries
    with tablet.page.expect_response(lambda response: response.request.method == "POST"):
        note.get_by_role("button", name="Try again").click()
    expect(note).to_have_count(0)
    assert tablet.entries(table) == entries + 1


def test_a_press_whose_answer_was_lost_is_recorded_once_when_tried_again(new_tablet):
    """The server has recorded it and the answer never came: the second press has the same key."""
    tablet = floor(new_tablet)
    table = in_play(tablet)
    tablet.open_sheet(table)
    press = step(tablet)
    entries = tablet.entries(table)
    tablet.expects("ERR_FAILED", "Failed to load resource", "htmx:")
    tablet.loses_the_next_answer()
    press.click()
    note = tablet.page.locator(NOT_SENT)
    expect(note).to_contain_text("Not sent")
    assert tablet.entries(table) == entries + 1
    with tablet.page.expect_response(lambda response: response.request.method == "POST") as answer:
        note.get_by_role("button", name="Try again").click()
    assert answer.value.status == 200
    expect(note).to_have_count(0)
    assert tablet.entries(table) == entries + 1


def test_a_restart_of_the_site_is_survived_by_an_open_board(new_tablet, site):
    one, other = floor(new_tablet), floor(new_tablet)
    for tablet in (one, other):
        tablet.expects("WebSocket connection", "ERR_CONNECTION_REFUSED", "Failed to load resource")
    site.kill("web")
    for tablet in (one, other):
        tablet.page.wait_for_selector("body:not([data-live=live])")
    for tablet in (one, other):
        tablet.page.wait_for_selector("body[data-live=live]", timeout=40_000)
    table = in_play(one)
    before = other.seq(table)
    one.open_sheet(table)
    a_step(one)
    expect(other.tile(table)).not_to_have_attribute("data-seq", str(before), timeout=5_000)


def test_with_redis_away_commands_are_kept_and_the_boards_catch_up(new_tablet, site):
    one, other = floor(new_tablet), floor(new_tablet)
    table = in_play(one)
    before = other.seq(table)
    one.open_sheet(table)
    site.kill("valkey")
    a_step(one)
    expect(other.tile(table)).not_to_have_attribute("data-seq", str(before), timeout=30_000)
    assert other.seq(table) == one.json(table)["seq"]
