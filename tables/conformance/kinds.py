"""Every kind of case and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tables.conformance import calculators, decided, rounds
from tables.conformance.case import Case

KINDS: Mapping[str, Callable[[Case], Any]] = {
    "cut_offer": calculators.cut_offer,
    "recut_cutter": calculators.recut_cutter,
    "player_cut": calculators.player_cut,
    "dealer_cut": calculators.dealer_cut,
    "dealer_one_hand_cut": calculators.dealer_cut,
    "cover_card_depth": calculators.cover_card_depth,
    "starting_position": calculators.starting_position,
    "dice_24h": calculators.dice_24h,
    "ruling": calculators.ruling,
    "button_and_count": rounds.button_and_count,
    "change_notice": calculators.change_notice,
    "may_deal": calculators.may_deal,
    "collect_progressive_winner": calculators.collect_progressive_winner,
    "side_wager": calculators.side_wager,
    "verbal_wager_with_cash": calculators.verbal_wager_with_cash,
    "hand_deal_decks": calculators.hand_deal_decks,
    "pickup_order": calculators.pickup_order,
    "idle": decided.idle,
    "recut_order": decided.recut_order,
    "alternation": decided.alternation,
    "discard_rack": decided.discard_rack,
    "backs": decided.backs,
    "out_of_order": decided.out_of_order,
}
