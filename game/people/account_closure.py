"""Closing an account: its seats go to the caretaker without its name, it leaves games that have not started, its name
is removed from all chats, and nobody can sign in with it."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from game.bots import accounts
from game.chat import writing
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import approvals, cases, interventions, name_erasure, permissions, sanctions
from game.play import moves
from game.seats import handover, stand_ins
from game.store import account_locks
from game.store.case_models import Case
from game.store.game import BEGUN, Game, Seat, Status
from game.store.log_notes import Sentence
from game.store.moderation_models import ApprovalRequest, Intervention
from game.store.seat_models import StandIn, Tenure


@transaction.atomic
def request_closure(
    *, user_id: int, moderator: User, reason: str, case: Case | None = None, exculpatory: str = ""
) -> ApprovalRequest:
    """Ask a second moderator to confirm; nothing happens before that. `exculpatory` is what speaks for the people in
    the case. Raises `Refused`."""
    user = _check(user_id, moderator, reason)
    cases.check_decision(case=case, person=user, moderator=moderator, exculpatory=exculpatory)
    arguments = {"case": case.pk if case else None}
    return approvals.file_request(Intervention.CLOSE_ACCOUNT, moderator, reason, person=user, arguments=arguments)


@transaction.atomic
def confirm_closing(*, request_id: int, moderator: User | None) -> list[int]:
    """Agree as the second moderator. Returns the games whose seat went to the caretaker. Raises `Refused`."""
    request = approvals.lock_request(request_id)
    if request.what != Intervention.CLOSE_ACCOUNT or request.person is None or request.asker is None:
        raise Refused("This request is not about closing an account.", code="other_request")
    person = request.person
    account_locks.lock_with_games(
        request.asker,
        moderator,
        games=lambda: _affected_games(person),
        also=lambda: [person.pk, *(bot.pk for bot in accounts.bots_of(person))],
    )
    request = approvals.lock_for_approval(request_id=request_id, moderator=moderator)
    assert request.person is not None
    assert request.asker is not None
    user = _check(request.person.pk, request.asker, request.reason)
    approvals.settle(request, moderator, approvals.Answer.CONFIRMED, "confirmed")
    sanctions.note_closing(user, moderator, request)
    return _close(user, request.asker, request.reason)


def _affected_games(person: User) -> Q:
    stand_ins_of_person = StandIn.objects.filter(Q(owner=person) | Q(user=person), ended_at=None)
    seated = Q(seats__user__in=[person, *accounts.bots_of(person)], status__in=(Status.WAITING, *BEGUN))
    return seated | Q(pk__in=stand_ins_of_person.values("game_id"))


def _check(user_id: int, moderator: User, reason: str) -> User:
    """The account, if this moderator may have it closed. Raises `Refused`."""
    permissions.check(Intervention.CLOSE_ACCOUNT, moderator, reason, on=[user_id])
    user = User.objects.filter(pk=user_id, is_bot=False, is_guest=False).first()
    if user is None or not user.is_active:
        raise Refused("There is no open account to close.", code="no_such_account")
    if user.is_superuser or user.pk == moderator.pk:
        raise Refused("Your own account and a superuser's are not closed here.", code="protected_account")
    permissions.check_ties(moderator, on=user)
    return user


def _close(user: User, moderator: User, reason: str) -> list[int]:
    """Close an account. Other players are not told why."""
    for bot in accounts.bots_of(user):
        _close_bot(bot, moderator)
    stand_ins.end_all_of(user)
    games = list(Game.objects.filter(seats__user=user).order_by("pk").values_list("pk", "status"))
    for game_id, status in games:
        if status == Status.WAITING:
            lobby.leave_game(game_id=game_id, user=user)
    begun_game_ids = [game_id for game_id, status in games if status in BEGUN]
    for game_id in begun_game_ids:
        give_up_seat(game_id, user, moderator)
    writing.forget_author(user, name_erasure.names_of(user))
    user.is_active = False
    user.save(update_fields=["is_active"])
    interventions.record(None, moderator, Intervention.CLOSE_ACCOUNT, reason, user=user.username, games=begun_game_ids)
    return begun_game_ids


def _close_bot(bot: User, moderator: User) -> None:
    """The bots of a closed account, which are locked, stop playing."""
    for game_id, status in list(Game.objects.filter(seats__user=bot).order_by("pk").values_list("pk", "status")):
        if status == Status.WAITING:
            lobby.leave_game(game_id=game_id, user=bot)
        elif status in BEGUN:
            give_up_seat(game_id, bot, moderator)
    bot.is_active = False
    bot.save(update_fields=["is_active"])


def give_up_seat(game_id: int, user: User, moderator: User | None) -> None:
    """Leave a seat of a begun game to the caretaker, without its name; at one device all seats there, one by one."""
    game = moves.lock(game_id)
    seat = Seat.objects.filter(game_id=game_id, user=user).first()
    if game is None or seat is None:
        return
    note = Sentence.ACCOUNT_CLOSED(name=seat.shown_name)
    seat.user, seat.name = None, ""
    by = moderator.pk if moderator else None
    handover.give_up(game=game, seat=seat, user_id=by, note=note, end=Tenure.End.CLOSED)
    if game.device_seats:
        give_up_seat(game_id, user, moderator)
