"""Rematches: the first player to ask opens a game with the same rules and bots and invites the others; it starts when
all of them have joined."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from accounts.models import User
from game.chat import rules, writing
from game.engine.actions import Refused
from game.lobby import inviting, lobby, waiting_games
from game.lobby.host_choices import HOUSE
from game.play import devices, moves
from game.reputation import ratings
from game.store.device import first_name
from game.store.game import Game, Seat, Status
from game.store.readers import seats_of
from game.store.seat_models import Invitation, Rematch

OPENED = "I opened a rematch with the same rules. It starts when everybody has joined."


@transaction.atomic
def rematch(*, game_id: int, user: User) -> Game:
    """Open the rematch of a finished game, or join it while it waits for players. It has started where nobody else is
    to join.

    Raises `Refused`."""
    game = moves.lock(game_id)
    if game is None or game.status != Status.FINISHED:
        raise Refused("A rematch begins when the game is over.", code="not_finished")
    if rules.seat_of(game=game, user=user) is None:
        raise Refused("Only the players of this game can open its rematch or join it.", code="not_seated")
    existing = Rematch.objects.filter(game=game).exclude(after__status=Status.ABANDONED).select_related("after").first()
    return _open(game, user) if existing is None else _join(existing.after, user)


def _join(after: Game, user: User) -> Game:
    if not after.seats.filter(user=user).exists():
        if after.status != Status.WAITING:
            raise Refused("The rematch has already started without you.", code="not_waiting")
        token = Invitation.objects.values_list("token", flat=True).get(game=after)
        lobby.join_game(game_id=after.pk, user=user, token=token)
    return after


def _open(game: Game, user: User) -> Game:
    """Create a private game with the same rules. Bots keep their level; a bot takes the seat of a player who left, and
    those of a device whose host did not ask."""
    seats = seats_of(game)
    people = [seat for seat in seats if writing.reads_chat(seat)]
    beside = devices.companions_among(seats, user)
    levels = [seat.bot or HOUSE for seat in seats if seat not in (*people, *beside)]
    created = lobby.create_game(
        host=user,
        name=game.name,
        seats=game.seats_wanted,
        pace=game.pace,
        options=game.options,
        bots=len(levels),
        level=levels or HOUSE,
        is_open=False,
        ruleset=game.ruleset,
        timing=game.timing,
        is_rated=_stays_rated(game, len(people)),
        least_reliability=game.least_reliability,
        welcomes_newcomers=game.welcomes_newcomers,
        waives_unlocks=game.waives_unlocks,
        companions=[first_name(seat.shown_name) for seat in beside],
    )
    if game.keeps_clock:
        lobby.keep_clock(game_id=created.pk, user=user)
    if game.takes_bots:
        lobby.change_game(game_id=created.pk, user=user, takes_bots=True)
    after = waiting_games.lock_game(created.pk)
    _, is_first = Rematch.objects.update_or_create(game=game, defaults={"after": after})
    _invite_others(game, after, user, people, sends_notices=is_first)
    lobby.start_if_full(after)
    return after


def _invite_others(game: Game, after: Game, user: User, people: Sequence[Seat], *, sends_notices: bool) -> None:
    """Invite the other players, and say so by mail and in the chat; when it is opened again, only their pages say so.
    If the chat is off, they still see the button."""
    others = [seat.user_id for seat in people if seat.user_id is not None and seat.user_id != user.pk]
    if not others:
        return
    inviting.invite_players(game=after, host=user, people=others, sends_notices=sends_notices)
    if sends_notices:
        writing.announce(game_id=game.pk, user=user, text=OPENED)


def _stays_rated(game: Game, people: int) -> bool:
    """True if the rematch of a rated game can be rated: all players are still there, and the rules are still a
    preset's."""
    is_preset = ratings.is_preset(ruleset=game.ruleset, pace=game.pace, options=game.options)
    return game.is_rated and people == game.seats_wanted and is_preset
