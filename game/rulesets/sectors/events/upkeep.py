"""What happens at the end of a turn and of the game."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.phrases import ordinal
from game.rulesets.sectors.events.base import AboutCompany


class TaxPaid(Event, frozen=True, kw_only=True, tag="tax_paid"):
    seat: int
    base: int
    percent: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat} paid capital gains tax: {percent}% of {base}."
    figures: ClassVar[str] = "−{amount}"


class Divested(AboutCompany, frozen=True, kw_only=True, tag="divested"):
    seat: int
    shares: int
    price: int
    limit: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat} was over the certificate limit of {limit} and had to sell {shares} {company}."
    figures: ClassVar[str] = "{shares} × {price}"


class EconomyMoved(Event, frozen=True, kw_only=True, tag="economy_moved"):
    was: int
    now: int
    figures: ClassVar[str] = "{was} to {now}"

    def sentence(self, names: Names) -> str:
        return f"The economy score {'rose' if self.now > self.was else 'fell'}."


class LoanInterestPaid(AboutCompany, frozen=True, kw_only=True, tag="loan_interest_paid"):
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{company} paid interest on its loan."
    figures: ClassVar[str] = "−{amount}"


class ConsumersMoved(Event, frozen=True, kw_only=True, tag="consumers_moved"):
    sector: str
    count: int
    text: ClassVar[str] = "{count} consumers moved to {sector}."


class BankBroke(Event, frozen=True, kw_only=True, tag="bank_broke"):
    bank: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "The bank broke during this turn."
    figures: ClassVar[str] = "{bank}"


class GameEnded(Event, frozen=True, kw_only=True, tag="game_ended"):
    end: str

    def sentence(self, names: Names) -> str:
        return f"The game ended {'because the bank broke' if self.end == 'bank' else 'after the last turn'}."


class FinalWorth(Event, frozen=True, kw_only=True, tag="final_worth"):
    seat: int
    place: int
    worth: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "{worth}"

    def sentence(self, names: Names) -> str:
        return f"{names(self.seat)} finished {ordinal(self.place)}."
