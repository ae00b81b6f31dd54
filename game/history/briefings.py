"""Briefings: what a player missed, from the position they last saw, the current one, and the log in between."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Q

from game.boards.base import Board
from game.boards.outcomes import BAD, NEUTRAL, Absence, Outcome, Part, Story, briefing, rules_changed
from game.boards.registry import board_of
from game.engine.actions import Refused
from game.engine.codec import Damaged
from game.engine.events import Names
from game.engine.language import say, spoken
from game.engine.position import AnyPosition
from game.history.outcomes import parts_heard
from game.infra.process_cache import ProcessCache
from game.store import eyes
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.log import Kind, LoggedAction
from game.store.replay import play_entry
from game.store.rule_limits import Budget

MOST_ENTRIES = 200  # of the log, the newest: some ten turns
CACHE_SIZE = 256


class BriefingLine(msgspec.Struct, frozen=True):
    """A line with its place among the pages of outcomes: the turn, and the phase in that turn."""

    outcome: Outcome
    turn: int
    serial: int


class Briefing(msgspec.Struct, frozen=True):
    """At most seven lines. `since` is when the reader last saw the game, None if never."""

    lines: tuple[BriefingLine, ...]
    since: datetime | None

    @property
    def texts(self) -> frozenset[str]:
        """The sentences of its lines."""
        return frozenset(line.outcome.text for line in self.lines)

    def is_within(self, turn: int) -> bool:
        """True if everything that it tells happened in this turn or later."""
        return all(line.turn >= turn for line in self.lines)

    def unfolded(self, *, is_asked: bool) -> tuple[BriefingLine, ...]:
        """The unfolded lines: the change of the score, what went against the reader, then the rest by weight. There are
        fewer if a decision waits, so that the decision stays visible."""
        most, least = (3, 2) if is_asked else (4, 4)
        bad = [index for index, line in enumerate(self.lines) if index and line.outcome.tone == BAD][: most - 1]
        rest = [index for index in range(1, len(self.lines)) if index not in bad][: max(0, least - 1 - len(bad))]
        return tuple(self.lines[index] for index in sorted([0, *bad, *rest]))

    def folded(self, *, is_asked: bool) -> tuple[BriefingLine, ...]:
        unfolded = self.unfolded(is_asked=is_asked)
        return tuple(line for line in self.lines if line not in unfolded)


briefings: ProcessCache[Briefing | None] = ProcessCache(CACHE_SIZE)


def cached_briefing(
    *, game: Game, seat: Eyes, since: int, at: datetime | None, names: tuple[str, ...], view: Any
) -> Briefing | None:
    """`brief` for a page, cached until the log grows: the page shows it until the reader dismisses it."""
    key = (game.secret_hash, game.branch, game.entries, game.version, seat, spoken().code, since, at, names)
    return briefings.get(
        key, lambda: brief(game=game, seat=seat, since=since, at=at, names=names.__getitem__, view=view)
    )


def brief(*, game: Game, seat: Eyes, since: int, at: datetime | None, names: Names, view: Any) -> Briefing | None:
    """What happened to a seat after a version of its game; None if nothing did. Two or three queries."""
    board, entries = board_of(game.ruleset), _missed_entries(game, seat, since)
    if not entries:
        return None
    view_before = _view_at(game, seat, since)
    outcomes = _weighty_outcomes(board, entries, seat, names, view, view_before)
    turns = {entry.serial: entry.turn for entry in entries}
    last_serial = entries[-1].serial
    lines = (
        BriefingLine(outcome, turns.get(outcome.serial, entries[-1].turn), outcome.serial or last_serial)
        for outcome in outcomes
    )
    return Briefing(tuple(lines), at) if outcomes else None


def _missed_entries(game: Game, seat: Eyes, since: int) -> Sequence[LoggedAction]:
    """Entries with events, the seat's own submitted drafts and rewinds since a version, oldest first, without undone
    ones and those written after the game was read."""
    is_relevant = ~Q(events="") | Q(kind=Kind.DRAFT, seat=seat) | Q(kind=Kind.REWIND)
    newer = game.log.filter(is_relevant, version__gt=since, version__lte=game.version, branch=game.branch)
    newer = newer.exclude(is_undone=True)
    entries = list(newer.defer("snapshot", "action", "draws").order_by("-number")[:MOST_ENTRIES])[::-1]
    for entry in entries:
        entry.game = game
    return entries


def _weighty_outcomes(
    board: Board, entries: Sequence[LoggedAction], seat: Eyes, names: Names, view: Any, view_before: Any
) -> list[Outcome]:
    parts: list[Part] = []
    for entry in entries:
        parts += parts_heard(entry, seat)
    story = Story(tuple(parts), seat, names, view)
    outcomes = [*board.outcomes(story), *_site_outcomes(entries, seat), *rules_changed(story)]
    return briefing(Absence(view_before, story, board.score), outcomes, board.since)


def _site_outcomes(entries: Sequence[LoggedAction], seat: Eyes) -> list[Outcome]:
    """Outcomes the rules do not know of: rewinds, and drafts submitted for an absent player."""
    rewinds = [_rewind_outcome(entry) for entry in entries if entry.kind == Kind.REWIND]
    draft_serials = {entry.serial for entry in entries if entry.kind == Kind.DRAFT and entry.seat == seat}
    return rewinds + [_draft_outcome(serial) for serial in sorted(draft_serials)]


def _rewind_outcome(entry: LoggedAction) -> Outcome:
    text = say("A moderator rewound the game; later submissions no longer count.")
    return Outcome(kind="rewind", label=say("Rewound"), text=text, tone=BAD, weight=96, serial=entry.serial)


def _draft_outcome(serial: int) -> Outcome:
    text = say("The draft you had saved was submitted for you at the deadline.")
    return Outcome(kind="draft", label=say("Draft"), text=text, tone=NEUTRAL, weight=61, is_own=True, serial=serial)


def _view_at(game: Game, seat: Eyes, version: int) -> Any:
    """A seat's view at a version of the game; None if it cannot be read."""
    phase_start = game.log.filter(version__lte=version, opened_serial__isnull=False).order_by("-number").first()
    if phase_start is None:
        return None
    phase_start.game = game
    try:
        position = Budget().run(phase_start.read_snapshot)
        return (
            Budget().run(lambda: eyes.view(game, _position_at(game, position, phase_start, version), seat))
            if position
            else None
        )
    except (Damaged, Refused):
        return None


def _position_at(game: Game, position: AnyPosition, phase_start: LoggedAction, version: int) -> AnyPosition:
    """The position at a version: the start of the phase plus the actions applied since."""
    entries = game.log.filter(number__gt=phase_start.number, version__lte=version, action__isnull=False)
    for entry in entries.exclude(events="").defer("snapshot", "draws").order_by("number"):
        entry.game = game
        position = play_entry(game, position, entry).position
    return position
