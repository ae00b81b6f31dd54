"""Where a game of Stock Market Tycoon stands: in words, in an email, and as rows."""

from __future__ import annotations

from game.boards.base import Fact, Step
from game.boards.sheets import CompanyRow, ContractRow, HoldingRow, Point, Rows
from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.stock_market_tycoon.tables import COMPANIES, SUB_ROUNDS
from game.rulesets.stock_market_tycoon.view import CompanyView, TycoonView

TRADING = frozenset({"trade", "tender", "orders"})
FIGURES = (
    mark("Last close"),
    mark("Pool"),
    mark("Outstanding"),
    mark("Retired"),
    mark("Chairman seat"),
    mark("Director seat"),
    mark("Cash"),
    mark("Debt"),
    mark("Cards"),
    mark("Bankrupt"),
)
"""Column titles of the spreadsheet for figures that only this game has. The spreadsheet derives them from the keys, so
they are listed here only to be translated."""
CONTRACTS = {"call": mark("calls"), "put": mark("puts")}


def aside_of(view: TycoonView) -> str:
    """The year and, during trading, the turn within it (`sub_round`)."""
    if view.phase and view.phase.name in TRADING and view.sub_round:
        return say(
            "Year {year} of {years}, turn {turn} of {turns}",
            year=view.turn,
            years=view.years,
            turn=view.sub_round,
            turns=SUB_ROUNDS,
        )
    return say("Year {year} of {years}", year=view.turn, years=view.years)


def where(view: TycoonView) -> str:
    """The year and turn in brackets, to be printed after the title of the open phase."""
    return f" ({aside_of(view)})"


def goal_of(view: TycoonView) -> str:
    """The sentence on what wins, and when. A Trader never has debts. (ST 6)"""
    if view.mode == "trader":
        return say("The highest net worth after year {years} wins: cash and shares.", years=view.years)
    return say("The highest net worth after year {years} wins: cash and shares, less debt.", years=view.years)


def score_means(view: TycoonView) -> str:
    """What the final score is made of. (ST 6)"""
    if view.mode == "trader":
        return say("Net worth is cash and shares at their prices.")
    return say("Net worth is cash and shares at their prices, less debt.")


def order_of(view: TycoonView) -> tuple[Step, ...]:
    """This year's turn order; the dealer comes last. (ST 2)"""
    if view.phase is None:
        return ()
    is_trading = view.phase.name in TRADING
    waiting = {*view.queue, view.acting_seat} if is_trading else set(view.order)
    dealer = say("deals this year")
    return tuple(
        Step(
            seat,
            is_now=is_trading and seat == view.acting_seat,
            has_acted=seat not in waiting,
            note=dealer if seat == view.dealer_seat else "",
        )
        for seat in view.order
        if seat not in view.bankrupts
    )


def facts(view: TycoonView, seat: int) -> tuple[Fact, ...]:
    """Cash, net worth, and the debt if there is one."""
    player = view.player(seat)
    debt = (Fact(say("Debt"), thousands(player.debt)),) if player.debt else ()
    return Fact(say("Cash"), thousands(player.cash)), Fact(say("Net worth"), thousands(player.score)), *debt


def holdings(view: TycoonView, seat: int) -> tuple[Fact, ...]:
    """Shares at their price and this year's contracts, a line each."""
    held = view.player(seat).shares
    shares = [
        Fact(company.title, say("{n} at {price}", n=thousands(held[company.key]), price=thousands(company.price)))
        for company in view.companies
        if held.get(company.key)
    ]
    shorts = [
        Fact(
            COMPANIES[short.company].title,
            say("{n} sold short at {price}", n=thousands(short.shares), price=thousands(short.entry)),
        )
        for short in view.shorts
        if short.seat == seat
    ]
    contracts = [
        Fact(
            COMPANIES[contract.company].title,
            say(
                "{n} {kind} at {price}",
                n=thousands(contract.shares),
                kind=say(CONTRACTS[contract.kind]),
                price=thousands(contract.strike),
            ),
        )
        for contract in view.contracts
        if contract.seat == seat
    ]
    return (*shares, *shorts, *contracts)


def rows(view: TycoonView) -> Rows:
    """The rows of a stranger's view. Every seat's holding of every company is listed, even if it is zero."""
    seats = [player.seat for player in view.players]
    return Rows(
        companies=tuple(_company(company) for company in view.companies),
        holdings=tuple(
            HoldingRow(company.key, seat, view.player(seat).shares.get(company.key, 0))
            for company in view.companies
            for seat in seats
        ),
        contracts=tuple(
            ContractRow(
                number,
                contract.company,
                contract.shares,
                contract.seat,
                {"kind": contract.kind, "strike": contract.strike, "premium": contract.premium},
            )
            for number, contract in enumerate(view.contracts)
        ),
    )


def _company(company: CompanyView) -> CompanyRow:
    return CompanyRow(
        key=company.key,
        name=company.title,
        group=COMPANIES[company.key].sector,
        status="active",
        price=company.price,
        details={
            "last_close": company.last_close,
            "pool": company.pool,
            "outstanding": company.outstanding,
            "retired": company.retired,
        },
    )


def point(view: TycoonView) -> Point:
    """All prices and everybody's net worth. Before the first turn of a year, they count for the end of the year
    before."""
    players = sorted(view.players, key=lambda player: player.seat)
    prices: dict[str, int] = {company.key: company.price for company in view.companies}
    return Point(prices, tuple(player.score for player in players), view.turn - _has_just_begun(view))


def _has_just_begun(view: TycoonView) -> bool:
    """True before the first turn of a year."""
    if view.phase is None or view.sub_round > 1 or view.buyback is not None:
        return False
    return view.sub_round == 0 or view.acting_seat == view.order[0]


def turn_figures(view: TycoonView, seat: int) -> tuple[tuple[str, int], ...]:
    """The figures that the summary of a year compares."""
    player = view.player(seat)
    return (mark("Net worth"), player.score), (mark("Cash"), player.cash)
