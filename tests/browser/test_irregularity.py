"""An irregularity in three taps and a confirmation; a clause chip opens its clause over what one was doing."""

from playwright.sync_api import expect

from tests.browser.acting import in_play
from tests.browser.test_access import serious


def test_open_choose_one_fact_and_record(new_tablet):
    tablet = new_tablet()
    page = tablet.page
    tablet.sign_in("floor")
    tablet.open_pit(1)
    tablet.open_sheet(in_play(tablet))
    page.locator("#happened").tap()
    page.locator('[data-test="kind-wrong_card_count"]').tap()
    page.locator('input[name="facts.who"][value="community"]').check()
    stated = page.locator('#ruling [data-test="stated"]')
    expect(stated).to_contain_text("All hands are void")
    expect(stated).to_contain_text("The text is silent")
    assert serious(page) == []
    page.locator('#ask [data-test="record"]').tap()
    card = page.locator('#sheet [data-test="open-irregularity"]')
    expect(card).to_be_visible()
    expect(page.locator("#ask-dialog")).not_to_be_visible()
    expect(card.locator('[data-test="RecordRuling"]')).to_be_visible()
    assert serious(page) == []


def test_a_chip_opens_its_clause_and_closing_it_leaves_the_sheet_as_it_was(new_tablet):
    tablet = new_tablet()
    page = tablet.page
    tablet.sign_in("floor")
    tablet.open_pit(1)
    tablet.open_sheet(in_play(tablet))
    page.locator("#happened").tap()
    page.locator('[data-test="kind-wrong_card_count"]').tap()
    page.locator('input[name="facts.who"][value="player"]').check()
    page.locator("#ruling a.clause").first.tap()
    dialog = page.locator("dialog.clause-dialog")
    expect(dialog.get_by_role("heading", name="5324.2(j)(2)")).to_be_visible()
    expect(dialog).to_contain_text("9 NYCRR 5324.2")
    assert serious(page) == []
    dialog.locator("[data-close]").tap()
    expect(dialog).not_to_be_visible()
    expect(page.locator('input[name="facts.who"][value="player"]')).to_be_checked()
