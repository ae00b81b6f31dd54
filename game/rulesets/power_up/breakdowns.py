"""The parts of Power Up's public figures: the same sums as in `numbers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from game.engine.breakdown import Breakdown, Part
from game.engine.language import count, say
from game.rulesets.power_up.numbers import payouts, price_at
from game.rulesets.power_up.state import PowerUpState
from game.rulesets.power_up.tables import COMPANIES, PRICE_STEP, TILES_AT_START_PRICE

Parts = tuple[Part, ...]


def price(state: PowerUpState, subject: str) -> Parts:
    """The start price and the increase by every further tile. (PU 1)"""
    if subject not in COMPANIES:
        return ()
    first, above = COMPANIES[subject].start_price, state.price(subject) - COMPANIES[subject].start_price
    start = Part(say("Start price, for {n} tiles", n=TILES_AT_START_PRICE), first)
    if not above:
        return (start,)
    more = count("{n} further tile at {step}", "{n} further tiles at {step}", above // PRICE_STEP, step=PRICE_STEP)
    return (start, Part(more, above))


def score(state: PowerUpState, subject: str) -> Parts:
    """Cash, and the proceeds of the player's shares if the game ended now. (PU 4.5, 6)"""
    if not subject.isdecimal() or int(subject) >= state.seats:
        return ()
    return Part(say("Cash"), state.cash(int(subject))), *_sales(state, int(subject))


def _sales(state: PowerUpState, seat: int) -> Iterator[Part]:
    for company, size in state.sizes().items():
        for payout in payouts(state.holdings(company), price_at(company, size)):
            if payout.seat == seat:
                title, each = COMPANIES[company].title, price_at(company, size)
                sold = count(
                    "Sale of {n} share of {company} at {price}",
                    "Sale of {n} shares of {company} at {price}",
                    payout.shares,
                    company=title,
                    price=each,
                )
                yield Part(sold, payout.sale)
                if payout.bonus:
                    yield Part(say("Bonus of {company}", company=title), payout.bonus)


BREAKDOWNS: Mapping[str, Breakdown] = {"price": price, "score": score}
