"""Resign a seat, and take over one that was resigned or long abandoned. The caretaker plays a resigned seat at once,
and it is placed below all others unless another player takes it over (P-16). In a game by invitation a takeover needs
an invitation by name or the link, which its players see while a seat is free. When the caretaker plays for an absent
player is in `game.play.attendance`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from accounts.models import User
from game.bots import accounts
from game.deadlines.reliability_model import RESIGNING, weight_of
from game.engine import progress
from game.engine.actions import Refused
from game.engine.language import mark
from game.outbox import notices
from game.play import authority, late, moves
from game.play.proposals import UNDER_WAY
from game.reputation import bans, households, ratings, reliability, unlocks
from game.seats import handover
from game.store import eyes
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Notice
from game.store.log_notes import Sentence
from game.store.readers import find_seat
from game.store.seat_models import Tenure

LONG_AWAY = {False: timedelta(minutes=15), True: timedelta(days=2)}
"""After this absence a seat is free, by whether the game is slow."""


def is_free(game: Game, seat: Seat, now: datetime) -> bool:
    """True if the seat is free: its player resigned, or has been away for long, and neither the rules nor the players
    have put it out of the game. A lent seat returns to its player. Who is banned is asked by `free_among`."""
    if game.status != Status.RUNNING and not (game.status == Status.PAUSED and game.deserted_at is not None):
        return False
    if seat.bot or not seat.keeper or seat.left_at is None or game.has_stand_in(seat.number):
        return False
    if game.seat_states[seat.number : seat.number + 1] == [progress.OUT]:
        return False
    return seat.keeper == Keeper.RESIGNED or now - seat.left_at >= LONG_AWAY[game.is_slow]


def may_share_link(game: Game, user: User) -> bool:
    """True if a person may pass on the link of a game: its host, and its players while a seat is free."""
    seats = list(game.seats.all())
    if authority.is_host(game, user, seats):
        return True
    sits = any(seat.user_id == user.pk and seat.keeper != Keeper.RESIGNED for seat in seats)
    return sits and not game.is_open and bool(free_among(game, seats))


def has_free_seat(game: Game) -> bool:
    """True if a running game has a free seat."""
    return bool(free_among(game, game.seats.all()))


def free_among(game: Game, seats: Iterable[Seat]) -> list[Seat]:
    """Those of a game's seats that others may take over."""
    free = [seat for seat in seats if is_free(game, seat, game.now)]
    if all(seat.keeper == Keeper.RESIGNED for seat in free):
        return free
    of_banned = set(game.seats.filter(bans.seats_kept_for_the_banned()).values_list("number", flat=True))
    return [seat for seat in free if seat.number not in of_banned]


def why_not(*, game: Game, user: User, token: str = "") -> str:
    """Why a person may not take over a free seat of this game; empty if they may."""
    try:
        _check_person(game, user, token)
    except Refused as refused:
        return str(refused)
    return ""


@transaction.atomic
def take_seat(*, game_id: int, user: User, number: int, token: str = "") -> Seat:
    """Take over a free seat; `token` is from the link of a game by invitation. A second call changes nothing. Raises
    `Refused`."""
    game = moves.lock(game_id)
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    own_seat = game.seats.filter(number=number, user=user, keeper="").first()
    if own_seat is not None:
        return own_seat
    _check_person(game, user, token)
    seat = find_seat(game, number)
    if not free_among(game, [seat]):
        raise Refused("This seat is no longer free. Choose another game.", code="seat_taken")
    _check_no_sanction(seat, user)
    if user.is_bot:
        ratings.check_bots(game)
    reliability.check_reliability(game=game, user=user)
    unlocks.check(game=game, user=user)
    name = accounts.check_seat(game=game, user=user)
    authority.check_limits(user)
    reliability.check_newcomer(user)
    _assign_seat(game, seat, user, name)
    return seat


def _check_no_sanction(seat: Seat, user: User) -> None:
    """Check that nobody takes the hidden hand of a player whom they kept from playing. Raises `Refused`."""
    if bans.has_freed(user, seat):
        raise Refused(
            "A moderator who decided about the player of this seat cannot take it, nor can their bots or those who "
            "share a home with them.",
            code="cannot_take",
        )


@transaction.atomic
def resign(*, game_id: int, user: User) -> None:
    """Resign one's seat; a second call changes nothing. Raises `Refused`."""
    game = moves.lock(game_id)
    seat = game.seats.select_related("user").filter(user=user).first() if game else None
    if game is None or seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    if seat.keeper == Keeper.RESIGNED:
        return
    check_may_resign(game, user)
    note = Sentence.RESIGNED(name=seat.shown_name)
    if game.is_open and any(number != seat.number for number in game.present_seats):
        # Leaving an open game that others continue weighs like some missed decisions, without being one.
        weight = F("missed_weight") + RESIGNING * weight_of(game.now.date())
        Tenure.objects.filter(game=game, number=seat.number, ended_at=None).update(missed_weight=weight)
    handover.give_up(game=game, seat=seat, user_id=user.pk, note=note, end=Tenure.End.RESIGNED)


def check_may_resign(game: Game, user: User) -> None:
    """Check that this person may resign in this game. Raises `Refused`."""
    if game.status == Status.WAITING:
        raise Refused("This game has not started yet. You can leave it from its page.", code="not_started")
    if game.status not in UNDER_WAY:
        raise Refused(late.why_not_running(game), code="not_running")
    if game.seat_stood_in_by(user.pk) is not None:
        raise Refused(
            "You play this seat for its player. Give it back instead: only they can resign.", code="not_yours"
        )


def _check_person(game: Game, user: User, token: str) -> None:
    """Check that a person may take over a seat; `token` is from the link of a game by invitation. Raises `Refused`."""
    if reason := _why_never(game, user):
        raise Refused(reason, code="cannot_take")
    eyes.check_admission(game=game, user=user, token=token)


def _why_never(game: Game, user: User) -> str:
    """Why a person may not play, with or without an invitation: nobody may use what they saw in the game, and guests do
    not play with people."""
    if user.is_guest:
        return authority.BOTS_ALONE
    if game.seats.filter(user=user).exclude(keeper=Keeper.RESIGNED).exists():
        return mark("You already play in this game.")
    if eyes.is_removed(game_id=game.pk, user_id=user.pk):
        return eyes.REMOVED
    return _why_not_after_seeing(game, user) or households.why_not(game=game, user_id=user.pk)


def _why_not_after_seeing(game: Game, user: User) -> str:
    if any(rows.filter(user=user).exists() for rows in (game.seats, game.tenures, game.stand_ins)):
        return mark("You have already had a seat in this game, so you cannot take another one.")
    if bans.has_read(game, user):
        return mark(
            "Moderators who could read what is hidden in this game cannot take a seat in it, nor can their bots or "
            "those who share a home with them."
        )
    return ""


def _assign_seat(game: Game, seat: Seat, user: User, name: str) -> None:
    previous_name, owner = seat.shown_name, seat.user_id if seat.keeper == Keeper.AWAY else None
    seat.user, seat.bot, seat.name = user, "", name
    note = Sentence.TAKEN_OVER(name=user, was=previous_name)
    game.invitees.filter(user=user).delete()
    handover.change_hands(game=game, seat=seat, user_id=user.pk, note=note, end=Tenure.End.REPLACED)
    notices.notify_new_owner(game=game, seat=seat)
    if owner is not None:
        kind, serial = Notice.Kind.REPLACED, game.phase_serial
        notices.notify(game=game, people=[(seat, owner)], kind=kind, serial=serial, is_mailed=game.is_slow)
