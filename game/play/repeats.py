"""Repeated log notes about one seat in one phase become one line with a counter."""

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
    """Like `clocks.note_on_log`, but a note that repeats one about the same seat in this phase, with or without other
    lines between, is counted: a second line says how often. The caller saves the game."""
    same_kind = game.log.filter(kind=kind, seat=seat, branch=game.branch, serial=game.phase_serial).exclude(note="")
    entries = list(same_kind.only("note", "at").order_by("number"))
    counters = [line for line in entries if _split_count(line)[1] > 1]
    index = next((index for index, line in enumerate(counters) if _split_count(line)[0] == note), None)
    if index is not None:
        _count_again(game, counters[index:])
    elif any(_split_count(line)[0] == note for line in entries):
        clocks.note_on_log(game=game, kind=kind, seat=seat, note=log_notes.REPEATED.format(sentence=note, times=2))
    else:
        clocks.note_on_log(game=game, kind=kind, seat=seat, note=note)


def _count_again(game: Game, entries: Sequence[LoggedAction]) -> None:
    """Increase the counter of the first of these entries and move it behind the others, so that the seat's last action
    is read last. Announce it like a new entry."""
    game.version += 1
    sentence, times = _split_count(entries[0])
    rest = [(line.note, line.at) for line in entries[1:]]
    for line, (note, at) in zip(
        entries, [*rest, (log_notes.REPEATED.format(sentence=sentence, times=times + 1), game.now)], strict=True
    ):
        line.note, line.at, line.version = note, at, game.version
        line.save(update_fields=["note", "at", "version"])
    announce.tell_game(game.pk, game.version)


def _split_count(entry: LoggedAction) -> tuple[str, int]:
    """A note without its counter, and the counter."""
    match = TIMES.fullmatch(entry.note)
    return (match["sentence"], int(match["times"])) if match else (entry.note, 1)
