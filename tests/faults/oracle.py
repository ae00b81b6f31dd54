"""What must hold of every game after whatever was done to the site: `python -m tests.faults.oracle` prints what does
not, as JSON; with `said`, of deadlines as well and of what the processes have logged and mailed, which it reads."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import django

from tests.faults import canaries, witness

ATTEMPTS = "attempts at it failed"


def verdict(said: str) -> Iterator[str]:
    """One sentence for each thing that does not hold, of what was `said` as well; none is good."""
    yield from faults()
    yield from witness.faults()
    yield from canaries.told(said)


def faults() -> Iterator[str]:
    """What does not hold of the games as they are stored. Each is read when its turn comes: one that has moved or was
    put away since would look damaged."""
    from game.store.game import Game

    for number in list(Game.objects.exclude(state=b"").order_by("pk").values_list("pk", flat=True)):
        yield from (f"game {number}: {sentence}" for sentence in faults_of(Game.objects.get(pk=number)))


def faults_of(game: object) -> Iterator[str]:
    """Money and shares, the log's numbers and versions, each deadline kept once, and the log leading to what is
    stored."""
    from game.store.game import Game
    from game.store.log import Kind
    from game.store.packed_log import every_entry
    from game.store.replay import replay_game

    assert isinstance(game, Game)
    game.load_position().state.ledger.assert_sound()
    log = list(every_entry(game))
    if [entry.number for entry in log] != list(range(1, game.entries + 1)):
        yield "its log has a gap or a number twice"
    if any(later.version < earlier.version for earlier, later in pairwise(log)) or log[-1].version > game.version:
        yield "its versions run backwards"
    opened = Counter(entry.opened_serial for entry in log if entry.opened_serial is not None)
    closed = Counter((entry.serial, entry.step) for entry in log if entry.kind == Kind.CLOSE)
    if any(times > 1 for times in (opened | closed).values()):
        yield "a phase was opened or closed twice"
    if any(not check.is_equal for check in replay_game(game=game)):
        yield "its log leads elsewhere"
    if game.attempts:
        yield f"{game.attempts} {ATTEMPTS}"


ACKNOWLEDGED: Counter[tuple[int, int, int]] = Counter()
"""By game, seat and version, the submissions that a test within this process was told to be taken."""


def forgotten() -> Iterator[str]:
    """Of what was acknowledged in this process, what no log has."""
    from game.store.game import Game
    from game.store.packed_log import every_entry

    logs = {game: list(every_entry(Game.objects.get(pk=game))) for game in {key[0] for key in ACKNOWLEDGED}}
    for (game, seat, version), times in ACKNOWLEDGED.items():
        if sum(entry.seat == seat and entry.version == version for entry in logs[game]) < times:
            yield f"game {game}: a submission that was acknowledged is not in its log"


def tokens(names: list[str]) -> list[str]:
    """The acknowledged forms that are in no log, or twice in one."""
    from game.store.log import LoggedAction

    rows = Counter(LoggedAction.objects.filter(token__in=names).values_list("token", flat=True))
    return [name for name in names if rows[name] != 1]


if __name__ == "__main__":
    django.setup()
    found = verdict(sys.stdin.read()) if "said" in sys.argv else faults()
    print(json.dumps(list(found)))  # noqa: T201 - this is its output
