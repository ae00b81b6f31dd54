"""Erasing a person from the rows of a game when their account is deleted."""

from __future__ import annotations

from collections.abc import Callable, Collection

from game.store import log_notes
from game.store.game import COPY, Game, Seat


def forget_player(game: Game, user_id: int) -> None:
    """Take the person off their seats in a locked game, and their companions' names off the seats at their device."""
    if game.host_id == user_id:
        game.seats.exclude(device="").update(name="")
    game.seats.filter(user=user_id).update(user=None, name="")


def forget_names_in_copies(names: Collection[str]) -> None:
    """Take these names off the seats of other people's copies, which nobody else sees."""
    Seat.objects.filter(game__lesson=COPY, name__in=names).update(name="")


def rewrite_notes(game: Game, rewrite: Callable[[str], str]) -> None:
    """Rewrite every text in the notes of a locked game's log."""
    for entry in game.log.exclude(note="").only("note", "remark"):
        before = entry.note, entry.remark
        if (note := log_notes.read(entry.remark)) is not None:
            entry.write_note(note.rewritten(rewrite))
        else:
            entry.note = rewrite(entry.note)
        if before != (entry.note, entry.remark):
            entry.save(update_fields=["note", "remark"])
