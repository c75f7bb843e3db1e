"""Kinds of case that a calculator answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tables.conformance.case import Case, Got, Malformed
from tables.conformance.rules import rules_of
from tables.domain import cut, depth, dice, notice, parameters, position, rulings, wagers
from tables.domain.ring import Seated, wrong_numbers
from tables.domain.wrong import Wrong, is_whole


def need(data: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    """These fields of the case, which may be null but must be there."""
    for name in names:
        if name not in data:
            raise Malformed(f"{name} is missing")
    return tuple(data[name] for name in names)


def error(wrong: Wrong) -> Got:
    return {"error": wrong.code, **wrong.figures}


def verdict(*wrong: Wrong | None) -> Got:
    """Accepted, or refused with every code."""
    codes = [one.code for one in wrong if one is not None]
    return {"accepted": not codes, "codes": codes or ["OK"]}


def inner(case: Case) -> Mapping[str, Any]:
    """The `input` of a case that keeps what goes in apart."""
    found = case.data.get("input")
    if not isinstance(found, dict):
        raise Malformed("input is missing or no object")
    return found


# --- the cut ---


def cut_offer(case: Case) -> Got:
    data = inner(case)
    made = _cut_order(case, data)
    if isinstance(made, Wrong):
        return error(made)
    done = cut.offers(made, refuses=_refuses(data))
    got: Got = {
        "designated": made.designated,
        "offers": list(done.offers),
        "cutter": done.cutter,
        "cutter_seat": done.cutter_seat,
        "order_if_all_refuse": list(made.seats),
        "clause": made.clause,
    }
    return got | ({"flag": done.flag} if done.flag else {})


def _cut_order(case: Case, data: Mapping[str, Any]) -> cut.CutOrder | Wrong:
    place = {**case.data, "jurisdiction": data.get("jurisdiction", case.data.get("jurisdiction", "ny"))}
    rules = rules_of(
        Case(id=case.id, kind=case.kind, data=place, expected=None, overrides=case.overrides), home="ny"
    )
    seats, occupied, cause = need(data, "seats", "occupied", "cause")
    return cut.order(
        rule=parameters.cut_rule(rules),
        seats=seats,
        occupied=_seated(occupied),
        cause=cause if isinstance(cause, str) else "",
        arrivals=_words(data.get("arrival_order"), "arrival_order"),
        cover_seat=data.get("cover_seat"),
        cover_player=data.get("cover_player"),
    )


def _seated(occupied: Any) -> list[Seated]:
    if not isinstance(occupied, list) or not all(isinstance(one, dict) for one in occupied):
        raise Malformed("occupied is a list of seat and player")
    pairs = [need(one, "seat", "player") for one in occupied]
    if not all(isinstance(player, str) for _, player in pairs):
        raise Malformed("a player is a token, a word")
    return [Seated(seat=seat, player=player) for seat, player in pairs]


def _words(value: Any, name: str) -> list[str] | None:
    if value is not None and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        raise Malformed(f"{name} is a list of players")
    return value


def _refuses(data: Mapping[str, Any]) -> Any:
    refuses = data.get("refuses", [])
    if refuses != "ALL" and not isinstance(refuses, list):
        raise Malformed('refuses is a list of players or "ALL"')
    return refuses


def recut_cutter(case: Case) -> Got:
    made = _cut_order(case, inner(case))
    if isinstance(made, Wrong):
        return error(made)
    first = cut.offers(made, refuses=_refuses(inner(case)))
    again = cut.recut(made.order, cutter=first.cutter, option=case.data.get("option"))
    if isinstance(again, Wrong):
        return error(again)
    got: Got = {"cutter": again.cutter, "offers": [] if again.seat is None else [again.seat]}
    if again.seat is not None and not again.fixed:
        got |= {"if_refused_continue": list(again.continue_with), "then": "DEALER"}
    return got


# --- depths ---


def _total(case: Case) -> Any:
    """The stack told, or all decks of the game."""
    total, decks, per_deck = (case.data.get(name) for name in ("total_cards", "decks", "cards_per_deck"))
    return decks * per_deck if total is None and is_whole(decks) and is_whole(per_deck) else total


def player_cut(case: Case) -> Got:
    (above,) = need(case.data, "cards_above_cover")
    rules = rules_of(case, home="ny")
    return _depth(depth.player_cut(above, total=_total(case), minimum=parameters.min_cut(rules)))


def dealer_cut(case: Case) -> Got:
    """The dealer's own cut: one-handed where the text has a rule for it, else like a player's."""
    minimum = parameters.dealer_min_from_top(rules_of(case, home="ny"))
    told = case.data.get("taken_from_top", case.data.get("cards_above_cover"))
    if minimum is None:
        return player_cut(_with(case, cards_above_cover=told))
    return _depth(depth.one_hand_cut(told, total=_total(case), minimum=minimum))


def _with(case: Case, **fields: Any) -> Case:
    return Case(
        id=case.id,
        kind=case.kind,
        data={**case.data, **fields},
        expected=case.expected,
        overrides=case.overrides,
        under=case.under,
    )


def cover_card_depth(case: Case) -> Got:
    (behind,) = need(case.data, "cards_behind_cover")
    rule = parameters.cover_rule(rules_of(case, home="ny"))
    return _depth(
        depth.cover_card(
            behind, total=_total(case), cards_per_deck=case.data.get("cards_per_deck"), rule=rule
        )
    )


def _depth(found: depth.Cut | depth.OneHandCut | depth.Cover | Wrong) -> Got:
    if isinstance(found, Wrong):
        return {"valid": False, "code": found.code, **found.figures}
    figures = {name: getattr(found, name) for name in found.__struct_fields__}
    return {
        "valid": True,
        "code": "OK",
        **{key: value for key, value in figures.items() if value is not None},
    }


# --- start, dice, rulings ---


def starting_position(case: Case) -> Got:
    method, positions = need(case.data, "method", "player_positions")
    rules = rules_of(case, home="ny", game="pai_gow_poker")
    positions = case.overrides.get("counted_positions", positions)
    if method == "shaker":
        found = _by_shaker(case, positions)
    elif method == "rng":
        (number,) = need(case.data, "number")
        found = position.by_generator(
            number,
            positions=positions,
            reading=parameters.rng_range(rules),
            device_max=case.data.get("rng_max"),
        )
    else:
        return {"error": "METHOD_NOT_CONFIGURED"}
    if isinstance(found, Wrong):
        return _wrong_start(case, found, rules_of(case, home="ny").pack.irregularities)
    return {"position": found.position} | ({"total": found.total} if found.total is not None else {})


def _by_shaker(case: Case, positions: Any) -> position.Start | Wrong:
    if "dice" not in case.data and "total" not in case.data:
        raise Malformed("dice or total is missing")
    rolled = case.data.get("dice")
    if rolled is not None and not isinstance(rolled, list):
        raise Malformed("dice is a list of faces")
    return position.by_shaker(
        positions=positions,
        dice=rolled,
        total=case.data.get("total"),
        announced=case.data.get("announced_total"),
        shakes=case.data.get("shakes"),
    )


def _wrong_start(case: Case, wrong: Wrong, irregularities: Mapping[str, Any]) -> Got:
    """A total announced wrongly also says what it would be if a card had gone to the place called."""
    figures = dict(wrong.figures)
    called = figures.pop("called_position", None)
    got: Got = {"error": wrong.code, **figures}
    if called is not None and "dice" in case.data:
        facts = {
            "dice": case.data["dice"],
            "announced": case.data["announced_total"],
            "player_positions": case.data["player_positions"],
            "first_dealt": True,
            "dealt_to": called,
        }
        found = rulings.ruling("dice", facts, irregularities)
        if isinstance(found, rulings.Ruling) and found.clauses:
            got["ruling_if_first_card_already_dealt_to"] = {"position": called, "clause": found.clauses[0]}
    return got


def dice_24h(case: Case) -> Got:
    zone_name, placed = need(case.data, "timezone", "placed_local")
    try:
        zone, local = ZoneInfo(zone_name), datetime.fromisoformat(placed)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError) as unknown:
        raise Malformed(f"timezone or placed_local cannot be read: {unknown}") from unknown
    found = dice.instant(local, zone=zone, fold=case.data.get("fold"))
    if isinstance(found, Wrong):
        return error(found)
    limit = timedelta(hours=rules_of(case, home="ny", game="pai_gow_poker").param("dice_hours"))
    made = dice.clock(found, zone=zone, limit=limit)
    return error(made) if isinstance(made, Wrong) else _dice_clock(made, limit)


def _dice_clock(made: dice.Clock, limit: timedelta) -> Got:
    second = timedelta(seconds=1)
    moments = {
        "at_deadline_minus_1s": made.due_at - second,
        "at_deadline": made.due_at,
        "at_deadline_plus_1s": made.due_at + second,
    }
    return {
        "placed_utc": made.placed_at.isoformat(),
        "placed_local": made.placed_local.isoformat(),
        "deadline_utc": made.due_at.isoformat(),
        "deadline_local": made.due_local.isoformat(),
        "deadline_fold": made.due_local.fold,
        "wall_clock_hours": made.wall_hours,
        **{name: dice.status(made.placed_at, now=at, limit=limit) for name, at in moments.items()},
    }


ALSO_CALLED = dict.fromkeys(
    ("out", "dice_out", "die_fell_out", "dice_fell_out", "fell", "out_of_shaker"), "fell_out"
)
"""Other words in use for a fact of an event."""


def ruling(case: Case) -> Got:
    facts = {ALSO_CALLED.get(key, key): value for key, value in inner(case).items()}
    kind = facts.pop("kind", None)
    if not isinstance(kind, str):
        raise Malformed("input.kind is missing or no word")
    found = rulings.ruling(kind, facts, rules_of(case, home="ny").pack.irregularities)
    if isinstance(found, Wrong):
        return error(found)
    return {"clauses": list(found.clauses), "stated_consequences": dict(found.consequences)}


# --- notices and wagers ---


def change_notice(case: Case) -> Got:
    change, effective, commission, surveillance = need(
        case.data, "change", "effective_at", "commission_notified_at", "surveillance_notified_at"
    )
    rules = rules_of(case, home="ny")
    kinds = rules.param("notice_kinds") or (notice.KINDS if rules.house["change_notice_required"] else ())
    if not notice.needs_notice(change, kinds=kinds):
        return {"accepted": True, "codes": ["NOT_A_T_CHANGE"]}
    at = _moment(effective, "effective_at")
    if at is None:
        raise Malformed("effective_at is missing")
    return verdict(
        *notice.may_take_effect(
            effective_at=at,
            commission_at=_moment(commission, "commission_notified_at"),
            surveillance_at=_moment(surveillance, "surveillance_notified_at"),
        )
    )


def _moment(value: Any, name: str) -> datetime | None:
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError) as unknown:
        raise Malformed(f"{name} is no time: {value!r}") from unknown
    if found.tzinfo is None:
        raise Malformed(f"{name} has no offset from UTC: {value!r}")
    return found


def may_deal(case: Case) -> Got:
    rules = rules_of(case, home="ny")
    by_hand = case.data.get("deal_mode", "shoe") == "hand"
    names = ("progressive_wagers", "chips_verified", "system_accepted")
    if any(not is_whole(case.data.get(name, 0)) for name in names):
        return {"accepted": False, "codes": ["NOT_AN_INTEGER"]}
    found = wagers.RoundOpen(
        no_more_bets=_yes(case, "no_more_bets_announced"),
        progressive_offered=_yes(case, "progressive_offered"),
        wagers=case.data.get("progressive_wagers", 0),
        locked_out=_yes(case, "locked_out"),
        chips=case.data.get("chips_verified", 0),
        accepted=case.data.get("system_accepted", 0),
        in_tray=_yes(case, "chips_in_tray"),
    )
    binds = not by_hand or bool(rules.house["hand_deal_announces_no_more_bets"])
    return verdict(*wagers.may_deal(found, binds=binds))


def _yes(case: Case, name: str) -> bool:
    value = case.data.get(name, False)
    if not isinstance(value, bool):
        raise Malformed(f"{name} is true or false")
    return value


def collect_progressive_winner(case: Case) -> Got:
    need(case.data, "payable_from_tray", "documentation_complete")
    return verdict(
        wagers.may_collect(
            payable_from_tray=_yes(case, "payable_from_tray"), documented=_yes(case, "documentation_complete")
        )
    )


def side_wager(case: Case) -> Got:
    (light,) = need(case.data, "light")
    need(case.data, "underlying_wager_placed")
    return verdict(
        *wagers.side_wager(light_works=light == "ok", underlying=_yes(case, "underlying_wager_placed"))
    )


def verbal_wager_with_cash(case: Case) -> Got:
    (game,) = need(case.data, "game")
    rules = rules_of(case, home="ny", game="blackjack")
    return verdict(wagers.verbal_wager_with_cash(str(game), games=rules.param("verbal_cash_games")))


def hand_deal_decks(case: Case) -> Got:
    (decks,) = need(case.data, "decks")
    most = rules_of(case, home="ny").param("hand_deal_most_decks")
    return verdict(wagers.hand_deal(decks, most=most))


def pickup_order(case: Case) -> Any:
    (occupied,) = need(case.data, "occupied")
    if not isinstance(occupied, list):
        raise Malformed("occupied is a list of seats")
    wrong = wrong_numbers(occupied, seats=case.data.get("seats", 99))
    return error(wrong) if wrong else list(cut.pickup_order(occupied))
