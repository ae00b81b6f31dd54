"""Short sales, options, dividends and buybacks. (ST 4.7 to 4.10)"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from game.engine.actions import Action, Refused
from game.engine.language import mark
from game.engine.ledger import BANK, cash_of, hand_of
from game.engine.phrases import thousands
from game.engine.play import Play
from game.rulesets.stock_market_tycoon import offices
from game.rulesets.stock_market_tycoon.events import (
    BuybackAnnounced,
    BuybackClosed,
    DividendDeclared,
    DividendPaid,
    OptionBought,
    SharesTendered,
    ShortOpened,
)
from game.rulesets.stock_market_tycoon.state import (
    CHAIRMAN,
    DIRECTOR,
    ESCROW,
    RETIRED,
    Buyback,
    Kind,
    OptionContract,
    Short,
    TycoonState,
)
from game.rulesets.stock_market_tycoon.tables import (
    BUYBACK_BLOCK,
    BUYBACK_RISE,
    CHAIRMAN_DIVIDEND,
    DIRECTOR_DIVIDEND,
    LEAST_BUYBACK_CAP,
    SHORT_CAP,
    Company,
)
from game.rulesets.stock_market_tycoon.trading import (
    Shares,
    TurnAction,
    check_cash,
    check_held,
    check_lot,
    check_price,
    shares_of,
    title,
)

Dollars = Annotated[int, Meta(ge=1, le=999_999_999)]


class SellShort(TurnAction, frozen=True, kw_only=True, tag="sell_short"):
    """Sell shares that the seat does not hold; the difference is paid at the end of the year. (ST 4.7)"""

    company: Company
    shares: Shares
    title: ClassVar[str] = mark("Sell short")

    def check(self, state: TycoonState) -> None:
        if not state.options.has_shorts:
            raise Refused("There are no short sales in this mode.", "ST 1.6", code="not_in_this_mode")
        check_price(state, self.company, "ST 4.7")
        check_lot(self.shares, "ST 4.7")
        if held := state.held(self.actor, self.company):
            raise Refused(
                "You hold {held} of {company}. Sell them before you sell it short.",
                "ST 4.7",
                held=shares_of(held),
                company=title(self.company),
                code="shares_held",
                field="company",
            )
        if self.shares > (available := state.short_left(self.company)):
            raise Refused(
                "All players together may sell {cap} {company} short in a year; {left} are left.",
                "ST 4.7",
                cap=thousands(SHORT_CAP),
                company=title(self.company),
                left=thousands(available),
                code="short_cap",
                field="shares",
            )

    def carry_out(self, play: Play[TycoonState]) -> None:
        state, price = play.state, play.state.prices[self.company]
        state.shorts.append(Short(self.actor, self.company, price, self.shares))
        play.emit(ShortOpened(seat=self.actor, company=self.company, shares=self.shares, price=price))
        state.has_acted = True


class BuyOption(TurnAction, frozen=True, kw_only=True, tag="buy_option"):
    """Buy calls or puts at today's price; they pay at the end of the year or never. (ST 4.8)"""

    contract: Kind
    company: Company
    shares: Shares
    title: ClassVar[str] = mark("Buy an option")

    def check(self, state: TycoonState) -> None:
        check_strategist(state)
        check_price(state, self.company, "ST 4.8")
        check_lot(self.shares, "ST 4.8")
        if self.shares > (available := state.options_left(self.company)):
            raise Refused(
                "Options on {left} of {company} are left this year, for all players together.",
                "ST 4.8",
                left=shares_of(available),
                company=title(self.company),
                code="option_cap",
                field="shares",
            )
        check_cash(state, self.actor, premium_of(state, self.company, self.shares), "ST 4.8")

    def carry_out(self, play: Play[TycoonState]) -> None:
        state, price = play.state, play.state.prices[self.company]
        premium = premium_of(state, self.company, self.shares)
        play.pay(cash_of(self.actor), BANK, premium, why="premium")
        state.contracts.append(OptionContract(self.actor, self.contract, self.company, price, self.shares, premium))
        play.emit(
            OptionBought(
                seat=self.actor,
                contract=self.contract,
                company=self.company,
                shares=self.shares,
                strike=price,
                premium=premium,
            )
        )
        state.has_acted = True


def premium_of(state: TycoonState, company: Company, shares: int) -> int:
    """The cost of options today: a whole number, as shares come in lots. (ST 4.8)"""
    return state.prices[company] * shares * state.rate(company) // 100


class DeclareDividend(TurnAction, frozen=True, kw_only=True, tag="declare_dividend"):
    """The bank pays every holder, and the price falls by the dividend. (ST 4.9, T-21)"""

    company: Company
    dividend: Dollars
    title: ClassVar[str] = mark("Declare a dividend")

    def check(self, state: TycoonState) -> None:
        check_strategist(state)
        most = most_dividend(state, self.actor, self.company)
        if not state.office_of(self.actor, self.company):
            raise Refused(
                "Only the Chairman and the Director of {company} declare dividends.",
                "ST 4.9",
                company=title(self.company),
                code="no_office",
                field="company",
            )
        if self.dividend > most:
            raise Refused(
                "You may declare up to {most} a share of {company}: its price is {price}.",
                "ST 4.9",
                most=thousands(most),
                company=title(self.company),
                price=thousands(state.prices[self.company]),
                code="dividend_too_high",
                field="dividend",
            )

    def carry_out(self, play: Play[TycoonState]) -> None:
        state = play.state
        state.prices[self.company] -= self.dividend
        price = state.prices[self.company]
        play.emit(DividendDeclared(seat=self.actor, company=self.company, dividend=self.dividend, price=price))
        for seat in state.order:
            if held := state.held(seat, self.company):
                amount = play.pay(BANK, cash_of(seat), held * self.dividend, why="dividend")
                play.emit(DividendPaid(seat=seat, company=self.company, shares=held, amount=amount))
        state.has_acted = True


def most_dividend(state: TycoonState, seat: int, company: Company) -> int:
    """The largest dividend per share that a seat can declare, in dollars: by its office, and at most the price less
    1."""
    by_office = {CHAIRMAN: CHAIRMAN_DIVIDEND, DIRECTOR: DIRECTOR_DIVIDEND, "": 0}[state.office_of(seat, company)]
    return max(0, min(by_office, state.prices[company] - 1))


class AnnounceBuyback(TurnAction, frozen=True, kw_only=True, tag="announce_buyback"):
    """The Chairman offers to buy shares from all other holders, who answer before the turn ends. (ST 4.10)"""

    company: Company
    shares: Shares
    price: Dollars
    title: ClassVar[str] = mark("Announce a buyback")

    def check(self, state: TycoonState) -> None:
        check_strategist(state)
        if state.office_of(self.actor, self.company) != CHAIRMAN:
            raise Refused(
                "Only the Chairman of {company} may announce a buyback.",
                "ST 4.10",
                company=title(self.company),
                code="no_office",
                field="company",
            )
        check_lot(self.shares, "ST 4.10")
        others = shares_of_others(state, self.actor, self.company)
        if self.shares > others:
            raise Refused(
                "The other players hold {held} of {company}; you asked for {shares}.",
                "ST 4.10",
                held=shares_of(others),
                company=title(self.company),
                shares=thousands(self.shares),
                code="not_enough_shares",
                field="shares",
            )
        most = most_buyback_price(state, self.company)
        if most and self.price > most:
            raise Refused(
                "A buyback of {company} pays at most {most} a share.",
                "T-11",
                company=title(self.company),
                most=thousands(most),
                code="buyback_price_cap",
                field="price",
            )
        check_cash(state, self.actor, self.shares * self.price, "ST 4.10")

    def carry_out(self, play: Play[TycoonState]) -> None:
        state = play.state
        play.pay(cash_of(self.actor), ESCROW, self.shares * self.price, why=mark("buyback"))
        state.buyback = Buyback(self.actor, self.company, self.shares, self.price)
        play.emit(BuybackAnnounced(seat=self.actor, company=self.company, shares=self.shares, price=self.price))
        state.has_acted = True


def shares_of_others(state: TycoonState, seat: int, company: Company) -> int:
    """Shares of a company that other players hold."""
    return sum(state.held(other, company) for other in state.active if other != seat)


def most_buyback_price(state: TycoonState, company: Company) -> int:
    """The highest price per share of a buyback, in dollars; 0 for any. (T-11)"""
    percent = state.options.buyback_price_cap
    return max(LEAST_BUYBACK_CAP, percent * state.prices[company] // 100) if percent else 0


class Tender(Action, frozen=True, kw_only=True, tag="tender"):
    """Offer shares to the Chairman who buys back. (ST 4.10)"""

    shares: Annotated[int, Meta(ge=0, le=999_999_999)]
    title: ClassVar[str] = mark("Tender")

    def check(self, state: TycoonState) -> None:
        if state.buyback is not None:
            check_held(state, self.actor, state.buyback.company, self.shares, "ST 4.10")


def asked_to_tender(state: TycoonState) -> list[int]:
    """The other holders of the company in a buyback."""
    offer = state.buyback
    if offer is None:
        return []
    return [seat for seat in state.active if seat != offer.seat and state.held(seat, offer.company)]


def resolve_buyback(play: Play[TycoonState]) -> None:
    """Accept shares seat by seat, once around the table from the seat after the Chairman; they leave the game.
    (T-22)"""
    state, offer = play.state, play.state.buyback
    if offer is None:
        return
    tendered = {tender.actor: tender.shares for tender in play.answers_of(Tender)}
    remaining = offer.shares
    for step in range(1, state.seats):
        seat = (offer.seat + step) % state.seats
        offered = min(tendered.get(seat, 0), state.held(seat, offer.company)) if seat in state.active else 0
        accepted = min(offered, remaining)
        if not accepted:
            continue  # what has no effect is not told (T-27)
        remaining -= accepted
        play.pay(ESCROW, cash_of(seat), accepted * offer.price, why=mark("tender"))
        play.ledger.hand_over(offer.company, hand_of(seat), RETIRED, accepted)
        play.emit(SharesTendered(seat=seat, company=offer.company, offered=offered, shares=accepted, price=offer.price))
    accepted = offer.shares - remaining
    play.pay(ESCROW, cash_of(offer.seat), remaining * offer.price, why=mark("buyback returned"))
    state.prices[offer.company] += BUYBACK_RISE * (accepted // BUYBACK_BLOCK)
    state.buyback = None
    play.emit(
        BuybackClosed(
            seat=offer.seat,
            company=offer.company,
            shares=accepted,
            price=state.prices[offer.company],
            outstanding=state.outstanding(offer.company),
        )
    )
    offices.recompute(play, [offer.company])


def check_strategist(state: TycoonState) -> None:
    """Raises `Refused` outside of the mode Strategist."""
    if not state.options.has_options:
        raise Refused("This is only possible in the mode Strategist.", "ST 1.6", code="not_in_this_mode")
