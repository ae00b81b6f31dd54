"""The turn on one sheet: the tranche vote, the distribution of that tranche, and the first order, given ahead next to
the open decision. (Decision *ahead*)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Filled, Question, Request, Values, has_field, one_of
from game.boards.sectors.decisions import first_order, ticks
from game.boards.sectors.decisions.ticks import done_tick
from game.boards.shapes import Cards, Option, Tick
from game.engine.language import mark, say
from game.engine.offers import Choice, Offer

PRIZE, DISTRIBUTE = "prize", "distribute_tranche"
NAMES = frozenset({*first_order.NAMES, PRIZE, ticks.ALWAYS})
READY = first_order.READY


class Prize(msgspec.Struct, frozen=True):
    """The fields: by tranche, the companies that can have its prestige and ability."""

    groups: tuple[tuple[str, tuple[Option, ...]], ...]


def read_prize(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The distribution in a form for the tranche it votes for, if any; the winner keeps the cash. Raises `BadField`."""
    if not form.get(PRIZE):
        return []
    choices = {_key(number, ticker): (offer, ticker) for number, offer, ticker, _ in _choices(offers)}
    offer, ticker = choices[one_of(form, PRIZE, mark("The company of the tranche"), choices, rule="S 7.9")]
    number = offer.fixed["tranche"]
    if form.get("tranche") != str(number):
        raise BadField(
            PRIZE,
                "That company belongs to tranche {tranche}. Vote for that tranche, or choose another company.",
            "A72", tranche=number,
        )  # fmt: skip
    prizes = {name: ticker for name in ("prestige_to", "ability_to") if ticker and has_field(offer, name)}
    return [{"kind": DISTRIBUTE, "tranche": number, **prizes, "ready": True}]


def fill_prize(request: Mapping[str, Any]) -> Values:
    """The form's values for a distribution; none for one that the sheet cannot represent."""
    if request.get("cash") or not request.get("tranche"):
        return {}
    return {PRIZE: [_key(request["tranche"], request.get("ability_to") or "")]}


def prize_words(request: Mapping[str, Any]) -> str:
    """A distribution in a player's words, as part of a sentence."""
    if request.get("ability_to"):
        return say("if you win it, {company} gets what is in it", company=request["ability_to"])
    return say("if you win it, its cash alone")


def prize_of(question: Question) -> Prize | None:
    """The fields; None if nothing can be given ahead."""
    chosen, groups = question.filled.get(PRIZE), dict[str, list[Option]]()
    for number, _, ticker, words in _choices(question.offers):
        key = _key(number, ticker)
        group = groups.setdefault(say("Tranche {n}", n=number), [])
        group.append(Option(key, words, checked=key == chosen))
    return Prize(tuple((title, tuple(options)) for title, options in groups.items())) if groups else None


def _choices(offers: Sequence[Offer]) -> list[tuple[int, Offer, str, str]]:
    """Every tranche with its offer, a company that can have its prestige and ability, and that company in words; nobody
    if its sector has no company."""
    choices = []
    for offer in offers:
        if offer.kind == DISTRIBUTE and "tranche" in offer.fixed:
            field = next(field for field in offer.fields if isinstance(field, Choice) and field.name == "ability_to")
            values = [(str(ticker), say(name)) for ticker, name in field.values]
            nobody = [("", say("No company: it is lost"))]
            choices += [(offer.fixed["tranche"], offer, ticker, name) for ticker, name in values or nobody]
    return choices


def _key(tranche: int, ticker: str) -> str:
    return f"{tranche}/{ticker}"


class TurnSheet(msgspec.Struct, frozen=True):
    """The open decision, with the rule that it is decided by, then what can be given ahead."""

    now: Cards
    tranches: Cards | None
    prize: Prize | None
    first: first_order.FirstOrder | None
    rule: str = ""


def read_rest(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The requests ahead other than the tranche vote. Raises `BadField`."""
    return [*read_prize(form, offers), *first_order.read_order(form, offers), *ticks.read_always(form)]


def fill_rest(request: Mapping[str, Any]) -> Values | None:
    """The form's values for such a request; None for another one."""
    if request["kind"] == ticks.VOTE_FULL:
        return {ticks.ALWAYS: ["on"]}
    if request["kind"] == DISTRIBUTE:
        return fill_prize(request)
    return first_order.fill_order(request) if first_order.is_order(request) else None


def rest_words(request: Mapping[str, Any], view: Any) -> str:
    """A request for the rest of the turn in a player's words, as part of a sentence; "" for any other request."""
    if request["kind"] == ticks.VOTE_FULL:
        return ticks.always_words()
    if request["kind"] == DISTRIBUTE:
        return prize_words(request)
    return first_order.words_of(request, view) if first_order.is_order(request) else ""


def sheet_of(question: Question, now: Cards, tranches: Cards | None, rule: str = "") -> TurnSheet:
    """The sheet around the open decision."""
    return TurnSheet(now, tranches, prize_of(question), first_order.first_order(question), rule)


def ticks_of(question: Question) -> tuple[Tick, ...]:
    tick = ticks.new_always_tick(question)
    return (done_tick(question), *([tick] if tick else []))
