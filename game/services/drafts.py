"""Drafts: what a person has begun to decide, kept outside the game's state until it is sent."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from game.engine.actions import Refused
from game.models import Draft, Game, LoggedAction, Seat

LARGEST = 40


@transaction.atomic
def save_draft(*, seat: Seat, serial: int, requests: list[dict[str, Any]], token: str = "") -> None:
    """Keep what the seat would send in this phase, if the rules would take it now: an earlier valid draft is never lost
    to one that could not run. Raises `Refused`.

    `token` is the form's: a draft that arrives after its own form was submitted is dropped."""
    if len(requests) > LARGEST:
        raise Refused(f"A draft holds up to {LARGEST} requests.")
    game = Game.objects.filter(pk=seat.game_id, status="running", phase_serial=serial).first()
    if game is None:
        raise Refused("The phase you were deciding in has closed; this draft was not kept.")
    if _is_sent(seat, serial, token):
        return
    position = game.load_position()
    for request in requests:
        game.rules.parse(request, seat.number).check(position.state)
    Draft.objects.update_or_create(seat=seat, serial=serial, defaults={"content": requests, "saved_at": Now()})
    Seat.objects.filter(pk=seat.pk).update(version=F("version") + 1)


def _is_sent(seat: Seat, serial: int, token: str) -> bool:
    """Whether the form was submitted; locks the seat first, so that one submitted meanwhile finds the draft to forget."""
    Seat.objects.select_for_update().get(pk=seat.pk)
    sent = LoggedAction.objects.filter(game=seat.game_id, seat=seat.number, serial=serial, token=token)
    return bool(token) and sent.exists()


def drop_draft(*, seat: Seat, serial: int) -> None:
    """Forget the seat's draft of a phase."""
    Draft.objects.filter(seat=seat, serial=serial).delete()
    Seat.objects.filter(pk=seat.pk).update(version=F("version") + 1)
