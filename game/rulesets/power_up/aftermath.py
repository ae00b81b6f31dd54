"""What a tile would lead to beyond itself, from public facts alone: an end of the game, its standings, tiles that would
end it next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from game.rulesets.power_up.forecast import FOUNDING, NEUTRAL, Forecast, Result, Table, foresee
from game.rulesets.power_up.numbers import CELLS, Holder, end_of
from game.rulesets.power_up.tables.companies import COMPANIES


def table_after(table: Table, ahead: Forecast, result: Result | None, seat: int) -> Table:
    """The table once the seat has played the tile. What the Department receives at a founding is drawn only then, and
    is left out. (PU 4.2–4.5)"""
    board = {**table.board, ahead.tile: NEUTRAL}
    if result is None:
        return Table(board, table.sizes, table.holdings)
    gone = {victim.company for victim in result.acquisitions}
    board = {cell: result.company if owner in gone else owner for cell, owner in board.items()}
    board |= dict.fromkeys(ahead.tiles, result.company)
    now = {**table.sizes, result.company: result.size}
    sizes = {company: now[company] for company in COMPANIES if company in now and company not in gone}
    founder: dict[Holder, int] = {seat: 1}
    founded = {result.company: founder} if ahead.case == FOUNDING else {}
    held = {**table.holdings, **founded}
    return Table(board, sizes, {company: held[company] for company in sizes})


def cash_after(cash: Sequence[int], result: Result | None) -> list[int]:
    """Everybody's cash once the companies that cease were paid out. (PU 4.5)"""
    left = list(cash)
    for payout in (payout for gone in (result.acquisitions if result else ()) for payout in gone.payouts):
        if payout.seat is not None:
            left[payout.seat] += payout.total
    return left


def end_after(sizes: Iterable[int], *, bag: int, hands: Iterable[int]) -> str:
    """Which end so many tiles in the companies, the bag and the hands mean; empty for none. (PU 5)"""
    return end_of(sizes, is_bag_empty=not bag, has_empty_hand=not all(hands))


def ending_cells(table: Table) -> list[str]:
    """The free cells whose tile would make a company, or two, large enough for the end. (PU 5)"""
    return [cell for cell in CELLS if cell not in table.board and _is_end(table, foresee(table, cell))]


def _is_end(table: Table, ahead: Forecast) -> bool:
    """Which company may be named makes no difference: those that can be are of equal size."""
    if not ahead.results:
        return False
    after = table_after(table, ahead, ahead.results[0], 0)
    return bool(end_of(after.sizes.values(), is_bag_empty=False, has_empty_hand=False))
