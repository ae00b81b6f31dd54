"""The parts of answers about a game and about a person's own things."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import msgspec

from game.api.facts.games import InvitationLine
from game.boards.outcomes import Outcome
from game.boards.sheets import Sheet
from game.lobby.free_seats import FreeSeatLine
from game.lobby.invitations import Invited
from game.store.badges import Instant


class Invitation(msgspec.Struct, frozen=True):
    """The link by which people come to a table."""

    game: int
    invitation: str
    url: str


class Invitees(msgspec.Struct, frozen=True):
    """Whom the host of a table has invited by name."""

    items: list[Invited]


class Invitations(msgspec.Struct, frozen=True):
    """The games to which a person is invited by name."""

    items: list[InvitationLine]


class FreeSeats(msgspec.Struct, frozen=True):
    """A page of seats that you may take over, the oldest first; a seat that was taken in between is missing."""

    items: list[FreeSeatLine]
    next: str | None


class Proposal(msgspec.Struct, frozen=True):
    """Something to be agreed to: `kind` is ending, pause or rewind, `to` what it leads to; the numbers are seats. A
    rewind is proposed by a moderator, not by a seat."""

    kind: str
    to: str
    number: int
    by: int | None
    agreed: list[int]
    declined: list[int]
    until: Instant


class Proposals(msgspec.Struct, frozen=True):
    """What stands at a table."""

    items: list[Proposal]


class Notes(msgspec.Struct, frozen=True):
    """Your own notes on a game."""

    text: str
    revision: int


class Draft(msgspec.Struct, frozen=True):
    """What is kept for the open phase."""

    phase_serial: int
    actions: list[dict[str, Any]]


class VacationLine(msgspec.Struct, frozen=True):
    """A vacation, its last day included."""

    number: int
    first: date
    last: date


class Times(msgspec.Struct, frozen=True):
    """When somebody plays: hours of a week from Monday 0:00, vacations, and days of vacation left in this year."""

    zone: str
    hours: list[int]
    vacations: list[VacationLine]
    days_left: int


class NoteLine(msgspec.Struct, frozen=True):
    """A rule of the variant that changes what a section says; `text` is HTML."""

    number: str
    title: str
    text: str


class SectionLine(msgspec.Struct, frozen=True):
    """A section of a rulebook, or one rule of it; `text` is HTML, `url` where it stands on the site, and `notes` what
    its variant changes."""

    number: str
    title: str
    text: str
    url: str
    notes: list[NoteLine]


class Rulebook(msgspec.Struct, frozen=True):
    """The rules as one variant plays them."""

    title: str
    variant: str
    variants: list[str]
    sections: list[SectionLine]


class CoursePoint(msgspec.Struct, frozen=True):
    """The end of a turn, turn 0 the start: prices by company, scores by seat, shares by company and seat."""

    turn: int
    prices: dict[str, int]
    scores: list[int]
    shares: dict[str, list[int]]


class Course(msgspec.Struct, frozen=True):
    """A game turn by turn, as its charts draw it."""

    items: list[CoursePoint]


class Tables(msgspec.Struct, frozen=True):
    """The tables of a game's spreadsheet; `explained` are the figures that can be explained."""

    items: list[Sheet]
    explained: list[str]


class LedgerLine(msgspec.Struct, frozen=True):
    """A movement of money. Accounts are `cash:0` and `margin:0` of a seat, `treasury:ACME` of a company, `bank`, and
    `outside` for what comes into the game or leaves it."""

    at: Instant
    turn: int
    phase_serial: int
    payer: str
    payee: str
    amount: int
    reason: str


class Ledger(msgspec.Struct, frozen=True):
    """Every movement of money, oldest first."""

    items: list[LedgerLine]


class RoundTables(msgspec.Struct, frozen=True):
    """What one round of a turn brought."""

    key: str
    title: str
    tables: Sequence[Sheet]


class TurnReport(msgspec.Struct, frozen=True):
    """A turn round by round, as far as it has been played; `turns` are those that can be asked for."""

    turn: int
    turns: list[int]
    rounds: list[RoundTables]


class ResolutionLine(msgspec.Struct, frozen=True):
    """What a phase brought a seat: what became of its decisions, and what else concerned it, weightiest first."""

    phase_serial: int
    title: str
    at: Instant
    own: tuple[Outcome, ...]
    others: tuple[Outcome, ...]


class Outcomes(msgspec.Struct, frozen=True):
    """What happened to your seat in one turn, newest first."""

    turn: int
    items: list[ResolutionLine]
