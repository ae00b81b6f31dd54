"""What each player paid for the shares of each company and received from them, from the events of a game of Sectors."""

from __future__ import annotations

from dataclasses import dataclass, field

from game.boards.story.played import PlayedGame
from game.engine.events import Event
from game.rulesets.sectors.events.operations import Contributed, DividendPaid, LiquidationPaid
from game.rulesets.sectors.events.orders import (
    ContractBought,
    OptionExercised,
    OrderFilled,
    ShortClosed,
    ShortCovered,
    ShortInterestPaid,
    ShortOpened,
)
from game.rulesets.sectors.events.upkeep import Divested


@dataclass
class Stake:
    """One player's shares of one company over a whole game; money in whole dollars, `serial` is the phase of the first
    purchase. `at_end` is the value of the remaining shares at the end."""

    bought: int = 0
    paid: int = 0
    sold: int = 0
    dividends: int = 0
    held: int = 0
    at_end: int = 0
    serial: int = 0

    @property
    def income(self) -> int:
        """All income from it."""
        return self.sold + self.dividends + self.at_end

    @property
    def gain(self) -> int:
        """Income less cost."""
        return self.income - self.paid


@dataclass
class Bet:
    """A short or an option: its income and cost in whole dollars, and the phase in which it began."""

    seat: int
    company: str
    kind: str
    brought: int = 0
    cost: int = 0
    serial: int = 0

    @property
    def gain(self) -> int:
        """Income less cost."""
        return self.brought - self.cost


@dataclass
class Stakes:
    """All stakes of a game, updated event by event."""

    shares: dict[tuple[int, str], Stake] = field(default_factory=dict)
    bets: dict[tuple[str, int], Bet] = field(default_factory=dict)

    def of(self, seat: int, company: str) -> Stake:
        """One player's shares of one company."""
        return self.shares.setdefault((seat, company), Stake())

    def held(self, seat: int, company: str) -> int:
        """The number of shares in a hand now."""
        return self.of(seat, company).held

    def note(self, event: Event, serial: int) -> None:
        """Record an event about shares, shorts and options."""
        match event:
            case OrderFilled(side="buy"):
                stake = self.of(event.seat, event.company)
                stake.serial = stake.serial or serial
                stake.bought, stake.held = stake.bought + event.quantity, stake.held + event.quantity
                stake.paid += event.quantity * event.price
            case OrderFilled():
                self._part_with(event.seat, event.company, event.quantity, event.quantity * event.price)
            case Divested():
                self._part_with(event.seat, event.company, event.shares, event.shares * event.price)
            case LiquidationPaid():
                self._part_with(event.seat, event.company, event.shares, event.amount)
            case Contributed():
                self._part_with(event.seat, event.company, event.shares, 0)
                self.of(event.seat, event.company).paid += event.cash
            case DividendPaid():
                self.of(event.seat, event.company).dividends += event.amount
            case _:
                self._note_bet(event, serial)

    def _part_with(self, seat: int, company: str, shares: int, amount: int) -> None:
        stake = self.of(seat, company)
        stake.held, stake.sold = stake.held - shares, stake.sold + amount

    def _note_bet(self, event: Event, serial: int) -> None:
        match event:
            case ShortOpened():
                brought = event.quantity * event.price
                self.bets["short", event.order] = Bet(event.seat, event.company, "short", brought, 0, serial)
            case ShortCovered():
                self.bets["short", event.order].cost += event.quantity * event.price
            case ShortClosed():
                self.bets["short", event.order].cost += event.paid
            case ShortInterestPaid():
                self.bets["short", event.order].cost += event.amount
            case ContractBought():
                self.bets["option", event.contract] = Bet(event.seat, event.company, "option", 0, event.premium, serial)
            case OptionExercised():
                self.bets["option", event.contract].brought += (event.price - event.strike) * event.shares


def stakes_of(game: PlayedGame) -> Stakes:
    """All stakes of a game, with the remaining shares at their last price."""
    stakes = Stakes()
    for _, scene, event in game.events():
        stakes.note(event, scene.serial)
    prices = game.course[-1].prices if game.course else {}
    for (_, company), stake in stakes.shares.items():
        stake.at_end = stake.held * prices.get(company, 0)
    return stakes
