"""What happened to companies of which the reader holds shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome, Story, signed
from game.engine.events import Event
from game.engine.language import count, say

Labels = Mapping[type[Event], tuple[str, int]]
"""The word on the mark of an event, and how much it matters to holders."""


def outcomes_of_shares(story: Story, prices: Mapping[type[Event], str], labels: Labels) -> list[Outcome]:
    """What others and the rules did to companies that the reader holds: `prices` name the events that move a price
    from `was` to `price`, `labels` other events, each with its weight."""
    shares = story.view.player(story.seat).shares
    outcomes = []
    for part in story.parts:
        for event in part.events:
            held = shares.get(getattr(event, "company", ""), 0)
            if held and story.seat not in event.seats() and (fields := _of_shares(event, held, prices, labels)):
                outcomes.append(Outcome(serial=part.serial, text=event.sentence(story.names), **fields))
    return outcomes


def _of_shares(event: Any, held: int, prices: Mapping[type[Event], str], labels: Labels) -> dict[str, Any]:
    reason = count("You hold {n} share.", "You hold {n} shares.", held)
    if label := prices.get(type(event)):
        change = event.price - event.was
        tone = GOOD if change > 0 else BAD if change < 0 else NEUTRAL
        figure, weight = signed(held * change), 60 if change else 30
        return {
            "kind": "price",
            "label": say(label),
            "reason": reason,
            "figure": figure,
            "tone": tone,
            "weight": weight,
        }
    label, weight = labels.get(type(event), ("", 0))
    return {"kind": "company", "label": say(label), "reason": reason, "weight": weight} if label else {}
