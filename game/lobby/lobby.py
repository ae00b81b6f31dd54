"""A game before its start: creating and changing it, who may join, leaving, adding bots, removing players, starting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import structlog
from django.db import transaction

from accounts import limits
from accounts.models import User
from game.boards.registry import board_of
from game.bots import accounts
from game.engine.actions import Refused
from game.live import announce
from game.lobby import waiting_games
from game.lobby.host_choices import (
    HOUSE,
    NEEDS_A_CLOCK,
    check_bots,
    check_companions,
    check_level,
    check_pace,
    levels_of,
    read_options,
    read_timing,
    rules_for,
)
from game.lobby.waiting_games import check_waiting, lock_game, lock_hosted, lock_own, lock_waiting
from game.play import authority, devices, door, moves, tenures
from game.play.authority import BOTS_ALONE, assign_seat, check_limits, check_table_limit, free_seat
from game.play.transactions import ResolutionError
from game.reputation import ratings, reliability, unlocks
from game.rulesets.registry import RULESETS
from game.store import account_locks, availability, eyes
from game.store.game import Game, Pace, Seat, Status
from game.store.seat_models import Invitation, Rematch, Removal
from game.store.visible_text import one_line

FIRST = next(iter(RULESETS))
log = structlog.get_logger("game.services.lobby")


@transaction.atomic
def create_game(  # noqa: PLR0913  (everything a host chooses)
    *,
    host: User,
    name: str,
    seats: int,
    pace: str = Pace.DAILY,
    options: Mapping[str, Any] | None = None,
    bots: int = 0,
    level: str | Sequence[str] = HOUSE,
    is_open: bool = True,
    ruleset: str = FIRST,
    timing: Mapping[str, Any] | None = None,
    is_rated: bool = False,
    least_reliability: int = 0,
    welcomes_newcomers: bool = True,
    waives_unlocks: bool = False,
    companions: Sequence[str] = (),
) -> Game:
    """Create a game with its host and bots seated; `level` is that of all bots, or of each. `timing` is the host's
    custom pace; `companions` are the names of others at the host's device. Raises `Refused`."""
    rules = rules_for(ruleset, seats)
    names = check_companions(host, companions, free=seats - 1 - bots, is_rated=is_rated)
    check_pace(pace, seats=seats - len(names), bots=bots)
    check_bots(host, seats, bots, is_open=is_open)
    levels = levels_of(ruleset, level, bots)
    check_limits(host, opens_table=is_open)
    _check_demands(host, least_reliability, is_alone=bots + len(names) == seats - 1)
    parsed_options = _options_for(ruleset, seats, pace, options or {})
    game = Game(name=one_line(name)[:60] or usual_name(host), host=host, seats_wanted=seats, pace=pace, ruleset=ruleset)
    game.is_open, game.is_rated, game.waives_unlocks = is_open, is_rated, waives_unlocks
    game.least_reliability, game.welcomes_newcomers = least_reliability, welcomes_newcomers
    game.options, game.timing = map(msgspec.to_builtins, (parsed_options, read_timing(pace, timing or {})))
    unlocks.check(game=game, user=host)
    game.ruleset_version, game.schema, game.reviews = rules.version, rules.schema, pace == Pace.LIVE
    if is_rated:
        ratings.check_rated(host=host, ruleset=ruleset, pace=pace, options=game.options, bots=bots)
    limits.spend("create", host.pk)
    door.write(game)
    _seat_first(game, host, names, levels)
    return game


def _check_demands(host: User, least_reliability: int, *, is_alone: bool) -> None:
    """Refuse demands that the menu does not offer, and those that the host would not meet, unless too little is known
    about them. Raises `Refused`."""
    if not is_alone:
        reliability.check_newcomer(host)
    reliability.check_demand(least_reliability)


def _seat_first(game: Game, host: User, companions: Sequence[str], levels: Sequence[str]) -> None:
    """The host, who plays at the host's device, and the bots; others come by the game's link."""
    Invitation.objects.create(game=game)
    assign_seat(game=game, user_id=host.pk)
    if companions:
        devices.seat_companions(game, host, companions)
    for level in levels:
        assign_seat(game=game, bot=level)


def _options_for(ruleset: str, seats: int, pace: str, options: Mapping[str, Any]) -> Any:
    """The options of a game of this pace, for this number of players. Raises `Refused`."""
    parsed_options = read_options(ruleset=ruleset, raw={**board_of(ruleset).options.at_pace(pace), **options})
    rules_for(ruleset, seats).check_seats(seats, parsed_options)
    return parsed_options


def usual_name(host: User | str) -> str:
    """The default name of a host's game."""
    return f"{host}'s game"


@transaction.atomic
def keep_clock(*, game_id: int, user: User) -> None:
    """Give decisions deadlines even if one person plays against bots; only the host may. Raises `Refused`."""
    game = lock_hosted(game_id, user)
    if game.pace == Pace.NO_CLOCK:
        raise Refused(
            "A game without a clock has no deadlines. Choose another pace to play with deadlines.",
            code="has_no_clock",
            field="timing",
        )
    game.keeps_clock = True
    door.write(game)


@transaction.atomic
def change_game(
    *,
    game_id: int,
    user: User,
    name: str | None = None,
    is_open: bool | None = None,
    takes_bots: bool | None = None,
    is_rated: bool | None = None,
) -> None:
    """Before the start, change the name and who may join; also whether it is rated, until another player joins. Only
    the host may. None keeps a value. Raises `Refused`."""
    game = lock_hosted(game_id, user)
    was_rated = game.is_rated
    if name is not None and not one_line(name):
        raise Refused("A game needs a name.", code="no_name", field="name")
    if is_open and not game.is_open:
        check_bots(user, game.seats_wanted, 0, is_open=True)
        account_locks.lock_accounts(user)  # serializes the check of the limit
        check_table_limit(user)
    if is_rated is not None and is_rated != game.is_rated:
        ratings.check_change(game=game, is_rated=is_rated)
        game.is_rated = is_rated
    before = game.name, game.is_open, game.takes_bots, was_rated
    game.name = game.name if name is None else one_line(name)[:60]
    game.is_open = game.is_open if is_open is None else is_open
    game.takes_bots = game.takes_bots if takes_bots is None else takes_bots
    if before == (game.name, game.is_open, game.takes_bots, game.is_rated):
        return
    door.publish(game)


@transaction.atomic
def join_game(*, game_id: int, user: User, token: str = "", is_rated: bool | None = None) -> Seat:
    """Take a seat; a private game needs the token of its link. `is_rated` is what the user saw. Repeating it changes
    nothing. A rematch starts with the last seat. Joining is rate-limited, because the players are notified each time.
    Raises `Refused`, and `limits.TooMany`."""
    game = lock_waiting(game_id)
    own_seat = game.seats.filter(user=user).first()
    if own_seat is not None:
        return own_seat
    if user.is_guest:
        raise Refused(BOTS_ALONE, code="bots_alone", field="bots")
    if game.pace == Pace.NO_CLOCK:
        raise Refused(NEEDS_A_CLOCK, code="needs_a_clock", field="pace")
    eyes.check_admission(game=game, user=user, token=token)
    ratings.check_agreed(game=game, is_rated=is_rated)
    if user.is_bot:
        ratings.check_bots(game)
    reliability.check_reliability(game=game, user=user)
    unlocks.check(game=game, user=user)
    name = accounts.check_seat(game=game, user=user)
    check_limits(user)
    reliability.check_newcomer(user)
    limits.spend("join", user.pk)
    game.invitees.filter(user=user).delete()
    seat = _announce_seat(game, assign_seat(game=game, user_id=user.pk, name=name))
    if Rematch.objects.filter(after=game).exists():
        start_if_full(game)
    return seat


def start_if_full(game: Game) -> None:
    """Start a locked waiting game if all its seats are taken. Raises `Refused` if the rules fail."""
    if game.seats.count() == game.seats_wanted:
        _start(game)


@transaction.atomic
def leave_game(*, game_id: int, user: User) -> None:
    """Leave before the start; if the host leaves, the game is cancelled. Raises `Refused`."""
    _leave(lock_waiting(game_id), user)


@transaction.atomic
def cancel_game(*, game_id: int, user: User) -> None:
    """Cancel a game before the start; only the host may. Raises `Refused`."""
    game = lock_game(game_id)
    authority.check_host(game, user)
    _leave(check_waiting(game), user)


@transaction.atomic
def empty_seat(*, game_id: int, user: User, number: int) -> None:
    """Leave one's own seat before the start, or remove a player from another seat as the host. Raises `Refused`."""
    game = lock_game(game_id)
    if authority.seat_of(game, user.pk).number == number:
        _leave(check_waiting(game), user)
    else:
        remove_seat(game_id=game_id, user=user, number=number)


def _leave(game: Game, user: User) -> None:
    if game.host_id == user.pk:
        game.status = Status.ABANDONED
        door.publish(game)
        eyes.forget_invitees(game)
        waiting_games.notify_closed(game, by=user.pk)
    else:
        own_seat = game.seats.filter(user=user).first()
        if own_seat is None:
            raise Refused(authority.NO_SEAT, code="not_seated")
        free_seat(game=game, seat=own_seat)
        announce.game_changed(game)


@transaction.atomic
def add_bot(*, game_id: int, user: User, level: str = HOUSE) -> Seat:
    """Seat a bot of a level; only the host may. Raises `Refused`."""
    game = lock_hosted(game_id, user)
    ratings.check_bots(game)
    check_level(game.ruleset, level)
    return _announce_seat(game, assign_seat(game=game, bot=level))


@transaction.atomic
def fill_with_bots(*, game_id: int, user: User, level: str = HOUSE) -> None:
    """Seat a bot of a level in every free seat. Raises `Refused`."""
    game = lock_hosted(game_id, user)
    ratings.check_bots(game)
    check_level(game.ruleset, level)
    for _ in range(game.seats_wanted - game.seats.count()):
        assign_seat(game=game, bot=level)
    announce.game_changed(game)


@transaction.atomic
def remove_seat(*, game_id: int, user: User, number: int) -> None:
    """Remove a bot or a player; only the host may. Raises `Refused`."""
    game = lock_hosted(game_id, user)
    seat = game.seats.filter(number=number).first()
    if seat is None or seat.user_id == game.host_id:
        raise Refused(
            "Seat {number} cannot be removed: it is free or the host’s.", number=number + 1, code="cannot_remove"
        )
    if seat.user_id is not None:
        eyes.keep_out(game=game, user_id=seat.user_id)
    free_seat(game=game, seat=seat)
    announce.game_changed(game)


@transaction.atomic
def invite_again(*, game_id: int, user: User, number: int) -> None:
    """Let a removed player come back; only the host may. Raises `Refused`."""
    game = lock_hosted(game_id, user)
    if not Removal.objects.filter(game=game, pk=number).delete()[0]:
        raise Refused("This player can already join.", code="not_removed")
    door.publish(game)


@transaction.atomic
def renew_invitation(*, game_id: int, user: User) -> None:
    """Replace the invitation link, also while the game runs; only the host may. Raises `Refused`."""
    game = lock_own(game_id, user)
    eyes.renew_link(game)
    door.publish(game)


@transaction.atomic
def start_game(*, game_id: int, user: User) -> Game:
    """Deal and open the first phase. Raises `Refused`, also if the rules fail."""
    game = lock_hosted(game_id, user)
    taken_count = game.seats.count()
    if taken_count < game.seats_wanted:
        raise Refused(
            "{free} of {seats} seats are free. Fill them with bots or invite players.",
            free=game.seats_wanted - taken_count,
            seats=game.seats_wanted,
            code="seats_free",
        )
    return _start(game)


def _start(game: Game) -> Game:
    game.status, game.started_at = Status.RUNNING, game.now
    eyes.forget_invitees(game)
    try:
        availability.copy_to(game)
        change = moves.transaction_of(game)
        change.begin(game.seats_wanted)
        change.commit()
        tenures.start_tenures(game=game)
    except ResolutionError as error:
        log.exception("start_failed", game=game.pk)
        raise Refused(
            "The game could not start because of an error on our side. Nothing was changed.", code="our_error"
        ) from error
    return game


def _announce_seat(game: Game, seat: Seat) -> Seat:
    announce.game_changed(game)
    return seat
