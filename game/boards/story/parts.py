"""The parts of a score's change: prices of held shares, money by source, and the rest."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from game.boards.story.played import TRADING, Bookkeeping, Moment, PlayedGame
from game.engine.ledger import Transfer, cash_of


class Part(NamedTuple):
    """A cause of gain and loss: the price of a company, or a source of money."""

    company: str
    source: str


Parts = dict[Part, int]


class Accounts:
    """The score of every seat, turn by turn, in parts that add up to it."""

    def __init__(self, game: PlayedGame, books: Bookkeeping) -> None:
        self.game, self.books = game, books
        turns = [moment.turn for moment in game.course]
        self.steps = [[step for step in game.steps if bisect_left(turns, step.turn) == at] for at in range(len(turns))]
        self._parts = [
            [self._parts_of(at, seat) if at else {} for seat in game.seats] for at in range(len(game.course))
        ]

    def change(self, at: int, seat: int) -> int:
        """The change of the score since the moment before this one."""
        return self.game.course[at].worth[seat] - self.game.course[at - 1].worth[seat]

    def parts(self, at: int, seat: int) -> Parts:
        """The parts of that change, which add up to it."""
        return self._parts[at][seat]

    def total(self, seat: int) -> Parts:
        """The parts of the whole change from start to end."""
        return added(self._parts[at][seat] for at in range(1, len(self.game.course)))

    def serial_of(self, at: int, seat: int, part: Part) -> int:
        """The phase of this turn that contributed most to a part; the last one if none did."""
        amounts: dict[int, int] = {}
        for step in self.steps[at]:
            for transfer in step.transfers:
                if part == Part("", self._source(transfer.why)):
                    amounts[transfer.serial] = amounts.get(transfer.serial, 0) + _signed(transfer, seat)
            for scene in step.scenes:
                for event in scene.events:
                    move = self.books.price_move(event)
                    if move is not None and move[0] == part.company:
                        amounts[scene.serial] = amounts.get(scene.serial, 0) + move[2] - move[1]
        if any(amounts.values()):
            return max(amounts, key=lambda serial: abs(amounts[serial]))
        return max((scene.serial for step in self.steps[at] for scene in step.scenes), default=0)

    def move_words(self, at: int, part: Part) -> str:
        """The largest move of a company's price in this turn, in the words of the log, as a further sentence; empty for
        money."""
        moves = [
            (abs(move[2] - move[1]), event)
            for step in self.steps[at]
            for scene in step.scenes
            for event in scene.events
            if (move := self.books.price_move(event)) is not None and move[0] == part.company
        ]
        if not moves:
            return ""
        _, event = max(moves, key=lambda move: move[0])
        figure = event.figure(self.game.names.__getitem__)
        return f" {self.game.sentence_of(event).removesuffix('.')}{f': {figure}' if figure else ''}."

    def _parts_of(self, at: int, seat: int) -> Parts:
        parts: Parts = {}
        for step in self.steps[at]:
            for transfer in step.transfers:
                add(parts, Part("", self._source(transfer.why)), _signed(transfer, seat))
        if self.books.counts_shares:
            self._add_shares(parts, self.game.course[at - 1], self.game.course[at], seat)
        add(parts, Part("", self.books.rest), self.change(at, seat) - sum(parts.values()))
        return {part: amount for part, amount in parts.items() if amount}

    def _add_shares(self, parts: Parts, before: Moment, after: Moment, seat: int) -> None:
        """Shares that were held count as a change of price; bought and sold ones count as trades."""
        for company in {*before.held, *after.held}:
            had, has = before.shares(company, seat), after.shares(company, seat)
            was, now = before.prices.get(company, 0), price_now(company, before, after)
            add(parts, Part(company, ""), had * (now - was))
            add(parts, Part("", TRADING), (has - had) * now)

    def _source(self, why: str) -> str:
        return self.books.sources.get(why, why)


def price_now(company: str, before: Moment, after: Moment) -> int:
    """The value of one share: nothing for a company that is gone; the price before for one that lost all its shares,
    which were paid out."""
    if company in after.prices and company in before.prices and not any(after.held.get(company, ())):
        return before.prices[company]
    return after.prices.get(company, 0)


def add(parts: Parts, part: Part, amount: int) -> None:
    """Add an amount to a part."""
    if amount:
        parts[part] = parts.get(part, 0) + amount


def added(several: Iterable[Mapping[Part, int]]) -> Parts:
    """The sum of all parts, without those that cancel out."""
    total: Parts = {}
    for parts in several:
        for part, amount in parts.items():
            add(total, part, amount)
    return {part: amount for part, amount in total.items() if amount}


def _signed(transfer: Transfer, seat: int) -> int:
    account = cash_of(seat)
    return transfer.amount * ((transfer.payee == account) - (transfer.payer == account))
