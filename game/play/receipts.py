"""A seat's draft and its receipt in the open phase."""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b
from typing import Any

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from game.boards.shapes import Received
from game.boards.submissions import requests_shown
from game.infra.compiled import CompiledQuery
from game.infra.idempotency import fingerprint_of
from game.store.game import Game, Seat
from game.store.log import Draft, LoggedAction
from game.store.readers import SeatRow

DRAFT_COLUMNS = ("pk", "content", "saved_at")


@CompiledQuery
def _drafts(seat: int, user: int, serial: int) -> QuerySet[Draft, Any]:
    return Draft.objects.of_player(seat=seat, user=user, serial=serial).values_list(*DRAFT_COLUMNS)[:1]


@CompiledQuery
def _drafts_and_receipts(seat: int, user: int, serial: int) -> QuerySet[Seat, Any]:
    """A seat's draft and last submission in a phase, in one query; being ready alone gives no receipt."""
    drafts = Draft.objects.of_player(seat=seat, user=user, serial=serial)
    submissions = LoggedAction.objects.filter(
        game_id=OuterRef("game_id"), seat=OuterRef("number"), serial=serial
    ).order_by("-number")
    submissions = submissions.exclude(token="").exclude(
        fingerprint__in=[fingerprint_of([{"kind": "ready", "on": on}]) for on in (True, False)]
    )
    columns = [
        rows.values(name)[:1]
        for rows, names in ((drafts, DRAFT_COLUMNS), (submissions, ("at", "fingerprint")))
        for name in names
    ]
    seats = Seat.objects.filter(pk=seat, user_id=user)
    return seats.values_list(*(Subquery(column) for column in columns))


def draft_of(*, game: Game, seat: Seat | SeatRow | None) -> Draft | None:
    """The seat's draft for the open phase; None once somebody else has the seat."""
    if seat is None or seat.user_id is None or not game.is_running:
        return None
    rows = _drafts.rows(seat.pk, seat.user_id, game.phase_serial)
    return _build_draft(game, *rows[0]) if rows else None


def own_of(*, game: Game, seat: SeatRow | None, has_sent: bool) -> tuple[Draft | None, Received | None]:
    """The seat's draft and the receipt of its last submission, both of the open phase; nothing once somebody else has
    the seat."""
    if seat is None or seat.user_id is None or not game.is_running or not has_sent:
        return draft_of(game=game, seat=seat), None
    rows = _drafts_and_receipts.rows(seat.pk, seat.user_id, game.phase_serial)
    if not rows:
        return None, None
    pk, content, saved_at, at, fingerprint = rows[0]
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
