"""Who must hear of an event, by outbox rows in the command's transaction (design §7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pit.record.contract import Entry, Message
from pit.rules.model import Rules
from tables.domain import events as e
from tables.domain import events_integrity as cards
from tables.domain import events_play as play
from tables.domain import faults
from tables.domain.integrity import Exposure
from tables.domain.state import TableState

FLOOR = ("floorperson", "pit_manager")
HOUSE_EYES = ("pit_manager", "surveillance")


def messages(state: TableState, entries: Sequence[Entry], rules: Rules) -> tuple[Message, ...]:
    """Notifications of these entries: dice over their time, a device out of order, a deck that must leave."""
    number = state.config.number if state.config else "?"
    return tuple(found for entry in entries for found in _of(entry, number, rules))


def _of(entry: Entry, number: str, rules: Rules) -> Iterator[Message]:
    match entry.event:
        case e.DueSaid(kind=kind) if kind.startswith("dice_over:"):
            yield _message(
                "dice_over_time",
                HOUSE_EYES,
                number,
                f"Dice {kind.partition(':')[2]}: time is up",
                entry,
                rules,
            )
        case e.DueSaid(kind=kind) if kind.startswith("dice_warning:"):
            _, name, minutes = kind.split(":", 2)
            yield _message(
                "dice_warning", FLOOR, number, f"Dice {name}: {minutes} minutes left", entry, rules
            )
        case e.DueSaid(kind="signature_due"):
            text = "Cards received, signatures still missing"
            yield _message("signature_due", FLOOR, number, text, entry, rules)
        case e.DueSaid(kind="idle_reminder"):
            yield _message(
                "idle_reminder", FLOOR, number, "Dead game: record it or close the table", entry, rules
            )
        case e.DeviceOutOfOrder(device=device):
            yield _message(
                "device_out_of_order",
                (*HOUSE_EYES, "technician"),
                number,
                f"{device} is out of order",
                entry,
                rules,
            )
        case e.DeckCounted(good=False, removal=removal, exposure=exposure):
            said = "the deck leaves the table" if removal else "the cards are held"
            text = f"Wrong count: {said}{_window(exposure)}"
            yield _message("deck_count_wrong", HOUSE_EYES, number, text, entry, rules)
        case play.IrregularityRecorded(words=words, needs=needs):
            if needs:
                yield _message("irregularity", FLOOR, number, words, entry, rules)
        case play.WagersSettled(device=device):
            text = f"All gaming has ceased until {device} is fixed"
            yield _message("gaming_ceased", (*HOUSE_EYES, "technician"), number, text, entry, rules)
        case _:
            yield from _of_cards(entry, number, rules)


def _of_cards(entry: Entry, number: str, rules: Rules) -> Iterator[Message]:
    """Cards that may be wrong: surveillance and the pit manager hear of it, of an unsuitable card the commission too."""
    match entry.event:
        case cards.FaultReported(hold=hold, device=device, code=code, exposure=exposure):
            words = f"{device}: {faults.CODES[code].words}" if code in faults.CODES else f"{device}: {code}"
            if hold:
                told = (*HOUSE_EYES, "technician")
                yield _message("device_fault", told, number, f"{words}{_window(exposure)}", entry, rules)
        case cards.UnsuitableCardReported(rank=rank, suit=suit, finding=finding, exposure=exposure):
            text = f"Unsuitable card: {rank} of {suit}, {finding.replace('_', ' ')}{_window(exposure)}"
            told = ("commission_staff", "surveillance", "pit_manager")
            yield _message("unsuitable_card", told, number, text, entry, rules)
        case cards.CardsSpilled(exposure=exposure):
            text = f"Cards spilled: they are counted{_window(exposure)}"
            yield _message("cards_spilled", HOUSE_EYES, number, text, entry, rules)
        case cards.CardsSampled(in_order=True):
            text = "Pre-shuffled set lies in factory order"
            yield _message("set_in_order", (*HOUSE_EYES, "commission_staff"), number, text, entry, rules)
        case cards.DeviceEmptied(count=True, device=device, cards=found, exposure=exposure):
            text = f"{device}: {found} cards found inside{_window(exposure)}"
            yield _message("device_cards_inside", (*HOUSE_EYES, "technician"), number, text, entry, rules)
        case e.CardsReceived(preshuffled=True, set_id=set_id, seal=seal):
            text = f"Pre-shuffled set {set_id} received, seal {seal}"
            yield _message("preshuffled_received", ("surveillance",), number, text, entry, rules)


def _window(found: Exposure | None) -> str:
    """How long cards may have been wrong; the multiplier of every real case."""
    if found is None or found.since is None:
        return ""
    return f" ({found.minutes} minutes, {found.rounds} rounds since the last {found.by})"


def _message(
    notification: str, to: tuple[str, ...], number: str, text: str, entry: Entry, rules: Rules
) -> Message:
    cite = rules.cite(entry.clause) if entry.clause else ""
    body = f"Table {number}. {text}." + (f" {cite}." if cite else "")
    return Message(
        notification=notification, to=to, subject=f"Table {number}: {text}", body=body, clause=entry.clause
    )
