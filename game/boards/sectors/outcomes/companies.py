"""What happened to companies of which a player has something: floated, insolvent, saved."""

from __future__ import annotations

from game.boards.outcomes import BAD, GOOD, Outcome
from game.boards.sectors.outcomes.scene import Scene, Tellers
from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.events.operations import BecameInsolvent, Contributed, Reactivated
from game.rulesets.sectors.events.orders import CompanyFloated


def floated(event: CompanyFloated, scene: Scene) -> Outcome | None:
    """Its shares can be sold from now on."""
    held = scene.held(event.company)
    if not held:
        return None
    reason = f"Your {plural(held, 'share')} can be sold on the open market from now on."
    return scene.told("company", "Floated", f"{event.company} floated.", reason=reason, tone=GOOD, weight=50)


def insolvent(event: BecameInsolvent, scene: Scene) -> Outcome | None:
    """A threat to whoever holds shares."""
    held = scene.held(event.company)
    if not held:
        return None
    return scene.told(
        "threat",
        "Insolvent",
        f"{event.company} ran out of money and is insolvent.",
        reason=f"Unless its shareholders give enough, it goes bankrupt and your {plural(held, 'share')} are lost.",
        rule="S 6.12",
        tone=BAD,
        weight=88,
    )


def contributed(event: Contributed, scene: Scene) -> Outcome | None:
    """A gift of the reader's own, or one to a company of theirs."""
    worth = event.cash + event.shares * event.price
    gifts = listed(
        ([f"{thousands(event.cash)} in cash"] if event.cash else [])
        + ([f"{plural(event.shares, 'share')} worth {thousands(worth - event.cash)}"] if event.shares else [])
    )
    if event.seat == scene.me:
        figure = f"−{thousands(event.cash)}" if event.cash else ""
        return scene.own("gift", "Given", f"You gave {event.company} {gifts}.", figure=figure, weight=58)
    if not scene.held(event.company):
        return None
    return scene.told("company", "Company", f"{scene.who(event.seat)} gave {event.company} {gifts}.", weight=32)


def saved(event: Reactivated, scene: Scene) -> Outcome | None:
    """The end of a rescue that went well."""
    if not scene.held(event.company):
        return None
    reason = f"It was given {thousands(event.worth)} and needed {thousands(event.shortfall)}."
    return scene.told("company", "Saved", f"{event.company} is active again.", reason=reason, tone=GOOD, weight=66)


TELLERS: Tellers = {CompanyFloated: floated, BecameInsolvent: insolvent, Contributed: contributed, Reactivated: saved}
