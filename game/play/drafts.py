"""Drafts: what a person has begun to decide, kept outside the game's state until it is submitted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F

from game.boards.drafts import AT_ONCE
from game.engine import referee
from game.engine.actions import Action, Ready, Refused
from game.engine.language import say
from game.engine.position import AnyPosition
from game.engine.requests import request_of
from game.play import authority, failures, not_running
from game.play.late import TooLate, is_late
from game.store.game import Game, Seat
from game.store.locking import lock
from game.store.log import Draft, LoggedAction
from game.store.rule_limits import Budget

LARGEST = 40
Requests = list[dict[str, Any]]


class Seen(NamedTuple):
    """A game's position as it was unpacked for the page, and the length of the log then."""

    entries: int
    position: AnyPosition


def save_draft(*, seat: Seat, serial: int, requests: Requests, token: str = "", seen: Seen | None = None) -> None:
    """Keep what the seat would submit in this phase, if the rules would accept it now: an earlier valid draft is never
    replaced by one that is not. Raises `Refused`, and after the deadline `TooLate`: then the draft is kept beside the
    earlier one. `token` is the form's: a draft that arrives after its own form was submitted is dropped. `seen` saves
    unpacking the position again if nothing has happened since. `seat` is as its player read it: whoever has it by now
    is not concerned."""
    if len(requests) > LARGEST:
        raise Refused("A draft holds up to {most} requests.", most=LARGEST, code="too_many_requests")
    with failures.asking(game_id=seat.game_id):
        late = _save(seat, serial, requests, token, seen)
    if late:
        raise late


@transaction.atomic
def keep_late(*, game_id: int, seat_number: int, user_id: int | None, late: TooLate) -> None:
    """Keep what was submitted after the deadline: it counts once the deadline has moved past its arrival. Nothing is
    kept where the seat has changed hands since."""
    lock(game_id)
    seat = Seat.objects.filter(game=game_id, number=seat_number).first()
    if seat is not None and user_id in {None, seat.user_id}:
        sent = Draft.objects.filter(seat=seat, serial=late.serial, is_sent=True)
        sent.filter(saved_at__gt=late.deadline).delete()
        Draft.objects.create(seat=seat, serial=late.serial, content=late.kept, saved_at=late.at, is_sent=True)


def discard_draft(*, seat: Seat, serial: int) -> None:
    """Forget what the seat has saved in a phase. Raises `TooLate` after the deadline: what was in time then stays."""
    if late := _discard(seat, serial):
        raise late


def forget_drafts(*, game: Game, seat_number: int, serial: int) -> None:
    """Forget everything that a seat of a locked game has saved in a phase."""
    seats = Seat.objects.filter(game=game, number=seat_number)
    if Draft.objects.filter(seat__in=seats, serial=serial).delete()[0]:
        seats.update(version=F("version") + 1)


def kept_of(actions: Iterable[Action]) -> Requests:
    """What is kept of a submission that came too late, as requests: all but to be ready."""
    return [request_of(action) for action in actions if not isinstance(action, Ready)]


def _check(game: Game, seat: int, requests: Requests, seen: Seen | None) -> None:
    """Whether the rules would take the requests now. Raises `Refused`."""
    position = seen.position if seen and seen.entries == game.entries else game.load_position()
    for request in requests:
        action = game.rules.parse(request, seat)
        if isinstance(action, AT_ONCE):
            raise Refused(
                "A draft holds what is to be decided; “{action}” cannot be saved in it.",
                code="not_in_a_draft",
                field="kind",
                action=say(action.title),
            )
        referee.check(game.rules, position, action)


@transaction.atomic
def _save(seat: Seat, serial: int, requests: Requests, token: str, seen: Seen | None) -> TooLate | None:
    """Save the draft; returns what to refuse where it came too late to count."""
    game = _lock(seat)
    arrived = game.now
    not_running.check(game)
    if game.phase_serial != serial:
        raise Refused("That phase has closed, so this draft was not saved.", code="phase_closed")
    if str(seat.number) in game.keepers:
        raise Refused(
            "The caretaker plays this seat, so this draft was not saved. Take your seat back first.",
            code="caretaker_plays",
        )
    if _is_sent(seat, serial, token):
        return None
    Budget().run(_check, game, seat.number, requests, seen)
    earlier, is_kept_late = Draft.objects.filter(seat=seat, serial=serial, is_sent=False), is_late(game, arrived)
    (earlier.filter(saved_at__gt=game.deadline_at) if is_kept_late else earlier).delete()
    Draft.objects.create(seat=seat, serial=serial, content=requests, saved_at=arrived)
    _show_its_owner(seat)
    return TooLate(game, seat.number, at=arrived, is_kept=True) if is_kept_late else None


@transaction.atomic
def _discard(seat: Seat, serial: int) -> TooLate | None:
    """Forget the drafts; after the deadline an empty one takes the place of what came late."""
    game, saved = _lock(seat), Draft.objects.filter(seat=seat, serial=serial)
    arrived = game.now
    if game.phase_serial != serial or not is_late(game, arrived):
        forget_drafts(game=game, seat_number=seat.number, serial=serial)
        return None
    saved.filter(saved_at__gt=game.deadline_at).delete()
    saved.create(seat=seat, serial=serial, content=[], saved_at=arrived)
    return TooLate(game, seat.number, at=arrived, is_kept=False)


def _lock(seat: Seat) -> Game:
    """The locked game in which whoever asks still has this seat: its `now` is when they asked. A submission of the same
    form that runs at the same time finds the draft to forget, or is found. Raises `Refused`."""
    game = lock(seat.game_id)
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    authority.seat_of(game, seat.user_id, seat.number)
    return game


def _is_sent(seat: Seat, serial: int, token: str) -> bool:
    """Whether the form was submitted."""
    sent = LoggedAction.objects.filter(game=seat.game_id, seat=seat.number, serial=serial, token=token)
    return bool(token) and sent.exists()


def _show_its_owner(seat: Seat) -> None:
    """The seat's own pages show something new."""
    Seat.objects.filter(pk=seat.pk).update(version=F("version") + 1)
