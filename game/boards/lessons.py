"""What lessons and notes for newcomers are made of: goals on the real board that the site checks, and notes next to the
first decisions. The lessons themselves are in the `lessons.py` of each game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from game.engine.language import say
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.engine.scenarios.given import stand

LEARNER = 0  # the learner's seat
ALL = "*"  # stored for a person who wants no notes


@dataclass(frozen=True)
class Goal:
    """What the learner does next: `text` tells them to, `why` explains it. `is_met` receives their view. While the goal
    is the next one, the form shows the values of `request`."""

    text: str
    why: str
    is_met: Callable[[Any], bool]
    request: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Slip:
    """A mistake that puts the goals out of reach. `has_happened` receives the learner's view."""

    text: str
    has_happened: Callable[[Any], bool]


@dataclass(frozen=True)
class Lesson:
    """A lesson. `given` describes its position in the words of scenarios, the learner first. It stops when every goal
    is met, with the text `learnt` and the rule that explains it, or at a slip."""

    key: str
    title: str
    text: str
    given: Mapping[str, Any]
    goals: tuple[Goal, ...]
    slips: tuple[Slip, ...]
    learnt: str
    rule: str
    opponents: str = ""  # the bot of the other seats; they do nothing without one

    def position(self, rules: Ruleset) -> AnyPosition:
        """The position at the start."""
        return stand(rules, self.given).position

    @property
    def seats(self) -> int:
        """The number of players, the learner included."""
        return len(self.given["players"])


@dataclass(frozen=True)
class Progress:
    """Progress of a lesson, with its place among the lessons of its game, from 1: how many goals are met, the mistake
    that was made, and the next lesson."""

    lesson: Lesson
    number: int
    count: int
    met: int
    slip: Slip | None
    following: Lesson | None

    @property
    def is_done(self) -> bool:
        """True if every goal is met."""
        return self.met == len(self.lesson.goals)

    @property
    def is_over(self) -> bool:
        """True if the lesson stops here."""
        return self.is_done or self.slip is not None

    @property
    def goal(self) -> Goal | None:
        """The goal that is next, unless the lesson is over."""
        return None if self.is_over else self.lesson.goals[self.met]


def lesson_of(lessons: Sequence[Lesson], key: str) -> Lesson | None:
    return next((lesson for lesson in lessons if lesson.key == key), None)


def progress_of(lessons: Sequence[Lesson], key: str, view: Any, *, is_learnt: bool) -> Progress | None:
    """Progress of the lesson with this key in the learner's view; a finished lesson stays finished."""
    lesson = lesson_of(lessons, key)
    if lesson is None:
        return None
    number = list(lessons).index(lesson) + 1
    met = len(list(takewhile(lambda goal: is_learnt or goal.is_met(view), lesson.goals)))
    is_done = met == len(lesson.goals)
    slip = None if is_done else next((slip for slip in lesson.slips if slip.has_happened(view)), None)
    following = lessons[number] if number < len(lessons) else None
    return Progress(lesson, number, len(lessons), met, slip, following)


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
    """The key that records that a user has seen a note."""
    return f"{game}.{note.key}"
