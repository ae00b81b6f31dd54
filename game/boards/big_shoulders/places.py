"""Where a game of City of the Big Shoulders stands: in words, in an email, and as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from game.boards.base import Fact, Step
from game.boards.big_shoulders.spaces import short_words
from game.boards.sheets import Column, CompanyRow, Group, HoldingRow, Point, PriceWords, Rows, Sheet, plain_sheets
from game.engine.language import count, mark, say
from game.engine.phrases import capitalised, thousands
from game.rulesets.big_shoulders.effects import TILES, Effect
from game.rulesets.big_shoulders.supply import counted
from game.rulesets.big_shoulders.tables import COMPANIES, DECADES, GOAL_PRIZE, TRADE_TITLES
from game.rulesets.big_shoulders.telling import cubes_in_words
from game.rulesets.big_shoulders.view import CompanyView, ShouldersView

FIGURES = (
    mark("Director"),
    mark("Cash"),
    mark("Appeal"),
    mark("Rank"),
    mark("Goods"),
    mark("Salespeople"),
    mark("Workers"),
    mark("Automated"),
    mark("Managers"),
    mark("Certificate count"),
    mark("Partners"),
    mark("Ready partners"),
    mark("Built"),
    mark("Hand size"),
    mark("Sold this decade"),
    mark("First company"),
    mark("Discarded"),
)
"""What the spreadsheet calls the figures that only this game has: it makes these words of their keys."""
VALUE_WORDS = PriceWords(
    title=mark("Stock values"),
    of_each=mark("Stock value of each company"),
    of_company=mark("the value of {company}"),
    column=mark("Value"),
)
TILE_COLUMNS = {"built", "hand", "discarded"}
FURTHER = {"hand_size", "sold_this_decade", "first_company"}
"""Figures of players that stand in a second table, so that the first fits."""
FURTHER_OF_COMPANIES = {"group", "status"}  # the companies that have started stand first, under a heading
STATES = (mark("not started"), mark("started"))
TURN_WISE = {"first_company", "stock"}


def aside_of(view: ShouldersView) -> str:
    """The decade, and in the stock phase the number of passes in a row."""
    decade = say("Decade {n} of {most}", n=view.turn, most=DECADES)
    if view.phase and view.phase.name == "stock" and view.passes:
        passes = count("{n} pass in a row", "{n} passes in a row", view.passes)
        return f"{decade}, {passes}"
    return decade


def where(view: ShouldersView) -> str:
    """What follows the title of the open phase."""
    return f" ({aside_of(view)})"


def goal_of(view: ShouldersView) -> str:
    """The sentence on what wins, and when. (BS 9)"""
    if view.goals:
        return say(
            "The most cash and certificates after decade {n} wins; each goal brings its leaders {prize}.",
            n=DECADES,
            prize=GOAL_PRIZE,
        )
    return say("The most cash and certificates after decade {n} wins.", n=DECADES)


def score_means(view: ShouldersView) -> str:
    """What the final score is made of. (BS 9)"""
    if view.goals:
        return say(
            "The score is cash, certificates at the values of their companies, and ${prize} for each goal.",
            prize=GOAL_PRIZE,
        )
    return say("The score is cash, and certificates at the values of their companies.")


def operating_company(view: ShouldersView) -> str:
    """The name of the company that operates."""
    return COMPANIES[view.operation.company].title if view.operation else ""


def order_of(view: ShouldersView) -> tuple[Step, ...]:
    """Who acts after whom: clockwise from the priority marker, or in the claimed order of the action phase."""
    if view.phase is None:
        return ()
    seats = [player.seat for player in view.players]
    if view.phase.name == "action":
        waiting = {*view.sequence, view.acting_seat}
        return tuple(_partners(view, seat, seat not in waiting) for seat in view.order)
    if view.phase.name == "first_company":
        return tuple(_step(view, seat) for seat in _setup_order(view))
    if view.phase.name == "operation":
        return tuple(_step(view, seat) for seat in view.order or seats)
    turn = view.priority_seat
    order = [seats[(turn + step) % len(seats)] for step in range(len(seats))]
    return tuple(_step(view, seat, say("priority") if seat == view.priority_seat else "") for seat in order)


def _setup_order(view: ShouldersView) -> list[int]:
    """The seats that have started a company, then those that still will, in order."""
    coming = [seat for seat in (view.acting_seat, *view.queue) if seat is not None]
    return [*(player.seat for player in view.players if player.seat not in coming), *coming]


def _step(view: ShouldersView, seat: int, note: str = "") -> Step:
    return Step(seat, is_now=seat == view.acting_seat, note=note)


def _partners(view: ShouldersView, seat: int, has_acted: bool) -> Step:
    left = view.player(seat).ready_partners
    note = count("{n} partner left", "{n} partners left", left)
    return Step(seat, is_now=seat == view.acting_seat, has_acted=has_acted, note=note)


def facts(view: ShouldersView, seat: int) -> tuple[Fact, ...]:
    """The seat's cash, and the worth of everything it holds."""
    player = view.player(seat)
    partners = Fact(say("Partners"), f"{player.ready_partners}/{player.partners}")
    in_action = (partners,) if view.phase and view.phase.name == "action" else ()
    return Fact(say("Cash"), thousands(player.cash)), Fact(say("Worth"), thousands(player.score)), *in_action


def holdings(view: ShouldersView, seat: int) -> tuple[Fact, ...]:
    """Shares at their value, a line each; companies that the seat directs are marked."""
    held = view.player(seat).shares
    return tuple(_holding(company, held[company.key], seat) for company in view.companies if held.get(company.key))


def _holding(company: CompanyView, shares: int, seat: int) -> Fact:
    text = mark("{n} at {price}, director") if company.director_seat == seat else mark("{n} at {price}")
    return Fact(company.title, say(text, n=shares, price=thousands(company.price)))


def rows(view: ShouldersView) -> Rows:
    """The rows of a stranger's view. Every hand of shares is listed, empty ones too."""
    return Rows(
        companies=tuple(_company(company) for company in view.companies),
        holdings=tuple(
            HoldingRow(company.key, player.seat, player.shares.get(company.key, 0))
            for company in view.companies
            for player in sorted(view.players, key=lambda player: player.seat)
        ),
    )


def _company(company: CompanyView) -> CompanyRow:
    return CompanyRow(
        key=company.key,
        name=company.title,
        group=TRADE_TITLES[company.trade],
        status=STATES[company.is_started],
        price=company.price,
        treasury=company.cash,
        details={
            "appeal": company.appeal,
            "rank": company.rank,
            "goods": company.goods,
            "salespeople": company.salespeople,
            "workers": sum(factory.workers for factory in company.factories),
            "automated": sum(factory.automated for factory in company.factories),
            "managers": sum(factory.has_manager for factory in company.factories),
        },
    )


def point(view: ShouldersView) -> Point:
    """The values of the companies that have started, and what everybody is worth."""
    players = sorted(view.players, key=lambda player: player.seat)
    prices: dict[str, int] = {company.key: company.price for company in view.companies if company.is_started}
    return Point(prices, tuple(player.score for player in players))


def sheets(view: ShouldersView, rows: Rows, names: Sequence[str]) -> tuple[Sheet, ...]:
    """The tables of its spreadsheet: a share has a value, and shares are in the table of companies."""
    companies, players, *others = plain_sheets(view, rows, names)
    replace = msgspec.structs.replace
    columns = tuple(
        replace(
            column,
            title=say(VALUE_WORDS.column) if column.key == "price" else column.title,
            is_further=column.key in FURTHER_OF_COMPANIES,
        )
        for column in companies.columns
    )
    started = {company.key for company in view.companies if company.is_started}
    company_rows = tuple(
        replace(row, group=STATES[row.key in started])
        for row in sorted(companies.rows, key=lambda row: row.key not in started)
    )
    groups = tuple(Group(state, capitalised(say(state))) for state in reversed(STATES))
    titles = {company.key: company.name for company in rows.companies}
    of_players = tuple(_of_player(column, titles, players) for column in players.columns)
    players = replace(players, columns=of_players)
    return replace(companies, columns=columns, rows=company_rows, groups=groups), players, *others


def _of_player(column: Column, titles: Mapping[str, str], sheet: Sheet) -> Column:
    """A figure of a player's, in which companies have their names, and building tiles what they do."""
    if column.key in TILE_COLUMNS:
        titles = {str(tile): _tile_words(row.effect) for tile, row in TILES.items()}
    at = [each.key for each in sheet.columns].index(column.key)
    lists = {cell for row in sheet.rows if isinstance(cell := row.cells[at], str)}
    words = {cell: "; ".join(titles.get(key, key) for key in cell.split(", ")) for cell in lists}
    return msgspec.structs.replace(column, words=words, is_further=column.is_further or column.key in FURTHER)


def _tile_words(effect: Effect) -> str:
    cubes = cubes_in_words(counted(effect.fixed))
    return ", ".join(filter(None, (short_words(effect), cubes)))


def turn_figures(view: ShouldersView, seat: int) -> tuple[tuple[str, int], ...]:
    """The figures that the summary of a decade compares."""
    player = view.player(seat)
    return (say("Worth"), player.score), (say("Cash"), player.cash)


def asked(view: ShouldersView) -> str:
    """The name of the form: the phase's, or that of standing orders for a seat that waits. (B-79)"""
    is_waiting = view.seat is not None and view.acting_seat not in (None, view.seat)
    return "standing" if is_waiting else view.phase.name if view.phase else ""
