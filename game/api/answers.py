"""The parts of answers about a table and about what is somebody's own."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import msgspec

from game.invitations import Invited
from game.summaries import InvitationLine


class Invitation(msgspec.Struct, frozen=True):
    """The link by which people come to a table."""

    game: int
    invitation: str
    url: str


class Invitees(msgspec.Struct, frozen=True):
    """Whom the host of a table has invited by name."""

    items: list[Invited]


class Invitations(msgspec.Struct, frozen=True):
    """What somebody is invited to by name."""

    items: list[InvitationLine]


class Proposal(msgspec.Struct, frozen=True):
    """Something to be agreed to: `kind` is ending, pause or rewind, `to` what it leads to; the numbers are seats. A
    rewind is proposed by a moderator, not by a seat."""

    kind: str
    to: str
    number: int
    by: int | None
    agreed: list[int]
    declined: list[int]
    until: datetime


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
