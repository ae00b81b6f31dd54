"""Deleting an account as its owner wishes: nothing of it stays, and the games of others stay whole.

Only of somebody who is banned, silenced or kept from joining a digest of the address stays until that ends."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.models import Game, Invitee, Sitting, Status
from game.services import (
    bot_accounts,
    chat,
    forgotten_names,
    kept_sanctions,
    lobby,
    moderation,
    moves,
    proxies,
    push,
    sanctions,
)
from game.services.account_closure import give_up_seat


@transaction.atomic
def delete_account(*, user: User) -> list[int]:
    """The games whose seat went to the caretaker. What stood under the name stands under the seat's number. Raises
    `Refused`."""
    if user.is_staff:
        raise Refused(
            "You are staff: have another moderator take your rights back first, so that the record is whole.",
            code="is_staff",
        )
    for bot in bot_accounts.bots_of(user):
        delete_account(user=bot)
    stood_in = proxies.end_all_of(user)
    seats = dict(Sitting.objects.filter(user=user).order_by("pk").values_list("game_id", "number"))
    games = dict(Game.objects.filter(seats__user=user).order_by("pk").values_list("pk", "status"))
    left = [game_id for game_id, status in games.items() if status in moderation.BEGUN]
    for game_id, status in games.items():
        if status == Status.WAITING:
            lobby.leave_game(game_id=game_id, user=user)
        elif status in moderation.BEGUN:
            give_up_seat(game_id, user, None)
    for game_id in sorted({*seats, *games, *stood_in}):
        _forget_in(game_id, user, seats.get(game_id))
    forgotten_names.forget(user, seats)
    chat.forget_author(user)
    sanctions.refuse_addresses(user)
    kept_sanctions.keep(user)
    Invitee.objects.filter(game__host=user).delete()
    user.delete()
    return left


def _forget_in(game_id: int, user: User, number: int | None) -> None:
    """Take the name off a seat and out of the log of one game."""
    game = moves.lock(game_id)
    if game is None:
        return
    game.seats.filter(user=user).update(user=None, name="")
    whole_name = forgotten_names.whole_name(user.username)
    for entry in game.log.filter(note__contains=user.username).only("note"):
        entry.note = whole_name.sub(forgotten_names.in_place_of_name(number), entry.note)
        entry.save(update_fields=["note"])
    game.version += 1
    game.save(update_fields=["version"])
    push.tell_game(game_id, game.version)
