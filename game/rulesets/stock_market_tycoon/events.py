"""What happens in Stock Market Tycoon."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.language import count, mark, say
from game.engine.phrases import listed, thousands
from game.rulesets.stock_market_tycoon.cards import signed, title_of
from game.rulesets.stock_market_tycoon.tables import COMPANIES, Company


class TycoonEvent(Event, frozen=True, kw_only=True):
    """Companies are identified by their titles, cards by their names."""

    def _words(self, names: Names) -> dict[str, object]:
        words = super()._words(names)
        if "company" in words:
            words["company"] = COMPANIES[words["company"]].title  # type: ignore[index]
        if "card" in words:
            words["card"] = title_of(str(words["card"]))
        if "owner" in words:
            words["owner"] = names(getattr(self, "owner"))  # noqa: B009
        return words

    def seats(self) -> tuple[int, ...]:
        owner = getattr(self, "owner", None)
        return super().seats() if owner is None else (*super().seats(), owner)


class YearBegun(TycoonEvent, frozen=True, kw_only=True, tag="year_begun"):
    """`order` is the turn order of the year; the dealer comes last. (ST 2)"""

    year: int
    dealer: int
    order: tuple[int, ...]
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        order = listed(names(seat) for seat in self.order)
        return say(
            "Year {year}: {dealer} deals. The order is {order}.", year=self.year, dealer=names(self.dealer), order=order
        )


class CardsDealt(TycoonEvent, frozen=True, kw_only=True, tag="cards_dealt"):
    """How many cards each player got."""

    cards: int
    topic: ClassVar[str] = "cards"
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        return count("Everybody was dealt {n} card.", "Everybody was dealt {n} cards.", self.cards)


class HandSeen(TycoonEvent, frozen=True, kw_only=True, tag="hand_seen"):
    """The whole hand afterwards, for its owner alone."""

    seat: int
    cards: tuple[str, ...]
    topic: ClassVar[str] = "cards"
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        return say("Your hand: {cards}.", cards=listed(title_of(card) for card in self.cards))


class PremiumSet(TycoonEvent, frozen=True, kw_only=True, tag="premium_set"):
    seat: int
    company: Company
    rate: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} set the option premium of {company} to {rate}% for this year.")


class SharesBought(TycoonEvent, frozen=True, kw_only=True, tag="shares_bought"):
    """`is_first`: the first purchase of the company's shares this year."""

    seat: int
    company: Company
    shares: int
    price: int
    is_first: bool = False
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} bought {shares} {company}.")

    def sentence(self, names: Names) -> str:
        if self.is_first:
            return say("{seat} bought {shares} {company}, the first purchase this year.", **self._words(names))
        return super().sentence(names)

    def figure(self, names: Names) -> str:
        return f"−{thousands(self.shares * self.price)}"


class SharesSold(TycoonEvent, frozen=True, kw_only=True, tag="shares_sold"):
    """`is_forced`: to pay the loss of a short sale. (ST 5)"""

    seat: int
    company: Company
    shares: int
    price: int
    is_forced: bool = False
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} sold {shares} {company}.")

    def sentence(self, names: Names) -> str:
        if self.is_forced:
            return say("{seat} had to sell {shares} {company}.", **self._words(names))
        return super().sentence(names)

    def figure(self, names: Names) -> str:
        return f"+{thousands(self.shares * self.price)}"


class TurnPassed(TycoonEvent, frozen=True, kw_only=True, tag="turn_passed"):
    seat: int
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} passed.")


class LoanPlayed(TycoonEvent, frozen=True, kw_only=True, tag="loan_played"):
    seat: int
    amount: int
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark("{seat} played Loan Stocks Matured.")
    figures: ClassVar[str] = "+{amount}"


class DebenturePlayed(TycoonEvent, frozen=True, kw_only=True, tag="debenture_played"):
    """`price` is the face value that was paid for each share. (ST 4.4)"""

    seat: int
    company: Company
    shares: int
    price: int
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark(
        "{seat} played a Debenture and gave {shares} {company} back at their face value of {price}."
    )

    def figure(self, names: Names) -> str:
        return f"+{thousands(self.shares * self.price)}"


class RightsTaken(TycoonEvent, frozen=True, kw_only=True, tag="rights_taken"):
    """`is_issue`: by the card, which lets the seats after it follow. (ST 4.5)"""

    seat: int
    company: Company
    shares: int
    price: int
    is_issue: bool
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark("{seat} followed the rights of {company} and took {shares} shares at {price}.")

    def sentence(self, names: Names) -> str:
        if self.is_issue:
            return say("{seat} issued rights of {company} and took {shares} shares at {price}.", **self._words(names))
        return super().sentence(names)

    def figure(self, names: Names) -> str:
        return f"−{thousands(self.shares * self.price)}"


class ShortOpened(TycoonEvent, frozen=True, kw_only=True, tag="short_opened"):
    seat: int
    company: Company
    shares: int
    price: int
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} sold {shares} {company} short at {price}.")


class OptionBought(TycoonEvent, frozen=True, kw_only=True, tag="option_bought"):
    seat: int
    contract: str
    company: Company
    shares: int
    strike: int
    premium: int
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} bought calls on {shares} {company} at {strike}.")
    figures: ClassVar[str] = "−{premium}"

    def sentence(self, names: Names) -> str:
        if self.contract == "put":
            return say("{seat} bought puts on {shares} {company} at {strike}.", **self._words(names))
        return super().sentence(names)


class DividendDeclared(TycoonEvent, frozen=True, kw_only=True, tag="dividend_declared"):
    """`price` is the one afterwards."""

    seat: int
    company: Company
    dividend: int
    price: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} declared a dividend of {dividend} a share of {company}.")
    figures: ClassVar[str] = mark("price {price}")


class DividendPaid(TycoonEvent, frozen=True, kw_only=True, tag="dividend_paid"):
    seat: int
    company: Company
    shares: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} received the dividend on {shares} {company}.")
    figures: ClassVar[str] = "+{amount}"


class BuybackAnnounced(TycoonEvent, frozen=True, kw_only=True, tag="buyback_announced"):
    seat: int
    company: Company
    shares: int
    price: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} offers to buy back up to {shares} {company} at {price}.")


class SharesTendered(TycoonEvent, frozen=True, kw_only=True, tag="shares_tendered"):
    """`shares` of the `offered` were accepted, one or more. (T-27)"""

    seat: int
    company: Company
    offered: int
    shares: int
    price: int
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} offered {offered} {company}; {shares} were bought back.")

    def figure(self, names: Names) -> str:
        return f"+{thousands(self.shares * self.price)}"


class BuybackClosed(TycoonEvent, frozen=True, kw_only=True, tag="buyback_closed"):
    """`price` and `outstanding` are those afterwards."""

    seat: int
    company: Company
    shares: int
    price: int
    outstanding: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} bought back {shares} {company}. {outstanding} shares remain.")
    figures: ClassVar[str] = mark("price {price}")


class OfficeTaken(TycoonEvent, frozen=True, kw_only=True, tag="office_taken"):
    seat: int
    company: Company
    office: str
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} is now Director of {company}.")

    def sentence(self, names: Names) -> str:
        if self.office == "chairman":
            return say("{seat} is now Chairman of {company}.", **self._words(names))
        return super().sentence(names)


class OfficeLost(TycoonEvent, frozen=True, kw_only=True, tag="office_lost"):
    seat: int
    company: Company
    office: str
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} is no longer Director of {company}.")

    def sentence(self, names: Names) -> str:
        if self.office == "chairman":
            return say("{seat} is no longer Chairman of {company}.", **self._words(names))
        return super().sentence(names)


class CardWithheld(TycoonEvent, frozen=True, kw_only=True, tag="card_withheld"):
    """A card was withheld; which one stays secret. (ST 7)"""

    seat: int
    company: Company
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark("{seat} withheld a card of {company}.")


class CardsRevealed(TycoonEvent, frozen=True, kw_only=True, tag="cards_revealed"):
    seat: int
    cards: tuple[str, ...]
    topic: ClassVar[str] = "cards"
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        return say("{seat} showed {cards}.", seat=names(self.seat), cards=listed(title_of(card) for card in self.cards))


class CardStruck(TycoonEvent, frozen=True, kw_only=True, tag="card_struck"):
    seat: int
    owner: int
    company: Company
    card: str
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark("{seat} struck {card}, a card of {owner}.")


class PriceMoved(TycoonEvent, frozen=True, kw_only=True, tag="price_moved"):
    """The price moved by the sum of all cards that count, never below 0. (ST 5)"""

    company: Company
    was: int
    price: int
    total: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} moved from {was} to {price}.")

    def figure(self, names: Names) -> str:
        return signed(self.total)


class ShareSuspended(TycoonEvent, frozen=True, kw_only=True, tag="share_suspended"):
    """The price is again that of the end of last year. (ST 4.11)"""

    seat: int
    company: Company
    was: int
    price: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} suspended {company}: its price is {price} again, not {was}.")


class CurrencyMoved(TycoonEvent, frozen=True, kw_only=True, tag="currency_moved"):
    """`cards` is the number of cards up less those down. (ST 5)"""

    seat: int
    cards: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("Currency cards changed the cash of {seat}.")

    def figure(self, names: Names) -> str:
        return signed(self.amount)


class ShortsSettled(TycoonEvent, frozen=True, kw_only=True, tag="shorts_settled"):
    """All short sales of a seat together; `gain` is negative for a loss."""

    seat: int
    gain: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} gained on short sales.")

    def sentence(self, names: Names) -> str:
        return say("{seat} lost on short sales.", **self._words(names)) if self.gain < 0 else super().sentence(names)

    def figure(self, names: Names) -> str:
        return signed(self.gain)


class DebtDeferred(TycoonEvent, frozen=True, kw_only=True, tag="debt_deferred"):
    seat: int
    debt: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} could not pay and owes {debt}, due with the first turn of next year.")


class DebtLeft(TycoonEvent, frozen=True, kw_only=True, tag="debt_left"):
    """At the end of the last year, when nothing can be deferred. (ST 5)"""

    seat: int
    debt: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} could not pay {debt}, which counts against the net worth.")


class DebtPaid(TycoonEvent, frozen=True, kw_only=True, tag="debt_paid"):
    seat: int
    debt: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} paid the debt.")
    figures: ClassVar[str] = "−{debt}"


class WentBankrupt(TycoonEvent, frozen=True, kw_only=True, tag="went_bankrupt"):
    seat: int
    debt: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} could not pay the debt of {debt} and is bankrupt.")


class OptionsPaid(TycoonEvent, frozen=True, kw_only=True, tag="options_paid"):
    seat: int
    contract: str
    company: Company
    shares: int
    strike: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("The calls of {seat} on {shares} {company} at {strike} paid.")
    figures: ClassVar[str] = "+{amount}"

    def sentence(self, names: Names) -> str:
        if self.contract == "put":
            return say("The puts of {seat} on {shares} {company} at {strike} paid.", **self._words(names))
        return super().sentence(names)


class GameEnded(TycoonEvent, frozen=True, kw_only=True, tag="game_ended"):
    end: str

    def sentence(self, names: Names) -> str:
        return say("The game is over: {why}.", why=say(ENDS[self.end]))


class FinalWorth(TycoonEvent, frozen=True, kw_only=True, tag="final_worth"):
    seat: int
    place: int
    worth: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} finishes in place {place}.")
    figures: ClassVar[str] = "{worth}"


ENDS = {
    "years": mark("the last year is over"),
    "survivor": mark("only one player is not bankrupt"),
}
"""Why a game ends. (ST 5, 6)"""

AnyEvent = (
    YearBegun
    | CardsDealt
    | HandSeen
    | PremiumSet
    | SharesBought
    | SharesSold
    | TurnPassed
    | LoanPlayed
    | DebenturePlayed
    | RightsTaken
    | ShortOpened
    | OptionBought
    | DividendDeclared
    | DividendPaid
    | BuybackAnnounced
    | SharesTendered
    | BuybackClosed
    | OfficeTaken
    | OfficeLost
    | CardWithheld
    | CardsRevealed
    | CardStruck
    | PriceMoved
    | ShareSuspended
    | CurrencyMoved
    | ShortsSettled
    | DebtDeferred
    | DebtLeft
    | DebtPaid
    | WentBankrupt
    | OptionsPaid
    | GameEnded
    | FinalWorth
)
EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
