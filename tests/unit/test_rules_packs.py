"""The packs, games and house settings as they are shipped."""

from __future__ import annotations

from datetime import date

import pytest

from pit.rules import checks, load
from pit.rules.model import HOUSE
from pit.rules.roles import at_least, rank
from tables.domain import stages
from tables.domain.checks import CHECKS
from tables.domain.commands import COMMANDS
from tables.domain.labels import LABELS

ALL = [pack for packs in load.packs().values() for pack in packs]
GAMES = {
    "baccarat",
    "big_wheel",
    "blackjack",
    "craps",
    "mini_craps",
    "pai_gow_poker",
    "pai_gow_tiles",
    "roulette",
    "spanish_21",
    "three_card_poker",
    "winners_pot_poker",
}


def test_three_places_have_a_pack() -> None:
    assert load.jurisdictions() == ("nj", "ny", "pa")


@pytest.mark.parametrize("pack", ALL, ids=lambda pack: pack.version)
def test_every_command_has_an_entry_with_a_clause_of_the_pack(pack) -> None:
    assert set(pack.commands) == set(COMMANDS)
    for rule in pack.commands.values():
        assert rule.clause in pack.clauses or (rule.not_governed and rule.clause == HOUSE)


@pytest.mark.parametrize("pack", ALL, ids=lambda pack: pack.version)
def test_every_clause_says_where_it_stands_and_what_it_says(pack) -> None:
    assert pack.clauses
    for clause in pack.clauses.values():
        assert clause.cite
        assert clause.paraphrase


def test_the_names_of_checks_and_commands_that_a_pack_may_use_are_those_that_exist() -> None:
    assert set(CHECKS) == checks.CHECKS
    assert set(COMMANDS) == checks.COMMANDS == set(LABELS)
    assert set(stages.WORDS) == checks.STAGES


def test_every_check_is_used_by_a_pack() -> None:
    used = {guard.check for pack in ALL for rule in pack.commands.values() for guard in rule.guards}
    assert used == checks.CHECKS


def test_all_games_of_the_floor_are_there() -> None:
    assert set(load.games()) == GAMES


@pytest.mark.parametrize(
    ("place", "game", "governed"),
    [
        ("ny", "craps", True),
        ("ny", "baccarat", True),
        ("pa", "spanish_21", True),
        ("pa", "blackjack", False),
        ("nj", "winners_pot_poker", True),
        ("nj", "roulette", False),
    ],
)
def test_a_pack_says_which_games_it_governs(place: str, game: str, governed: bool) -> None:
    assert load.in_force(place, game, date(2026, 11, 2)).governed is governed


def test_where_the_text_does_not_govern_the_game_every_clause_is_house_procedure() -> None:
    rules = load.in_force("pa", "blackjack", date(2026, 11, 2))
    assert rules.under("PA-g-1") == HOUSE
    assert rules.cite(HOUSE) == "house procedure"


def test_no_pack_is_in_force_before_its_first_day() -> None:
    assert load.pack_on("PA", date(2019, 11, 2)).version == "pa/2019-11-02"
    with pytest.raises(load.UnknownRules):
        load.pack_on("pa", date(2019, 11, 1))


def test_overrides_lie_over_defaults_and_strangers_are_left_out() -> None:
    rules = load.in_force(
        "ny",
        "blackjack",
        date(2026, 11, 2),
        readings={"A-04": "far_right", "A-99": 1},
        house={"card_set_life_hours": 8},
    )
    assert rules.reading("A-04") == "far_right"
    assert rules.reading("A-99") is None
    assert rules.house["card_set_life_hours"] == 8
    assert rules.house["late_entry_minutes"] == 60


def test_the_place_has_its_own_words() -> None:
    words = {
        place: load.in_force(place, "blackjack", date(2026, 11, 2)).word("floorperson")
        for place in ("ny", "pa", "nj")
    }
    assert words == {"ny": "table games supervisor", "pa": "floorperson", "nj": "casino supervisor"}


def test_a_house_setting_says_what_it_governs() -> None:
    for setting in load.house_settings().values():
        assert setting.label
        assert setting.governs
        assert not setting.options or setting.default in setting.options


def test_a_boxperson_stands_below_a_floorperson_and_outsiders_order_nothing() -> None:
    assert at_least("table_games_supervisor", "floorperson")
    assert not at_least("boxperson", "floorperson")
    assert [rank(role) for role in ("surveillance", "commission_staff", "player", "")] == [0, 0, 0, 0]
