"""Entries about rounds step by step, irregularities, faults and cards, in the words of the pit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Data = Mapping[str, Any]


def _window(data: Data) -> str:
    """How long the cards may have been wrong: minutes and rounds since they were last known good."""
    found = data.get("exposure")
    if not isinstance(found, Mapping):
        return ""
    if not found.get("since"):
        return "; not known good before at this table"
    return f"; exposed {found.get('minutes', 0)} minutes, {found.get('rounds', 0)} rounds"


def _fault(data: Data) -> str:
    seat = f" at seat {data['seat']}" if data.get("seat") else ""
    return f"{data['device']} shows {data['code']}{seat}{_window(data)}"


def _start(data: Data) -> str:
    place = "the dealer" if data["position"] == "DEALER" else f"seat {data['position']}"
    how = f"dice total {data['total']}" if data["by"] == "shaker" else f"number {data['number']}"
    return f"Dealing starts at {place}: {how}"


def _emptied(data: Data) -> str:
    cards = "" if data.get("cards") is None else f": {data['cards']} cards inside"
    return f"{data['device']} emptied{cards}{_window(data)}"


def _swapped(data: Data) -> str:
    told = data.get("device")
    new = told.get("id", "") if isinstance(told, Mapping) else ""
    if new and data.get("replaces"):
        return f"{new} came in place of {data['replaces']}"
    return f"{new} came to the table" if new else f"{data['replaces']} left the table"


def _ruled(data: Data) -> str:
    told = [f"wagers {'go back' if data['wagers'] == 'returned' else 'stand'}"] if data.get("wagers") else []
    told += ["shuffle again"] if data.get("reshuffle") else []
    told += ["round void"] if data.get("void") else []
    told += [data["instruction"]] if data.get("instruction") else []
    return f"Ruling on no. {data['irregularity']}" + (f": {', '.join(told)}" if told else "")


def _card(data: Data) -> str:
    return f"{data['rank']} of {data['suit']}, {data['back']} back"


PHRASES: dict[str, str | Callable[[Data], str]] = {
    "StartFound": _start,
    "StartMarked": "Starting position marked",
    "ShakerClosed": "Shaker covered and shaken once",
    "NoMoreBetsAnnounced": "Announced: “no more bets”",
    "ProgressiveLockedOut": "Lock-out pressed",
    "WagersAccepted": lambda data: f"{data['accepted']} progressive wagers accepted by the system",
    "ChipsVerified": lambda data: f"{data['chips']} chips equal {data['accepted']} accepted wagers",
    "ChipsPlacedInTray": "Progressive chips in the tray",
    "StubDiscarded": "Stub in the discard rack",
    "RestTakenInHand": "Rest of the cards taken in hand",
    "HandChanged": lambda data: f"Deck now in the {data['hand']} hand",
    "RoundVoided": lambda data: f"Round {data['round']} called void",
    "RoundContinued": lambda data: f"Round {data['round']} goes on",
    "WagersSettled": lambda data: (
        f"Wagers settled before {data['supervisor']}; gaming ceases until {data['device']} is fixed"
    ),
    "GamingResumed": lambda data: f"{data['device']} is fixed: gaming may go on",
    "HandCollected": lambda data: f"Hand of seat {data['seat']} settled and collected",
    "HandHeld": lambda data: f"Winning hand of seat {data['seat']} stays on the table",
    "PayoutDocumented": lambda data: f"Payout of seat {data['seat']} documented: {data['reference']}",
    "SideWagerTaken": lambda data: f"Side wager taken at seat {data['seat']}",
    "VerbalWagerTaken": "Verbal wager with cash taken",
    "IrregularityRecorded": lambda data: f"Irregularity no. {data['id']}: {data['words']}{_window(data)}",
    "RulingRecorded": _ruled,
    "PlayerChose": lambda data: f"Player at seat {data['seat']}: {data['choice'].replace('_', ' ')}",
    "FaultReported": _fault,
    "FaultCleared": lambda data: f"{data['device']} shows {data['code']} no longer",
    "FaultReleased": lambda data: f"Hold on {data['device']} {data['code']} released: {data['reason']}",
    "DeviceEmptied": _emptied,
    "DeviceRepaired": lambda data: f"{data['device']} repaired: {data['repair']}",
    "DeviceTested": lambda data: f"{data['device']} tested: {'passed' if data['passed'] else 'failed'}",
    "DeviceSwapped": _swapped,
    "CardsSpilled": lambda data: f"Cards spilled{_window(data)}",
    "CountRequired": lambda data: f"Count ordered: {data['reason']}{_window(data)}",
    "UnsuitableCardReported": lambda data: (
        f"Unsuitable card, {data['finding'].replace('_', ' ')}: {_card(data)}{_window(data)}"
    ),
    "CardReplaced": lambda data: f"Card replaced: {_card(data)}",
    "CardsSampled": lambda data: (
        f"Sample of {data['cards']} cards{': in factory order' if data['in_order'] else ': mixed'}"
    ),
}
