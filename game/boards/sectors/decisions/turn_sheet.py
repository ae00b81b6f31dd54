"""The turn on one sheet: the tranche vote, what becomes of that tranche, and the first order, given ahead beside what
is asked now. (Decision *ahead*)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import Asked, Filled, Request, Values
from game.boards.sectors.decisions import always, first_order, prize
from game.boards.sectors.decisions.done import done_tick
from game.boards.shapes import Cards, Tick
from game.engine.offers import Offer

NAMES = frozenset({*first_order.NAMES, prize.PRIZE, always.ALWAYS})
READY = first_order.READY


class TurnSheet(msgspec.Struct, frozen=True):
    """What is asked now, then what may be given ahead."""

    now: Cards
    tranches: Cards | None
    prize: prize.Prize | None
    first: first_order.FirstOrder | None


def read_rest(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """What the sheet gives ahead beside the tranche vote. Raises `BadField`."""
    return [*prize.read_prize(form, offers), *first_order.read_order(form, offers), *always.read_always(form)]


def fill_rest(request: Mapping[str, Any]) -> Values | None:
    """What the form holds for one of them; None for another request."""
    if request["kind"] == always.VOTE_FULL:
        return {always.ALWAYS: ["on"]}
    if request["kind"] == prize.DISTRIBUTE:
        return prize.fill_prize(request)
    return first_order.fill_order(request) if first_order.is_order(request) else None


def rest_words(request: Mapping[str, Any], view: Any) -> str:
    """One of them in a player's words, as part of a sentence; "" for another request."""
    if request["kind"] == always.VOTE_FULL:
        return always.always_words()
    if request["kind"] == prize.DISTRIBUTE:
        return prize.words_of(request)
    return first_order.words_of(request, view) if first_order.is_order(request) else ""


def sheet_of(asked: Asked, now: Cards, tranches: Cards | None) -> TurnSheet:
    """The sheet around what is asked now."""
    return TurnSheet(now, tranches, prize.prize_of(asked), first_order.first_order(asked))


def ticks_of(asked: Asked) -> tuple[Tick, ...]:
    """The boxes of the sheet."""
    tick = always.new_always_tick(asked)
    return (done_tick(asked), *([tick] if tick else []))
