"""Who must hear of an event, by outbox rows in the command's transaction (design §7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pit.record.contract import Entry, Message
from pit.rules.model import Rules
from tables.domain import events as e
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
        case e.DeckCounted(good=False):
            yield _message(
                "deck_count_wrong", HOUSE_EYES, number, "Wrong count: the deck leaves the table", entry, rules
            )


def _message(
    notification: str, to: tuple[str, ...], number: str, text: str, entry: Entry, rules: Rules
) -> Message:
    cite = rules.cite(entry.clause) if entry.clause else ""
    body = f"Table {number}. {text}." + (f" {cite}." if cite else "")
    return Message(
        notification=notification, to=to, subject=f"Table {number}: {text}", body=body, clause=entry.clause
    )
