"""A person plays a seat in its owner's name for a time, as a moderator decides: they see what the seat sees, get its
emails and decide; results and rating remain the owner's, and what is missed in that time is excused."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from game.engine.actions import Refused
from game.live import push
from game.moderation import interventions
from game.moderation.consent import Consent
from game.outbox import recording, standing
from game.play import attendance, authority, clocks, game_limits, moves, proxy_seats
from game.reputation import reliability
from game.seats import handover, proxy_lines
from game.store import availability, remarks
from game.store.attendance_models import Sitting
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Intervention, Kind
from game.store.proxy_models import Proxy
from game.store.seating import find_seat, note_bots

MOST_DAYS = 14
AT_ONCE = 50
HELD = ("version", "entries")
BY_THEMSELVES = {Proxy.End.OWNER: remarks.PROXY_OWNER_BACK, Proxy.End.GIVEN_BACK: remarks.PROXY_GAVE_BACK}
"""What the log says where one of the two ended it."""


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
    """Let somebody play a seat for its player for 1 to 14 days, with a second person's consent; `receiver` is the key
    of the account that had the name when it was asked for. Raises `Refused`."""
    if not 1 <= days <= MOST_DAYS:
        raise Refused(
            f"A seat can be played for its player for 1 to {MOST_DAYS} days, not for {days}.",
            code="wrong_length", field="days",
        )  # fmt: skip
    asked = {"seat_number": seat_number, "username": username, "days": days, "receiver": receiver}
    what = Intervention.SET_PROXY
    game = interventions.take(what, game_id, moderator, reason, seen, *interventions.BEGUN, consent=consent, **asked)
    seat, user = find_seat(game, seat_number), interventions.find_person(username, receiver)
    _check_seat(game, seat)
    _check_person(game, seat_number, user)
    interventions.check_bots(game, seat_number, user)
    interventions.check_household(game, user, plays_for=seat.user_id)
    owner, until = seat.shown_name, game.now + timedelta(days=days)
    proxy = Proxy.objects.create(game=game, number=seat_number, owner=seat.user, user=user, until=until)
    proxy_seats.seat_proxy(proxy)
    interventions.tell(game, moderator, remarks.PROXY_SET, reason, name=user, was=owner, until=_day(proxy))
    _settle(game, seat_number)
    proxy_lines.tell_of_begin(proxy)
    interventions.record(game, moderator, what, reason, seat=seat_number, was=owner, user=user.username, days=days)


@transaction.atomic
def end_proxy(*, game_id: int, moderator: User, reason: str, seen: interventions.Seen, seat_number: int) -> None:
    """Give a seat back to its owner before the time is over. Raises `Refused`."""
    game = interventions.take(Intervention.END_PROXY, game_id, moderator, reason, seen, *interventions.BEGUN)
    seat = find_seat(game, seat_number)
    if not game.has_proxy(seat_number):
        raise Refused(f"Nobody plays seat {seat_number + 1} for somebody else.", code="no_proxy", field="seat_number")
    name = seat.shown_name
    proxy = proxy_seats.return_seat(game, seat_number, Proxy.End.MODERATOR)
    was = find_seat(game, seat_number).shown_name
    interventions.tell(game, moderator, remarks.PROXY_ENDED, reason, name=name, was=was)
    _settle(game, seat_number)
    proxy_lines.tell_of_end(proxy, Proxy.End.MODERATOR)
    interventions.record(game, moderator, Intervention.END_PROXY, reason, seat=seat_number, was=name, user=was)


@transaction.atomic
def take_back(*, game_id: int, user: User) -> Seat:
    """Take one's own seat back, which the caretaker or a proxy has played; doing so twice changes nothing. Raises
    `Refused`."""
    game = moves.lock(game_id)
    number = game.seat_owned_by(user.pk) if game else None
    if game is None or number is None:
        return attendance.take_back(game_id=game_id, user=user)
    authority.hold_free(user)
    return _end(game, number, Proxy.End.OWNER)


@transaction.atomic
def give_back(*, game_id: int, user: User) -> None:
    """Stop playing another player's seat. Raises `Refused`."""
    game = moves.lock(game_id)
    number = game.seat_stood_in_by(user.pk) if game else None
    if game is None or number is None:
        raise Refused("You do not play for another player in this game.", code="not_seated")
    _end(game, number, Proxy.End.GIVEN_BACK)


def due() -> list[tuple[int, int]]:
    """Game and number of the seats whose time with a proxy is over or whose game was called off."""
    is_over = Q(until__lte=Now()) | Q(game__status__in=(Status.FINISHED, Status.ABANDONED))
    rows = Proxy.objects.filter(is_over, ended_at=None).order_by("until").values_list("game_id", "number")
    return list(rows[:AT_ONCE])


@transaction.atomic
def end_all_of(user: User) -> list[int]:
    """End everything that a closing account plays for others, or others for it. Returns the games in which it ever was
    so, in order."""
    mine = Proxy.objects.filter(Q(owner=user) | Q(user=user)).order_by("game_id")
    open_ones = list(mine.filter(ended_at=None).values_list("game_id", "number"))
    for game_id, number in open_ones:
        game = moves.lock(game_id)
        if game is not None and game.has_proxy(number):
            _end(game, number, Proxy.End.CLOSED)
    return sorted(set(mine.values_list("game_id", flat=True)))


@transaction.atomic
def end_due(*, game_id: int, number: int) -> None:
    """Give one of them back, unless that has been done; a game that another process has locked is tried later."""
    game = moves.lock(game_id, waits=False)
    if game is None or not game.has_proxy(number):
        return
    if game.status not in interventions.BEGUN or proxy_seats.until_of(game, number) <= game.now:
        _end(game, number, Proxy.End.EXPIRED if game.status in interventions.BEGUN else Proxy.End.GAME_OVER)


def _end(game: Game, number: int, end: Proxy.End) -> Seat:
    name = find_seat(game, number).shown_name
    proxy = proxy_seats.return_seat(game, number, end)
    seat = find_seat(game, number)
    note = BY_THEMSELVES.get(end, remarks.PROXY_OVER).format(name=name, was=seat.shown_name)
    clocks.note_on_log(game=game, kind=Kind.KEEPER, seat=number, note=note)
    game.save(update_fields=HELD)
    _settle(game, number)
    proxy_lines.tell_of_end(proxy, end)
    return seat


def _settle(game: Game, number: int) -> None:
    """The person who now plays the seat is asked for open decisions, at their own hours, and starts without a miss in a
    row."""
    had = game.availability
    Sitting.objects.filter(game=game, number=number, ended_at=None).update(in_a_row=0)
    note_bots(game)
    availability.copy_to(game)
    game.save(update_fields=["availability"])
    if handover.fit_clock(game, has_times=bool(had or game.availability), is_left=False):
        standing.tell_of_moves([game])
    attendance.go_on(game=game)
    if game.status in interventions.BEGUN:
        recording.ask_newcomer(game=game, seat=find_seat(game, number))
    push.tell_game(game.pk, game.version)


def _check_seat(game: Game, seat: Seat) -> None:
    if seat.user is None or seat.bot or seat.user.is_bot or seat.user.is_guest:
        raise Refused("Another person can play only for a player with an account.", code="no_person")
    if seat.keeper == Keeper.RESIGNED:
        raise Refused(f"{seat.shown_name} has resigned: hand the seat to somebody instead.", code="has_resigned")
    if game.has_proxy(seat.number):
        raise Refused(f"{seat.shown_name} already plays seat {seat.number + 1} for its player.", code="has_proxy")


def _check_person(game: Game, number: int, user: User) -> None:
    """Somebody who knows no other hand of this game, and whom nothing keeps from joining one like it."""
    elsewhere = game.stand_ins.filter(user=user).exclude(number=number)
    if any(rows.exists() for rows in (game.seats.filter(user=user), game.sittings.filter(user=user), elsewhere)):
        raise Refused(f"{user} plays or played in this game.", code="plays_there_already", field="username")
    interventions.check_has_not_read(game, user)
    interventions.check_may_play(game, user)
    reliability.check_reliability(game=game, user=user)
    game_limits.check_limits(user)
    reliability.check_newcomer(user)


def _day(proxy: Proxy) -> str:
    return f"{proxy.until:%Y-%m-%d}"
