"""What happened to a player of City of the Big Shoulders: own events, and values, offices and decisions on revenue of
companies that the player holds."""

from __future__ import annotations

from typing import Any

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Absence, Outcome, Story, outcomes_of_events, score_since, signed
from game.engine.events import Event
from game.engine.language import count, mark, say
from game.rulesets.big_shoulders.company_events import GoodsSold, Withheld
from game.rulesets.big_shoulders.events import (
    CertificateBought,
    CertificatesSold,
    CompanyStarted,
    DirectorChanged,
    PartnerPlaced,
    TileBuilt,
    TurnPassed,
    ValueMoved,
)

MOST_TURNS = 4
TURNS = (CompanyStarted, CertificateBought, CertificatesSold, TurnPassed, TileBuilt, PartnerPlaced)
"""What a seat may do in a turn, as it is told."""
LABELS = {
    DirectorChanged: (mark("New director"), 60),
    Withheld: (mark("Withheld"), 45),
    GoodsSold: (mark("Your company"), 30),
}
"""The word on the mark of events of a company, and how much they matter to those who hold it."""


def outcomes(story: Story) -> list[Outcome]:
    """Own events first, then what happened to companies of the reader's."""
    return [*outcomes_of_events(story), *of_companies(story)]


def of_companies(story: Story) -> list[Outcome]:
    """What changed at companies that the reader holds."""
    return [
        Outcome(serial=part.serial, text=event.sentence(story.names), **told)
        for part in story.parts
        for event in part.events
        if (told := _told(event, story))
    ]


def _told(event: Event, story: Story) -> dict[str, Any] | None:
    """The mark of an event of a company, where the reader holds shares; None where it does not concern them."""
    held = story.view.player(story.seat).shares.get(getattr(event, "company", ""), 0)
    if not held or story.seat in event.seats():
        return None
    if isinstance(event, ValueMoved):
        change = event.price - event.was
        tone = GOOD if change > 0 else BAD if change < 0 else NEUTRAL
        return {
            "kind": "value", "label": say("Value"), "reason": _holding(held), "figure": signed(held * change),
            "tone": tone, "weight": 55,
        }  # fmt: skip
    label, weight = LABELS.get(type(event), ("", 0))
    return {"kind": "company", "label": say(label), "reason": _holding(held), "weight": weight} if label else None


def _holding(held: int) -> str:
    return count("You hold {n} share.", "You hold {n} shares.", held)


def since(absence: Absence) -> list[Outcome]:
    """The score, and the last turns of the others."""
    story = absence.story
    turns = [event for event in story.events() if isinstance(event, TURNS) and event.seat != story.seat]
    told = [event.sentence(story.names) for event in turns[-MOST_TURNS:]]
    others = Outcome(kind="others", label=say("The others"), text=" ".join(told), weight=40)
    return [*score_since(absence), *([others] if told else [])]
