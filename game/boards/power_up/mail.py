"""What an email of Power Up says of its reader's position."""

from __future__ import annotations

from game.boards.base import Fact
from game.engine.language import say
from game.engine.phrases import thousands
from game.rulesets.power_up.view import PowerUpView


def facts(view: PowerUpView, seat: int) -> tuple[Fact, ...]:
    """Cash now, and after a sale of everything."""
    player = view.player(seat)
    return (
        Fact(say("Cash"), thousands(player.cash)),
        Fact(say("Cash if the game ended now"), thousands(player.score)),
    )


def holdings(view: PowerUpView, seat: int) -> tuple[Fact, ...]:
    """Shares and their price, company by company."""
    held = view.player(seat).shares.items()
    companies = ((view.company(key), count) for key, count in held if count)
    return tuple(
        Fact(company.title, say("{n} at {price}", n=count, price=thousands(company.price)))
        for company, count in companies
    )
