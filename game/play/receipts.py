"""A seat's draft and its receipt in the open phase, and repeated log notes about one seat, which become one line with a
counter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from hashlib import blake2b
from typing import Any

from django.db import connection
from django.db.models import OuterRef, Subquery

from game.boards.shapes import Received
from game.boards.submissions import requests_shown
from game.infra.compiled import PlannedQuery, parameter
from game.infra.idempotency import fingerprint_of
from game.live import announce
from game.play import clocks
from game.store import log_notes
from game.store.game import Game, Seat
from game.store.log import Draft, Kind, LoggedAction
from game.store.readers import SeatRow

DRAFT_COLUMNS = ("pk", "content", "saved_at")


@cache
def _drafts() -> PlannedQuery:
    drafts = Draft.objects.in_time().filter(seat_id=parameter(0), serial=parameter(1)).order_by(*Draft.NEWEST)
    return PlannedQuery(drafts.values_list(*DRAFT_COLUMNS)[:1])


@cache
def _drafts_and_receipts() -> PlannedQuery:
    """A seat's draft and last submission in a phase, in one query; being ready alone gives no receipt."""
    drafts = Draft.objects.in_time().filter(seat_id=OuterRef("pk"), serial=parameter(1)).order_by(*Draft.NEWEST)
    submissions = LoggedAction.objects.filter(
        game_id=OuterRef("game_id"), seat=OuterRef("number"), serial=parameter(1)
    ).order_by("-number")
    submissions = submissions.exclude(token="").exclude(
        fingerprint__in=[fingerprint_of([{"kind": "ready", "on": on}]) for on in (True, False)]
    )
    columns = [
        rows.values(name)[:1]
        for rows, names in ((drafts, DRAFT_COLUMNS), (submissions, ("at", "fingerprint")))
        for name in names
    ]
    return PlannedQuery(Seat.objects.filter(pk=parameter(0)).values_list(*(Subquery(column) for column in columns)))


def draft_of(*, game: Game, seat: Seat | SeatRow | None) -> Draft | None:
    """The seat's draft for the open phase."""
    if seat is None or not game.is_running:
        return None
    rows = _drafts()(seat.pk, game.phase_serial)
    return _build_draft(game, *rows[0]) if rows else None


def own_of(*, game: Game, seat: SeatRow | None, has_sent: bool) -> tuple[Draft | None, Received | None]:
    """The seat's draft and the receipt of its last submission, both of the open phase."""
    if seat is None or not game.is_running or not has_sent:
        return draft_of(game=game, seat=seat), None
    pk, content, saved_at, at, fingerprint = _drafts_and_receipts()(seat.pk, game.phase_serial)[0]
    draft = _build_draft(game, pk, content, saved_at) if pk else None
    return draft, Received(at, receipt_number(seat.pk, at, fingerprint)) if at else None


def _build_draft(game: Game, pk: int, content: Any, saved_at: datetime) -> Draft | None:
    """A draft with the content that the open phase's form shows; None if the phase does not accept it."""
    form_content = requests_shown(game.rules, game.phase, content)
    if form_content is None:
        return None
    return Draft.from_db(connection.alias, ("id", "content", "saved_at"), (pk, form_content, saved_at))


def receipt_number(seat: int, at: datetime, fingerprint: str) -> str:
    """Four hex digits derived from seat, time and contents. They reveal nothing about other submissions."""
    return blake2b(f"{seat}/{at.timestamp()}/{fingerprint}".encode(), digest_size=2).hexdigest().upper()


TIMES = re.compile(r"(?P<sentence>.+) \((?P<times>\d+) times\)")


def note_on_log(*, game: Game, kind: Kind, note: str, seat: int | None = None) -> None:
    """Like `clocks.note_on_log`, but a note that repeats one about the same seat (or about none) in this phase, with or
    without other lines between, is counted: a second line says how often. The caller saves the game."""
    same_kind = game.log.filter(kind=kind, seat=seat, branch=game.branch, serial=game.phase_serial).exclude(note="")
    entries = list(same_kind.only("note", "at").order_by("number"))
    counters = [line for line in entries if _split_count(line)[1] > 1]
    index = next((index for index, line in enumerate(counters) if _split_count(line)[0] == note), None)
    if index is not None:
        _count_again(game, counters[index:])
    elif any(_split_count(line)[0] == note for line in entries):
        clocks.note_on_log(game=game, kind=kind, seat=seat, note=log_notes.REPEATED.format(sentence=note, times=2))
    else:
        clocks.note_on_log(game=game, kind=kind, seat=seat, note=note)


def _count_again(game: Game, entries: Sequence[LoggedAction]) -> None:
    """Increase the counter of the first of these entries and move it behind the others, so that the seat's last action
    is read last. Announce it like a new entry."""
    game.version += 1
    sentence, times = _split_count(entries[0])
    rest = [(line.note, line.at) for line in entries[1:]]
    for line, (note, at) in zip(
        entries, [*rest, (log_notes.REPEATED.format(sentence=sentence, times=times + 1), game.now)], strict=True
    ):
        line.note, line.at, line.version = note, at, game.version
        line.save(update_fields=["note", "at", "version"])
    announce.game_changed(game)


def _split_count(entry: LoggedAction) -> tuple[str, int]:
    """A note without its counter, and the counter."""
    match = TIMES.fullmatch(entry.note)
    return (match["sentence"], int(match["times"])) if match else (entry.note, 1)
