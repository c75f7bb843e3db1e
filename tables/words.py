"""Entries of the Record in the words of the pit. What a person reads; nothing is decided by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pit.rules import load
from tables import words_play
from tables.domain import stages

Data = Mapping[str, Any]


def entry(kind: str, data: Data) -> str:
    """One line for an entry: "Seat 6 refused the cut". An event without a phrase is read from its name."""
    phrase = _PHRASES.get(kind)
    if phrase is None:
        return spaced(kind)
    try:
        return phrase if isinstance(phrase, str) else phrase(data)
    except (
        KeyError,
        TypeError,
        IndexError,
    ):  # an older version of the event: its name still says what happened
        return spaced(kind)


def spaced(name: str) -> str:
    """ "CardsSpread" as "Cards spread"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()
    return words[:1].upper() + words[1:]


def stage(key: str) -> str:
    """A stage in words."""
    return stages.WORDS.get(key, spaced(key))


HOLDS: Mapping[str, str] = {
    "shuffle_due": "Shuffle due",
    "idle_reinspection": "Dead game: the cards are seen and shuffled again",
    "cover_or_sign": "Cover the device or put the sign on",
    "fault_latch": "Device fault",
    "wrong_mode": "Shuffler was not in shuffle mode",
    "not_cycled": "Shuffler did not run",
    "wrong_batch": "Wrong batch",
    "count_due": "The cards are to be counted",
    "deck_to_be_removed": "The deck leaves the table",
    "card_to_be_replaced": "A card is to be replaced",
    "set_in_order": "Pre-shuffled set lies in order",
    "dice_over": "Dice over their time",
    "gaming_ceased": "All gaming has ceased",
    "hand_held": "A winning hand stays on the table",
    "irregularity": "An irregularity is open",
}


def hold(kind: str) -> str:
    """A hold in words."""
    return HOLDS.get(kind, spaced(kind.replace("_", " ")))


def joined(parts: Any) -> str:
    """ "shoe, shuffler and discard rack"."""
    told = [str(part).replace("_", " ") for part in parts]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}" if told else ""


@cache
def cite(clause: str) -> str:
    """Where a clause stands, "5324.2(b)(11)"; the newest pack that has it speaks."""
    for dated in load.packs().values():
        for pack in reversed(dated):
            if clause in pack.clauses:
                return pack.clauses[clause].cite
    return {"house": "house procedure", "pitstand": "Pitstand"}.get(clause, clause)


def _of_batch(text: str) -> Callable[[Data], str]:
    return lambda data: f"{text} ({data['batch']} batch)" if data.get("batch") else text


def _with(text: str, field: str) -> Callable[[Data], str]:
    return lambda data: f"{text}: {data[field]}" if data.get(field) else text


def _cutter(data: Data) -> str:
    who = f"Seat {data['seat']}" if data.get("seat") else "The dealer"
    depth = f", {data['depth']} cards above" if data.get("depth") else ""
    return f"{who} cut the stack{depth}"


def _offered(data: Data) -> str:
    order = data.get("order") or ()
    return f"Cut offered to seat {order[0]['seat']}" if order else "Cut offered"


def _cover_out(data: Data) -> str:
    place = {
        "seat": f"at seat {data.get('seat')}",
        "dealer": "on the dealer's hand",
        "nobody": "on nobody's hand",
        "unknown": "of the shoe",
    }
    return f"Cover card came out {place[data['on']]}"


def _counted(data: Data) -> str:
    cards = "" if data.get("cards") is None else f" {data['cards']} cards,"
    return f"Deck counted:{cards} {'right' if data.get('good') else 'wrong'}"


def _terms(data: Data, field: str) -> str:
    return ", ".join(f"{one['item'].replace('_', ' ')} {one[field]}" for one in data["terms"])


def _change(data: Data) -> str:
    told = data["matter"]
    return f"{told['item']} {told['was'] or 'not stated'} → {told['now']} at {', '.join(told['numbers'])}"


BY = {"manual": "hand", "other_device": "another device"}


def _if(data: Data, field: str, words: str) -> str:
    return words if data.get(field) else ""


def _refused(data: Data) -> str:
    return f"{spaced(data['command'])}: {data['refused']['message']}"


_PHRASES: dict[str, str | Callable[[Data], str]] = {
    **words_play.PHRASES,
    "StreamOpened": "Entered in the Record",
    "StreamMoved": "Moved to another pit",
    "Refused": _refused,
    "ChangeDrafted": lambda data: f"Change drafted: {_change(data)}",
    "ChangeEdited": lambda data: f"Change edited: {_change(data)}",
    "ChangeSigned": "Change signed by its author",
    "ChangeApproved": "Change approved",
    "NoticeIssued": lambda data: f"Notice {data['number']} issued",
    "RecipientNotified": lambda data: (
        f"{data['group'].replace('_', ' ').capitalize()} notified: {data['who']} by {data['channel']}"
    ),
    "NoticeAcknowledged": lambda data: f"Notice acknowledged for {data['group'].replace('_', ' ')}",
    "ChangeTookEffect": lambda data: f"Change in force{_if(data, 'late', ', late')}",
    "ChangeBlocked": _with("Change did not take effect", "why"),
    "ChangeWithdrawn": _with("Change withdrawn", "reason"),
    "ChangeSuperseded": lambda data: f"Superseded by notice {data['number']}",
    "Remarked": lambda data: f"Remark on {data['stream']} entry {data['seq']}: {data['text']}",
    "Exported": lambda data: (
        f"Export {data['number']} taken: {data['entries']} entries as {data['format'].upper()}"
    ),
    "TableSetUp": "Table set up",
    "TermsRecorded": lambda data: f"In force: {_terms(data, 'value')}",
    "TermsPutInForce": lambda data: (
        f"In force by notice {data['notice']}: {_terms(data, 'now')}{_if(data, 'late', ', late')}"
    ),
    "CardsReceived": lambda data: (
        f"Card set {data['set_id']} received{_if(data, 'preshuffled', ', pre-shuffled')}"
    ),
    "CardsVerified": lambda data: (
        f"Cards inspected by {data['inspected_by']}, verified by {data['verified_by']}"
    ),
    "TableOpened": "Table opened",
    "TableClosed": "Table closed",
    "CardsTakenAway": "Card set taken away",
    "CardsSpread": lambda data: (
        f"Cards spread face {data['face']}{_if(data, 'batches_separate', ', each batch apart')}"
    ),
    "PlayerArrived": lambda data: f"Player sat down at seat {data['seat']}",
    "PlayerLeft": lambda data: f"Player left seat {data['seat']}",
    "PlayersLeft": "All players left",
    "InspectionAfforded": "Players had their look",
    "TurnedFaceDown": _of_batch("Turned face down"),
    "CardsWashed": _of_batch("Washed"),
    "CardsStacked": _of_batch("Stacked"),
    "CardsShuffled": lambda data: _of_batch(f"Shuffled by {BY.get(data['method'], 'a device')}")(data),
    "ShufflerLoaded": _of_batch("Put in the shuffler"),
    "ShuffleCompleted": _of_batch("Shuffler finished"),
    "BatchRemoved": _of_batch("Taken out of the shuffler"),
    "CutOffered": _offered,
    "CutRefused": lambda data: f"Seat {data['seat']} refused the cut",
    "CardsCut": _cutter,
    "CoverCardInserted": lambda data: (
        "Cover card put in" + (f", {data['depth']} behind it" if data.get("depth") else "")
    ),
    "ShoeLoaded": _of_batch("Stack in the shoe"),
    "DeckTakenInHand": lambda data: f"Deck taken in the {data['hand']} hand",
    "RecutOrdered": lambda data: f"Recut ordered: {data['ground'].replace('_', ' ')}",
    "CardBurned": "Card burned",
    "RoundStarted": lambda data: f"Round {data['round']} began",
    "RoundEnded": lambda data: f"Round {data['round']} over",
    "DealingBegun": "Dealing began",
    "CoverCardCameOut": _cover_out,
    "ReshuffleDirected": "Reshuffle directed",
    "GamingActivityAbsent": "No gaming activity",
    "IdleWithdrawn": _with("Dead game withdrawn", "reason"),
    "CardsRemoved": lambda data: f"Cards taken out of {joined(data['sources'])}",
    "FaceUpRequested": "A player asked for the cards face up",
    "ReshuffleRequested": "A player asked for spread and shuffle",
    "DicePlaced": lambda data: f"Dice {data['set_id']} placed",
    "DiceRemoved": lambda data: f"Dice {data['set_id']} removed",
    "DiceHandedOver": lambda data: f"Dice {data['set_id']} handed over to {data['to']}",
    "DealerRelieved": lambda data: (
        f"Dealer relieved by {data['to']}" if data.get("to") else "Dealer left the table"
    ),
    "DeviceOutOfOrder": lambda data: _with(f"{data['device']} out of order", "fault")(data),
    "DeviceCovered": lambda data: f"{data['device']} covered",
    "DeviceSigned": lambda data: f"Out-of-order sign on {data['device']}",
    "DeviceReturned": lambda data: f"{data['device']} back in service: {data['repair']}",
    "DeckCounted": _counted,
    "DeckReplaced": lambda data: f"Deck replaced by set {data['set_id']}: {data['reason']}",
    "EntryCorrected": lambda data: (
        f"Entry {data['of']} corrected: {data['reason']}; back to {stage(data['stage']).lower()}"
    ),
    "DueSaid": lambda data: f"Fell due: {data['kind'].partition(':')[0].replace('_', ' ')}",
}
