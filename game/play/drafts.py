"""Drafts: unsubmitted decisions, stored outside the game's state. At the deadline, the last valid draft of each player
who submitted nothing is submitted."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F

from game.boards.submissions import AT_ONCE
from game.engine import referee
from game.engine.actions import Action, Ready, Refused
from game.engine.language import say
from game.engine.position import AnyPosition
from game.engine.requests import request_of
from game.play import authority, failures
from game.play.batch import ClosingBatch, SavedDraft
from game.play.late import TooLate, check_running, is_late
from game.play.transactions import GameTransaction, ResolutionError
from game.store.game import Game, Seat
from game.store.log import Draft, Kind, LoggedAction
from game.store.readers import lock
from game.store.rule_limits import Budget

MOST_REQUESTS = 40
Requests = list[dict[str, Any]]


class Seen(NamedTuple):
    """A game's position as unpacked for the page, and the length of the log at that time."""

    entries: int
    position: AnyPosition


def save_draft(*, seat: Seat, serial: int, requests: Requests, token: str = "", seen: Seen | None = None) -> None:
    """Store a seat's draft for this phase if the rules would accept it now, so an invalid draft never replaces a valid
    one. Raises `Refused`, and after the deadline `TooLate`: then the draft is stored in addition to the earlier one.
    `token` is the form's: a draft that arrives after its own form was submitted is dropped. `seen` saves unpacking the
    position again if nothing has happened since. `seat` is as its player read it; a later player of the seat is not
    affected."""
    if len(requests) > MOST_REQUESTS:
        raise Refused("A draft holds up to {most} requests.", most=MOST_REQUESTS, code="too_many_requests")
    with failures.as_refusals(game_id=seat.game_id):
        late = _save(seat, serial, requests, token, seen)
    if late:
        raise late


@transaction.atomic
def keep_late(*, game_id: int, seat_number: int, user_id: int | None, late: TooLate) -> None:
    """Store a late submission as a draft: it counts if the deadline moves past its arrival. Does nothing if the seat
    has changed hands since."""
    lock(game_id)
    seat = Seat.objects.filter(game=game_id, number=seat_number).first()
    if seat is not None and user_id in {None, seat.user_id}:
        late_drafts = Draft.objects.filter(seat=seat, serial=late.serial, is_sent=True)
        late_drafts.filter(saved_at__gt=late.deadline).delete()
        Draft.objects.create(seat=seat, serial=late.serial, content=late.requests, saved_at=late.at, is_sent=True)


def discard_draft(*, seat: Seat, serial: int) -> None:
    """Delete the seat's drafts in a phase. Raises `TooLate` after the deadline: drafts saved in time then stay."""
    if late := _discard(seat, serial):
        raise late


def forget_drafts(*, game: Game, seat_number: int, serial: int) -> None:
    """Delete all drafts of a seat of a locked game in a phase."""
    seats = Seat.objects.filter(game=game, number=seat_number)
    if Draft.objects.filter(seat__in=seats, serial=serial).delete()[0]:
        seats.update(version=F("version") + 1)


def requests_for_draft(actions: Iterable[Action]) -> Requests:
    """The requests of a late submission that are stored as a draft: all but being ready."""
    return [request_of(action) for action in actions if not isinstance(action, Ready)]


def _check(game: Game, seat: int, requests: Requests, seen: Seen | None) -> None:
    """Check that the rules would accept the requests now. Raises `Refused`."""
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
    """Save the draft. Returns the refusal if it came too late to count."""
    game = _lock(seat)
    arrived = game.now
    check_running(game)
    if game.phase_serial != serial:
        raise Refused("That phase has closed, so this draft was not saved.", code="phase_closed")
    if str(seat.number) in game.keepers:
        raise Refused(
            "The caretaker plays this seat, so this draft was not saved. Take your seat back first.",
            code="caretaker_plays",
        )
    submissions = LoggedAction.objects.filter(game=seat.game_id, seat=seat.number, serial=serial, token=token)
    if token and submissions.exists():
        return None
    Budget().run(_check, game, seat.number, requests, seen)
    earlier, is_stored_late = Draft.objects.filter(seat=seat, serial=serial, is_sent=False), is_late(game, arrived)
    (earlier.filter(saved_at__gt=game.deadline_at) if is_stored_late else earlier).delete()
    Draft.objects.create(seat=seat, serial=serial, content=requests, saved_at=arrived)
    Seat.objects.filter(pk=seat.pk).update(version=F("version") + 1)  # the seat's own pages reload
    return TooLate(game, seat.number, at=arrived, is_stored=True) if is_stored_late else None


@transaction.atomic
def _discard(seat: Seat, serial: int) -> TooLate | None:
    """Delete the drafts; after the deadline an empty draft replaces the late ones."""
    game, stored = _lock(seat), Draft.objects.filter(seat=seat, serial=serial)
    arrived = game.now
    if game.phase_serial != serial or not is_late(game, arrived):
        forget_drafts(game=game, seat_number=seat.number, serial=serial)
        return None
    stored.filter(saved_at__gt=game.deadline_at).delete()
    stored.create(seat=seat, serial=serial, content=[], saved_at=arrived)
    return TooLate(game, seat.number, at=arrived, is_stored=False)


def _lock(seat: Seat) -> Game:
    """Lock the game and check that the player still has this seat; `now` is the time of the request. Of a draft and a
    concurrent submission of the same form, the one that gets the lock second sees the other. Raises `Refused`."""
    game = lock(seat.game_id)
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    authority.seat_of(game, seat.user_id, seat.number)
    return game


def submit_drafts(change: GameTransaction, batch: ClosingBatch) -> frozenset[int]:
    """Submit people's unsubmitted drafts for the open phase, each completely or not at all. Returns the seats that had
    saved one in time."""
    game, owners = change.game, set()
    people = [seat for seat in range(len(game.seat_states)) if not game.is_played_for(seat)]
    for number, own in groupby(batch.drafts_of(game, people), attrgetter("seat")):
        owners.add(number)
        draft = _find_draft(change, number, own) if _plays_draft_of(change, number) else None
        if draft is not None:
            _submit(change, number, draft.content)
    return frozenset(owners)


def _plays_draft_of(change: GameTransaction, seat: int) -> bool:
    """In turns, actions take effect at once: a draft is submitted later only where the phase says so, and only that of
    the seat whose turn it is."""
    if not change.is_in_turns:
        return True
    phase = referee.phase_of(change.rules, change.position)
    return phase is not None and phase.plays_drafts and change.game.seat_states[seat] == "untouched"


def _find_draft(change: GameTransaction, seat: int, newest_first: Iterable[SavedDraft]) -> SavedDraft | None:
    """The newest draft of a player who submitted nothing. For other players only a submission that was too late for a
    deadline that has since moved, unless they submitted something after it."""
    if change.game.seat_states[seat] == "untouched":
        return next(iter(newest_first))
    draft = next((draft for draft in newest_first if draft.is_sent), None)
    if draft is None:
        return None
    submissions = LoggedAction.objects.filter(
        game=change.game, serial=change.serial, seat=seat, kind=Kind.SUBMIT, at__gte=draft.saved_at
    )
    return None if submissions.exists() else draft


def _submit(change: GameTransaction, seat: int, content: object) -> None:
    """Submit a draft. Ignore it if the rules now refuse it or fail on it: a draft never stops a phase from closing."""
    serial, undo_point = change.serial, change.undo_point()
    try:
        for request in content if isinstance(content, list) else []:
            action = change.parse(request, seat)
            # Ready would close the phase before the next person's draft.
            is_ready = isinstance(request, dict) and request.get("kind") == "ready"
            if change.serial == serial and not is_ready:
                change.take(action, kind=Kind.DRAFT)
    except Refused:
        change.roll_back(undo_point)
    except ResolutionError as error:
        if error.in_closing:
            raise
        change.roll_back(undo_point)
        failures.note_broken(game_id=change.game.pk, error=error)
