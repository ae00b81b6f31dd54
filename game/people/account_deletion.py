"""Deleting an account as its owner wishes: nothing of it is kept, and other players' games remain whole. If the person
is banned, silenced or kept from joining, a digest of the address is kept until that ends, and for a year one of the
name."""

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
from game.moderation import kept_sanctions, name_erasure
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
    """The games whose seat went to the caretaker. Everything under the name is shown under the seat's number. Raises
    `Refused`."""
    if user.is_staff:
        raise Refused(
            "You are staff: ask a superuser to remove your powers first, so that the record is complete.",
            code="is_staff",
        )
    lock_games(_touched_by_deletion(user))
    # What others are storing about the person meanwhile finds nobody, instead of being in the way of the deletion.
    if not User.objects.select_for_update().filter(pk=user.pk):
        return []
    for bot in accounts.bots_of(user):
        delete_account(user=bot)
    stood_in = stand_ins.end_all_of(user)
    seats = dict(Sitting.objects.filter(user=user).order_by("pk").values_list("game_id", "number"))
    games = dict(Game.objects.filter(seats__user=user).order_by("pk").values_list("pk", "status"))
    left = [game_id for game_id, status in games.items() if status in BEGUN]
    for game_id, status in games.items():
        if status == Status.WAITING:
            lobby.leave_game(game_id=game_id, user=user)
        elif status in BEGUN:
            give_up_seat(game_id, user, None)
    names = name_erasure.names_of(user)
    hosted = Game.objects.filter(host=user).values_list("pk", flat=True)
    touched = sorted({*seats, *games, *stood_in, *hosted})
    for game_id in touched:
        _forget_in(game_id, user, names, seats.get(game_id))
    name_erasure.forget(user, names, seats, touched)
    writing.forget_author(user, names)
    sanctions_in_force.refuse_addresses(user)
    kept_sanctions.keep(user, names)
    Invitee.objects.filter(game__host=user).delete()
    mail.forget_bounces(user)
    if seats or user.is_bot or user.last_login is not None:  # nobody knows the others by their name
        kept_names.keep(user.username)
    user.delete()
    return left


def _touched_by_deletion(user: User) -> Q:
    people = [user, *accounts.bots_of(user)]
    sat = Q(seats__user__in=people) | Q(pk__in=Sitting.objects.filter(user__in=people).values("game_id"))
    lent = Proxy.objects.filter(Q(owner__in=people) | Q(user__in=people))
    return sat | Q(host__in=people) | Q(pk__in=lent.values("game_id"))


def _forget_in(game_id: int, user: User, names: list[str], number: int | None) -> None:
    """Take the name off a seat, out of the log and off the usual name of one game."""
    game = moves.lock(game_id)
    if game is None:
        return
    game.seats.filter(user=user).update(user=None, name="")
    whole_name = name_erasure.whole_name(names)
    noted = reduce(or_, (Q(note__contains=name) for name in names))
    for entry in game.log.filter(noted).only("note"):
        entry.note = whole_name.sub(name_erasure.in_place_of_name(number), entry.note)
        entry.save(update_fields=["note"])
    if game.name in map(lobby.usual_name, names):
        game.name = f"Game {game_id}"
    game.version += 1
    game.save(update_fields=["name", "version"])
    announce.tell_game(game_id, game.version)
