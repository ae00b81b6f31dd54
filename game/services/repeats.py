"""What one player does again and again is one line of the log, which says how often."""

from __future__ import annotations

import re
from itertools import takewhile

from game import remarks
from game.models import Game, Kind, LoggedAction
from game.services import clocks, push

TIMES = re.compile(r"(?P<sentence>.+) \((?P<times>\d+) times\)")


def note_on_log(*, game: Game, kind: Kind, note: str, seat: int) -> None:
    """Enter a sentence about a seat as `clocks.note_on_log` does. Where one of the two lines before says the same of
    this phase, all further ones of these two become one line. The caller saves the game."""
    last = list(takewhile(lambda entry: _is_alike(game, entry, kind, seat), game.log.order_by("-number")[:3]))
    folded = last.pop(0) if last and _read(last[0])[1] > 1 else None
    before = [_read(entry)[0] for entry in last[:2]]
    if note not in before:
        clocks.note_on_log(game=game, kind=kind, seat=seat, note=note)
    elif folded is None:
        clocks.note_on_log(game=game, kind=kind, seat=seat, note=remarks.REPEATED.format(sentence=note, times=2))
    else:
        sentence, times = _read(folded)
        times += note in {before[-1], sentence}
        _rewrite(game, folded, remarks.REPEATED.format(sentence=note, times=times))


def _rewrite(game: Game, entry: LoggedAction, note: str) -> None:
    """Let the last line say something else: there is something new, as with a new line."""
    game.version += 1
    entry.note, entry.version, entry.at = note, game.version, game.now
    entry.save(update_fields=["note", "version", "at"])
    push.tell_game(game.pk, game.version)


def _is_alike(game: Game, entry: LoggedAction, kind: Kind, seat: int) -> bool:
    return (entry.kind, entry.seat, entry.branch, entry.serial) == (kind, seat, game.branch, game.phase_serial)


def _read(entry: LoggedAction) -> tuple[str, int]:
    """A line without how often it was, and that."""
    found = TIMES.fullmatch(entry.note)
    return (found["sentence"], int(found["times"])) if found else (entry.note, 1)
