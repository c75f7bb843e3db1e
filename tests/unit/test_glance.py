"""What one glance tells: holds before duties, duties before the dead game, the dead game before play."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from tables.condition import attention, glance
from tables.domain import stages
from tables.domain.state import Alert, Config, Hold, Player, TableState

T = datetime(2026, 3, 4, 18, tzinfo=UTC)
CONFIG = Config(number="BJ-01", game="blackjack", seats=7, decks=6, cards_per_deck=52, deal_mode="shoe")
PLAYER = Player(seat=1, token="p1", order=1, since=T)
OPEN = TableState(config=CONFIG, open=True, stage=stages.ACTIVE, stage_since=T, players=(PLAYER,))
JAM = Hold(kind="cover_or_sign", since=T, blocks="other_method", detail="SH-1")


@pytest.mark.parametrize(
    ("state", "condition", "word"),
    [
        (TableState(), "closed", "Closed"),
        (OPEN, "in_play", "In play"),
        (replace(OPEN, players=(), empty_since=T), "dead_game", "Dead game"),
        (replace(OPEN, stage=stages.SHUFFLE_DUE), "due", "Shuffle due"),
        (replace(OPEN, stage=stages.IDLE_MUST_SPREAD, players=()), "due", "Spread due"),
        (replace(OPEN, stage=stages.WASHED), "preparing", "Washed"),
        (replace(OPEN, stage=stages.SPREAD, players=()), "dead_game", "Dead game"),
        (replace(OPEN, holds=(JAM,)), "hold", "Hold"),
        (replace(OPEN, stage=stages.GAMING_CEASED), "hold", "Gaming ceased"),
        (replace(OPEN, alerts=(Alert(kind="dice_warning", since=T, detail="DS-1"),)), "due", "Dice off"),
    ],
)
def test_a_table_has_one_condition(state, condition, word):
    seen = glance(state)
    assert (seen.condition, seen.word) == (condition, word)


def test_a_shuffle_that_is_due_is_no_hold_to_the_eye():
    due = Hold(kind="shuffle_due", since=T, blocks="dealing")
    assert glance(replace(OPEN, stage=stages.SHUFFLE_DUE, holds=(due,))).condition == "due"


def test_the_clock_adds_a_hold_that_nobody_recorded():
    over = Hold(kind="dice_over", since=T, blocks="dice", detail="DS-1")
    assert glance(OPEN, holds=(over,)).condition == "hold"


def test_attention_counts_holds_alerts_and_duties():
    assert attention(OPEN) == 0
    assert attention(replace(OPEN, holds=(JAM,), stage=stages.SHUFFLE_DUE)) == 2


def test_a_game_without_cards_is_in_play_when_it_is_open():
    roulette = replace(OPEN, config=Config(number="RO-1", game="roulette", seats=8), stage=stages.CLOSED)
    assert glance(roulette).condition == "in_play"
