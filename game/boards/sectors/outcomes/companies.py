"""What happened to companies of which a player has something: floated, insolvent, saved."""

from __future__ import annotations

from game.boards.outcomes import BAD, GOOD, Outcome
from game.boards.sectors.outcomes.scene import Scene, Tellers
from game.engine.language import count, say
from game.engine.phrases import listed, thousands
from game.rulesets.sectors.events.operations import BecameInsolvent, Contributed, Reactivated
from game.rulesets.sectors.events.orders import CompanyFloated


def floated(event: CompanyFloated, scene: Scene) -> Outcome | None:
    """Its shares can be sold from now on."""
    held = scene.held(event.company)
    if not held:
        return None
    reason = count(
        "Your {n} share can be sold on the open market from now on.",
        "Your {n} shares can be sold on the open market from now on.",
        held,
    )
    text = say("{company} floated.", company=event.company)
    return scene.told("company", say("Floated"), text, reason=reason, tone=GOOD, weight=50)


def insolvent(event: BecameInsolvent, scene: Scene) -> Outcome | None:
    """A threat to whoever holds shares."""
    held = scene.held(event.company)
    if not held:
        return None
    return scene.told(
        "threat",
        say("Insolvent"),
        say("{company} ran out of money and is insolvent.", company=event.company),
        reason=count(
            "Unless its shareholders give enough, it goes bankrupt and your {n} share are lost.",
            "Unless its shareholders give enough, it goes bankrupt and your {n} shares are lost.",
            held,
        ),
        rule="S 6.12",
        tone=BAD,
        weight=88,
    )


def contributed(event: Contributed, scene: Scene) -> Outcome | None:
    """A gift of the reader's own, or one to a company of theirs."""
    worth = event.cash + event.shares * event.price
    shares_worth = thousands(worth - event.cash)
    gifts = listed(
        ([say("{amount} in cash", amount=thousands(event.cash))] if event.cash else [])
        + (
            [count("{n} share worth {amount}", "{n} shares worth {amount}", event.shares, amount=shares_worth)]
            if event.shares
            else []
        )
    )
    if event.seat == scene.me:
        figure = f"−{thousands(event.cash)}" if event.cash else ""
        text = say("You gave {company} {gifts}.", company=event.company, gifts=gifts)
        return scene.own("gift", say("Given"), text, figure=figure, weight=58)
    if not scene.held(event.company):
        return None
    text = say("{giver} gave {company} {gifts}.", giver=scene.who(event.seat), company=event.company, gifts=gifts)
    return scene.told("company", say("Company"), text, weight=32)


def saved(event: Reactivated, scene: Scene) -> Outcome | None:
    """The end of a rescue that went well."""
    if not scene.held(event.company):
        return None
    given, needed = thousands(event.worth), thousands(event.shortfall)
    reason = say("It was given {given} and needed {needed}.", given=given, needed=needed)
    text = say("{company} is active again.", company=event.company)
    return scene.told("company", say("Saved"), text, reason=reason, tone=GOOD, weight=66)


TELLERS: Tellers = {CompanyFloated: floated, BecameInsolvent: insolvent, Contributed: contributed, Reactivated: saved}
