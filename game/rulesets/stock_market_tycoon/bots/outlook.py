"""What a hand reveals about the prices at the end of the year."""

from __future__ import annotations

from collections import Counter
from math import erf, exp, pi, sqrt

from game.rulesets.stock_market_tycoon.cards import cards_of, deck_of, value_of
from game.rulesets.stock_market_tycoon.tables import HAND_SIZE, Company
from game.rulesets.stock_market_tycoon.view import TycoonView


class Outlook:
    """A seat's expectations of a year: the mean and the spread of each company's move, in dollars per share. All cards
    of a company add up to 0, so the cards in one’s own hand are missing from the others' hands."""

    def __init__(self, view: TycoonView) -> None:
        assert view.seat is not None
        self.view = view
        self.me = view.player(view.seat)
        self.players = len(view.players) - len(view.bankrupts)
        self.deck = deck_of(view.variant)
        self.seen_by_others = HAND_SIZE * (self.players - 1) / (len(self.deck) - HAND_SIZE)
        self._moves = {company.key: self._move(company.key) for company in view.companies}

    def _move(self, company: Company) -> tuple[float, float]:
        own = [value_of(card) for card in cards_of(company, self.me.hand)]
        unseen = sum(value_of(card) ** 2 for card in cards_of(company, self.deck)) - sum(value**2 for value in own)
        share = self.seen_by_others
        return sum(own) * (1 - share), sqrt(max(1.0, unseen * share * (1 - share)))

    def mean(self, company: Company, dividend: int = 0) -> float:
        """The expected move of a price after a dividend; it cannot fall below 0."""
        price = self.view.company(company).price - dividend
        move, spread = self._moves[company]
        return move + expected_above(-price - move, spread)

    def held(self, company: Company) -> int:
        shares: int = self.me.shares.get(company, 0)
        return shares

    def interest(self, company: Company) -> int:
        """The number of shares by whose price rise the seat gains: held and called, less sold short and put."""
        seat = self.view.seat
        short = sum(one.shares for one in self.view.shorts if (one.seat, one.company) == (seat, company))
        options = sum(
            one.shares if one.kind == "call" else -one.shares
            for one in self.view.contracts
            if (one.seat, one.company) == (seat, company)
        )
        return self.held(company) - short + options

    def spread(self, company: Company) -> float:
        """The standard deviation of a price's move."""
        return self._moves[company][1]

    def lowest_card(self, company: Company) -> float:
        """The average dollars that the lowest shown card of a company takes from its price, which a strike would save.
        (ST 4.11)"""
        own = [-value_of(card) for card in cards_of(company, self.me.hand)]
        unseen = Counter(-value_of(card) for card in cards_of(company, self.deck))
        unseen.subtract(own)
        saved, is_hidden = 0.0, 1.0
        for fall in sorted((fall for fall in unseen if fall > 0), reverse=True):
            hidden = 0.0 if fall in own else (1 - self.seen_by_others) ** unseen[fall]
            saved += is_hidden * (1 - hidden) * fall
            is_hidden *= hidden
        return saved

    def above(self, company: Company, rise: float = 0) -> float:
        """The expected part of the move above `rise`: the payment of a call."""
        move, spread = self._moves[company]
        return expected_above(move - rise, spread)

    def below(self, company: Company, fall: float = 0) -> float:
        """The expected part of the fall beyond `fall`: the payment of a put."""
        move, spread = self._moves[company]
        return expected_above(-move - fall, spread)


def expected_above(mean: float, spread: float) -> float:
    """The mean of the positive part of a normal variable."""
    z = mean / spread
    return mean * 0.5 * (1 + erf(z / sqrt(2))) + spread * exp(-z * z / 2) / sqrt(2 * pi)
