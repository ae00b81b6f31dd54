"""What the trades of the others reveal about their hands."""

from __future__ import annotations

from math import sqrt

from game.rulesets.stock_market_tycoon.bots.outlook import Outlook
from game.rulesets.stock_market_tycoon.cards import cards_of, value_of
from game.rulesets.stock_market_tycoon.tables import HAND_SIZE, Company
from game.rulesets.stock_market_tycoon.view import TycoonSeat, TycoonView

SHORTED, BOUGHT, SOLD = -1.25, 1.05, -0.3


class InformedOutlook(Outlook):
    """Expectations from one’s own hand and from the others' trades of this year: buyers of a company probably hold good
    cards of it, sellers and short sellers bad ones. How good or bad was measured in games of four house bots, in
    standard deviations of the sum of a hand's cards of the company."""

    def __init__(self, view: TycoonView) -> None:
        super().__init__(view)
        for company, (move, spread) in self._moves.items():
            self._moves[company] = (move + self._revealed(company), spread)

    def after(self, view: TycoonView) -> Outlook:
        """An outlook on a later position of the year that keeps these expectations of the cards."""
        outlook = Outlook(view)
        outlook._moves = self._moves
        return outlook

    def _revealed(self, company: Company) -> float:
        """The move of a price in dollars that trades reveal. Cards in one hand are missing from the deck and from the
        other hands."""
        others = [one for one in self.view.players if one.seat != self.view.seat and not one.is_bankrupt]
        own = cards_of(company, self.me.hand)
        unseen = sum(value_of(card) ** 2 for card in cards_of(company, self.deck)) - sum(
            value_of(card) ** 2 for card in own
        )
        hidden = len(self.deck) - HAND_SIZE
        elsewhere = HAND_SIZE * (len(others) - 1) / (hidden - HAND_SIZE)
        a_hand = sqrt(unseen * HAND_SIZE / hidden)
        return a_hand * (1 - elsewhere) * sum(self._sign(company, other) for other in others)

    def _sign(self, company: Company, player: TycoonSeat) -> float:
        if any((short.seat, short.company) == (player.seat, company) for short in self.view.shorts):
            return SHORTED
        bought = player.shares.get(company, 0) - self._held_before(company, player.seat)
        return BOUGHT if bought > 0 else SOLD if bought < 0 else 0.0

    def _held_before(self, company: Company, seat: int) -> int:
        """The shares of a seat when the year began, before forced sales."""
        changes = self.view.year_end.changes if self.view.year_end else []
        return next((change.held[seat] for change in changes if change.company == company), 0)
