"""Tiles: drawing them, and the effect of placing one: it stays neutral, founds, expands or merges. (PU 4.1–4.5)"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from game.engine.ledger import BANK, hand_of
from game.engine.play import Play
from game.rulesets.power_up import events as tell
from game.rulesets.power_up.events import TilesDrawn, TilesSeen
from game.rulesets.power_up.forecast import (
    EXPANSION,
    FAILED,
    FOUNDING,
    ISOLATED,
    MERGER,
    NEUTRAL,
    Acquisition,
    Forecast,
    Result,
    foresee,
)
from game.rulesets.power_up.numbers import Payout
from game.rulesets.power_up.state import DOE, MergerReport, PowerUpState, account_of, place_of, table_of
from game.rulesets.power_up.tables import HAND_LIMIT, SHARES_PER_COMPANY, largest_grant

Powered = Play[PowerUpState]
Resolution = Callable[[Powered, int, Forecast, Result], None]
NeutralEvent = type[tell.TileIsolated] | type[tell.FoundingFailed]
NEUTRAL_EVENTS: dict[str, NeutralEvent] = {ISOLATED: tell.TileIsolated, FAILED: tell.FoundingFailed}


def place_tile(play: Powered, seat: int, tile: str, named: str | None) -> None:
    """Place a tile from the seat's hand; `named` is the company to found, or to survive a tie."""
    state = play.state
    ahead = foresee(table_of(state), tile)
    state.hands[seat].remove(tile)
    state.board[tile] = NEUTRAL
    state.tile_played = True
    if ahead.results:
        state.tile_lock = True
        RESOLUTIONS[ahead.case](play, seat, ahead, ahead.result(named))
    else:
        play.emit(NEUTRAL_EVENTS[ahead.case](seat=seat, tile=tile))


def found(play: Powered, seat: int, ahead: Forecast, result: Result) -> None:
    """Found a company with 25 new shares: one for the founder, some for the Department. (PU 4.3)"""
    state, company = play.state, result.company
    play.ledger.issue(company, BANK, SHARES_PER_COMPANY)
    _join(state, ahead.tiles, company)
    state.headquarters[company] = ahead.tile
    play.ledger.hand_over(company, BANK, hand_of(seat), 1)
    founded = tell.CompanyFounded(seat=seat, tile=ahead.tile, company=company, size=result.size, price=result.price)
    play.emit(founded)
    if state.options.doe:
        granted = play.chance.integer("doe", 1, largest_grant(state.seats))
        play.ledger.hand_over(company, BANK, DOE, granted)
        play.emit(tell.SharesGranted(company=company, shares=granted))


def expand(play: Powered, seat: int, ahead: Forecast, result: Result) -> None:
    """Add the tile and the neutral ones connected to it to the one company that it touches. (PU 4.4)"""
    tile, company, joined = ahead.tile, result.company, len(ahead.tiles)
    _join(play.state, ahead.tiles, company)
    size, price = result.size, result.price
    play.emit(tell.CompanyExpanded(seat=seat, tile=tile, company=company, joined=joined, size=size, price=price))


def merge(play: Powered, seat: int, ahead: Forecast, result: Result) -> None:
    """The survivor takes over the others, largest first; the tile and its neutral ones join last. (PU 4.5)"""
    state, survivor = play.state, result.company
    victims = tuple(gone.company for gone in result.acquisitions)
    play.emit(tell.MergerBegun(seat=seat, tile=ahead.tile, survivor=survivor, victims=victims))
    for gone in result.acquisitions:
        acquire(play, gone, survivor)
    _join(state, ahead.tiles, survivor)
    state.merger = MergerReport(state.turn, seat, ahead.tile, survivor, result.size, result.price, result.acquisitions)
    play.emit(tell.MergerCompleted(survivor=survivor, size=result.size, price=result.price))


def acquire(play: Powered, gone: Acquisition, survivor: str) -> None:
    """Pay the holders of the company taken over, retire its shares, and transfer its tiles. (PU 4.5)"""
    state, company = play.state, gone.company
    play.emit(tell.CompanyAcquired(survivor=survivor, **msgspec.structs.asdict(gone)))
    pay_out(play, company, gone.price, gone.payouts)
    _join(state, [cell for cell, owner in state.board.items() if owner == company], survivor)
    state.headquarters.pop(company, None)


def pay_out(play: Powered, company: str, price: int, paid: Iterable[Payout]) -> None:
    """Pay bonuses and shares, and retire all shares of the company. (PU 4.5, 6)"""
    for payout in paid:
        seat, shares, bonus = payout.seat, payout.shares, payout.bonus
        play.pay(BANK, account_of(seat), bonus, why="bonus")
        play.pay(BANK, account_of(seat), payout.sale, why="sale")
        play.ledger.hand_over(company, place_of(seat), BANK, shares)
        play.emit(tell.HolderPaid(seat=seat, company=company, shares=shares, price=price, bonus=bonus))
    play.ledger.destroy(company, BANK, play.ledger.at(company, BANK))


def _join(state: PowerUpState, tiles: Iterable[str], company: str) -> None:
    for cell in tiles:
        state.board[cell] = company


RESOLUTIONS: dict[str, Resolution] = {FOUNDING: found, EXPANSION: expand, MERGER: merge}


def fill_hand(play: Play[PowerUpState], seat: int) -> None:
    """Draw up to five tiles in hand, or all that are left in the bag; only their owner sees which. (P-6, P-13)"""
    state = play.state
    hand = state.hands[seat]
    drawn = play.chance.sample("tiles", state.bag, min(HAND_LIMIT - len(hand), len(state.bag)))
    state.bag = [tile for tile in state.bag if tile not in drawn]
    state.hands[seat] = sorted([*hand, *drawn])
    play.emit(TilesDrawn(seat=seat, count=len(drawn), left=len(state.bag)))
    play.emit(TilesSeen(audience=(seat,), seat=seat, tiles=tuple(sorted(drawn))))
