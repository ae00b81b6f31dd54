"""Standing answers: they apply in every phase of their kind, so that nobody waits for a decision that was clear
beforehand. There is none for Share Suspended, and none is used while the seat is in debt."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from game.engine.actions import GAME, Action, Refused
from game.engine.language import mark
from game.engine.play import Play
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.finance import Tender, asked_to_tender, check_strategist
from game.rulesets.stock_market_tycoon.plans import is_to_act
from game.rulesets.stock_market_tycoon.state import TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS, Company
from game.rulesets.stock_market_tycoon.trading import FollowRights, Shares, most_rights
from game.rulesets.stock_market_tycoon.year_decisions import (
    SetPremium,
    Strike,
    Withhold,
    asked_for_premiums,
    asked_to_strike,
    asked_to_withhold,
    chaired,
    check_rate,
    revealed_of,
)

Choice = Literal["none", "lowest", "highest"]
CHOICES = {
    "none": mark("None"),
    "lowest": mark("The lowest below 0"),
    "highest": mark("The highest above 0"),
}


class StandingAnswer(Action, frozen=True, kw_only=True):
    """Applies in every phase of its kind until it is withdrawn; a decision in the phase itself takes precedence."""

    lasts: ClassVar[str] = GAME
    is_lasting: ClassVar[bool] = True

    def is_ready_ahead(self) -> bool:
        return True


class KeepPremium(StandingAnswer, frozen=True, kw_only=True, tag="keep_premium"):
    """The option premium of each company that the seat chairs. (ST 4.11)"""

    rate: Annotated[int, Meta(ge=1, le=100)]
    title: ClassVar[str] = mark("Option premium every year")
    phases: ClassVar[frozenset[str]] = frozenset({"premium"})

    def check(self, state: TycoonState) -> None:
        check_strategist(state)
        check_rate(state, self.rate)

    def serves(self, state: TycoonState) -> bool:
        return self.actor in asked_for_premiums(state)

    def means(self, state: TycoonState) -> list[Action]:
        return [
            SetPremium(actor=seat, company=company, rate=self.rate)
            for seat, company in chaired(state)
            if seat == self.actor
        ]


class KeepWithholding(StandingAnswer, frozen=True, kw_only=True, tag="keep_withholding"):
    """Which card to withhold for each company that the seat directs. (ST 4.11)"""

    card: Choice
    title: ClassVar[str] = mark("Withhold a card every year")
    phases: ClassVar[frozenset[str]] = frozenset({"withhold"})

    def serves(self, state: TycoonState) -> bool:
        return self.actor in asked_to_withhold(state)

    def means(self, state: TycoonState) -> list[Action]:
        directed = [company for company in COMPANY_KEYS if state.office_of(self.actor, company) == "director"]
        chosen = {company: _chosen(self.card, cards.cards_of(company, state.hands[self.actor])) for company in directed}
        return [Withhold(actor=self.actor, company=company, card=card) for company, card in chosen.items() if card]


class KeepStriking(StandingAnswer, frozen=True, kw_only=True, tag="keep_striking"):
    """Which card to strike for each company that the seat chairs. (ST 4.11)"""

    card: Choice
    title: ClassVar[str] = mark("Strike a card every year")
    phases: ClassVar[frozenset[str]] = frozenset({"strike"})

    def serves(self, state: TycoonState) -> bool:
        return self.actor in asked_to_strike(state)

    def means(self, state: TycoonState) -> list[Action]:
        strikes: list[Action] = []
        for seat, company in chaired(state):
            on_table = revealed_of(state, company) if seat == self.actor else []
            if card := _chosen(self.card, [each.card for each in on_table]):
                owner = next(each.seat for each in on_table if each.card == card)
                strikes.append(Strike(actor=seat, company=company, owner=owner, card=card))
        return strikes


def _chosen(choice: str, hand: list[str]) -> str | None:
    """The card of a company to which the rule applies, if there is one."""
    if choice == "none" or not hand:
        return None
    card = min(hand, key=cards.value_of) if choice == "lowest" else max(hand, key=cards.value_of)
    is_meant = cards.value_of(card) < 0 if choice == "lowest" else cards.value_of(card) > 0
    return card if is_meant else None


class LimitTender(StandingAnswer, frozen=True, kw_only=True, tag="limit_tender"):
    """How many shares of a company to tender in a buyback at `price` or more; none below. (T-30)"""

    company: Company
    shares: Annotated[int, Meta(ge=0, le=999_999_999)]
    price: Annotated[int, Meta(ge=1, le=999_999_999)]
    title: ClassVar[str] = mark("Tender limit")
    phases: ClassVar[frozenset[str]] = frozenset({"tender"})

    def slot(self) -> str:
        return f"limit:{self.company}"

    def check(self, state: TycoonState) -> None:
        check_strategist(state)

    def serves(self, state: TycoonState) -> bool:
        offer = state.buyback
        return offer is not None and offer.company == self.company and self.actor in asked_to_tender(state)

    def means(self, state: TycoonState) -> list[Action]:
        offer = state.buyback
        pays = offer is not None and offer.price >= self.price
        return [Tender(actor=self.actor, shares=min(self.shares, state.held(self.actor, self.company)) if pays else 0)]


class KeepFollowing(StandingAnswer, frozen=True, kw_only=True, tag="keep_following"):
    """Follow every rights issue of a company with up to `shares`. It takes the turn's action, unless following is free.
    (ST 4.6, T-29)"""

    company: Company
    shares: Shares
    title: ClassVar[str] = mark("Follow rights every time")
    phases: ClassVar[frozenset[str]] = frozenset({"trade"})
    may_stand: ClassVar[bool] = True

    def slot(self) -> str:
        return f"follow:{self.company}"

    def check(self, state: TycoonState) -> None:
        if state.options.trade_mode == "batch":
            raise Refused(
                "In this mode, follow a rights issue with an entry in your list.", "T-30", code="not_in_this_mode"
            )

    def serves(self, state: TycoonState) -> bool:
        if not is_to_act(state, self.actor) or state.debts[self.actor]:
            return False
        try:
            self._follow(state).check(state)
        except Refused:
            return False
        return True

    def _follow(self, state: TycoonState) -> FollowRights:
        most = min(self.shares, most_rights(state, self.actor, self.company)) or self.shares
        return FollowRights(actor=self.actor, company=self.company, shares=most)

    def is_ready_ahead(self) -> bool:
        return False

    def is_kept(self, state: TycoonState) -> bool:
        return True

    def carry_out(self, play: Play[TycoonState]) -> None:
        self._follow(play.state).carry_out(play)


STANDING_ANSWERS = (KeepPremium, KeepWithholding, KeepStriking, LimitTender, KeepFollowing)
