"""What happens while a year is traded: the deal, turns, offices."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Names, calling_you
from game.engine.language import count, mark, say
from game.engine.phrases import listed, thousands
from game.rulesets.stock_market_tycoon.cards import title_of
from game.rulesets.stock_market_tycoon.events.shared import TycoonEvent
from game.rulesets.stock_market_tycoon.tables import Company


class YearBegun(TycoonEvent, frozen=True, kw_only=True, tag="year_begun"):
    """A year began; `order` is its turn order, in which the dealer comes last. (ST 2)"""

    year: int
    dealer: int
    order: tuple[int, ...]
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        facts = {"dealer": names(self.dealer), "order": listed(map(names, self.order))}
        return say("Year {year}: {dealer} deals. Order: {order}.", year=self.year, **facts)

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.dealer:
            return self.sentence(calling_you(seat, names))
        order = listed(map(calling_you(seat, names), self.order))
        return say("Year {year}: you deal. Order: {order}.", year=self.year, order=order)


class CardsDealt(TycoonEvent, frozen=True, kw_only=True, tag="cards_dealt"):
    """Cards were dealt: the number that each player got."""

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
    label: ClassVar[str] = mark("Your hand")
    weight: ClassVar[int] = 20
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        return say("Your hand: {cards}.", cards=listed(title_of(card) for card in self.cards))


class PremiumSet(TycoonEvent, frozen=True, kw_only=True, tag="premium_set"):
    seat: int
    company: Company
    rate: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} set the option premium of {company} to {rate}% for this year.")
    you: ClassVar[str] = mark("You set the option premium of {company} to {rate}% for this year.")
    label: ClassVar[str] = mark("Premium")
    weight: ClassVar[int] = 30


class SharesBought(TycoonEvent, frozen=True, kw_only=True, tag="shares_bought"):
    """Shares were bought; `is_first`: the first purchase of the company's shares this year."""

    seat: int
    company: Company
    shares: int
    price: int
    is_first: bool = False
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} bought {shares} {company}.")
    you: ClassVar[str] = mark("You bought {shares} {company}.")
    label: ClassVar[str] = mark("Bought")
    weight: ClassVar[int] = 45

    def sentence(self, names: Names) -> str:
        if self.is_first:
            return say("{seat} bought {shares} {company}, the first purchase this year.", **self._words(names))
        return super().sentence(names)

    def figure(self, names: Names) -> str:
        return f"−{thousands(self.shares * self.price)}"

    def yours(self, seat: int) -> str:
        return mark("You bought {shares} {company}, the first purchase this year.") if self.is_first else self.you


class SharesSold(TycoonEvent, frozen=True, kw_only=True, tag="shares_sold"):
    """Shares were sold; `is_forced`: to pay the loss of a short sale. (ST 5)"""

    seat: int
    company: Company
    shares: int
    price: int
    is_forced: bool = False
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} sold {shares} {company}.")
    you: ClassVar[str] = mark("You sold {shares} {company}.")
    label: ClassVar[str] = mark("Sold")
    weight: ClassVar[int] = 45

    def sentence(self, names: Names) -> str:
        if self.is_forced:
            return say("{seat} had to sell {shares} {company}.", **self._words(names))
        return super().sentence(names)

    def figure(self, names: Names) -> str:
        return f"+{thousands(self.shares * self.price)}"

    def yours(self, seat: int) -> str:
        return mark("You had to sell {shares} {company}.") if self.is_forced else self.you


class TurnPassed(TycoonEvent, frozen=True, kw_only=True, tag="turn_passed"):
    seat: int
    is_idle: ClassVar[bool] = True
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} passed.")
    you: ClassVar[str] = mark("You passed.")
    label: ClassVar[str] = mark("Passed")
    weight: ClassVar[int] = 10


class LoanPlayed(TycoonEvent, frozen=True, kw_only=True, tag="loan_played"):
    seat: int
    amount: int
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark("{seat} played Loan Stocks Matured.")
    figures: ClassVar[str] = "+{amount}"
    you: ClassVar[str] = mark("You played Loan Stocks Matured.")
    label: ClassVar[str] = mark("Loan stock")
    tone: ClassVar[str] = "good"
    weight: ClassVar[int] = 50


class DebenturePlayed(TycoonEvent, frozen=True, kw_only=True, tag="debenture_played"):
    """A Debenture was played; `price` is the face value that was paid for each share. (ST 4.4)"""

    seat: int
    company: Company
    shares: int
    price: int
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark(
        "{seat} played a Debenture and gave {shares} {company} back at their face value of {price}."
    )
    you: ClassVar[str] = mark("You played a Debenture and gave {shares} {company} back at their face value of {price}.")
    label: ClassVar[str] = mark("Debenture")
    tone: ClassVar[str] = "good"
    weight: ClassVar[int] = 60

    def figure(self, names: Names) -> str:
        return f"+{thousands(self.shares * self.price)}"


class RightsTaken(TycoonEvent, frozen=True, kw_only=True, tag="rights_taken"):
    """New shares were taken by rights; `is_issue`: by the card, which lets the seats after it follow. (ST 4.5)"""

    seat: int
    company: Company
    shares: int
    price: int
    is_issue: bool
    topic: ClassVar[str] = "cards"
    text: ClassVar[str] = mark("{seat} followed the rights of {company} and took {shares} shares at {price}.")
    you: ClassVar[str] = mark("You followed the rights of {company} and took {shares} shares at {price}.")
    label: ClassVar[str] = mark("Rights")
    tone: ClassVar[str] = "good"
    weight: ClassVar[int] = 50

    def sentence(self, names: Names) -> str:
        if self.is_issue:
            return say("{seat} issued rights of {company} and took {shares} shares at {price}.", **self._words(names))
        return super().sentence(names)

    def figure(self, names: Names) -> str:
        return f"−{thousands(self.shares * self.price)}"

    def yours(self, seat: int) -> str:
        return (
            mark("You issued rights of {company} and took {shares} shares at {price}.") if self.is_issue else self.you
        )


class ShortOpened(TycoonEvent, frozen=True, kw_only=True, tag="short_opened"):
    seat: int
    company: Company
    shares: int
    price: int
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} sold {shares} {company} short at {price}.")
    you: ClassVar[str] = mark("You sold {shares} {company} short at {price}.")
    label: ClassVar[str] = mark("Sold short")
    weight: ClassVar[int] = 45


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
    you: ClassVar[str] = mark("You bought calls on {shares} {company} at {strike}.")
    label: ClassVar[str] = mark("Option")
    weight: ClassVar[int] = 45

    def sentence(self, names: Names) -> str:
        if self.contract == "put":
            return say("{seat} bought puts on {shares} {company} at {strike}.", **self._words(names))
        return super().sentence(names)

    def yours(self, seat: int) -> str:
        return mark("You bought puts on {shares} {company} at {strike}.") if self.contract == "put" else self.you


class DividendDeclared(TycoonEvent, frozen=True, kw_only=True, tag="dividend_declared"):
    """A dividend was declared; `price` is that of a share afterwards."""

    seat: int
    company: Company
    dividend: int
    price: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} declared a dividend of {dividend} a share of {company}.")
    figures: ClassVar[str] = mark("price {price}")
    you: ClassVar[str] = mark("You declared a dividend of {dividend} a share of {company}.")
    label: ClassVar[str] = mark("Dividend")
    weight: ClassVar[int] = 45


class DividendPaid(TycoonEvent, frozen=True, kw_only=True, tag="dividend_paid"):
    seat: int
    company: Company
    shares: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} received the dividend on {shares} {company}.")
    figures: ClassVar[str] = "+{amount}"
    you: ClassVar[str] = mark("You received the dividend on {shares} {company}.")
    label: ClassVar[str] = mark("Dividend")
    tone: ClassVar[str] = "good"
    weight: ClassVar[int] = 55


class BuybackAnnounced(TycoonEvent, frozen=True, kw_only=True, tag="buyback_announced"):
    seat: int
    company: Company
    shares: int
    price: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} offers to buy back up to {shares} {company} at {price}.")
    you: ClassVar[str] = mark("You offered to buy back up to {shares} {company} at {price}.")
    label: ClassVar[str] = mark("Buyback")
    weight: ClassVar[int] = 50


class SharesTendered(TycoonEvent, frozen=True, kw_only=True, tag="shares_tendered"):
    """Shares were tendered; `shares` of the `offered` were accepted, one or more. (T-27)"""

    seat: int
    company: Company
    offered: int
    shares: int
    price: int
    topic: ClassVar[str] = "trade"
    text: ClassVar[str] = mark("{seat} offered {offered} {company}; {shares} were bought back.")
    you: ClassVar[str] = mark("You offered {offered} {company}; {shares} were bought back.")
    label: ClassVar[str] = mark("Tendered")
    tone: ClassVar[str] = "good"
    weight: ClassVar[int] = 60

    def figure(self, names: Names) -> str:
        return f"+{thousands(self.shares * self.price)}"


class BuybackClosed(TycoonEvent, frozen=True, kw_only=True, tag="buyback_closed"):
    """A buyback closed; `price` and `outstanding` are those afterwards."""

    seat: int
    company: Company
    shares: int
    price: int
    outstanding: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} bought back {shares} {company}. {outstanding} shares remain.")
    figures: ClassVar[str] = mark("price {price}")
    you: ClassVar[str] = mark("You bought back {shares} {company}. {outstanding} shares remain.")
    label: ClassVar[str] = mark("Buyback")
    weight: ClassVar[int] = 55


class OfficeTaken(TycoonEvent, frozen=True, kw_only=True, tag="office_taken"):
    seat: int
    company: Company
    office: str
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} is now Director of {company}.")
    you: ClassVar[str] = mark("You are now Director of {company}.")
    label: ClassVar[str] = mark("Office")
    tone: ClassVar[str] = "good"
    weight: ClassVar[int] = 80

    def sentence(self, names: Names) -> str:
        if self.office == "chairman":
            return say("{seat} is now Chairman of {company}.", **self._words(names))
        return super().sentence(names)

    def yours(self, seat: int) -> str:
        return mark("You are now Chairman of {company}.") if self.office == "chairman" else self.you


class OfficeLost(TycoonEvent, frozen=True, kw_only=True, tag="office_lost"):
    seat: int
    company: Company
    office: str
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{seat} is no longer Director of {company}.")
    you: ClassVar[str] = mark("You are no longer Director of {company}.")
    label: ClassVar[str] = mark("Office lost")
    tone: ClassVar[str] = "bad"
    weight: ClassVar[int] = 85

    def sentence(self, names: Names) -> str:
        if self.office == "chairman":
            return say("{seat} is no longer Chairman of {company}.", **self._words(names))
        return super().sentence(names)

    def yours(self, seat: int) -> str:
        return mark("You are no longer Chairman of {company}.") if self.office == "chairman" else self.you
