"""What happened to a player of Stock Market Tycoon: own events, and prices, dividends and offices of companies that the
player holds."""

from __future__ import annotations

from typing import Any

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Absence, Outcome, Story, outcomes_of_events, score_since
from game.boards.outcomes import signed as signed_amount
from game.engine.events import Event
from game.engine.language import count, mark, say
from game.rulesets.stock_market_tycoon.events import (
    BuybackAnnounced,
    BuybackClosed,
    DebenturePlayed,
    DividendDeclared,
    LoanPlayed,
    OfficeTaken,
    OptionBought,
    PriceMoved,
    RightsTaken,
    SharesBought,
    SharesSold,
    ShareSuspended,
    ShortOpened,
    TurnPassed,
)


def outcomes(story: Story) -> list[Outcome]:
    """Own events first, then what others and the cards did to companies of the reader's."""
    return [*outcomes_of_events(story), *of_others(story)]


def of_others(story: Story) -> list[Outcome]:
    """What changed at companies that the reader holds."""
    found = []
    for part in story.parts:
        for event in part.events:
            told = _told(event, story)
            if told:
                found.append(Outcome(serial=part.serial, text=event.sentence(story.names), **told))
    return found


def _told(event: Event, story: Story) -> dict[str, Any] | None:
    """The mark of an event of others, where the reader holds shares; None where it does not concern them."""
    held = story.view.player(story.seat).shares.get(getattr(event, "company", ""), 0)
    if not held or story.seat in event.seats():
        return None
    if isinstance(event, PriceMoved | ShareSuspended):
        label = say("Price") if isinstance(event, PriceMoved) else say("Suspended")
        return _priced(label, held, event.price - event.was)
    label, weight = LABELS.get(type(event), ("", 0))
    return {"kind": "company", "label": say(label), "reason": _holding(held), "weight": weight} if label else None


LABELS = {
    OfficeTaken: (mark("New office"), 45),
    BuybackAnnounced: (mark("Buyback"), 70),
    BuybackClosed: (mark("Buyback"), 30),
    DividendDeclared: (mark("Your company"), 30),
    RightsTaken: (mark("Your company"), 30),
}
"""The word on the mark of other events, and how much they matter."""


def _priced(label: str, held: int, change: int) -> dict[str, Any]:
    """A price that moved, with what that is for the reader's shares."""
    tone = GOOD if change > 0 else BAD if change < 0 else NEUTRAL
    figure = signed_amount(held * change)
    weight = 60 if change else 30
    return {
        "kind": "price", "label": label, "reason": _holding(held), "figure": figure, "tone": tone, "weight": weight,
    }  # fmt: skip


def _holding(held: int) -> str:
    return count("You hold {n} share.", "You hold {n} shares.", held)


def since(absence: Absence) -> list[Outcome]:
    """The net worth, and the last turns of the others."""
    story = absence.story
    turns = [event for event in story.events() if isinstance(event, TURNS) and event.seat != story.seat]
    told = [event.sentence(story.names) for event in turns[-MOST_TURNS:]]
    others = Outcome(kind="others", label=say("The others"), text=" ".join(told), weight=40)
    return [*score_since(absence), *([others] if told else [])]


MOST_TURNS = 4
TURNS = (
    SharesBought,
    SharesSold,
    TurnPassed,
    LoanPlayed,
    DebenturePlayed,
    RightsTaken,
    ShortOpened,
    OptionBought,
    DividendDeclared,
    BuybackAnnounced,
)
"""What a seat may do in a turn, as it is told."""
