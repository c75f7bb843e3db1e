"""What a text states is said as stated, and its silence as silence."""

import pytest

from pit.rules import load
from tables.domain.rulings import CONSEQUENCES, ruling
from tables.rulebook.consequences import SAID, TOLD, silent, stated

PACKS = [pack for dated in load.packs().values() for pack in dated]


def under(pack, kind, **facts):
    return ruling(kind, facts, pack.irregularities).consequences


@pytest.fixture
def ny():
    return load.packs()["ny"][-1]


def test_every_consequence_that_a_text_may_state_has_words():
    assert set(CONSEQUENCES) == {*SAID, *TOLD}


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.version)
def test_every_irregularity_of_a_pack_says_something(pack):
    for one in pack.irregularities.values():
        assert stated(one.consequences, pack.words), one.key


def test_silence_on_the_wagers_is_said_as_silence_and_not_as_no(ny):
    told = under(ny, "hole_card_exposed", no_more_bets_announced=False)
    assert stated(told, ny.words) == ["All hands are void"]
    assert silent(told) == ["the wagers", "a new shuffle"]


def test_clauses_that_add_up_leave_no_silence(ny):
    told = under(ny, "wrong_card_count", who="player", expected=5, dealt=6)
    assert "All wagers go back" in stated(told, ny.words)
    assert "The cards are shuffled again" in stated(told, ny.words)
    assert silent(told) == []


def test_where_play_goes_on_nothing_is_silent(ny):
    assert silent(under(ny, "reader_out")) == []


def test_the_supervisor_is_called_by_the_place_s_own_word(ny):
    told = under(ny, "hole_card_exposed", no_more_bets_announced=True, card_reader_game=True)
    assert "The table games supervisor is called" in stated(told, ny.words)
