"""Parts of responses about a game and about a user's own data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

import msgspec

from game.api.facts.games import InvitationLine
from game.boards.outcomes import Outcome
from game.boards.sheets import Sheet
from game.lobby.free_seats import FreeSeatLine
from game.lobby.invitations import Invited
from game.store.badges import Instant, one_of
from game.store.proposals import ProposalKind, VoteTopic


class Invitation(msgspec.Struct, frozen=True):
    """The invitation link of a game."""

    game: int
    invitation: str
    url: str


class Invitees(msgspec.Struct, frozen=True):
    """The players whom the host has invited by name."""

    items: list[Invited]


class Invitations(msgspec.Struct, frozen=True):
    """The games to which a user is invited by name."""

    items: list[InvitationLine]


class FreeSeats(msgspec.Struct, frozen=True):
    """A page of seats that you may take over, the oldest first; a seat that was taken in between is missing."""

    items: list[FreeSeatLine]
    next: str | None


class Proposal(msgspec.Struct, frozen=True):
    """An open proposal: `kind` is what it is about, `to` its purpose; the numbers are seats. A rewind is
    proposed by a moderator, not by a seat. An ending `to` voting_out is about one `seat` alone."""

    kind: Annotated[str, one_of(topic.value for topic in VoteTopic)]
    to: Annotated[str, one_of(kind.value for kind in ProposalKind)]
    number: int
    by: int | None
    agreed: list[int]
    declined: list[int]
    until: Instant
    seat: int | None = None


class Proposals(msgspec.Struct, frozen=True):
    """The open proposals of a game."""

    items: list[Proposal]


class Notes(msgspec.Struct, frozen=True):
    """Your own notes on a game."""

    text: str
    revision: int


class Draft(msgspec.Struct, frozen=True):
    """The draft for the open phase."""

    phase_serial: int
    actions: list[dict[str, Any]]


class VacationLine(msgspec.Struct, frozen=True):
    """A vacation, its last day included."""

    number: int
    first: date
    last: date


class Times(msgspec.Struct, frozen=True):
    """When somebody plays: hours of a week from Monday 0:00, vacations, and the days of vacation left in this year."""

    zone: str
    hours: list[int]
    vacations: list[VacationLine]
    days_left: int


class NoteLine(msgspec.Struct, frozen=True):
    """A note on a section about a rule that differs in this variant; `text` is HTML."""

    number: str
    title: str
    text: str


class SectionLine(msgspec.Struct, frozen=True):
    """A section of a rulebook, or one rule of it; `text` is HTML, `url` is its place on the site, and `notes` are the
    differences of the variant."""

    number: str
    title: str
    text: str
    url: str
    notes: list[NoteLine]


class Rulebook(msgspec.Struct, frozen=True):
    """The rules of one `variant`: the one that was asked for; without it, or with one that is not among `variants`, the
    game's usual one, which is the first of `variants` and may lack rules of the others."""

    title: str
    variant: str
    variants: list[str]
    sections: list[SectionLine]


class CoursePoint(msgspec.Struct, frozen=True):
    """The end of a turn (turn 0 is the start): prices by company, scores by seat, shares by company and seat."""

    turn: int
    prices: dict[str, int]
    scores: list[int]
    shares: dict[str, list[int]]


class Course(msgspec.Struct, frozen=True):
    """A game turn by turn: the data of its charts."""

    items: list[CoursePoint]


class Tables(msgspec.Struct, frozen=True):
    """The tables of a game's spreadsheet; `explained` are the figures that can be explained."""

    items: list[Sheet]
    explained: list[str]


class LedgerLine(msgspec.Struct, frozen=True):
    """A movement of money. Accounts are `cash:0` and `margin:0` of a seat, `treasury:ACME` of a company, `bank`, and
    `outside` for money that enters or leaves the game."""

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
    """The results of one round of a turn."""

    key: str
    title: str
    tables: Sequence[Sheet]


class TurnReport(msgspec.Struct, frozen=True):
    """A turn round by round, as far as it has been played; `turns` are the available ones."""

    turn: int
    turns: list[int]
    rounds: list[RoundTables]


class ResolutionLine(msgspec.Struct, frozen=True):
    """The results of a phase for a seat: the outcomes of its decisions, and what else concerned it, weightiest
    first."""

    phase_serial: int
    title: str
    at: Instant
    own: tuple[Outcome, ...]
    others: tuple[Outcome, ...]


class Outcomes(msgspec.Struct, frozen=True):
    """What happened to your seat in one turn, newest first."""

    turn: int
    items: list[ResolutionLine]
