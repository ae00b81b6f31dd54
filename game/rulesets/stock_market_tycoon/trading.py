"""The actions of a turn: buy, sell, pass, and play cards. (ST 4.0 to 4.6)"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from game.engine.actions import Action, Refused
from game.engine.language import count, mark, say
from game.engine.ledger import BANK, cash_of, hand_of
from game.engine.phrases import thousands
from game.engine.play import Play
from game.rulesets.stock_market_tycoon import cards, offices
from game.rulesets.stock_market_tycoon.events import (
    DebenturePlayed,
    LoanPlayed,
    RightsTaken,
    SharesBought,
    SharesSold,
    TurnPassed,
)
from game.rulesets.stock_market_tycoon.state import TycoonState
from game.rulesets.stock_market_tycoon.tables import (
    COMPANIES,
    LEAST_PURCHASE,
    LOAN,
    LOT,
    RIGHTS_PRICE,
    RIGHTS_RATIO,
    Company,
)

Shares = Annotated[int, Meta(ge=1, le=999_999_999)]


class TurnAction(Action, frozen=True, kw_only=True):
    """The one action of a turn: it takes effect at once and is final. (T-16)"""

    is_public: ClassVar[bool] = True


def check_lot(shares: int, rule: str) -> None:
    """Raises `Refused` unless the shares are whole lots of 1,000."""
    if shares % LOT:
        raise Refused(
            "{shares} shares are not a multiple of {lot}.",
            rule,
            shares=thousands(shares),
            lot=thousands(LOT),
            code="not_a_lot",
            field="shares",
        )


def check_price(state: TycoonState, company: Company, rule: str) -> None:
    """Raises `Refused` at a price of 0, at which nothing can be sold."""
    if not state.prices[company]:
        raise Refused(
            "The price of {company} is 0.", rule, company=title(company), code="price_is_zero", field="company"
        )


def check_cash(state: TycoonState, seat: int, cost: int, rule: str, field: str = "shares") -> None:
    """Raises `Refused` if the seat has less cash than `cost`."""
    if cost > state.cash(seat):
        raise Refused(
            "This costs {cost}; you have {cash}.",
            rule,
            cost=thousands(cost),
            cash=thousands(state.cash(seat)),
            code="not_enough_cash",
            field=field,
        )


def check_pool(state: TycoonState, company: Company, shares: int, rule: str) -> None:
    """Raises `Refused` if the bank has fewer shares."""
    if shares > state.pool(company):
        raise Refused(
            "The bank has {left} of {company}; you asked for {shares}.",
            rule,
            left=shares_of(state.pool(company)),
            company=title(company),
            shares=thousands(shares),
            code="not_enough_shares",
            field="shares",
        )


def check_held(state: TycoonState, seat: int, company: Company, shares: int, rule: str) -> None:
    """Raises `Refused` if the seat holds fewer shares."""
    held = state.held(seat, company)
    if shares > held:
        raise Refused(
            "You hold {held} of {company}, not {shares}.",
            rule,
            held=shares_of(held),
            company=title(company),
            shares=thousands(shares),
            code="not_held",
            field="shares",
        )


def check_card(state: TycoonState, seat: int, card: str, rule: str) -> None:
    """Raises `Refused` if the seat does not hold the card."""
    if card not in state.hands[seat]:
        raise Refused("You do not hold {card}.", rule, card=say(cards.SPECIALS[card]), code="card_not_held")


def title(company: Company) -> str:
    return COMPANIES[company].title


def shares_of(number: int) -> str:
    return count("{n} share", "{n} shares", number)


class EndTurn(TurnAction, frozen=True, kw_only=True, tag="end_turn"):
    """Do nothing in this turn. (ST 4.0)"""

    title: ClassVar[str] = mark("Pass the turn")

    def carry_out(self, play: Play[TycoonState]) -> None:
        play.emit(TurnPassed(seat=self.actor))
        play.state.has_acted = True


class Buy(TurnAction, frozen=True, kw_only=True, tag="buy"):
    """Buy shares from the bank. All but a company's first buyer in a year need price cards of it with a sum of 0 or
    more. (ST 4.1)"""

    company: Company
    shares: Shares
    title: ClassVar[str] = mark("Buy")

    def check(self, state: TycoonState) -> None:
        check_price(state, self.company, "ST 4.1")
        check_lot(self.shares, "ST 4.1")
        cost = self.shares * state.prices[self.company]
        if cost < LEAST_PURCHASE:
            raise Refused(
                "A purchase is worth at least {least}; this one is worth {cost}.",
                "ST 4.1",
                least=thousands(LEAST_PURCHASE),
                cost=thousands(cost),
                code="purchase_too_small",
                field="shares",
            )
        check_pool(state, self.company, self.shares, "ST 4.1")
        check_cash(state, self.actor, cost, "ST 4.1")
        check_sum(state, self.actor, self.company)

    def carry_out(self, play: Play[TycoonState]) -> None:
        state, price = play.state, play.state.prices[self.company]
        is_first = self.company not in state.bought
        if is_first:
            state.bought.append(self.company)
        play.pay(cash_of(self.actor), BANK, self.shares * price, why="purchase")
        play.ledger.hand_over(self.company, BANK, hand_of(self.actor), self.shares)
        play.emit(
            SharesBought(seat=self.actor, company=self.company, shares=self.shares, price=price, is_first=is_first)
        )
        offices.recompute(play, [self.company])
        state.has_acted = True


def check_sum(state: TycoonState, seat: int, company: Company) -> None:
    """Check the buy condition. Raises `Refused`, which only the seat sees. (ST 4.1)"""
    if company in state.bought and (total := state.share_sum(seat, company)) < 0:
        raise Refused(
            "Your cards of {company} add up to {sum}, and somebody has already bought it this year.",
            "ST 4.1",
            company=title(company),
            sum=cards.signed(total),
            code="cards_below_zero",
            field="company",
        )


class Sell(TurnAction, frozen=True, kw_only=True, tag="sell"):
    """Sell any number of shares to the bank. (ST 4.2)"""

    company: Company
    shares: Shares
    title: ClassVar[str] = mark("Sell")

    def check(self, state: TycoonState) -> None:
        check_held(state, self.actor, self.company, self.shares, "ST 4.2")

    def carry_out(self, play: Play[TycoonState]) -> None:
        sell(play, self.actor, self.company, self.shares)
        offices.recompute(play, [self.company])
        play.state.has_acted = True


def sell(play: Play[TycoonState], seat: int, company: Company, shares: int, *, is_forced: bool = False) -> None:
    """Move shares to the bank at today's price. Does not update the offices."""
    price = play.state.prices[company]
    play.pay(BANK, cash_of(seat), shares * price, why="forced sale" if is_forced else "sale")
    play.ledger.hand_over(company, hand_of(seat), BANK, shares)
    play.emit(SharesSold(seat=seat, company=company, shares=shares, price=price, is_forced=is_forced))


class PlayLoan(TurnAction, frozen=True, kw_only=True, tag="play_loan"):
    """Play Loan Stocks Matured: receive 100,000 dollars that are never paid back. (ST 4.3)"""

    title: ClassVar[str] = mark("Play Loan Stocks Matured")

    def check(self, state: TycoonState) -> None:
        check_card(state, self.actor, cards.LOAN, "ST 4.3")

    def carry_out(self, play: Play[TycoonState]) -> None:
        discard(play.state, self.actor, cards.LOAN)
        play.pay(BANK, cash_of(self.actor), LOAN, why="loan")
        play.emit(LoanPlayed(seat=self.actor, amount=LOAN))
        play.state.has_acted = True


class PlayDebenture(TurnAction, frozen=True, kw_only=True, tag="play_debenture"):
    """Play a Debenture: return all own shares of a company whose price is 0 for their face value. (ST 4.4, T-23)"""

    company: Company
    title: ClassVar[str] = mark("Play a Debenture")

    def check(self, state: TycoonState) -> None:
        check_card(state, self.actor, cards.DEBENTURE, "ST 4.4")
        if price := state.prices[self.company]:
            raise Refused(
                "The price of {company} is {price}, not 0.",
                "ST 4.4",
                company=title(self.company),
                price=thousands(price),
                code="price_is_not_zero",
                field="company",
            )
        check_held(state, self.actor, self.company, 1, "ST 4.4")

    def carry_out(self, play: Play[TycoonState]) -> None:
        state = play.state
        discard(state, self.actor, cards.DEBENTURE)
        shares, price = state.held(self.actor, self.company), COMPANIES[self.company].start_price
        play.pay(BANK, cash_of(self.actor), shares * price, why="debenture")
        play.ledger.hand_over(self.company, hand_of(self.actor), BANK, shares)
        play.emit(DebenturePlayed(seat=self.actor, company=self.company, shares=shares, price=price))
        offices.recompute(play, [self.company])
        state.has_acted = True


class PlayRights(TurnAction, frozen=True, kw_only=True, tag="play_rights"):
    """Play Rights Issued: buy one new share for every two held, at 10 dollars; the seats after it can follow in the
    same sub-round. (ST 4.5, T-12)"""

    company: Company
    shares: Shares
    title: ClassVar[str] = mark("Play Rights Issued")

    def check(self, state: TycoonState) -> None:
        check_card(state, self.actor, cards.RIGHTS, "ST 4.5")
        check_rights(state, self.actor, self.company, self.shares, "ST 4.5")

    def carry_out(self, play: Play[TycoonState]) -> None:
        discard(play.state, self.actor, cards.RIGHTS)
        _take_rights(play, self.actor, self.company, self.shares, is_issue=True)
        play.state.windows.append(self.company)
        play.state.has_acted = True


class FollowRights(TurnAction, frozen=True, kw_only=True, tag="follow_rights"):
    """Take rights that an earlier seat issued in this sub-round. It takes the turn's action, unless the option makes it
    free: then it is possible once for each issue, before one’s own action. (ST 4.6, T-29)"""

    company: Company
    shares: Shares
    title: ClassVar[str] = mark("Follow rights")

    def check(self, state: TycoonState) -> None:
        if self.company not in state.windows:
            raise Refused(
                "Nobody before you has issued rights of {company} in this sub-round.",
                "ST 4.6",
                company=title(self.company),
                code="no_rights_issue",
                field="company",
            )
        if state.followed.count(self.company) >= state.windows.count(self.company):
            raise Refused(
                "You have followed the rights of {company} in this turn.",
                "T-29",
                company=title(self.company),
                code="rights_followed",
                field="company",
            )
        check_rights(state, self.actor, self.company, self.shares, "ST 4.6")

    def carry_out(self, play: Play[TycoonState]) -> None:
        state = play.state
        _take_rights(play, self.actor, self.company, self.shares, is_issue=False)
        if state.options.rights_follow_free:
            state.followed.append(self.company)
        else:
            state.has_acted = True


def most_rights(state: TycoonState, seat: int, company: Company) -> int:
    """The most shares that a seat can take by rights: by those held, by the bank's, and by its cash."""
    return min(state.held(seat, company) // RIGHTS_RATIO, state.pool(company), state.cash(seat) // RIGHTS_PRICE)


def check_rights(state: TycoonState, seat: int, company: Company, shares: int, rule: str) -> None:
    """Raises `Refused` if the seat cannot take that many shares by rights."""
    check_price(state, company, "T-12")
    held = state.held(seat, company)
    if shares > held // RIGHTS_RATIO:
        raise Refused(
            "You hold {held} of {company} and may take up to {most}, one for every two.",
            rule,
            held=shares_of(held),
            company=title(company),
            most=thousands(held // RIGHTS_RATIO),
            code="too_many_rights",
            field="shares",
        )
    check_pool(state, company, shares, rule)
    check_cash(state, seat, shares * RIGHTS_PRICE, rule)


def _take_rights(play: Play[TycoonState], seat: int, company: Company, shares: int, *, is_issue: bool) -> None:
    play.pay(cash_of(seat), BANK, shares * RIGHTS_PRICE, why="rights")
    play.ledger.hand_over(company, BANK, hand_of(seat), shares)
    play.emit(RightsTaken(seat=seat, company=company, shares=shares, price=RIGHTS_PRICE, is_issue=is_issue))
    offices.recompute(play, [company])


def discard(state: TycoonState, seat: int, card: str) -> None:
    """Remove a played card from the hand."""
    state.hands[seat] = cards.without(state.hands[seat], card)
