"""What an email of Sectors says of its reader's position."""

from __future__ import annotations

from game.boards.base import Fact
from game.engine.language import say
from game.engine.phrases import thousands
from game.rulesets.sectors.view.shapes import SectorsView


def facts(view: SectorsView, seat: int) -> tuple[Fact, ...]:
    """Cash and net worth."""
    player = view.player(seat)
    return (Fact(say("Cash"), thousands(player.cash)), Fact(say("Net worth"), thousands(player.net_worth)))


def holdings(view: SectorsView, seat: int) -> tuple[Fact, ...]:
    """Shares and their price, company by company."""
    held = view.player(seat).holdings.items()
    return tuple(
        Fact(ticker, say("{count} at {price}", count=count, price=thousands(view.company(ticker).price)))
        for ticker, count in held
        if count
    )
