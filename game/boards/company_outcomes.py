"""What happened to companies of which the reader holds shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.boards.outcomes import BAD, GOOD, NEUTRAL, PRICE, Outcome, Story, signed
from game.engine.events import Event
from game.engine.language import count, say

Labels = Mapping[type[Event], tuple[str, int]]
"""The word on the mark of an event, and how much it matters to holders."""


def outcomes_of_shares(story: Story, prices: Mapping[type[Event], str], labels: Labels) -> list[Outcome]:
    """What others and the rules did to companies that the reader holds: `prices` name the events that move a price
    from `was` to `price`, of each company told as one move, the largest change first; `labels` other events, each with
    its weight."""
    shares = story.view.player(story.seat).shares
    event: Any
    moves: dict[tuple[type[Event], str], list[tuple[int, Any]]] = {}
    others = []
    for part in story.parts:
        for event in part.events:
            held = shares.get(getattr(event, "company", ""), 0)
            if not held or story.seat in event.seats():
                continue
            if type(event) in prices:
                moves.setdefault((type(event), event.company), []).append((part.serial, event))
            elif fields := _of_shares(event, held, prices, labels):
                others.append(Outcome(serial=part.serial, text=event.sentence_for(story.seat, story.names), **fields))
    whole = [_whole(several) for several in moves.values() if not _is_back(several)]
    whole.sort(key=lambda move: -abs(move[1].price - move[1].was) * shares[move[1].company])
    return [
        *(
            Outcome(
                serial=serial,
                text=event.sentence_for(story.seat, story.names),
                **_of_shares(event, shares[event.company], prices, labels),
            )
            for serial, event in whole
        ),
        *others,
    ]


def _whole(several: list[tuple[int, Any]]) -> tuple[int, Any]:
    """One move that joins several moves of a price."""
    serial, last = several[-1]
    return serial, msgspec.structs.replace(last, was=several[0][1].was)


def _is_back(several: list[tuple[int, Any]]) -> bool:
    """True if a price that moved is back where it was."""
    return len(several) > 1 and several[0][1].was == several[-1][1].price


def _of_shares(event: Any, held: int, prices: Mapping[type[Event], str], labels: Labels) -> dict[str, Any]:
    reason = count("You hold {n} share.", "You hold {n} shares.", held)
    if label := prices.get(type(event)):
        change = event.price - event.was
        tone = GOOD if change > 0 else BAD if change < 0 else NEUTRAL
        figure, weight = signed(held * change), 60 if change else 30
        return {
            "kind": PRICE,
            "label": say(label),
            "reason": reason,
            "figure": figure,
            "tone": tone,
            "weight": weight,
        }
    label, weight = labels.get(type(event), ("", 0))
    return {"kind": "company", "label": say(label), "reason": reason, "weight": weight} if label else {}
