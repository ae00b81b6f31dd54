"""What happens when a year or the game ends."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Names
from game.engine.language import mark, say
from game.engine.phrases import listed, ordinal
from game.rulesets.stock_market_tycoon.cards import signed, title_of
from game.rulesets.stock_market_tycoon.events.shared import TycoonEvent
from game.rulesets.stock_market_tycoon.tables import Company

ENDS = {
    "years": mark("the last year is over"),
    "survivor": mark("only one player is not bankrupt"),
}
"""Why a game ends. (ST 5, 6)"""


class CardWithheld(TycoonEvent, frozen=True, kw_only=True, tag="card_withheld"):
    """A card was withheld; which one stays secret. (ST 7)"""

    seat: int
    company: Company
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark("{seat} withheld a card of {company}.")
    you: ClassVar[str] = mark("You withheld a card of {company}.")
    label: ClassVar[str] = mark("Withheld")
    weight: ClassVar[int] = 40


class CardsRevealed(TycoonEvent, frozen=True, kw_only=True, tag="cards_revealed"):
    seat: int
    cards: tuple[str, ...]
    topic: ClassVar[str] = "cards"
    label: ClassVar[str] = mark("Cards shown")
    weight: ClassVar[int] = 20
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        return say("{seat} showed {cards}.", seat=names(self.seat), cards=self._listed())

    def sentence_for(self, seat: int, names: Names) -> str:
        return say("You showed {cards}.", cards=self._listed()) if seat == self.seat else self.sentence(names)

    def _listed(self) -> str:
        return listed(title_of(card) for card in self.cards)


class CardStruck(TycoonEvent, frozen=True, kw_only=True, tag="card_struck"):
    seat: int
    owner: int
    company: Company
    card: str
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark("{seat} struck {card}, a card of {owner}.")
    you: ClassVar[str] = mark("You struck {card}, a card of {owner}.")
    label: ClassVar[str] = mark("Struck")
    weight: ClassVar[int] = 60

    def yours(self, seat: int) -> str:
        if seat != self.seat:
            return mark("{seat} struck {card}, a card of yours.")
        return mark("You struck {card}, a card of your own.") if seat == self.owner else self.you


class PriceMoved(TycoonEvent, frozen=True, kw_only=True, tag="price_moved"):
    """The price moved by the sum of all cards that count, never below 0. (ST 5)"""

    company: Company
    was: int
    price: int
    total: int
    topic: ClassVar[str] = "company"
    is_routine: ClassVar[bool] = True
    text: ClassVar[str] = mark("{company} rose from {was} to {price}.")

    def sentence(self, names: Names) -> str:
        if self.price < self.was:
            return say("{company} fell from {was} to {price}.", **self._words(names))
        return super().sentence(names)

    def figure(self, names: Names) -> str:
        return signed(self.total)


class ShareSuspended(TycoonEvent, frozen=True, kw_only=True, tag="share_suspended"):
    """A price was put back to that of the end of last year. (ST 4.11)"""

    seat: int
    company: Company
    was: int
    price: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} suspended {company}: its price is {price} again, not {was}.")
    you: ClassVar[str] = mark("You suspended {company}: its price is {price} again, not {was}.")
    label: ClassVar[str] = mark("Suspended")
    weight: ClassVar[int] = 60


class CurrencyMoved(TycoonEvent, frozen=True, kw_only=True, tag="currency_moved"):
    """Everybody's cash moved; `cards` is the number of currency cards up less those down. (ST 5)"""

    seat: int
    cards: int
    amount: int
    topic: ClassVar[str] = "money"
    is_routine: ClassVar[bool] = True
    text: ClassVar[str] = mark("Currency cards changed the cash of {seat}.")
    you: ClassVar[str] = mark("Your currency cards changed your cash.")
    label: ClassVar[str] = mark("Currency")
    weight: ClassVar[int] = 60

    def figure(self, names: Names) -> str:
        return signed(self.amount)


class ShortsSettled(TycoonEvent, frozen=True, kw_only=True, tag="shorts_settled"):
    """All short sales of a seat together; `gain` is negative for a loss."""

    seat: int
    gain: int
    topic: ClassVar[str] = "money"
    is_routine: ClassVar[bool] = True
    text: ClassVar[str] = mark("{seat} gained on short sales.")
    you: ClassVar[str] = mark("You gained on short sales.")
    label: ClassVar[str] = mark("Short sales")
    weight: ClassVar[int] = 75

    def sentence(self, names: Names) -> str:
        return say("{seat} lost on short sales.", **self._words(names)) if self.gain < 0 else super().sentence(names)

    def figure(self, names: Names) -> str:
        return signed(self.gain)

    def yours(self, seat: int) -> str:
        return mark("You lost on short sales.") if self.gain < 0 else self.you


class DebtDeferred(TycoonEvent, frozen=True, kw_only=True, tag="debt_deferred"):
    seat: int
    debt: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} could not pay and owes {debt}, due with the first turn of next year.")
    you: ClassVar[str] = mark("You could not pay and owe {debt}, due with your first turn of next year.")
    label: ClassVar[str] = mark("Debt")
    tone: ClassVar[str] = "bad"
    weight: ClassVar[int] = 95


class DebtLeft(TycoonEvent, frozen=True, kw_only=True, tag="debt_left"):
    """A debt was left at the end of the last year, when nothing can be deferred. (ST 5)"""

    seat: int
    debt: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} could not pay {debt}, which counts against the net worth.")
    you: ClassVar[str] = mark("You could not pay {debt}, which counts against your net worth.")
    label: ClassVar[str] = mark("Debt")
    tone: ClassVar[str] = "bad"
    weight: ClassVar[int] = 95


class DebtPaid(TycoonEvent, frozen=True, kw_only=True, tag="debt_paid"):
    seat: int
    debt: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} paid the debt.")
    figures: ClassVar[str] = "−{debt}"
    you: ClassVar[str] = mark("You paid your debt.")
    label: ClassVar[str] = mark("Debt")
    tone: ClassVar[str] = "good"
    weight: ClassVar[int] = 70


class WentBankrupt(TycoonEvent, frozen=True, kw_only=True, tag="went_bankrupt"):
    seat: int
    debt: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} could not pay the debt of {debt} and is bankrupt.")
    you: ClassVar[str] = mark("You could not pay your debt of {debt} and are bankrupt.")
    label: ClassVar[str] = mark("Bankrupt")
    tone: ClassVar[str] = "bad"
    weight: ClassVar[int] = 100


class VotedOut(TycoonEvent, frozen=True, kw_only=True, tag="voted_out"):
    seat: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} is out of the game: all others who are present voted for it.")
    you: ClassVar[str] = mark("You are out of the game: all others who are present voted for it.")
    label: ClassVar[str] = mark("Voted out")
    weight: ClassVar[int] = 100


class OptionsPaid(TycoonEvent, frozen=True, kw_only=True, tag="options_paid"):
    seat: int
    contract: str
    company: Company
    shares: int
    strike: int
    amount: int
    topic: ClassVar[str] = "money"
    is_routine: ClassVar[bool] = True
    text: ClassVar[str] = mark("The calls of {seat} on {shares} {company} at {strike} paid.")
    figures: ClassVar[str] = "+{amount}"
    you: ClassVar[str] = mark("Your calls on {shares} {company} at {strike} paid.")
    label: ClassVar[str] = mark("Options")
    tone: ClassVar[str] = "good"
    weight: ClassVar[int] = 75

    def sentence(self, names: Names) -> str:
        if self.contract == "put":
            return say("The puts of {seat} on {shares} {company} at {strike} paid.", **self._words(names))
        return super().sentence(names)

    def yours(self, seat: int) -> str:
        return mark("Your puts on {shares} {company} at {strike} paid.") if self.contract == "put" else self.you


class GameEnded(TycoonEvent, frozen=True, kw_only=True, tag="game_ended"):
    end: str

    def sentence(self, names: Names) -> str:
        return say("The game is over: {why}.", why=say(ENDS[self.end]))


class FinalWorth(TycoonEvent, frozen=True, kw_only=True, tag="final_worth"):
    seat: int
    place: int
    worth: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} finished {place}.")
    figures: ClassVar[str] = "{worth}"
    you: ClassVar[str] = mark("You finished {place}.")
    label: ClassVar[str] = mark("The end")
    weight: ClassVar[int] = 100

    def _words(self, names: Names) -> dict[str, object]:
        return {**super()._words(names), "place": ordinal(self.place)}
