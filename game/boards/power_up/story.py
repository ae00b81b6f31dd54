"""What decided a game of Power Up: the profit from each company, and the bonuses of its mergers."""

from __future__ import annotations

from collections.abc import Iterator

from game.boards.story.plain import storyteller
from game.boards.story.played import TRADING, Bookkeeping, Highlight, PlayedGame, PriceMove
from game.engine.events import Event
from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.power_up.events import (
    DEPARTMENT,
    CompanyAcquired,
    CompanyExpanded,
    HolderPaid,
    MergerCompleted,
    ShareBought,
)
from game.rulesets.power_up.numbers import price_at
from game.rulesets.power_up.tables import COMPANIES


def title_of(company: str) -> str:
    """The name of a company as players see it."""
    return COMPANIES[company].title


def price_move(event: Event) -> PriceMove | None:
    """The growth of a company; its earlier price is not in the event, so the whole price counts."""
    match event:
        case CompanyExpanded(company=company, size=size, joined=joined, price=price):
            return company, price_at(company, size - joined), price
        case MergerCompleted(survivor=company, price=price):
            return company, 0, price
    return None


class Stake:
    """What one player paid into a company and received from it, in whole dollars."""

    def __init__(self) -> None:
        self.cost = self.income = self.serial = 0

    @property
    def gain(self) -> int:
        """Income less cost."""
        return self.income - self.cost


def stakes_of(game: PlayedGame) -> dict[tuple[int, str], Stake]:
    """Every player's stake in every company; the founder's share costs nothing."""
    stakes: dict[tuple[int, str], Stake] = {}
    for _, scene, event in game.events():
        match event:
            case ShareBought(seat=seat, company=company, price=price):
                stakes.setdefault((seat, company), Stake()).cost += price
            case HolderPaid(seat=int(seat), company=company, shares=shares, price=price, bonus=bonus):
                stake = stakes.setdefault((seat, company), Stake())
                stake.income, stake.serial = stake.income + bonus + shares * price, scene.serial
    return stakes


def awards(game: PlayedGame) -> Iterator[Highlight]:
    """The best and the worst company of a player, and the biggest bonus of a merger."""
    stakes = stakes_of(game)
    if stakes:
        best = max(stakes, key=lambda key: stakes[key].gain)
        yield _stake(game, say("Best company"), best, stakes[best])
        worst = min(stakes, key=lambda key: stakes[key].gain)
        if stakes[worst].gain < 0:
            yield _stake(game, say("Worst company"), worst, stakes[worst])
    yield from _biggest_bonus(game)


def _stake(game: PlayedGame, label: str, key: tuple[int, str], stake: Stake) -> Highlight:
    seat, company = key
    text = game.say_of(
        seat,
        mark("{name} paid {paid} into {company} and got {got} out of it, bonuses included."),
        mark("You paid {paid} into {company} and got {got} out of it, bonuses included."),
        paid=thousands(stake.cost),
        company=title_of(company),
        got=thousands(stake.income),
    )
    return Highlight(label, text, stake.gain, seat, stake.serial)


def _biggest_bonus(game: PlayedGame) -> Iterator[Highlight]:
    paid = [
        (payout.bonus, payout.seat, event, scene.serial, turn)
        for turn, scene, event in game.events()
        if isinstance(event, CompanyAcquired)
        for payout in event.payouts
        if payout.seat is not None and payout.bonus
    ]
    if not paid:
        return
    bonus, seat, merger, serial, turn = max(paid, key=lambda row: row[0])
    text = game.say_of(
        seat,
        mark("{name} received a bonus of {bonus} when {survivor} took over {company} with its {n} tiles."),
        mark("You received a bonus of {bonus} when {survivor} took over {company} with its {n} tiles."),
        bonus=thousands(bonus),
        survivor=title_of(merger.survivor),
        company=title_of(merger.company),
        n=merger.size,
    )
    yield Highlight(say("Biggest merger bonus"), text, bonus, seat, serial, turn)


BOOKS = Bookkeeping(
    sources={"purchase": TRADING, "sale": TRADING, "bonus": mark("bonuses"), "set-up": mark("starting cash")},
    rest="bonuses",
    counts_shares=True,
    price_move=price_move,
    parties={"doe": DEPARTMENT},
    company=title_of,
)
story = storyteller(BOOKS, awards)
