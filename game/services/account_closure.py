"""Closing an account: its seats lose their name and go to the caretaker, it leaves games that have not started, its
name leaves all chats, and nobody can sign in with it."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from game import remarks
from game.engine.actions import Refused
from game.models import Game, Intervention, Seat, Sitting, Status
from game.services import bot_accounts, chat, handover, lobby, moderation, moves


@transaction.atomic
def close_account(*, user_id: int, moderator: User, reason: str) -> list[int]:
    """The games whose seat went to the caretaker. The reason is for the record alone: it is nobody else's business.
    Raises `Refused`."""
    moderation.check(Intervention.CLOSE_ACCOUNT, moderator, reason)
    user = User.objects.filter(pk=user_id, is_bot=False).first()
    if user is None or not user.is_active:
        raise Refused("There is no open account to close.", code="no_such_account")
    if user.is_superuser or user.pk == moderator.pk:
        raise Refused("Your own account and a superuser's are not closed here.", code="protected_account")
    moderation.check_person(moderator, user)
    for bot in bot_accounts.bots_of(user):
        _close_bot(bot, moderator)
    # In the order of the games, so that two closings cannot wait for each other.
    games = list(Game.objects.filter(seats__user=user).order_by("pk").values_list("pk", "status"))
    for game_id, status in games:
        if status == Status.WAITING:
            lobby.leave_game(game_id=game_id, user=user)
    left = [game_id for game_id, status in games if status in moderation.BEGUN]
    for game_id in left:
        give_up_seat(game_id, user, moderator)
    chat.forget_author(user)
    user.is_active = False
    user.save(update_fields=["is_active"])
    moderation.record(None, moderator, Intervention.CLOSE_ACCOUNT, reason, user=user.username, games=left)
    return left


def _close_bot(bot: User, moderator: User) -> None:
    """The bots of a closed account play no more."""
    for game_id, status in list(Game.objects.filter(seats__user=bot).order_by("pk").values_list("pk", "status")):
        if status == Status.WAITING:
            lobby.leave_game(game_id=game_id, user=bot)
        elif status in moderation.BEGUN:
            give_up_seat(game_id, bot, moderator)
    bot.is_active = False
    bot.save(update_fields=["is_active"])


def give_up_seat(game_id: int, user: User, moderator: User | None) -> None:
    """Leave a seat of a begun game to the caretaker, without its name."""
    game = moves.lock(game_id)
    seat = Seat.objects.filter(game_id=game_id, user=user).first()
    if game is None or seat is None:
        return
    note = remarks.ACCOUNT_CLOSED.format(name=seat.shown_name)
    seat.user, seat.name = None, ""
    by = moderator.pk if moderator else None
    handover.give_up(game=game, seat=seat, user_id=by, note=note, end=Sitting.End.CLOSED)
