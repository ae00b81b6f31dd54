"""What moderators may do to a seat: hand it to a bot or to another person, let a stand-in play it for its player,
excuse a missed decision."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from game.bots import accounts
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import interventions
from game.moderation.approvals import Approval
from game.moderation.interventions import Seen, find_person, lock_for_moderator, note_of, record, save_note
from game.outbox import notices
from game.play import authority, tenures
from game.reputation import bans, households, reliability
from game.seats import handover, stand_ins
from game.seats.stand_ins import settle
from game.store import account_locks, eyes
from game.store.game import BEGUN, Game, Keeper, Seat, Status
from game.store.log_notes import Sentence
from game.store.moderation_models import Intervention
from game.store.readers import find_seat, free_bot_name, seats_of
from game.store.seat_models import StandIn, Tenure

MOST_DAYS = 14


@transaction.atomic
def set_stand_in(  # noqa: PLR0913  (all that two moderators agree on)
    *,
    game_id: int,
    moderator: User,
    reason: str,
    seen: interventions.Seen,
    seat_number: int,
    username: str,
    days: int,
    receiver: int | None = None,
    approval: Approval | None = None,
) -> None:
    """Let somebody play a seat for its player for 1 to 14 days, with approval; `receiver` is the key of the account
    that had the name when it was asked for. Raises `Refused`."""
    if not 1 <= days <= MOST_DAYS:
        raise Refused(
            f"A seat can be played for its player for 1 to {MOST_DAYS} days, not for {days}.",
            code="wrong_length", field="days",
        )  # fmt: skip
    arguments = {"seat_number": seat_number, "username": username, "days": days, "receiver": receiver}
    intervention = Intervention.SET_PROXY
    game = interventions.lock_for_moderator(
        intervention, game_id, moderator, reason, seen, *BEGUN, approval=approval, **arguments
    )
    seat, user = find_seat(game, seat_number), interventions.find_person(username, receiver)
    _check_seat(game, seat)
    _check_person(game, seat_number, user)
    check_bots(game, seat_number, user)
    check_household(game, user, plays_for=seat.user_id)
    owner, until = seat.shown_name, game.now + timedelta(days=days)
    stand_in = StandIn.objects.create(game=game, number=seat_number, owner=seat.user, user=user, until=until)
    tenures.seat_stand_in(stand_in)
    day = f"{stand_in.until:%Y-%m-%d}"
    interventions.save_note(game, moderator, Sentence.PROXY_SET, reason, name=user, was=owner, until=day)
    settle(game, seat_number)
    stand_ins.notify_begin(stand_in)
    interventions.record(
        game, moderator, intervention, reason, seat=seat_number, was=owner, user=user.username, days=days
    )


@transaction.atomic
def end_stand_in(*, game_id: int, moderator: User, reason: str, seen: interventions.Seen, seat_number: int) -> None:
    """Return a seat to its owner early. Raises `Refused`."""
    game = interventions.lock_for_moderator(
        Intervention.END_PROXY, game_id, moderator, reason, seen, *BEGUN, seat_number=seat_number
    )
    seat = find_seat(game, seat_number)
    if not game.has_stand_in(seat_number):
        raise Refused(f"Nobody plays seat {seat_number + 1} for somebody else.", code="no_proxy", field="seat_number")
    name = seat.shown_name
    stand_in = tenures.return_seat(game, seat_number, StandIn.End.MODERATOR)
    owner = find_seat(game, seat_number).shown_name
    interventions.save_note(game, moderator, Sentence.PROXY_ENDED, reason, name=name, was=owner)
    settle(game, seat_number)
    stand_ins.notify_end(stand_in, StandIn.End.MODERATOR)
    interventions.record(game, moderator, Intervention.END_PROXY, reason, seat=seat_number, was=name, user=owner)


@transaction.atomic
def hand_seat_to_bot(
    *, game_id: int, moderator: User, reason: str, seen: Seen, seat_number: int, approval: Approval | None = None
) -> None:
    """Give a player's seat to a bot, permanently; in a rated game with approval. Raises `Refused`."""
    intervention = Intervention.HAND_SEAT_TO_BOT
    game = lock_for_moderator(
        intervention, game_id, moderator, reason, seen, *BEGUN, approval=approval, seat_number=seat_number
    )
    seat = find_seat(game, seat_number)
    if seat.bot:
        raise Refused(f"Seat {seat_number + 1} already has a bot.", code="is_a_bot")
    _check_no_stand_in(game, seat)
    former_name = seat.shown_name
    seat_a_bot(game, seat, moderator, reason)
    record(game, moderator, Intervention.HAND_SEAT_TO_BOT, reason, seat=seat_number, was=former_name)


@transaction.atomic
def hand_seat_to_user(
    *,
    game_id: int,
    moderator: User,
    reason: str,
    seen: Seen,
    seat_number: int,
    username: str,
    receiver: int | None = None,
    approval: Approval | None = None,
) -> None:
    """Give a seat to another person, with approval; `receiver` is the key of the account that had the name when it was
    asked for. Raises `Refused`."""
    arguments = {"seat_number": seat_number, "username": username, "receiver": receiver}
    game = lock_for_moderator(
        Intervention.HAND_SEAT_TO_USER, game_id, moderator, reason, seen, *BEGUN, approval=approval, **arguments
    )
    seat, user = find_seat(game, seat_number), find_person(username, receiver)
    _check_no_stand_in(game, seat)
    if game.seats.filter(user=user).exists() or game.seat_owned_by(user.pk) is not None:
        raise Refused(f"{user} already plays in this game.", code="plays_there_already")
    _check_other_hands(game, seat_number, user)
    check_has_not_read(game, user)
    check_may_play(game, user)
    check_bots(game, seat_number, user)
    check_household(game, user)
    former_name = seat.shown_name
    seat.user, seat.bot, seat.name = user, "", ""
    _change_hands(game, seat, moderator, Sentence.GAVE_SEAT, reason, was=former_name, name=user)
    notices.notify_new_owner(game=game, seat=seat)
    record(
        game, moderator, Intervention.HAND_SEAT_TO_USER, reason, seat=seat_number, was=former_name, user=user.username
    )


@transaction.atomic
def excuse_miss(*, game_id: int, moderator: User, reason: str, seen: Seen, seat_number: int) -> None:
    """Count the last missed decision of the current player as excused. Raises `Refused`."""
    game = lock_for_moderator(
        Intervention.EXCUSE_MISS, game_id, moderator, reason, seen, *BEGUN, Status.FINISHED, seat_number=seat_number
    )
    seat = find_seat(game, seat_number)
    tenure = game.tenures.filter(number=seat_number, user=seat.user_id, ended_at=None).exclude(user=None).first()
    if tenure is None or not tenure.missed:
        raise Refused(f"{seat.shown_name} has missed nothing in this game.", code="nothing_missed")
    tenures.excuse(tenure)
    save_note(game, moderator, Sentence.MISS_EXCUSED, reason, name=seat.shown_name)
    record(game, moderator, Intervention.EXCUSE_MISS, reason, seat=seat_number, user=seat.shown_name)


def seat_a_bot(game: Game, seat: Seat, moderator: User, reason: str) -> None:
    """Give a seat of a locked game to a bot."""
    former_name, name = seat.shown_name, free_bot_name(seats_of(game))
    seat.user, seat.bot, seat.name = None, lobby.HOUSE, name
    _change_hands(game, seat, moderator, Sentence.GAVE_SEAT_TO_BOT, reason, was=former_name, name=name)


def check_has_not_read(game: Game, user: User) -> None:
    """Check that the new player could not read what is sealed in this game. Raises `Refused`."""
    if bans.has_read(game, user):
        raise Refused(
            f"{user}, or somebody they share a home with, could read the sealed orders and hands of this game as a "
            "moderator. Choose another person.",
            code="has_read_secrets",
            field="username",
        )


def check_may_play(game: Game, user: User) -> None:
    """Check that the account is still open, and that neither the host nor a moderator excluded this person. Raises
    `Refused`."""
    account_locks.lock_accounts(user)
    if not user.is_active:
        raise Refused(f"The account of {user} is closed.", code="no_such_account", field="username")
    if eyes.is_removed(game_id=game.pk, user_id=user.pk):
        raise Refused(f"The host removed {user} from this game.", code="was_sent_away", field="username")
    if account_locks.ban_of(user) is not None:
        raise Refused(f"{user} is banned.", code="barred", field="username")
    if bans.join_ban_of(user) is not None:
        raise Refused(f"{user} cannot join games: a moderator decided so.", code="barred", field="username")


def check_bots(game: Game, number: int, user: User) -> None:
    """Check that the new player has no bot of their own in the game. Raises `Refused`."""
    if accounts.has_bot_at(game=game, owner=user, besides=number):
        raise Refused(
            f"A bot of {user} plays or played in this game. Choose another person.",
            code="own_bot_sits",
            field="username",
        )


def check_household(game: Game, user: User, *, plays_for: int | None = None) -> None:
    """Check that the new player of a rated game shares no home with others there. Raises `Refused`."""
    if households.why_not(game=game, user_id=user.pk, plays_for=plays_for):
        raise Refused(
            f"{user} shares a home or a connection with somebody who plays or played in this rated game. "
            "Choose another person.",
            code="linked_player",
        )


def _check_seat(game: Game, seat: Seat) -> None:
    if seat.user is None or seat.bot or seat.device or seat.user.is_bot or seat.user.is_guest:
        raise Refused("Another person can play only for a player with an account.", code="no_person")
    if seat.keeper == Keeper.RESIGNED:
        raise Refused(f"{seat.shown_name} has resigned: hand the seat to somebody instead.", code="has_resigned")
    if game.has_stand_in(seat.number):
        raise Refused(f"{seat.shown_name} already plays seat {seat.number + 1} for its player.", code="has_proxy")


def _check_person(game: Game, number: int, user: User) -> None:
    """A stand-in must know no other hand of this game and be allowed to join one like it."""
    elsewhere = game.stand_ins.filter(user=user).exclude(number=number)
    if any(rows.exists() for rows in (game.seats.filter(user=user), game.tenures.filter(user=user), elsewhere)):
        raise Refused(f"{user} plays or played in this game.", code="plays_there_already", field="username")
    check_has_not_read(game, user)
    check_may_play(game, user)
    reliability.check_reliability(game=game, user=user)
    authority.check_limits(user)
    reliability.check_newcomer(user)


def _check_no_stand_in(game: Game, seat: Seat) -> None:
    """A seat played by a stand-in must return to its owner first."""
    if game.has_stand_in(seat.number):
        raise Refused(f"{seat.shown_name} plays this seat for its player. End that first.", code="has_proxy")


def _check_other_hands(game: Game, number: int, user: User) -> None:
    """People who had another seat or played one as a stand-in saw its hand, so they cannot take a further one."""
    own_tenures, stood_in = (rows.filter(user=user).exclude(number=number) for rows in (game.tenures, game.stand_ins))
    seats = sorted({*own_tenures.values_list("number", flat=True), *stood_in.values_list("number", flat=True)})
    if seats:
        raise Refused(
            f"{user} had seat {seats[0] + 1} of this game and saw what was hidden there. Choose somebody who had none, "
            f"or only seat {number + 1}.",
            code="knows_another_hand",
            field="username",
        )


def _change_hands(game: Game, seat: Seat, moderator: User, sentence: Sentence, reason: str, **facts: object) -> None:
    """Change the player of a seat in a locked game, with a note in its log."""
    note = note_of(sentence, moderator, reason, **facts)
    handover.change_hands(game=game, seat=seat, user_id=moderator.pk, note=note, end=Tenure.End.HANDED_OVER)
