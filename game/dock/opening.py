"""The bid, the headlines and the tranches."""

from __future__ import annotations

from typing import Any

import msgspec

from game.dock.shapes import Asked, Option, Preview, Row, Say, Ticket
from game.engine.offers import Choice, Offer, Range, Split
from game.engine.phrases import listed, plural, thousands
from game.forms import Filled


class BidForm(msgspec.Struct, frozen=True):
    """Points to bid, with where the slider starts."""

    points: str
    low: int
    high: int


def bid(asked: Asked) -> Ticket:
    """Phase 1: points for priority, the rest is money. (S 1.5)"""
    field = next((f for o in asked.offers for f in o.fields if isinstance(f, Range)), Range("points", "", 0, 50, 0))
    form = BidForm(with_defaults(asked).get("points"), field.low, field.high)
    title = f"Bid for your place in the order, {field.low} to {field.high}."
    hint = "The highest bid is served first in turn 1. Equal bids are drawn by lot."
    return Ticket("bid", title, form, _bid_preview(asked, field.high, hint), "Influence bid", "sealed until everyone has bid",
                  "Submit bid", "Bid 0")  # fmt: skip


def with_defaults(asked: Asked) -> Filled:
    """The bid, half of the points where nothing is written."""
    usual = next((f.suggested for o in asked.offers for f in o.fields if isinstance(f, Range)), 0)
    return asked.filled if asked.filled.several("points") else asked.filled.with_(points=str(usual))


def _bid_preview(asked: Asked, high: int, hint: str) -> Preview:
    request = asked.request("bid_influence")
    if request is None:
        return Preview(hint=hint)
    kept, cash = high - request["points"], asked.you.cash
    rows = (
        Row("Points bid", thousands(request["points"]), note=f"of {high}"),
        Row("Kept, a dollar each", f"{high} − {request['points']} = {kept}"),
        Row("Cash", thousands(cash + kept), thousands(cash)),
    )
    return Preview("After the bid", rows, hint=hint)


def pledge(asked: Asked) -> Ticket:
    """Phase 3: join the payers of one headline. (S 1.10, A13)"""
    chosen = asked.filled.get("headline")
    options = [_headline(asked, offer, chosen) for offer in asked.of("pledge_headline")]
    none = Option("", "None of them", "You pay nothing.", "0", checked=not chosen)
    now = ", ".join(sector.title for sector in _by_priority(asked))
    hint = f"Now served: {now}. The cost is split evenly among everybody who pledges, rounded down."
    cards, cash = Cards("headline", "Headlines", (*options, none)), f"Cash {thousands(asked.you.cash)}"
    return Ticket("cards", "Pay for a headline, or let them pass.", cards,
                  _pledge_preview(asked, hint), "Headlines", cash, "Submit pledge", "Pay for none")  # fmt: skip


class Cards(msgspec.Struct, frozen=True):
    """Radio cards of one name."""

    name: str
    legend: str
    options: tuple[Option, ...]


def _headline(asked: Asked, offer: Offer, chosen: str) -> Option:
    headline = next(h for h in asked.view.headlines if h.slot == offer.fixed["headline"])
    way = "earlier" if headline.move > 0 else "later"
    after = _order_after(asked, headline)
    before = [sector.title for sector in _by_priority(asked)]
    detail = f"Then served: {', '.join(after)}" if after != before else "The order would stay as it is."
    split = (
        f"alone {headline.cost} / two pay {headline.cost // 2} each / all {len(asked.seats)} pay {headline.cost // len(asked.seats)} each"
    )
    label = f"{headline.sector_title} {plural(abs(headline.move), 'place')} {way}"
    value = str(headline.slot)
    return Option(value, label, detail, thousands(headline.cost), split, value == chosen, offer.refused, offer.rule)


def _by_priority(asked: Asked) -> list[Any]:
    return sorted(asked.view.sectors, key=lambda sector: sector.priority)


def _order_after(asked: Asked, headline: Any) -> list[str]:
    """The sectors in their order once the headline is paid. (S 1.10)"""
    order = [(sector.key, sector.title) for sector in _by_priority(asked)]
    at = next(place for place, (key, _) in enumerate(order) if key == headline.sector)
    order.insert(min(max(at - headline.move, 0), len(order) - 1), order.pop(at))
    return [title for _, title in order]


def _pledge_preview(asked: Asked, hint: str) -> Preview:
    request = asked.request("pledge_headline")
    headline = next((h for h in asked.view.headlines if request and h.slot == request["headline"]), None)
    if headline is None:
        return Preview(hint=hint)
    cash, least = asked.you.cash, headline.cost // len(asked.seats)
    rows = (
        Row("If you pay alone", thousands(headline.cost)),
        Row(f"If all {len(asked.seats)} pay", thousands(least)),
        Row("Cash", f"{thousands(cash - headline.cost)} to {thousands(cash - least)}", thousands(cash)),
        Row("Served in this order", ", ".join(_order_after(asked, headline))),
    )
    says: tuple[Say, ...] = ()
    if cash < headline.cost:
        says = (Say(f"Alone it costs {headline.cost} and you hold {cash}: then your pledge is dropped and costs nothing.", "A13"),)
    return Preview("If the headline is paid", rows, says, hint)


def tranche(asked: Asked) -> Ticket:
    """Phase 4: vote for one pool. (S 7.9)"""
    chosen = asked.filled.get("tranche")
    options = tuple(_pool(asked, offer, chosen) for offer in asked.of("vote_tranche"))
    hint = "A tranche is won by a single vote only. If every one is won, all their cash doubles."
    return Ticket("cards", "Vote for one tranche.", Cards("tranche", "Tranches", options), Preview(hint=hint), "Tranches",
                  f"{len(options)} on offer", "Submit vote", "Vote for none")  # fmt: skip


def _pool(asked: Asked, offer: Offer, chosen: str) -> Option:
    pool = next(t for t in asked.view.tranches if t.number == offer.fixed["tranche"])
    prestige = f"{pool.prestige} prestige and " if pool.prestige else ""
    value = str(pool.number)
    label = f"Tranche {pool.number}: {pool.sector_title}"
    return Option(
        value, label, f"{prestige}{pool.ability}. {pool.ability_text}", thousands(pool.cash), "", value == chosen, offer.refused, offer.rule
    )


class SplitForm(msgspec.Struct, frozen=True):
    """How a won pool is shared out."""

    pool: Any
    rows: tuple[tuple[Any, str], ...]
    choices: tuple[tuple[str, str, tuple[Option, ...]], ...]


def distribution(asked: Asked) -> Ticket:
    """Phase 6: cash among all seats, prestige and ability to companies of the sector. (S 7.9, A72)"""
    pool = next(t for t in asked.view.tranches if t.winner == asked.view.seat)
    fields = [field for offer in asked.offers for field in offer.fields]
    split = next(field for field in fields if isinstance(field, Split))
    others = [seat for seat in split.seats if seat != asked.view.seat]
    rows = tuple((asked.seats[seat], asked.filled.get(f"cash_{seat}") or "0") for seat in others)
    choices = tuple(_prize(asked, field) for field in fields if isinstance(field, Choice))
    title = f"Share out the tranche you won: {plural(pool.cash, 'dollar')} and {pool.ability}."
    return Ticket("split", title, SplitForm(pool, rows, choices), _split_preview(asked, pool), f"Tranche {pool.number}",
                  pool.sector_title, "Submit distribution", "Keep the cash")  # fmt: skip


def _prize(asked: Asked, field: Choice) -> tuple[str, str, tuple[Option, ...]]:
    chosen = asked.filled.get(field.name)
    nobody = Option("", "Nobody: it is lost", checked=not chosen)
    options = (nobody, *(Option(str(v), f"{v}, {words}", checked=str(v) == chosen) for v, words in field.values))
    return field.name, field.label, options


def _split_preview(asked: Asked, pool: Any) -> Preview:
    request = asked.request("distribute_tranche")
    if request is None:
        return Preview()
    others = {int(seat): amount for seat, amount in request["cash"].items() if int(seat) != asked.view.seat}
    given, cash = sum(others.values()), asked.you.cash
    left = pool.cash - given
    rows = (
        Row("Given to others", thousands(given), note=f"of {pool.cash}"),
        Row("Left for you", f"{pool.cash} − {given} = {left}"),
        Row("Your cash", thousands(cash + left), thousands(cash)),
    )
    lost = [field for field, there in (("prestige", pool.prestige), ("ability", True)) if there and not request.get(f"{field}_to")]
    says = (Say(f"The {listed(lost)} goes to no company and is lost.", "A72"),) if lost else ()
    return Preview("If you share it like this", rows, says, "What you give to nobody stays yours.")
