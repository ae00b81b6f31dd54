"""What the shell may ask of any game: its decisions, its pages, its rows, its options, its rulebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from game.boards.options import OptionTable
from game.boards.report import Report
from game.boards.rows import Point, Rows, no_rows, scores_only
from game.boards.rulebook import Rulebook
from game.engine.phrases import thousands
from game.engine.ruleset import Ruleset


@dataclass(frozen=True)
class Fact:
    """A figure of a position in words, for mails and lists."""

    label: str
    value: str


def score_alone(view: Any, seat: int) -> tuple[Fact, ...]:
    """The figures of a game of which only scores are known."""
    return (Fact("Score", thousands(view.player(seat).score)),)


def nothing_held(view: Any, seat: int) -> tuple[Fact, ...]:
    """A game in which nothing is held, or nothing that an email must list."""
    return ()


@dataclass(frozen=True)
class Board:
    """How one game is asked, shown and told. What a game leaves out is done from its view and offers alone."""

    rules: Ruleset
    pitch: str = ""  # one line for people who choose a game
    options: OptionTable = field(default_factory=OptionTable)
    score: str = "Score"  # how players call what counts at the end
    rows: Callable[[Any], Rows] = no_rows  # a stranger's view -> what is queryable
    point: Callable[[Any], Point] = scores_only  # a stranger's view -> a moment of the course
    book: Rulebook | None = None  # its pages in the site
    facts: Callable[[Any, int], tuple[Fact, ...]] = score_alone  # view, seat -> the figures of a position
    holdings: Callable[[Any, int], tuple[Fact, ...]] = nothing_held  # view, seat -> what the seat holds, a line each
    without_holdings: str = ""  # what is said instead where a seat holds nothing
    report: Report = field(default_factory=Report)  # what reports on many games print of this one only
