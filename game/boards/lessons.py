"""For newcomers: lessons on the real board with goals that are checked, and notes beside the first decisions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from game.engine.language import say
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.engine.scenarios.given import stand

LEARNER = 0  # the seat of the one who learns
ALL = "*"  # remembered of a person who wants no notes


@dataclass(frozen=True)
class Goal:
    """A goal. `is_met` gets the learner's view."""

    text: str
    is_met: Callable[[Any], bool]


@dataclass(frozen=True)
class Lesson:
    """A lesson. `given` describes its position in the words of scenarios, the learner first among the players; the
    others do nothing. `learnt` is said at the end, `rule` explains it all."""

    key: str
    title: str
    text: str
    given: Mapping[str, Any]
    goals: tuple[Goal, ...]
    learnt: str
    rule: str

    def position(self, rules: Ruleset) -> AnyPosition:
        """The position from which it begins."""
        return stand(rules, self.given).position

    @property
    def seats(self) -> int:
        """How many sit there, the learner included."""
        return len(self.given["players"])


@dataclass(frozen=True)
class Progress:
    """How far a lesson has come: each goal with whether it is met, and the lesson after it."""

    lesson: Lesson
    goals: tuple[tuple[Goal, bool], ...]
    following: Lesson | None

    @property
    def is_done(self) -> bool:
        """Whether every goal is met."""
        return all(met for _, met in self.goals)


def lesson_of(lessons: Sequence[Lesson], key: str) -> Lesson | None:
    return next((lesson for lesson in lessons if lesson.key == key), None)


def progress_of(lessons: Sequence[Lesson], key: str, view: Any, *, is_learnt: bool) -> Progress | None:
    """How far the lesson of this key has come in the view of its learner; once learnt, it stays so."""
    lesson = lesson_of(lessons, key)
    if lesson is None:
        return None
    place = list(lessons).index(lesson) + 1
    following = lessons[place] if place < len(lessons) else None
    return Progress(lesson, tuple((goal, is_learnt or goal.is_met(view)) for goal in lesson.goals), following)


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
        """The sentences after the first."""
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
