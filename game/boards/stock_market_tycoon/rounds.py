"""The end of a year as a table: the new price of each company, and the cards that made it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from game.boards.outcomes import signed
from game.boards.reports import Phases, all_of
from game.boards.sheets import Column, Sheet, SheetRow
from game.engine.language import apart, say, say_as
from game.engine.phrases import listed
from game.rulesets.stock_market_tycoon.cards import cards_of, value_of
from game.rulesets.stock_market_tycoon.events.year import CardsRevealed, CardStruck, PriceMoved, ShareSuspended
from game.rulesets.stock_market_tycoon.tables import COMPANIES, Company


def round_tables(key: str, phases: Phases, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Every table that is not empty in this round."""
    return (_prices(phases, names),)


def _prices(phases: Phases, names: Sequence[str]) -> Sheet:
    """Each former and new price, and the cards that counted. (ST 5)"""
    suspended = {event.company: event for event in all_of(phases, ShareSuspended)}
    columns = (
        Column("was", say_as("price", "From")),
        Column("now", say_as("price", "To")),
        Column("change", say("Change"), is_change=True),
        Column("why", say("Cards that counted")),
    )
    rows = []
    for moved in all_of(phases, PriceMoved):
        why = _cards(phases, moved.company, names)
        now = moved.price
        if suspension := suspended.get(moved.company):
            now = suspension.price
            why = say("None: {name} suspended it.", name=names[suspension.seat])
        cells = (moved.was, now, now - moved.was, why)
        rows.append(SheetRow(moved.company, COMPANIES[moved.company].title, cells))
    return Sheet("prices", say("New prices"), say("Company"), columns, tuple(rows))


def _cards(phases: Phases, company: Company, names: Sequence[str]) -> str:
    """The cards of a company on the table that nobody struck, by the player who showed them."""
    struck = Counter((event.owner, event.card) for event in all_of(phases, CardStruck))
    parts = []
    for reveal in all_of(phases, CardsRevealed):
        left = Counter(cards_of(company, reveal.cards))
        left -= Counter({card: n for (owner, card), n in struck.items() if owner == reveal.seat})
        if values := [signed(value_of(card)) for card in left.elements()]:
            parts.append(f"{apart(names[reveal.seat])} {listed(values)}")
    return "; ".join(parts)
