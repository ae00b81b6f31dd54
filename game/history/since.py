"""What happened since the reader's last decision: its results, the deeds of the others, and the outcomes that concern
the reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import accumulate, dropwhile, groupby
from math import ceil
from typing import Any, NamedTuple

import msgspec

from game.boards.base import Board
from game.boards.outcomes import BAD, Outcome, Part, Story, parts_of, rules_changed, weightiest
from game.engine.events import (
    DecisionMissed,
    Event,
    InputAheadDoubted,
    InputAheadDropped,
    Names,
    PhaseOpened,
    RulesChanged,
    StandingInputDropped,
)
from game.engine.flow import Flow, Mode
from game.engine.language import say, spoken
from game.history.game_log import LogRow, is_in_story, read_steps
from game.history.outcomes import events_of, phase_words
from game.infra.process_cache import ProcessCache
from game.store import eyes
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.log import Kind

CACHE_SIZE = 256
MOST_OWN, MOST_OTHERS = 6, 4
MOST_DEEDS = 6  # turns of others that are not folded
LEAST_WEIGHT = 25  # outcomes shown besides the reader's own
LEAD_LINES, LEAD_LINE = 4, 44  # on a phone: how many lines, and characters in each
MOST_UNFOLDED = 3  # outcomes on a phone, as static/css/outcomes.css has it
LEAD_LINE_AT_MOST = 48  # characters of a line that ends with a figure
OWN_INPUTS = (DecisionMissed, StandingInputDropped, InputAheadDropped, InputAheadDoubted, RulesChanged)


class DeedLine(msgspec.Struct, frozen=True):
    """One thing that somebody did. `tone`, `label` and `reason` are set if it concerns the seated; `seat` is whose it
    is, None if it is of none or of several; `short` is the text in fewer words."""

    text: str
    figure: str = ""
    reason: str = ""
    tone: str = ""
    label: str = ""
    seat: int | None = None
    weight: int = 0
    short: str = ""

    @property
    def lead_figure(self) -> str:
        """The figure before the folded rest: that of others only where it takes no further line on a phone."""
        text = self.short or self.text
        has_room = len(f"{text} ({self.figure})") <= LEAD_LINE_AT_MOST * _lines_on_phone(text)
        return self.figure if self.tone or has_room else ""

    @property
    def lead_lines(self) -> int:
        """How many lines of a phone it takes there."""
        text = self.short or self.text
        return _lines_on_phone(f"{text} {self.figure}" if self.tone and self.figure else text)


def _lines_on_phone(text: str) -> int:
    return ceil(len(text) / LEAD_LINE)


class Deeds(msgspec.Struct, frozen=True):
    """The deeds of one seat in one turn, in order; without a seat, the events of a phase for all, with its title."""

    seat: int | None
    title: str
    lines: tuple[DeedLine, ...]

    @property
    def concerns_reader(self) -> bool:
        return any(line.tone for line in self.lines)


class Happened(msgspec.Struct, frozen=True):
    """What happened to one seat since its last decision: own outcomes, then others that concern it, weightiest first.
    `phase` is the one in which it decided; `more` counts the outcomes shown only on the page of all outcomes. In games
    with turns, `deeds` are what the others did since then, oldest first, with the resulting outcomes; `events` are the
    same for the marks on the board. `version` is the one that opened that phase, `turn` its turn; `own_turn` is the
    turn of the newest own outcome. In games in which all decide at once, `earlier` are the outcomes before that
    decision in the current turn, and `by_others` is what happened to each of the others alone. `precedes_decision`: in
    games with turns nothing has happened since, and this was news before that decision."""

    own: tuple[Outcome, ...]
    others: tuple[Outcome, ...]
    phase: str
    at: datetime
    more: int = 0
    deeds: tuple[Deeds, ...] = ()
    events: tuple[Event, ...] = ()
    version: int | None = None
    turn: int | None = None
    own_turn: int = 0
    earlier: tuple[Outcome, ...] = ()
    by_others: tuple[Deeds, ...] = ()
    precedes_decision: bool = False

    @property
    def first(self) -> tuple[Outcome, ...]:
        """The outcomes that are never folded: its own and what went against it, otherwise all."""
        return self.own + tuple(outcome for outcome in self.others if outcome.tone == BAD) or self.others

    @property
    def rest(self) -> tuple[Outcome, ...]:
        """The outcomes that follow the first ones."""
        return tuple(outcome for outcome in self.others if outcome not in self.first)

    @property
    def texts(self) -> frozenset[str]:
        """Every sentence, except those about others alone."""
        lines = {line.text for deeds in self.deeds for line in deeds.lines}
        return frozenset(lines | {outcome.text for outcome in (*self.own, *self.others)})

    def besides(self, texts: frozenset[str]) -> Happened | None:
        """The rest without these sentences, which the page shows above; None if nothing remains."""
        deeds = (
            msgspec.structs.replace(each, lines=tuple(line for line in each.lines if line.text not in texts))
            for each in self.deeds
        )
        left = msgspec.structs.replace(
            self,
            own=tuple(one for one in self.own if one.text not in texts),
            others=tuple(one for one in self.others if one.text not in texts),
            deeds=tuple(each for each in deeds if each.lines),
        )
        return left if left.own or left.others or left.deeds or left.by_others else None

    def is_before(self, turn: int) -> bool:
        """True if the seat last decided before this turn, and no decision of it had a result in this turn."""
        return self.turn is not None and max(self.turn, self.own_turn) < turn

    def start_in(self, newest_first: Iterable[LogRow]) -> int | None:
        """The index of the step after which it happened; None if that is older than all of these."""
        return next((index for index, step in enumerate(newest_first) if step.version == self.version), None)

    @property
    def latest_deeds(self) -> tuple[Deeds, ...]:
        return self.deeds[-MOST_DEEDS:]

    @property
    def earlier_deeds(self) -> tuple[Deeds, ...]:
        """The folded part of the page, if the reader missed turns."""
        return self.deeds[:-MOST_DEEDS]

    @property
    def leads(self) -> tuple[Lead, ...]:
        """The deeds that are read before the folded rest, as many as have room on a phone beside the outcomes after the
        first one: first what brought the reader something or cost it, then of each other seat the weightiest."""
        own, others = _leads_in(self.latest_deeds or self.by_others)
        by_weight = [lead for leads in (own, others) for lead in sorted(leads, key=lambda lead: -lead[1].weight)]
        ends = accumulate(line.lead_lines for _, line in by_weight)
        further = self.first[1:MOST_UNFOLDED]
        room = LEAD_LINES - sum(_lines_on_phone(outcome.text) for outcome in further)
        fits = [
            lead
            for at, (lead, end) in enumerate(zip(by_weight, ends, strict=True))
            if end <= room or (not at and not further)
        ]
        return tuple(lead for lead in (*own, *others) if lead in fits)

    @property
    def spoken(self) -> str:
        """Everything that a screen reader announces on arrival."""
        outcomes = [f"{outcome.label}: {outcome.sentence}" for outcome in (*self.own, *self.others)]
        return " ".join([*outcomes, *(line.text for deeds in self.latest_deeds for line in deeds.lines)])


Lead = tuple[int | None, DeedLine]
"""A seat and something that it did, or that happened in its turn."""


def _leads_in(several: Iterable[Deeds]) -> tuple[list[Lead], list[Lead]]:
    """What concerns the reader in figures, and the weightiest that each seat did itself, both in order. What a seat
    gained from the turn of another is no deed of its own."""
    own: list[Lead] = []
    best: dict[int | None, DeedLine] = {}
    for deeds in several:
        for line in deeds.lines:
            seat = deeds.seat if line.seat is None else line.seat
            if line.tone and line.figure:
                own.append((seat, line))
            elif deeds.seat in {None, seat} and (seat not in best or line.weight > best[seat].weight):
                best[seat] = line
    return own, list(best.items())


def seated_at(game: Game, seat: Eyes) -> Seated:
    return Seated(game, game.rules.flow(game.read_options()), seat)


class Seated(NamedTuple):
    """The seat whose decisions count, with its game's flow."""

    game: Game
    flow: Flow
    seat: Eyes

    @property
    def is_of_turns(self) -> bool:
        """True if some phase has turns, so that a player has to learn what the others did."""
        return any(row.phase.mode is Mode.TURNS for row in self.flow.rows)

    def has_acted(self, step: LogRow) -> bool:
        """True if the seat took the step in its own turn; it saw what came of it at once."""
        return step.step is not None and step.seat == self.seat and step.kind == Kind.SUBMIT

    def decision_before(self, newest_first: Iterable[LogRow]) -> int | None:
        """The index of the step that opened the last closed phase in which the seat decided. A turn that it missed does
        not count."""
        acted: set[int] = set()
        for index, step in enumerate(newest_first):
            if step.branch != self.game.branch:
                return None
            if self.has_acted(step):
                acted.add(step.serial)
            if self._has_asked(step) and (step.opened_serial in acted or self._mode_opened(step) is not Mode.TURNS):
                return index
        return None

    def _has_asked(self, step: LogRow) -> bool:
        """True if a step opened a phase that has closed since, and in which the seat had to decide."""
        if self.seat not in (step.asks or ()) or step.opened_serial == self.game.phase_serial:
            return False
        return self._mode_opened(step) not in {None, Mode.AUTOMATIC}

    def _mode_opened(self, step: LogRow) -> Mode | None:
        opened_phase = next((e.phase for e in reversed(events_of(step)) if isinstance(e, PhaseOpened)), "")
        return next((row.phase.mode for row in self.flow.rows if row.phase.name == opened_phase), None)

    def parts_of_step(self, step: LogRow) -> list[Part]:
        """The results of the step; for a step of one’s own, only those in later phases."""
        events: Iterable[Event] = eyes.news(events_of(step), eyes.ears_at(step, self.seat))
        if self.has_acted(step):
            events = dropwhile(lambda event: not isinstance(event, PhaseOpened), events)
        return parts_of(step.serial, step.phase_name, events, None if step.step is None else step.seat)


happened: ProcessCache[Happened | None] = ProcessCache(CACHE_SIZE)


def cached_happened(
    *, seated: Seated, board: Board, names: tuple[str, ...], view: Any, steps: Sequence[LogRow] | None = None
) -> Happened | None:
    """`happened_to` for a page, cached until the log grows. `steps` are the newest of the log, newest first; without
    them a page is read, which in games of turns reaches back to where the news begins."""
    game = seated.game
    key = (game.secret_hash, game.branch, game.entries, game.version, seated.seat, spoken().code, names)

    def tell(newest_first: Sequence[LogRow]) -> Happened | None:
        return happened_to(newest_first, seated=seated, board=board, names=names.__getitem__, view=view)

    def start(newest_first: Sequence[LogRow]) -> int | None:
        news = tell(newest_first)
        return None if news is None else news.start_in(newest_first)

    def read() -> Sequence[LogRow]:
        return read_steps(game=game, index_of_decision=start if seated.is_of_turns else None)[0]

    return happened.get(key, lambda: tell(read() if steps is None else steps))


def happened_to(
    newest_first: Sequence[LogRow], *, seated: Seated, board: Board, names: Names, view: Any
) -> Happened | None:
    """What happened since the seat's last decision; in games with turns, what happened before it as long as nothing has
    since. None if nothing did. Steps before a rewind do not count. If no given step is as old as the decision, all of
    them count."""
    audience, decided = Audience(seated, board, names, view), seated.decision_before(newest_first)
    news = _news_since(decided, newest_first, audience)
    if news is not None or decided is None or not seated.is_of_turns:
        return news
    before = newest_first[decided:]
    earlier = seated.decision_before(before[1:])
    old = _news_since(None if earlier is None else earlier + 1, before, audience)
    return old and msgspec.structs.replace(old, precedes_decision=True)


def _news_since(decided: int | None, newest_first: Sequence[LogRow], audience: Audience) -> Happened | None:
    """What happened since the step with this index."""
    seated, board = audience.seated, audience.board
    current = [step for step in newest_first if step.branch == seated.game.branch]
    steps = current[:decided][::-1]
    parts = [part for step in steps for part in seated.parts_of_step(step)]
    by_others = () if seated.is_of_turns else _by_others(parts, audience)
    deeds, events, parts = _deeds_of(parts, audience) if seated.is_of_turns else ((), (), parts)
    story = audience.story(parts)
    outcomes = [*board.outcomes(story), *rules_changed(story)]
    own = weightiest(outcome for outcome in outcomes if outcome.is_own)
    others = weightiest(o for o in outcomes if not o.is_own and o.weight >= LEAST_WEIGHT)
    if not own and not others and not deeds and not by_others:
        return None
    visible = (tuple(own[:MOST_OWN]), tuple(others[:MOST_OTHERS]))
    return Happened(
        *visible,
        phase_words(steps[0], seated.flow),
        next((step.at for step in reversed(steps) if not seated.has_acted(step)), steps[-1].at),
        more=len(own) + len(others) - sum(map(len, visible)),
        deeds=deeds,
        events=events,
        version=newest_first[decided].version if decided is not None else None,
        turn=steps[0].turn if decided is not None else None,
        own_turn=max((step.turn for step in steps if any(one.serial == step.serial for one in own)), default=0),
        earlier=() if seated.is_of_turns or decided is None else _earlier_in_turn(current[decided:], audience),
        by_others=by_others,
    )


def _earlier_in_turn(newest_first: Sequence[LogRow], audience: Audience) -> tuple[Outcome, ...]:
    seated = audience.seated
    steps = [step for step in newest_first if step.turn == seated.game.turn][::-1]
    outcomes = audience.board.outcomes(audience.story([part for step in steps for part in seated.parts_of_step(step)]))
    return tuple(one for one in weightiest(outcomes) if one.is_own or one.weight >= LEAST_WEIGHT)[:MOST_OWN]


class Audience(NamedTuple):
    """The readers of the page, and the names by which they are addressed."""

    seated: Seated
    board: Board
    names: Names
    view: Any

    def story(self, parts: Sequence[Part]) -> Story:
        return Story(parts, self.seated.seat, self.names, self.view)


def _deeds_of(parts: Sequence[Part], audience: Audience) -> tuple[tuple[Deeds, ...], tuple[Event, ...], list[Part]]:
    """The deeds of the seats, turn by turn, with their effect on the reader; their events; and the parts that remain
    for the outcomes."""
    deeds: list[Deeds] = []
    events: list[Event] = []
    titles = {row.phase.name: row.phase.title for row in audience.seated.flow.rows}
    for (seat, phase), turn in groupby(parts, key=lambda part: (part.seat, part.phase)):
        single = [_only(part, event) for part in turn for event in part.events]
        single = [part for part in single if _is_deed(part, audience)]
        lines = tuple(_lines_of(single, audience))
        if lines:
            deeds.append(Deeds(seat, say(titles.get(phase, "")), lines))
            events += [part.events[0] for part in single]
    rest = [_only(part, event) for part in parts for event in part.events if isinstance(event, OWN_INPUTS)]
    return tuple(deeds), tuple(events), rest


def _by_others(parts: Sequence[Part], audience: Audience) -> tuple[Deeds, ...]:
    """What happened to each of the other seats alone, in the order in which it began."""
    by_seat: dict[int, list[Part]] = {}
    for part in [_only(whole, event) for whole in parts for event in whole.events]:
        seats = part.events[0].seats()
        if len(seats) == 1 and seats[0] != audience.seated.seat and _is_deed(part, audience):
            by_seat.setdefault(seats[0], []).append(part)
    return tuple(Deeds(seat, "", tuple(_lines_of(single, audience))) for seat, single in by_seat.items())


def _only(part: Part, event: Event) -> Part:
    return msgspec.structs.replace(part, events=(event,))


def _is_deed(part: Part, audience: Audience) -> bool:
    """True for an event that is shown as somebody's deed; the results of missed and standing inputs are shown only as
    outcomes, routine only where it brings the reader something or costs it."""
    event = part.events[0]
    if isinstance(event, OWN_INPUTS) or not is_in_story(event, reviews=audience.seated.game.reviews):
        return False
    return not event.is_routine or any(outcome.figure for outcome in audience.board.outcomes(audience.story([part])))


def _lines_of(single: Sequence[Part], audience: Audience) -> Iterator[DeedLine]:
    """A line for each event; equal consecutive ones are one line with their number."""
    for line, equal in groupby(_line_of(part, audience) for part in single):
        number = len(list(equal))
        yield msgspec.structs.replace(line, figure=_times(number, line.figure)) if number > 1 else line


def _times(number: int, figure: str) -> str:
    """Words for the figure of several equal lines."""
    if not figure:
        return say("{n} times", n=number)
    return say("{n} times, {figure} each", n=number, figure=figure)


def _line_of(part: Part, audience: Audience) -> DeedLine:
    """The event of a part as a sentence, with its effect on the reader."""
    event = part.events[0]
    text, figure = event.sentence_for(audience.seated.seat, audience.names), event.figure(audience.names)
    short, seats = event.short_for(audience.seated.seat, audience.names), event.seats()
    seat = seats[0] if len(seats) == 1 else None
    outcome = next(iter(audience.board.outcomes(audience.story([part]))), None)
    if outcome is None:
        is_deed_of_other = seat is not None and seat != audience.seated.seat
        weight = 0 if event.is_idle else event.weight + is_deed_of_other
        return DeedLine(text, figure, seat=seat, weight=weight, short=short)
    return DeedLine(
        text,
        outcome.figure or figure,
        outcome.reason,
        outcome.tone,
        outcome.label,
        seat=seat,
        weight=outcome.weight,
        short=short,
    )
