"""The sources of the figures of sectors and of the whole table: consumers, their pool and the economy score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from game.engine.breakdown import TABLE, Part, Trace, by_turns
from game.engine.events import Event
from game.engine.language import mark, say
from game.rulesets.sectors.events import operations, upkeep
from game.rulesets.sectors.state import SectorsState
from game.rulesets.sectors.tables.sectors import SECTORS

POOL = "pool"
SUBJECTS: Mapping[str, str] = {TABLE: mark("the whole table"), **{key: sector.title for key, sector in SECTORS.items()}}
"""The subjects of these figures and their titles."""
TITLES = (mark("Economy"), mark("Pool"), mark("Consumers"))
"""The titles of these figures, which pages derive from their keys."""
START = mark("At the start of the game")
GATHERED = 3  # consumers that a large campaign or a fast-track approval brings, from each place
BY_TITLE = {sector.title: key for key, sector in SECTORS.items()}

Parts = tuple[Part, ...]
Move = tuple[str, str, str, int]  # from, to, cause, number of consumers


def economy(state: SectorsState, events: Sequence[Event], subject: str) -> Parts:
    """The score at the start and every move since. (S 7.3)"""
    if subject != TABLE:
        return ()
    moved = [
        (turn, event.now - event.was) for turn, event in by_turns(events) if isinstance(event, upkeep.EconomyMoved)
    ]
    parts = [Part(say("Every sector paid") if by > 0 else say("Somebody retained"), by, turn) for turn, by in moved]
    return _since_the_start(state.economy, parts)


def consumers(state: SectorsState, events: Sequence[Event], subject: str) -> Parts:
    """The consumers in a sector: every move to it and every sale. (S 6.2, 6.9, 7.7)"""
    return _crowd(state, events, subject, state.sectors[subject].consumers) if subject in state.sectors else ()


def pool(state: SectorsState, events: Sequence[Event], subject: str) -> Parts:
    """The consumers outside of any sector: all at the start, less those who left and those who were served."""
    return _crowd(state, events, POOL, state.pool) if subject == TABLE else ()


def _crowd(state: SectorsState, events: Sequence[Event], place: str, now: int) -> Parts:
    parts = []
    for turn, (giver, taker, label, number) in _moves(state, events):
        if number and place in {giver, taker}:
            parts.append(Part(label, number if place == taker else -number, turn))
    return _since_the_start(now, parts)


def _moves(state: SectorsState, events: Sequence[Event]) -> Iterator[tuple[int, Move]]:
    """Every move of consumers. Events do not contain how many a campaign found; that follows from where they were."""
    there = Counter({POOL: state.options.consumers})
    for turn, event in by_turns(events):
        for giver, taker, label, most in _moves_of(state, event):
            number = min(most, there[giver])
            there[giver] -= number
            there[taker] += number
            yield turn, (giver, taker, label, number)


def _moves_of(state: SectorsState, event: Event) -> Iterator[Move]:
    """The moves that an event asks for, each limited to the consumers there are."""
    match event:
        case upkeep.ConsumersMoved():
            yield POOL, BY_TITLE[event.sector], say("Moved to {sector}", sector=say(event.sector)), event.count
        case operations.Produced():
            yield _sector(state, event), POOL, say("Served by {company}", company=event.company), event.sold
        case operations.ActionDone(action="large_marketing"):
            yield POOL, _sector(state, event), _by(event), GATHERED
        case operations.ActionDone(action="fast_track_approval"):
            for other in state.sectors:
                if other != _sector(state, event):
                    yield other, _sector(state, event), _by(event), GATHERED


def _sector(state: SectorsState, event: operations.Produced | operations.ActionDone) -> str:
    return state.companies[event.company].sector


def _by(event: operations.ActionDone) -> str:
    return say("{title} of {company}", title=say(event.title), company=event.company)


def _since_the_start(now: int, parts: Sequence[Part]) -> Parts:
    """The figure before everything that is known: a lesson begins in the middle of a game."""
    return (Part(say(START), now - sum(part.amount for part in parts)), *parts)


TRACES_OF_SECTORS: Mapping[str, Trace] = {"economy": economy, "consumers": consumers, "pool": pool}
