"""What excuses a missed decision: outages that took a large enough part of its phase, and a declared vacation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from game.deadlines.due import Span
from game.deadlines.phase_clock import read_clock
from game.store.game import Game
from game.store.vacations import known_to

SHARE = 10  # an outage excuses a miss if it took this part of the phase, or of its end
END = 4  # the last part of a phase, in which many decide
# A shorter outage has moved deadlines; a restart each night would otherwise excuse everyone.


def is_excused_by(outages: Sequence[Span], game: Game) -> bool:
    """Whether these outages took at least a tenth of the phase that closes now, or of its last quarter."""
    began = read_clock(game.clock).start or game.clock_since
    if began is None:
        return False
    last = game.now - (game.now - began) / END
    return any(_lost(outages, since, game.now) * SHARE >= (game.now - since).total_seconds() for since in (began, last))


def on_vacation(game: Game) -> frozenset[int]:
    """The seats whose people are on a vacation that they have declared."""
    return frozenset(each.seat for each in known_to(game) if each.begins <= game.now)


def _lost(outages: Sequence[Span], since: datetime, until: datetime) -> float:
    """How many seconds of a time the outages took."""
    overlaps = (min(ended, until) - max(began, since) for began, ended in outages)
    return sum(max(each.total_seconds(), 0) for each in overlaps)
