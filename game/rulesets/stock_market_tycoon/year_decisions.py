"""The decisions of offices and cards at the beginning and end of a year; all are sealed. (ST 4.11)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta

from game.engine.actions import Action, Refused
from game.engine.language import mark
from game.engine.names import Named, naming
from game.engine.play import Play
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.events import CardStruck, CardWithheld, PremiumSet, ShareSuspended
from game.rulesets.stock_market_tycoon.state import OwnedCard, Suspension, TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS, Company
from game.rulesets.stock_market_tycoon.trading import title

CARD = Named(
    mark("There is no price card {name}."),
    "ST 1.1",
    "no_such_card",
    lambda state, seat: [card for card in dict.fromkeys(cards.deck_of("standard")) if cards.company_of(card)],
)
Card = Annotated[str, Meta(min_length=4, max_length=5), naming(CARD)]


class SetPremium(Action, frozen=True, kw_only=True, tag="set_premium"):
    """Set the premium of the company's options this year, in percent of the strike price. For its Chairman. (ST
    4.11)"""

    company: Company
    rate: Annotated[int, Meta(ge=1, le=100)]
    title: ClassVar[str] = mark("Set the option premium")

    def slot(self) -> str:
        return f"premium:{self.company}"

    def check(self, state: TycoonState) -> None:
        check_office(state, self.actor, self.company, "chairman")
        check_rate(state, self.rate)


def check_rate(state: TycoonState, rate: int) -> None:
    """Raises `Refused` unless a Chairman can set this premium."""
    if rate not in (rates := state.options.premium_rates):
        raise Refused(
            "The premium is one of {known} percent, not {rate}.",
            "ST 4.11",
            known=", ".join(str(known) for known in sorted(rates)),
            rate=rate,
            code="unknown_rate",
            field="rate",
        )


class Withhold(Action, frozen=True, kw_only=True, tag="withhold"):
    """Withhold one own price card of the company, which then does not count. For its Director. (ST 4.11, T-18)"""

    company: Company
    card: Card
    title: ClassVar[str] = mark("Withhold a card")

    def slot(self) -> str:
        return f"withhold:{self.company}"

    def check(self, state: TycoonState) -> None:
        check_office(state, self.actor, self.company, "director")
        if self.card not in cards.cards_of(self.company, state.hands[self.actor]):
            raise Refused(
                "You hold no such card of {company}.",
                "ST 4.11",
                company=title(self.company),
                code="card_not_held",
                field="card",
            )


class Strike(Action, frozen=True, kw_only=True, tag="strike"):
    """Strike one card of the company that was shown, named by its owner and value. For its Chairman. (ST 4.11, T-18)"""

    company: Company
    owner: Annotated[int, Meta(ge=0, le=99)]
    card: Card
    title: ClassVar[str] = mark("Strike a card")

    def slot(self) -> str:
        return f"strike:{self.company}"

    def check(self, state: TycoonState) -> None:
        check_office(state, self.actor, self.company, "chairman")
        if OwnedCard(self.owner, self.card) not in revealed_of(state, self.company):
            raise Refused(
                "That player showed no such card of {company}.",
                "T-18",
                company=title(self.company),
                code="card_not_shown",
                field="card",
            )


class Suspend(Action, frozen=True, kw_only=True, tag="suspend"):
    """Play Share Suspended cards, each on another company: its price returns to that of the end of last year. (ST 4.11,
    T-17)"""

    companies: Annotated[tuple[Company, ...], Meta(min_length=1, max_length=4)]
    title: ClassVar[str] = mark("Suspend a share")

    def check(self, state: TycoonState) -> None:
        held = suspensions_of(state, self.actor)
        if len(self.companies) > held:
            raise Refused(
                "You hold {held} Share Suspended and named {named} companies.",
                "T-17",
                held=held,
                named=len(self.companies),
                code="card_not_held",
                field="companies",
            )
        if len(set(self.companies)) < len(self.companies):
            raise Refused(
                "Each Share Suspended names another company.", "T-17", code="company_repeated", field="companies"
            )


def check_office(state: TycoonState, seat: int, company: Company, office: str) -> None:
    """Raises `Refused` if the seat does not hold the office."""
    if state.office_of(seat, company) != office:
        raise Refused(
            DECIDES[office],
            "ST 4.12",
            company=title(company),
            code="no_office",
            field="company",
        )


DECIDES = {
    "chairman": mark("Only the Chairman of {company} decides this."),
    "director": mark("Only the Director of {company} decides this."),
}


def revealed_of(state: TycoonState, company: Company) -> list[OwnedCard]:
    """The cards of a company that were shown this year."""
    return [owned for owned in state.revealed if cards.company_of(owned.card) == company]


def suspensions_of(state: TycoonState, seat: int) -> int:
    """Share Suspended cards in a hand."""
    return state.hands[seat].count(cards.SUSPENDED)


def chaired(state: TycoonState) -> Iterator[tuple[int, Company]]:
    """Chairmen and their companies, in table order."""
    for company in COMPANY_KEYS:
        chairman = state.offices[company].chairman
        if chairman is not None:
            yield chairman, company


def asked_for_premiums(state: TycoonState) -> list[int]:
    return [seat for seat, _ in chaired(state)]


def asked_to_withhold(state: TycoonState) -> list[int]:
    """Directors who hold a card of their company. (T-8)"""
    return [
        office.director
        for company, office in state.offices.items()
        if office.director is not None and cards.cards_of(company, state.hands[office.director])
    ]


def asked_to_strike(state: TycoonState) -> list[int]:
    """Chairmen of companies of which a card was shown. (T-8)"""
    return [seat for seat, company in chaired(state) if revealed_of(state, company)]


def asked_to_suspend(state: TycoonState) -> list[int]:
    return [seat for seat in state.active if suspensions_of(state, seat)]


def set_premiums(play: Play[TycoonState]) -> None:
    """Set the chosen premiums, or the usual rate. (T-31)"""
    for choice in play.answers_of(SetPremium):
        play.state.rates[choice.company] = choice.rate
        play.emit(PremiumSet(seat=choice.actor, company=choice.company, rate=choice.rate))


def withhold_cards(play: Play[TycoonState]) -> None:
    """Withhold the cards: it is public that a Director withheld one, but not which. (ST 7)"""
    for choice in play.answers_of(Withhold):
        play.state.withheld[choice.company] = OwnedCard(choice.actor, choice.card)
        play.emit(CardWithheld(seat=choice.actor, company=choice.company))


def strike_cards(play: Play[TycoonState]) -> None:
    for choice in play.answers_of(Strike):
        card = OwnedCard(choice.owner, choice.card)
        play.state.revealed.remove(card)
        play.state.struck.append(card)
        if play.state.year_end:
            play.state.year_end.struck.append(card)
        play.emit(CardStruck(seat=choice.actor, owner=choice.owner, company=choice.company, card=choice.card))


def suspend_shares(play: Play[TycoonState]) -> None:
    """Set prices to those of the end of last year; an unchanged price is not reported. (ST 5, T-27)"""
    state = play.state
    for choice in sorted(play.inputs_of(Suspend), key=lambda choice: state.order.index(choice.actor)):
        for company in choice.companies:
            was, state.prices[company] = state.prices[company], state.last_close(company)
            if was != state.prices[company]:
                if state.year_end:
                    now = state.prices[company]
                    state.year_end.suspensions.append(Suspension(choice.actor, company, was, now))
                play.emit(ShareSuspended(seat=choice.actor, company=company, was=was, price=state.prices[company]))
