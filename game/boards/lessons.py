"""For newcomers: lessons on the real board with goals that the site checks, and notes next to the first decisions."""

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
    """A goal. `is_met` receives the learner's view."""

    text: str
    is_met: Callable[[Any], bool]


@dataclass(frozen=True)
class Lesson:
    """A lesson. `given` describes its position in the words of scenarios, the learner first; the other players do
    nothing. `learnt` is the closing text, `rule` the rule that explains it."""

    key: str
    title: str
    text: str
    given: Mapping[str, Any]
    goals: tuple[Goal, ...]
    learnt: str
    rule: str

    def position(self, rules: Ruleset) -> AnyPosition:
        """The position at the start."""
        return stand(rules, self.given).position

    @property
    def seats(self) -> int:
        """The number of players, the learner included."""
        return len(self.given["players"])


@dataclass(frozen=True)
class Progress:
    """Progress of a lesson: each goal, whether it is met, and the next lesson."""

    lesson: Lesson
    goals: tuple[tuple[Goal, bool], ...]
    following: Lesson | None

    @property
    def is_done(self) -> bool:
        """True if every goal is met."""
        return all(met for _, met in self.goals)


def lesson_of(lessons: Sequence[Lesson], key: str) -> Lesson | None:
    return next((lesson for lesson in lessons if lesson.key == key), None)


def progress_of(lessons: Sequence[Lesson], key: str, view: Any, *, is_learnt: bool) -> Progress | None:
    """Progress of the lesson with this key in the learner's view; a finished lesson stays finished."""
    lesson = lesson_of(lessons, key)
    if lesson is None:
        return None
    place = list(lessons).index(lesson) + 1
    following = lessons[place] if place < len(lessons) else None
    return Progress(lesson, tuple((goal, is_learnt or goal.is_met(view)) for goal in lesson.goals), following)


@dataclass(frozen=True)
class Note:
    """What a newcomer should know when a phase asks for the first time. `see` is the id of a part of the board."""

    key: str
    phase: str
    text: str
    see: str = ""
    see_words: str = ""


@dataclass(frozen=True)
class NumberedNote:
    """A note with its place in the sequence."""

    note: Note
    number: int
    count: int

    @property
    def lead(self) -> str:
        """The first sentence, which is always visible."""
        return say(self.note.text).partition(". ")[0].rstrip(".") + "."

    @property
    def rest(self) -> str:
        """The sentences after the first."""
        return say(self.note.text).partition(". ")[2]


def next_note(notes: Iterable[Note], phase: str, seen: Collection[str], game: str) -> NumberedNote | None:
    """The first note about the open phase that the user has not seen; None for users who want no notes."""
    listed = list(notes)
    if ALL in seen:
        return None
    fitting = ((at, note) for at, note in enumerate(listed, 1) if note.phase == phase)
    return next((NumberedNote(note, at, len(listed)) for at, note in fitting if mark_of(game, note) not in seen), None)


def mark_of(game: str, note: Note) -> str:
    """The key under which a user's having seen a note is stored."""
    return f"{game}.{note.key}"
