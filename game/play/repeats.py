"""What one player does again and again in a phase is one line of the log, which says how often."""

from __future__ import annotations

import re
from collections.abc import Sequence

from game.live import announce
from game.play import clocks
from game.store import log_notes
from game.store.game import Game
from game.store.log import Kind, LoggedAction

TIMES = re.compile(r"(?P<sentence>.+) \((?P<times>\d+) times\)")


def note_on_log(*, game: Game, kind: Kind, note: str, seat: int) -> None:
    """Enter a sentence about a seat as `clocks.note_on_log` does. What was said of the seat before in this phase, other
    lines between or not, becomes one further line that counts. The caller saves the game."""
    alike = game.log.filter(kind=kind, seat=seat, branch=game.branch, serial=game.phase_serial).exclude(note="")
    lines = list(alike.only("note", "at").order_by("number"))
    counting = [line for line in lines if _read(line)[1] > 1]
    place = next((place for place, line in enumerate(counting) if _read(line)[0] == note), None)
    if place is not None:
        _move_last(game, counting[place:])
    elif any(_read(line)[0] == note for line in lines):
        clocks.note_on_log(game=game, kind=kind, seat=seat, note=log_notes.REPEATED.format(sentence=note, times=2))
    else:
        clocks.note_on_log(game=game, kind=kind, seat=seat, note=note)


def _move_last(game: Game, lines: Sequence[LoggedAction]) -> None:
    """Count the first of these lines once more, and let it be the last of them: what a seat did last is read last. It
    is something new, as a new line is."""
    game.version += 1
    sentence, times = _read(lines[0])
    later = [(line.note, line.at) for line in lines[1:]]
    for line, (note, at) in zip(
        lines, [*later, (log_notes.REPEATED.format(sentence=sentence, times=times + 1), game.now)], strict=True
    ):
        line.note, line.at, line.version = note, at, game.version
        line.save(update_fields=["note", "at", "version"])
    announce.tell_game(game.pk, game.version)


def _read(entry: LoggedAction) -> tuple[str, int]:
    """A line without how often it was, and that."""
    found = TIMES.fullmatch(entry.note)
    return (found["sentence"], int(found["times"])) if found else (entry.note, 1)
