"""Deleting an account at its owner's request: nothing of it remains, and other players' games stay complete. A digest
of the address of a banned, silenced or excluded person is stored until that ends, and one of the name for a year."""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Q

from accounts import kept_names, mail
from accounts.models import User
from game.bots import accounts
from game.chat import writing
from game.engine.actions import Refused
from game.live import announce
from game.lobby import lobby
from game.moderation import name_erasure, sanctions
from game.people.account_closure import give_up_seat, lock_games
from game.play import moves
from game.reputation import sanctions_in_force
from game.seats import stand_ins
from game.store.access_models import Invitee
from game.store.game import BEGUN, Game, Status
from game.store.stand_in_models import Proxy
from game.store.tenure_models import Sitting


@transaction.atomic
def delete_account(*, user: User) -> list[int]:
    """Delete an account; its public traces carry the seat's number. Returns the games whose seat went to the caretaker.
    Raises `Refused`."""
    if user.is_staff:
        raise Refused(
            "You are staff: ask a superuser to remove your powers first, so that the record is complete.",
            code="is_staff",
        )
    lock_games(_affected_games(user))
    # Concurrent writes about this person then find no account, instead of blocking the deletion.
    if not User.objects.select_for_update().filter(pk=user.pk):
        return []
    for bot in accounts.bots_of(user):
        delete_account(user=bot)
    stand_in_games = stand_ins.end_all_of(user)
    seats = dict(Sitting.objects.filter(user=user).order_by("pk").values_list("game_id", "number"))
    games = dict(Game.objects.filter(seats__user=user).order_by("pk").values_list("pk", "status"))
    begun_game_ids = [game_id for game_id, status in games.items() if status in BEGUN]
    for game_id, status in games.items():
        if status == Status.WAITING:
            lobby.leave_game(game_id=game_id, user=user)
        elif status in BEGUN:
            give_up_seat(game_id, user, None)
    names = name_erasure.names_of(user)
    hosted = Game.objects.filter(host=user).values_list("pk", flat=True)
    game_ids = sorted({*seats, *games, *stand_in_games, *hosted})
    for game_id in game_ids:
        _erase_name_in(game_id, user, names, seats.get(game_id))
    name_erasure.erase_names(user, names, seats, game_ids)
    writing.forget_author(user, names)
    sanctions_in_force.refuse_addresses(user)
    sanctions.store_outliving(user, names)
    Invitee.objects.filter(game__host=user).delete()
    mail.forget_bounces(user)
    if seats or user.is_bot or user.last_login is not None:  # otherwise nobody has seen the name
        kept_names.keep(user.username)
    user.delete()
    return begun_game_ids


def _affected_games(user: User) -> Q:
    people = [user, *accounts.bots_of(user)]
    sat = Q(seats__user__in=people) | Q(pk__in=Sitting.objects.filter(user__in=people).values("game_id"))
    lent = Proxy.objects.filter(Q(owner__in=people) | Q(user__in=people))
    return sat | Q(host__in=people) | Q(pk__in=lent.values("game_id"))


def _erase_name_in(game_id: int, user: User, names: list[str], number: int | None) -> None:
    """Remove the name from a game's seat and log, and from its name if that is the default one."""
    game = moves.lock(game_id)
    if game is None:
        return
    game.seats.filter(user=user).update(user=None, name="")
    pattern = name_erasure.name_pattern(names)
    names_in_note = reduce(or_, (Q(note__contains=name) for name in names))
    for entry in game.log.filter(names_in_note).only("note"):
        entry.note = pattern.sub(name_erasure.replacement_of(number), entry.note)
        entry.save(update_fields=["note"])
    if game.name in map(lobby.usual_name, names):
        game.name = f"Game {game_id}"
    game.version += 1
    game.save(update_fields=["name", "version"])
    announce.tell_game(game_id, game.version)
