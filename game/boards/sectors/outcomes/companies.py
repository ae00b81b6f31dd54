"""Events of companies of which a player has shares, and the moves of their prices with the causes."""

from __future__ import annotations

from collections.abc import Iterator

from game.boards.outcomes import BAD, GOOD, NEUTRAL, PRICE, Outcome, Story
from game.boards.sectors.outcomes.scene import Scene, Tellers, stakes
from game.engine.language import count, mark, say
from game.engine.phrases import listed, thousands
from game.rulesets.sectors import causes
from game.rulesets.sectors.events.operations import BecameInsolvent, Contributed, Reactivated
from game.rulesets.sectors.events.orders import CompanyFloated, PriceMoved

MOST_REASONS = 2
_STAKES = {
    "short": mark("You have a short on it."),
    "option": mark("You have an option on it."),
    "limit": mark("You have a limit order on it."),
    "": mark("You have a stake on it."),
}


def floated(event: CompanyFloated, scene: Scene) -> Outcome | None:
    """A company floated: its shares can be sold from now on."""
    held = scene.held(event.company)
    if not held:
        return None
    reason = count(
        "Your {n} share can be sold on the open market from now on.",
        "Your {n} shares can be sold on the open market from now on.",
        held,
    )
    text = say("{company} floated.", company=event.company)
    return scene.outcome("company", say("Floated"), text, reason=reason, tone=GOOD, weight=50)


def insolvent(event: BecameInsolvent, scene: Scene) -> Outcome | None:
    """A company became insolvent, which threatens its shareholders."""
    held = scene.held(event.company)
    if not held:
        return None
    return scene.outcome(
        "threat",
        say("Insolvent"),
        say("{company} ran out of money and is insolvent.", company=event.company),
        reason=count(
            "Unless its shareholders give enough, it goes bankrupt and your {n} share is lost.",
            "Unless its shareholders give enough, it goes bankrupt and your {n} shares are lost.",
            held,
        ),
        rule="S 6.12",
        tone=BAD,
        weight=88,
    )


def contributed(event: Contributed, scene: Scene) -> Outcome | None:
    """The reader's own contribution, or one to a company of theirs."""
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
    return scene.outcome("company", say("Company"), text, weight=32)


def saved(event: Reactivated, scene: Scene) -> Outcome | None:
    """A company was saved."""
    if not scene.held(event.company):
        return None
    worth, needed = thousands(event.worth), thousands(event.shortfall)
    reason = say("It was given {given} and needed {needed}.", given=worth, needed=needed)
    text = say("{company} is active again.", company=event.company)
    return scene.outcome("company", say("Saved"), text, reason=reason, tone=GOOD, weight=66)


TELLERS: Tellers = {CompanyFloated: floated, BecameInsolvent: insolvent, Contributed: contributed, Reactivated: saved}


def price_moves(story: Story) -> list[Outcome]:
    """Companies of which the seat has shares, a short, an option or a limit order."""
    moves: dict[str, list[tuple[int, PriceMoved]]] = {}
    for serial, event in _moves(story):
        moves.setdefault(event.company, []).append((serial, event))
    holdings, others = story.view.player(story.seat).holdings, stakes(story.view, story.seat)
    return [
        price_line(ticker, held, others.get(ticker, ""), steps)
        for ticker, steps in moves.items()
        if (held := holdings.get(ticker, 0)) or ticker in others
        if steps[0][1].was != steps[-1][1].now
    ]


def _moves(story: Story) -> Iterator[tuple[int, PriceMoved]]:
    for part in story.parts:
        for event in part.events:
            if isinstance(event, PriceMoved):
                yield part.serial, event


def price_line(ticker: str, held: int, stake: str, moves: list[tuple[int, PriceMoved]]) -> Outcome:
    """One company's price from first to last; a fall is good news only for the holder of a short."""
    was, now = moves[0][1].was, moves[-1][1].now
    rose, effect = now > was, held * (now - was)
    is_good = (rose == (stake != "short")) if not held else rose
    reasons = list(dict.fromkeys(move.why for _, move in moves))
    listed_reasons = "; ".join(causes.cause_words(reason) for reason in reasons[:MOST_REASONS])
    hidden = len(reasons) - MOST_REASONS
    why = (
        say("What moved it: {reasons}, and {n} more.", reasons=listed_reasons, n=hidden)
        if hidden > 0
        else say("What moved it: {reasons}.", reasons=listed_reasons)
    )
    what = count("You hold {n} share.", "You hold {n} shares.", held) if held else say(_STAKES[stake])
    text = mark("{company} rose from {was} to {now}.") if rose else mark("{company} fell from {was} to {now}.")
    return Outcome(
        kind=PRICE,
        label=say("Price up") if rose else say("Price down"),
        text=say(text, company=ticker, was=thousands(was), now=thousands(now)),
        reason=f"{what} {why}",
        figure=(f"+{thousands(effect)}" if effect > 0 else thousands(effect)) if held else "",
        tone=(GOOD if is_good else BAD) if held or stake != "limit" else NEUTRAL,
        weight=30 + min(abs(now - was) * max(held, 1) // 4, 30),
        serial=moves[-1][0],
    )
