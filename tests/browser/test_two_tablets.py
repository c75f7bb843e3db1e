"""What one tablet records, every other shows."""

import time

from playwright.sync_api import expect

from tests.browser.acting import a_step, in_play


def test_what_one_tablet_records_the_other_shows_within_a_blink(new_tablet):
    one, other = new_tablet(), new_tablet(viewport={"width": 1920, "height": 1080}, has_touch=False)
    one.sign_in("floor")
    other.sign_in("surveillance")
    for tablet in (one, other):
        tablet.open_pit(1)
    table = in_play(one)
    before = other.seq(table)
    one.open_sheet(table)
    begin = time.monotonic()
    a_step(one)
    expect(other.tile(table)).not_to_have_attribute("data-seq", str(before), timeout=2_000)
    assert time.monotonic() - begin < 2
    assert other.seq(table) == one.json(table)["seq"]


def test_the_one_who_acts_has_the_new_sheet_and_tile_in_the_answer(new_tablet):
    """Also where no socket brings it: the answer itself carries what it changed."""
    tablet = new_tablet()
    tablet.sign_in("floor")
    tablet.open_pit(1)
    table = in_play(tablet)
    before = tablet.seq(table)
    sheet = tablet.open_sheet(table)
    a_step(tablet)
    expect(sheet).not_to_have_attribute("data-seq", str(before))
    assert tablet.seq(table) == int(sheet.get_attribute("data-seq"))


def test_an_open_sheet_follows_what_another_tablet_records(new_tablet):
    one, other = new_tablet(), new_tablet()
    for tablet in (one, other):
        tablet.sign_in("floor")
        tablet.open_pit(1)
    table = in_play(one)
    watched = other.open_sheet(table)
    before = watched.get_attribute("data-seq")
    one.open_sheet(table)
    a_step(one)
    expect(watched).not_to_have_attribute("data-seq", before, timeout=3_000)


def test_a_press_on_what_another_has_changed_is_refused_with_the_present_sheet(new_tablet):
    """The second of two people who saw the same sheet is told so, and nothing is recorded twice."""
    one, other = new_tablet(), new_tablet()
    for tablet in (one, other):
        tablet.sign_in("floor")
        tablet.open_pit(1)
    table = in_play(one)
    other.open_sheet(table)
    stale = other.seen()
    one.open_sheet(table)
    a_step(one)
    answer = other.post(table, "RecordNoGamingActivity", {"seen": stale})
    assert answer.status == 409
    assert answer.json()["refused"]["code"] == "STALE_VIEW"


def test_the_focus_stays_where_it_is_when_tiles_change(new_tablet):
    one, other = new_tablet(), new_tablet()
    for tablet in (one, other):
        tablet.sign_in("floor")
        tablet.open_pit(1)
    table = in_play(one)
    link = other.tile(table).locator("a")
    link.focus()
    before = other.seq(table)
    one.open_sheet(table)
    a_step(one)
    expect(other.tile(table)).not_to_have_attribute("data-seq", str(before), timeout=3_000)
    expect(other.tile(table).locator("a")).to_be_focused()
