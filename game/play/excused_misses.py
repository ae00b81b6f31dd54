"""Excuses for missed decisions: an outage of at least a tenth of the phase, or a declared vacation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from game.deadlines.due import Span
from game.deadlines.phase_clock import read_clock
from game.store.game import Game
from game.store.vacations import known_to

LEAST_PART = 10  # an outage excuses a miss if it took a tenth of the phase, or of its end
END_PART = 4  # the end is the last quarter, when many decide
# Shorter outages only move deadlines; otherwise a restart each night would excuse everyone.


def is_excused_by(outages: Sequence[Span], game: Game) -> bool:
    """True if these outages took at least a tenth of the phase that closes now, or of its last quarter."""
    began = read_clock(game.clock).start or game.clock_since
    if began is None:
        return False
    last = game.now - (game.now - began) / END_PART
    return any(
        _lost_seconds(outages, since, game.now) * LEAST_PART >= (game.now - since).total_seconds()
        for since in (began, last)
    )


def on_vacation(game: Game) -> frozenset[int]:
    """The seats whose people are on a declared vacation."""
    return frozenset(each.seat for each in known_to(game) if each.begins <= game.now)


def _lost_seconds(outages: Sequence[Span], since: datetime, until: datetime) -> float:
    """How many seconds of this period the outages took."""
    overlaps = (min(ended, until) - max(began, since) for began, ended in outages)
    return sum(max(each.total_seconds(), 0) for each in overlaps)
