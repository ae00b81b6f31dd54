"""What a player who comes back has to know: a few lines, the weightiest first, from the position they last saw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome, Story, weightiest
from game.engine.language import count, say
from game.engine.phrases import capitalised, inside, listed, thousands

MOST_LINES = 7
LEAST_WEIGHT = 25
FIRST = 100  # the weight of the score; what it is made of follows


@dataclass(frozen=True)
class Absence:
    """What happened while somebody was away: `before` is the view of the position they last saw, None where it is lost;
    `score` is how players call what counts."""

    before: Any
    story: Story
    score: str


Teller = Callable[[Absence], list[Outcome]]


def briefing(absence: Absence, told: Iterable[Outcome], since: Teller) -> list[Outcome]:
    """The lines of a briefing, at most seven: what the two positions differ in, and what happened between them."""
    found = [*since(absence), *merged_misses(list(told))]
    return [outcome for outcome in weightiest(found) if outcome.weight >= LEAST_WEIGHT][:MOST_LINES]


def score_since(absence: Absence) -> list[Outcome]:
    """What any game can tell: the seat's score from and to."""
    if absence.before is None:
        return []
    seat = absence.story.seat
    was, now = absence.before.player(seat).score, absence.story.view.player(seat).score
    line = moved(absence.score, was, now, weight=FIRST)
    return [line] if line else []


def moved(what: str, was: int, now: int, *, weight: int, why: str = "") -> Outcome | None:
    """A figure from and to, with its causes; None where it is what it was and nothing made it so.

    `what` is its name as it stands on a label, in English."""
    if was == now and not why:
        return None
    return Outcome(
        kind="figure",
        label=say(what),
        text=_moved(inside(what), was, now),
        reason=why,
        figure=signed(now - was) if was != now else "",
        tone=GOOD if now > was else BAD if now < was else NEUTRAL,
        weight=weight,
    )


def _moved(what: str, was: int, now: int) -> str:
    if was == now:
        return say("Your {figure} is {now}, as before.", figure=what, now=thousands(now))
    if now > was:
        return say("Your {figure} rose from {was} to {now}.", figure=what, was=thousands(was), now=thousands(now))
    return say("Your {figure} fell from {was} to {now}.", figure=what, was=thousands(was), now=thousands(now))


def causes(parts: Iterable[tuple[str, int]]) -> str:
    """`Dividends +33, tax −5.`: the causes that moved something, the largest first."""
    told = sorted((part for part in parts if part[1]), key=lambda part: -abs(part[1]))
    words = ", ".join(f"{say(name)} {signed(amount)}" for name, amount in told)
    return f"{capitalised(words)}." if words else ""


def signed(amount: int) -> str:
    """With its sign."""
    return f"+{thousands(amount)}" if amount > 0 else thousands(amount)


def merged_misses(told: Sequence[Outcome]) -> list[Outcome]:
    """Several missed decisions as one line, which says of each what counted instead."""
    missed = [outcome for outcome in told if outcome.kind == "missed"]
    if len(missed) < 2:
        return list(told)
    defaults = list(dict.fromkeys(outcome.instead for outcome in missed))
    shown = defaults[:3]
    if len(defaults) > len(shown):
        shown.append(say("{n} more", n=len(defaults) - len(shown)))
    one = msgspec.structs.replace(
        missed[-1],
        text=count("You missed a decision.", "You missed {n} decisions.", len(missed)),
        reason=say("What counted instead: {defaults}.", defaults=listed(shown)),
    )
    return [one if outcome is missed[-1] else outcome for outcome in told if outcome not in missed[:-1]]
