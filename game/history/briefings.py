"""Briefings: what a player missed, from the position they last saw, the current one, and the log in between."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Q

from game.boards.base import Board
from game.boards.briefing import Absence, briefing
from game.boards.outcomes import BAD, NEUTRAL, Outcome, Part, Story, parts_of, rules_changed
from game.boards.registry import board_of
from game.engine.actions import Refused
from game.engine.codec import Damaged
from game.engine.events import Names
from game.engine.language import say, spoken
from game.engine.position import AnyPosition
from game.history.outcomes import events_of
from game.infra.process_cache import ProcessCache
from game.store import eyes
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.log import Kind, LoggedAction
from game.store.replay import play_entry
from game.store.rule_limits import Budget

MOST_ENTRIES = 200  # of the log, the newest: some ten turns
MOST_KEPT = 256


class BriefingLine(msgspec.Struct, frozen=True):
    """A line with its place among the pages of outcomes: the turn, and the phase in it."""

    outcome: Outcome
    turn: int
    serial: int


class Briefing(msgspec.Struct, frozen=True):
    """At most seven lines; `since` is when their reader was last shown the game, None where they never were."""

    lines: tuple[BriefingLine, ...]
    since: datetime | None

    def in_sight(self, *, is_asked: bool) -> tuple[BriefingLine, ...]:
        """What is not folded: the change of the score, what went against the reader, then the rest by weight. It is
        shorter if a decision waits, so that the decision is in sight too."""
        most, least = (3, 2) if is_asked else (4, 4)
        bad = [at for at, line in enumerate(self.lines) if at and line.outcome.tone == BAD][: most - 1]
        rest = [at for at in range(1, len(self.lines)) if at not in bad][: max(0, least - 1 - len(bad))]
        return tuple(self.lines[at] for at in sorted([0, *bad, *rest]))

    def folded(self, *, is_asked: bool) -> tuple[BriefingLine, ...]:
        """The other lines."""
        shown = self.in_sight(is_asked=is_asked)
        return tuple(line for line in self.lines if line not in shown)


briefings: ProcessCache[Briefing | None] = ProcessCache(MOST_KEPT)


def standing_brief(
    *, game: Game, seat: Eyes, since: int, at: datetime | None, names: tuple[str, ...], view: Any
) -> Briefing | None:
    """The same for a page, on which it stands until it is put away: worked out once while nothing joins the log."""
    facts = (game.secret_hash, game.branch, game.entries, game.version, seat, spoken().code, since, at, names)
    return briefings.get(
        facts, lambda: brief(game=game, seat=seat, since=since, at=at, names=names.__getitem__, view=view)
    )


def brief(*, game: Game, seat: Eyes, since: int, at: datetime | None, names: Names, view: Any) -> Briefing | None:
    """What happened to a seat after a version of its game; None where that is nothing. Two or three queries."""
    board, entries = board_of(game.ruleset), _entries(game, seat, since)
    if not entries:
        return None
    before = _seen(game, seat, since)
    lines = _lines(board, entries, seat, names, view, before)
    turns = {entry.serial: entry.turn for entry in entries}
    last = entries[-1].serial
    placed = (BriefingLine(o, turns.get(o.serial, entries[-1].turn), o.serial or last) for o in lines)
    return Briefing(tuple(placed), at) if lines else None


def _entries(game: Game, seat: Eyes, since: int) -> Sequence[LoggedAction]:
    """What is told of the course that stands, and which of the seat's drafts were submitted for it, oldest first."""
    told = ~Q(events="") | Q(kind=Kind.DRAFT, seat=seat) | Q(kind=Kind.REWIND)
    after = game.log.filter(told, version__gt=since, branch=game.branch).exclude(is_undone=True)
    entries = list(after.defer("snapshot", "action", "draws").order_by("-number")[:MOST_ENTRIES])[::-1]
    for entry in entries:
        entry.game = game
    return entries


def _lines(
    board: Board, entries: Sequence[LoggedAction], seat: Eyes, names: Names, view: Any, before: Any
) -> list[Outcome]:
    parts: list[Part] = []
    for entry in entries:
        parts += parts_of(entry.serial, entry.phase_name, eyes.read(events_of(entry), seat))
    story = Story(tuple(parts), seat, names, view)
    told = [*board.told(story), *_by_the_site(entries, seat), *rules_changed(story)]
    return briefing(Absence(before, story, board.score), told, board.since)


def _by_the_site(entries: Sequence[LoggedAction], seat: Eyes) -> list[Outcome]:
    """What the rules do not know of: a rewind, and drafts that were submitted for somebody absent."""
    lines = [_rewound(entry) for entry in entries if entry.kind == Kind.REWIND]
    drafts = {entry.serial for entry in entries if entry.kind == Kind.DRAFT and entry.seat == seat}
    return lines + [_drafted(serial) for serial in sorted(drafts)]


def _rewound(entry: LoggedAction) -> Outcome:
    text = say("A moderator rewound the game; later submissions no longer count.")
    return Outcome(kind="rewind", label=say("Rewound"), text=text, tone=BAD, weight=96, serial=entry.serial)


def _drafted(serial: int) -> Outcome:
    text = say("The draft you had saved was submitted for you at the deadline.")
    return Outcome(kind="draft", label=say("Draft"), text=text, tone=NEUTRAL, weight=61, is_own=True, serial=serial)


def _seen(game: Game, seat: Eyes, version: int) -> Any:
    """What a seat saw when a version was the newest; None where that cannot be read."""
    start = game.log.filter(version__lte=version, opened_serial__isnull=False).order_by("-number").first()
    if start is None:
        return None
    start.game = game
    try:
        position = Budget().run(start.read_snapshot)
        return Budget().run(lambda: eyes.view(game, _as_of(game, position, start, version), seat)) if position else None
    except (Damaged, Refused):
        return None


def _as_of(game: Game, position: AnyPosition, start: LoggedAction, version: int) -> AnyPosition:
    """The position after what was done in the phase since it opened, as far as it was done at once."""
    since = game.log.filter(number__gt=start.number, version__lte=version, action__isnull=False)
    for entry in since.exclude(events="").defer("snapshot", "draws").order_by("number"):
        entry.game = game
        position = play_entry(game, position, entry).position
    return position
