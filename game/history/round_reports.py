"""The report of a turn, round by round: the board's tables and the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from game.boards.reports import PhaseEvents
from game.boards.sheets import Sheet
from game.engine.codec import Damaged
from game.engine.events import Event, PhaseOpened
from game.engine.flow import FlowRow
from game.engine.language import say
from game.engine.ruleset import Ruleset
from game.history.game_log import NEWEST, Chapter, LogRow, by_rounds, tell
from game.history.past import Course, log_between
from game.history.viewer import Viewer
from game.store import eyes
from game.store.eyes import Eyes
from game.store.rule_limits import Budget


class RoundReport(NamedTuple):
    """One round: its key and title, its tables, and its chapters of the log, oldest first."""

    key: str
    title: str
    tables: Sequence[Sheet]
    chapters: Sequence[Chapter]


class Round(NamedTuple):
    """A round of the flow, one level inside the turn."""

    key: str
    title: str


class NoSuchTurn(Exception):
    """The requested turn has not been played; the text is for the reader."""


def turns_of(course: Course) -> list[int]:
    """The turns that have been played, in order."""
    return list(dict.fromkeys(stop.turn for stop in course.stops))


def unplayed_words(rules: Ruleset, turn: int, last: int) -> str:
    """Why there is nothing to show of a turn."""
    turn_words = rules.turn_words(turn)
    return say("{turn} has not been played: the last is {last}.", turn=turn_words, last=rules.turn_inside(last))


def check_turn(rules: Ruleset, course: Course, turn: int) -> int:
    """The turn, if it has been played. Raises `NoSuchTurn`."""
    turns = turns_of(course)
    if turn not in turns:
        raise NoSuchTurn(unplayed_words(rules, turn, turns[-1]))
    return turn


def reports_of(viewer: Viewer, course: Course, turn: int, names: Sequence[str]) -> list[RoundReport]:
    """The rounds of one turn that have been played, in order; `names` are those of the players in the tables."""
    game = viewer.game
    flow = game.rules.flow(game.read_options())
    entries = log_between(game, course, *span_of(course, turn))
    newest_first = tell(
        entries, flow=flow, names=viewer.names, seat=viewer.seat, you=viewer.own_name, revealed=viewer.is_over
    )
    chapters = by_rounds(newest_first, flow)[::-1]
    rows = {row.phase.name: row for row in flow.rows}
    phases = phases_of(entries, turn, seat=viewer.seat, revealed=viewer.is_over)
    played = [phase for phase in phases if phase.name in rows]
    content_by_round: dict[Round, tuple[list[PhaseEvents], list[Chapter]]] = {}
    for phase, phase_round in zip(played, _rounds_of([rows[phase.name] for phase in played]), strict=True):
        content_by_round.setdefault(phase_round, ([], []))[0].append(phase)
    played_chapters = [chapter for chapter in chapters if chapter.turn == turn and chapter.phase in rows]
    chapter_rounds = _rounds_of([rows[chapter.phase] for chapter in played_chapters])
    for chapter, chapter_round in zip(played_chapters, chapter_rounds, strict=True):
        if chapter_round in content_by_round:
            content_by_round[chapter_round][1].append(chapter)
    return [
        RoundReport(
            each_round.key,
            say(each_round.title),
            _round_tables(viewer, course, each_round, round_phases, names),
            round_chapters,
        )
        for each_round, (round_phases, round_chapters) in content_by_round.items()
        if round_chapters
    ]


def span_of(course: Course, turn: int) -> tuple[int, int]:
    """The first and the last log entry of a turn's report: those that began this turn and the next."""
    first = next((stop.number for stop in course.stops if stop.turn >= turn), course.stops[-1].number)
    last = next((stop.number for stop in course.stops if stop.turn > turn), None)
    return first, NEWEST if last is None else last


def _rounds_of(rows: Sequence[FlowRow]) -> list[Round]:
    """The rounds of the phases of a turn. A last phase of the turn before that began this one belongs to the round that
    comes after it."""
    rounds = [_round_of(row) for row in rows]
    if len(rows) > 1 and rows[0].index > rows[1].index:
        rounds[0] = rounds[1]
    return rounds


def _round_of(row: FlowRow) -> Round:
    inner = next((part for part in row.rounds if part.name != "turn"), None)
    return Round(inner.name, inner.title) if inner else Round(row.phase.name, row.phase.title)


def phases_of(entries: Iterable[LogRow], turn: int, *, seat: Eyes | None, revealed: bool) -> Iterator[PhaseEvents]:
    """The phases of a turn with the events this seat may read; all events once the game is over."""
    phase: PhaseOpened | None = None
    phase_events: list[Event] = []
    for entry in entries:
        events = events_of(entry)
        for event in eyes.read(events, eyes.ears_at(entry, seat), is_over=revealed):
            if isinstance(event, PhaseOpened):
                if phase is not None:
                    yield _build_phase_events(phase, phase_events)
                phase, phase_events = (event if event.turn == turn else None), []
            elif phase is not None:
                phase_events.append(event)
    if phase is not None:
        yield _build_phase_events(phase, phase_events)


def events_of(entry: LogRow) -> list[Event]:
    """The events of an entry; empty if it is damaged, which its chapter reports."""
    try:
        return entry.read_all_events()
    except Damaged:
        return []


def _build_phase_events(phase: PhaseOpened, events: Iterable[Event]) -> PhaseEvents:
    return PhaseEvents(phase.phase, phase.number, phase.title, tuple(events), phase.serial)


def _round_tables(
    viewer: Viewer, course: Course, game_round: Round, phases: Sequence[PhaseEvents], names: Sequence[str]
) -> list[Sheet]:
    """The board's tables of a round. Figures can only be explained at moments at which the game stopped."""
    tables = Budget().run(viewer.board.round_tables, game_round.key, phases, names)
    stops = {stop.serial for stop in course.stops}
    return [
        sheet if sheet.moment in stops else msgspec.structs.replace(sheet, moment=0) for sheet in tables if sheet.rows
    ]
