"""What happened to a player of City of the Big Shoulders: own events, and values, offices and decisions on revenue of
companies that the player holds."""

from __future__ import annotations

from game.boards.company_outcomes import Labels, outcomes_of_shares
from game.boards.outcomes import Absence, Outcome, Story, outcomes_of_events, turns_since
from game.engine.events import Event
from game.engine.language import mark
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

TURNS = (CompanyStarted, CertificateBought, CertificatesSold, TurnPassed, TileBuilt, PartnerPlaced)
"""What a seat may do in a turn, as it is told."""
VALUES: dict[type[Event], str] = {ValueMoved: mark("Value")}
LABELS: Labels = {
    DirectorChanged: (mark("New director"), 60),
    Withheld: (mark("Withheld"), 45),
    GoodsSold: (mark("Your company"), 30),
}


def outcomes(story: Story) -> list[Outcome]:
    """Own events first, then what happened to companies of the reader's."""
    return [*outcomes_of_events(story), *outcomes_of_shares(story, VALUES, LABELS)]


def since(absence: Absence) -> list[Outcome]:
    """The score, and the last turns of the others."""
    return turns_since(absence, TURNS)
