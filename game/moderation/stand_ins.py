"""Stand-ins that two moderators appoint: somebody plays a seat for its player."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import interventions
from game.moderation.approvals import Consent
from game.play import game_limits, stand_in_seats
from game.reputation import reliability
from game.seats import stand_in_notices
from game.seats.stand_ins import settle
from game.store import log_notes
from game.store.game import BEGUN, Game, Keeper, Seat
from game.store.log import Intervention
from game.store.seating import find_seat
from game.store.stand_in_models import Proxy

MOST_DAYS = 14


@transaction.atomic
def set_proxy(  # noqa: PLR0913  (all that two moderators agree on)
    *,
    game_id: int,
    moderator: User,
    reason: str,
    seen: interventions.Seen,
    seat_number: int,
    username: str,
    days: int,
    receiver: int | None = None,
    consent: Consent | None = None,
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
    game = interventions.take(intervention, game_id, moderator, reason, seen, *BEGUN, consent=consent, **arguments)
    seat, user = find_seat(game, seat_number), interventions.find_person(username, receiver)
    _check_seat(game, seat)
    _check_person(game, seat_number, user)
    interventions.check_bots(game, seat_number, user)
    interventions.check_household(game, user, plays_for=seat.user_id)
    owner, until = seat.shown_name, game.now + timedelta(days=days)
    proxy = Proxy.objects.create(game=game, number=seat_number, owner=seat.user, user=user, until=until)
    stand_in_seats.seat_proxy(proxy)
    day = f"{proxy.until:%Y-%m-%d}"
    interventions.tell(game, moderator, log_notes.PROXY_SET, reason, name=user, was=owner, until=day)
    settle(game, seat_number)
    stand_in_notices.tell_of_begin(proxy)
    interventions.record(
        game, moderator, intervention, reason, seat=seat_number, was=owner, user=user.username, days=days
    )


@transaction.atomic
def end_proxy(*, game_id: int, moderator: User, reason: str, seen: interventions.Seen, seat_number: int) -> None:
    """Return a seat to its owner early. Raises `Refused`."""
    game = interventions.take(Intervention.END_PROXY, game_id, moderator, reason, seen, *BEGUN)
    seat = find_seat(game, seat_number)
    if not game.has_proxy(seat_number):
        raise Refused(f"Nobody plays seat {seat_number + 1} for somebody else.", code="no_proxy", field="seat_number")
    name = seat.shown_name
    proxy = stand_in_seats.return_seat(game, seat_number, Proxy.End.MODERATOR)
    owner = find_seat(game, seat_number).shown_name
    interventions.tell(game, moderator, log_notes.PROXY_ENDED, reason, name=name, was=owner)
    settle(game, seat_number)
    stand_in_notices.tell_of_end(proxy, Proxy.End.MODERATOR)
    interventions.record(game, moderator, Intervention.END_PROXY, reason, seat=seat_number, was=name, user=owner)


def _check_seat(game: Game, seat: Seat) -> None:
    if seat.user is None or seat.bot or seat.user.is_bot or seat.user.is_guest:
        raise Refused("Another person can play only for a player with an account.", code="no_person")
    if seat.keeper == Keeper.RESIGNED:
        raise Refused(f"{seat.shown_name} has resigned: hand the seat to somebody instead.", code="has_resigned")
    if game.has_proxy(seat.number):
        raise Refused(f"{seat.shown_name} already plays seat {seat.number + 1} for its player.", code="has_proxy")


def _check_person(game: Game, number: int, user: User) -> None:
    """A stand-in must know no other hand of this game and be allowed to join one like it."""
    elsewhere = game.stand_ins.filter(user=user).exclude(number=number)
    if any(rows.exists() for rows in (game.seats.filter(user=user), game.sittings.filter(user=user), elsewhere)):
        raise Refused(f"{user} plays or played in this game.", code="plays_there_already", field="username")
    interventions.check_has_not_read(game, user)
    interventions.check_may_play(game, user)
    reliability.check_reliability(game=game, user=user)
    game_limits.check_limits(user)
    reliability.check_newcomer(user)
