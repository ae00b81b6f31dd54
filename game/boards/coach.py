"""Notes beside the first decisions of a first game: data of a board, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from game.engine.language import say

ALL = "*"  # remembered of a person who wants no notes


@dataclass(frozen=True)
class Note:
    """What a newcomer should know when a phase asks for the first time. `see` is a part of the board, by its id."""

    key: str
    phase: str
    text: str
    see: str = ""
    see_words: str = ""


@dataclass(frozen=True)
class Shown:
    """A note with its place in the sequence."""

    note: Note
    number: int
    count: int

    @property
    def lead(self) -> str:
        """Its first sentence, which is always in sight."""
        return say(self.note.text).partition(". ")[0].rstrip(".") + "."

    @property
    def rest(self) -> str:
        """Its other sentences."""
        return say(self.note.text).partition(". ")[2]


def next_note(notes: Iterable[Note], phase: str, seen: Collection[str], game: str) -> Shown | None:
    """The first note about the open phase that a person has not seen; none for those who want none."""
    listed = list(notes)
    if ALL in seen:
        return None
    fitting = ((at, note) for at, note in enumerate(listed, 1) if note.phase == phase)
    return next((Shown(note, at, len(listed)) for at, note in fitting if mark_of(game, note) not in seen), None)


def mark_of(game: str, note: Note) -> str:
    """By what it is remembered that a person has seen a note."""
    return f"{game}.{note.key}"
