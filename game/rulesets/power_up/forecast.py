"""The effects of a tile, from public facts alone: the rules carry them out, a board shows them, bots compare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from game.rulesets.power_up.numbers import CELLS, NEIGHBOURS, Holder, Payout, end_of, payouts, price_at
from game.rulesets.power_up.tables import COMPANIES, RANK

NEUTRAL = "neutral"
ISOLATED, FAILED, FOUNDING, EXPANSION, MERGER = "isolated", "failed_founding", "founding", "expansion", "merger"


@dataclass(frozen=True, slots=True)
class Table:
    """The public facts: the owner of each tile on the board, and the tiles and holders of every active company."""

    board: Mapping[str, str]
    sizes: Mapping[str, int]
    holdings: Mapping[str, Mapping[Holder, int]]


class Acquisition(msgspec.Struct, frozen=True):
    """A company that is taken over: its tiles and price before the tile is placed, and its holders' payouts. (PU
    4.5)"""

    company: str
    size: int
    price: int
    payouts: tuple[Payout, ...]


class Result(msgspec.Struct, frozen=True):
    """A company after a placement, and the companies that it has taken over, largest first."""

    company: str
    size: int
    price: int
    acquisitions: tuple[Acquisition, ...] = ()


class Forecast(msgspec.Struct, frozen=True):
    """The effects of playing a tile. `case` is one of PU 4.2. `tiles` are the played tile and the neutral ones
    connected to it. `results` has one entry for each company that the player can choose, a single one if there is no
    choice, and none if the tile stays neutral."""

    tile: str
    case: str
    tiles: tuple[str, ...]
    results: tuple[Result, ...] = ()

    @property
    def choice(self) -> str:
        """The field the player must fill in: `found`, `survivor` or none."""
        if self.case == FOUNDING:
            return "found"
        return "survivor" if len(self.results) > 1 else ""

    @property
    def companies(self) -> tuple[str, ...]:
        """The companies that can result from the placement."""
        return tuple(result.company for result in self.results)

    def result(self, company: str | None) -> Result:
        """The result for the chosen company, or the only one."""
        return next(result for result in self.results if company is None or result.company == company)


def foresee(table: Table, tile: str) -> Forecast:
    """The effects of playing the tile now. (PU 4.2)"""
    board = table.board
    touched = {owner for cell in NEIGHBOURS[tile] if (owner := board.get(cell, NEUTRAL)) != NEUTRAL}
    tiles = cluster(board, tile)
    if len(touched) > 1:
        return Forecast(tile, MERGER, tiles, _mergers(table, touched, len(tiles)))
    if touched:
        return Forecast(tile, EXPANSION, tiles, _grown(touched, table.sizes, len(tiles)))
    if len(tiles) == 1:
        return Forecast(tile, ISOLATED, tiles)
    inactive = [company for company in COMPANIES if company not in table.sizes]
    return Forecast(tile, FOUNDING if inactive else FAILED, tiles, _grown(inactive, {}, len(tiles)))


def cluster(board: Mapping[str, str], tile: str) -> tuple[str, ...]:
    """The tile and every neutral tile connected to it through neutral tiles. (P-2)"""
    tiles, edge = {tile}, [tile]
    while edge:
        for cell in NEIGHBOURS[edge.pop()]:
            if cell not in tiles and board.get(cell) == NEUTRAL:
                tiles.add(cell)
                edge.append(cell)
    return tuple(sorted(tiles))


def _grown(companies: Iterable[str], sizes: Mapping[str, int], joining: int) -> tuple[Result, ...]:
    """What each company would become if these tiles joined it. (PU 4.3, 4.4)"""
    grown = {company: sizes.get(company, 0) + joining for company in companies}
    return tuple(Result(company, size, price_at(company, size)) for company, size in grown.items())


def _mergers(table: Table, touched: set[str], joining: int) -> tuple[Result, ...]:
    """The merger for each possible survivor: the largest company, or one of those that tie for it. (PU 4.5)"""
    ranked = sorted(touched, key=lambda company: (-table.sizes[company], RANK[company]))
    largest = table.sizes[ranked[0]]
    size = sum(table.sizes[company] for company in ranked) + joining
    gone = [_acquisition(table, company) for company in ranked]
    survivors = [company for company in ranked if table.sizes[company] == largest]
    return tuple(
        Result(company, size, price_at(company, size), tuple(victim for victim in gone if victim.company != company))
        for company in survivors
    )


def _acquisition(table: Table, company: str) -> Acquisition:
    size = table.sizes[company]
    price = price_at(company, size)
    return Acquisition(company, size, price, payouts(table.holdings[company], price))


def table_after(table: Table, ahead: Forecast, result: Result | None, seat: int) -> Table:
    """The table after the seat has played the tile. At a founding it leaves out the shares granted to the Department,
    because their number is drawn only once the tile is played. (PU 4.2–4.5)"""
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
    """Everybody's cash after the payouts for the companies taken over. (PU 4.5)"""
    after = list(cash)
    for payout in (payout for gone in (result.acquisitions if result else ()) for payout in gone.payouts):
        if payout.seat is not None:
            after[payout.seat] += payout.total
    return after


def end_after(sizes: Iterable[int], *, bag: int, hands: Iterable[int]) -> str:
    """Why the game would end with these company sizes and this many tiles in the bag and in each hand; empty if it
    would not. (PU 5)"""
    return end_of(sizes, is_bag_empty=not bag, has_empty_hand=not all(hands))


def ending_cells(table: Table) -> list[str]:
    """The free cells whose tile would make one or two companies large enough to end the game. (PU 5)"""
    return [cell for cell in CELLS if cell not in table.board and _is_end(table, foresee(table, cell))]


def _is_end(table: Table, ahead: Forecast) -> bool:
    """True if the placement ends the game. The choice of company makes no difference: the companies to choose from are
    of equal size."""
    if not ahead.results:
        return False
    after = table_after(table, ahead, ahead.results[0], 0)
    return bool(end_of(after.sizes.values(), is_bag_empty=False, has_empty_hand=False))
