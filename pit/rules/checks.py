"""The closed list of checks that a pack may name. `tables.domain.checks` holds the functions; a test holds both equal.

A pack chooses from these and gives each its clause; it can never write a condition of its own.
"""

from __future__ import annotations

CHECKS: frozenset[str] = frozenset(
    {
        "alternates",
        "antes_right",
        "approved_counting_device",
        "backs_differ",
        "batch_known",
        "batch_shuffled",
        "batches_spread_apart",
        "burned_first",
        "button_right",
        "cards_inspected",
        "cards_on_table",
        "completes_removal",
        "continuous_has_stack",
        "count_in_time",
        "count_number",
        "counting_shuffler",
        "cover_depth",
        "cover_or_sign",
        "cut_depth",
        "cut_is_offered_here",
        "cutter_next",
        "deck_may_stay",
        "device_in_order",
        "device_known",
        "device_out_of_order",
        "dice_attended",
        "dice_known",
        "dice_not_here",
        "dice_number",
        "dice_within_hours",
        "discard_rack_height",
        "equipment_complete",
        "everyone_asked",
        "face_as_pack_says",
        "face_request_met",
        "gaming_not_ceased",
        "ground_given",
        "hand_deal_decks",
        "in_sequence",
        "inspection_afforded",
        "internal_controls",
        "more_left",
        "no_duty_open",
        "no_hold_blocks",
        "no_shuffle_due",
        "not_counting_device",
        "one_batch_at_a_time",
        "one_batch_in_rack",
        "option_given",
        "recut_adopted",
        "recut_window",
        "round_not_open",
        "round_open",
        "rounds_by_counter",
        "seat_free",
        "seat_known",
        "seat_taken",
        "shuffler_empty",
        "single_stack",
        "stack_size",
        "table_closed",
        "table_open",
        "two_batches_registered",
    }
)

COMMANDS: frozenset[str] = frozenset(
    {
        "SetUpTable",
        "ReceiveCards",
        "InspectCards",
        "OpenTable",
        "CloseTable",
        "TakeCardsAway",
        "RecordSpread",
        "PlayerArrives",
        "PlayerLeaves",
        "PlayersLeave",
        "AffordInspection",
        "TurnFaceDown",
        "RecordWash",
        "StackCards",
        "RecordShuffle",
        "LoadShuffler",
        "CompleteShuffle",
        "RemoveBatch",
        "OfferCut",
        "RefuseCut",
        "RecordCut",
        "InsertCoverCard",
        "LoadShoe",
        "TakeInHand",
        "OrderRecut",
        "RecordBurn",
        "StartRound",
        "EndRound",
        "AdvanceRounds",
        "RecordCoverCardOut",
        "DirectReshuffle",
        "RecordNoGamingActivity",
        "WithdrawIdle",
        "RemoveCards",
        "RequestFaceUp",
        "RequestReshuffle",
        "PlaceDice",
        "RemoveDice",
        "HandOverDice",
        "RelieveDealer",
        "DeclareOutOfOrder",
        "CoverDevice",
        "SignDevice",
        "ReturnDevice",
        "RecordCount",
        "ReplaceDeck",
        "AttestThrough",
        "CorrectEntry",
        "SayDue",
    }
)
"""Every command of a table; each has an entry in every pack."""

STAGES: frozenset[str] = frozenset(
    {
        "CLOSED",
        "CARDS_RECEIVED",
        "CARDS_VERIFIED",
        "SPREAD",
        "AWAIT_INSPECTION",
        "INSPECTED",
        "FACE_DOWN",
        "WASHED",
        "STACKED",
        "LOADED",
        "SHUFFLED",
        "CUT_OFFERED",
        "CUT",
        "COVERED",
        "READY",
        "ACTIVE",
        "SHUFFLE_DUE",
        "RECUT_REQUIRED",
        "IDLE_MUST_CLEAR",
        "IDLE_MUST_SPREAD",
        "IDLE_SPREAD",
        "IDLE_NO_SPREAD_DUTY",
        "REQUESTED_MUST_SPREAD",
        "REQUESTED_MUST_RESHUFFLE",
        "GAMING_CEASED",
        "CLOSING",
    }
)
"""Stages of a table (design §4)."""

TRACKS: frozenset[str] = frozenset(
    {"any", "manual", "automated", "continuous", "counting", "shoe", "hand", "stacks", "no_cards"}
)
"""The procedures that a pack lays out as sequences. A table follows several at once: "any", one of the ways of shuffling
(manual, automated, continuous, counting) and one of the ways of dealing (shoe, hand, stacks); or "no_cards"."""

PROGRESS: frozenset[str] = frozenset(
    {"SPREAD", "FACE_DOWN", "WASHED", "DEPOSITED", "SHUFFLED", "OUT", "IN_PLAY", "USED", "WAITING"}
)
"""What a batch has done so far while batches are handled one by one."""
