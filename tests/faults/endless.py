"""Games whose rules do not end, made of Sectors: `python -m tests.faults.endless` sets up a table of each beside sound
ones."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

import django

from game.engine.events import PhaseOpened
from game.engine.flow import Flow
from game.engine.play import Play
from game.engine.ruleset import Ruleset
from game.rulesets.sectors.ruleset import SECTORS

MOST_EATEN = 2**31  # bytes: a test that fails leaves the machine standing
SOUND = 4


def loops(play: Play[Any]) -> None:
    """For ever, within no verb of the kernel."""
    for _ in itertools.count():
        play.state.turn += 1


def eats(play: Play[Any]) -> None:
    """Memory, more and more, until somebody stops it."""
    eaten = []
    while len(eaten) < MOST_EATEN // 2**16:
        eaten.append(b"%d" % len(eaten) * 2**14)


def tells(play: Play[Any]) -> None:
    """Emit an event without end."""
    while True:
        play.emit(PhaseOpened(serial=0, turn=0, phase="", number="", title=""))


def clings(play: Play[Any]) -> None:
    """Does not want to know that it was stopped."""
    try:
        loops(play)
    except BaseException:
        play.state.turn = 1


def closing(work: Callable[[Play[Any]], None]) -> Ruleset:
    """Sectors, whose first phase closes like this."""

    @cache
    def flow(options: Any) -> Flow:
        broken = copy.copy(SECTORS.flow(options))
        first = broken.rows[0]
        broken.rows = [dataclasses.replace(first, phase=dataclasses.replace(first.phase, close=work)), *broken.rows[1:]]
        return broken

    return dataclasses.replace(SECTORS, key=work.__name__, flow=flow)


ENDLESS = {work.__name__: closing(work) for work in (loops, eats, tells, clings)}


def set_up() -> None:
    """A table of rules that loop and one of rules that eat, due in a second; sound ones, due one after another later
    on."""
    from django.db.models.functions import Now

    from game.store.game import Game
    from tests.tables import new_game

    names = ["loops", "eats", *(f"sound {number}" for number in range(SOUND))]
    games = [new_game("ada", "bob") for _ in names]
    for seconds, (game, name) in enumerate(zip(games, names, strict=True)):
        ruleset = name if name in ENDLESS else "sectors"
        due = Now() + timedelta(seconds=max(1, seconds))
        Game.objects.filter(pk=game.pk).update(name=name, ruleset=ruleset, rules_sum=b"", deadline_at=due)


if __name__ == "__main__":
    django.setup()
    set_up()
    sys.exit()
