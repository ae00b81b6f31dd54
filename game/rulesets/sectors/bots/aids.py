"""Bots for measurements: they answer ahead, each in one way that the rules offer, and are built on another bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from game.engine.chance import Chance
from game.engine.language import mark
from game.engine.ruleset import Bot, Offered, TimeSaver
from game.rulesets.sectors.state import ACTIVE
from game.rulesets.sectors.view import OrderView, SectorsView

Request = dict[str, Any]
Ask = Callable[[SectorsView], list[Request]]
More = Callable[[Ask, list[Request], SectorsView], Iterator[Request]]
READY = {"ready": True}


def _with(*phases: str) -> Callable[[More], Callable[[Bot], Bot]]:
    """A bot that adds further requests in these phases."""

    def made(more: More) -> Callable[[Bot], Bot]:
        def use(bot: Bot) -> Bot:
            def asks(view: SectorsView, offered: Offered, chance: Chance) -> list[Request]:
                requests = bot(view, offered, chance)
                if view.phase is None or view.phase.name not in phases:
                    return requests
                return [*requests, *more(lambda other: bot(other, offered, chance), requests, view)]

            return asks

        return use

    return made


@_with("company_vote")
def _ballot_sheet(ask: Ask, requests: list[Request], view: SectorsView) -> Iterator[Request]:
    """The votes of all companies that have yet to vote, given at the first of those votes. (votes)"""
    later = view.queue[view.queue.index(view.acting or "") + 1 :]
    for ticker in later:
        company = view.company(ticker)
        if company.status == ACTIVE and view.seat in company.holdings:
            for request in ask(msgspec.structs.replace(view, acting=ticker)):
                yield request | READY


@_with("stock_orders")
def _done(ask: Ask, requests: list[Request], view: SectorsView) -> Iterator[Request]:
    """A bot that stops ordering for the stock round if it places no order in a sub-round or considers only one."""
    if not requests or not ask(_with_order(view, requests[0])):
        yield {"kind": "stop_ordering"}


def _with_order(view: SectorsView, request: Request) -> SectorsView:
    """The table after this order has been placed."""
    assert view.seat is not None
    placed = OrderView(
        0,
        view.seat,
        request.get("company", ""),
        request.get("location", "market"),
        view.turn,
        view.phase.sub_round if view.phase else 0,
        "pending",
        request["kind"].removesuffix("_order"),
        request.get("side", "buy"),
        request.get("quantity", 0),
        request.get("bid") or request.get("value") or 0,
    )
    return msgspec.structs.replace(view, orders=(*view.orders, placed))


@_with("start_turn", "tranche_vote", "revenue_vote")
def _full_dividends(ask: Ask, requests: list[Request], view: SectorsView) -> Iterator[Request]:
    """Full dividends from now on, given with the first turn sheet or at the first vote."""
    if "vote_full_revenue" not in view.lasting:
        yield {"kind": "vote_full_revenue"}


@_with("start_turn", "tranche_vote")
def _turn_sheet(ask: Ask, requests: list[Request], view: SectorsView) -> Iterator[Request]:
    """The tranche vote, the distribution of that tranche, and the first order, or none in this stock round; given with
    the pledge, else with the tranche vote."""
    assert view.phase is not None
    votes = requests if view.phase.name == "tranche_vote" else []
    if view.phase.name == "start_turn" and view.tranches:
        votes = list(_later(ask, view, "tranche_vote"))
        yield from votes
    for vote in votes:
        if vote["kind"] == "vote_tranche":
            yield from _if_won(ask, view, vote["tranche"])
    if not {"order", "stop_ordering"} & set(view.mine):
        yield from _later(ask, view, "stock_orders")


def _if_won(ask: Ask, view: SectorsView, number: int) -> Iterator[Request]:
    """What the bot would do with a tranche if it had won it."""
    pools = [
        msgspec.structs.replace(pool, winner=view.seat if pool.number == number else None) for pool in view.tranches
    ]
    won = msgspec.structs.replace(view, tranches=tuple(pools))
    for request in _later(ask, won, "tranche_distribution"):
        yield request | {"tranche": number}


def _later(ask: Ask, view: SectorsView, phase: str) -> Iterator[Request]:
    """What the bot would ask in a later phase if it were open now."""
    assert view.phase is not None
    there = msgspec.structs.replace(view, phase=msgspec.structs.replace(view.phase, name=phase, sub_round=1))
    for request in ask(there):
        yield request | ({} if request["kind"] == "stop_ordering" else READY)


TIME_SAVERS: dict[str, TimeSaver] = {
    "ballot_sheet": TimeSaver(mark("Ballot sheet"), _ballot_sheet),
    "done": TimeSaver(mark("Done for this stock round"), _done),
    "full_dividends": TimeSaver(mark("Full dividends from now on"), _full_dividends),
    "turn_sheet": TimeSaver(mark("Turn sheet"), _turn_sheet),
}
