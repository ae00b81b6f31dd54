"""Events at the end of a turn and of the game."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.language import mark, say
from game.engine.phrases import ordinal, thousands
from game.rulesets.sectors.events.base import AboutCompany


class TaxPaid(Event, frozen=True, kw_only=True, tag="tax_paid"):
    seat: int
    base: int
    percent: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} paid capital gains tax: {percent}% of {base}.")
    you: ClassVar[str] = mark("You paid capital gains tax: {percent}% of {base}.")
    figures: ClassVar[str] = "−{amount}"


class Divested(AboutCompany, frozen=True, kw_only=True, tag="divested"):
    seat: int
    shares: int
    price: int
    limit: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} was over the certificate limit of {limit} and had to sell {shares} {company}.")
    you: ClassVar[str] = mark("You were over the certificate limit of {limit} and had to sell {shares} {company}.")
    figures: ClassVar[str] = "{shares} × {price}"


class EconomyMoved(Event, frozen=True, kw_only=True, tag="economy_moved"):
    was: int
    now: int
    figures: ClassVar[str] = mark("{was} to {now}")

    def sentence(self, names: Names) -> str:
        return say("The economy score rose." if self.now > self.was else "The economy score fell.")


class LoanInterestPaid(AboutCompany, frozen=True, kw_only=True, tag="loan_interest_paid"):
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{company} paid interest on its loan.")
    figures: ClassVar[str] = "−{amount}"


class ConsumersMoved(Event, frozen=True, kw_only=True, tag="consumers_moved"):
    sector: str
    count: int

    def sentence(self, names: Names) -> str:
        return say("{count} consumers moved to {sector}.", count=thousands(self.count), sector=say(self.sector))


class BankBroke(Event, frozen=True, kw_only=True, tag="bank_broke"):
    bank: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("The bank broke during this turn.")
    figures: ClassVar[str] = "{bank}"


class GameEnded(Event, frozen=True, kw_only=True, tag="game_ended"):
    end: str

    def sentence(self, names: Names) -> str:
        return say(
            "The game ended because the bank broke." if self.end == "bank" else "The game ended after the last turn."
        )


class FinalWorth(Event, frozen=True, kw_only=True, tag="final_worth"):
    seat: int
    place: int
    worth: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "{worth}"

    text: ClassVar[str] = mark("{seat} finished {place}.")
    you: ClassVar[str] = mark("You finished {place}.")

    def _words(self, names: Names) -> dict[str, object]:
        return {**super()._words(names), "place": ordinal(self.place)}
