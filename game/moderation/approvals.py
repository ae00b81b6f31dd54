"""The two-person rule: one moderator asks, and within two days another one with the same permission agrees or refuses.
Services require this approval and refuse to act without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.moderation.permissions import (
    RECEIVER,
    SEAT_GIVING,
    check_are_two,
    check_mailbox,
    check_receiver,
    check_ties,
    clean_reason,
    connected_to,
    has_mailbox,
    is_connected,
    is_tied,
    may,
    players_of,
    receiver_of,
)
from game.play import door
from game.play.proposals import have_agreed
from game.reputation.households import together_with
from game.store import account_locks
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.proposals import VoteTopic, drop_proposal, open_proposal, stored_proposal
from game.store.readers import lock

Answer = ApprovalRequest.Answer
REQUEST_LIFETIME = timedelta(hours=48)
ALWAYS_NEED_TWO = SEAT_GIVING | frozenset(
    {
        Intervention.REWIND_TO,
        Intervention.APPLY_RERUN,
        Intervention.CLOSE_ACCOUNT,
        Intervention.TAKE_SECOND_FACTOR,
    }
)
NEED_TWO_IF_RATED = frozenset(
    {
        Intervention.HAND_SEAT_TO_BOT,
        Intervention.CORRECT_MONEY,
    }
)
"""Interventions that need two people: in every game, or only in rated ones."""
_is_trial: ContextVar[bool] = ContextVar("tries", default=False)


class Approval(NamedTuple):
    """A second moderator's approval of a waiting request. `second` is `None` if the operator of the server confirmed it
    or all players agreed."""

    request_id: int
    second: User | None
    is_by_players: bool = False


class TrialOver(Exception):
    """Rolls back a trial."""


@contextmanager
def trial() -> Iterator[None]:
    """Roll back everything done in this block, so that it needs no approval."""
    token = _is_trial.set(True)
    try:
        with transaction.atomic():
            yield
            raise TrialOver
    except TrialOver:
        pass
    finally:
        _is_trial.reset(token)


def needs_two(what: Intervention, game: Game) -> bool:
    """True if a second person must agree to this in a game."""
    return what in ALWAYS_NEED_TWO or (what in NEED_TWO_IF_RATED and game.is_rated)


def require(
    approval: Approval | None, what: Intervention, *, game: Game, asker: User, arguments: Mapping[str, Any]
) -> None:
    """Consume the approval, if one is required. It must match this action, game and requester exactly. Raises
    `Refused`."""
    check_ties(asker, people=players_of(game, arguments))
    check_receiver(what, arguments, asker)
    if _is_trial.get() or (approval is None and not needs_two(what, game)):
        return
    if approval is None:
        raise Refused(
            f"To {what.label} needs a second person here: ask for it, and let another moderator confirm.",
            code="needs_second",
        )
    if approval.is_by_players:
        request = _lock_agreed_by_players(approval.request_id, game)
    else:
        request = lock_for_approval(request_id=approval.request_id, moderator=approval.second)
    is_this = (request.what, request.game_id, request.asker_id) == (what, game.pk, asker.pk)
    if not is_this or request.asked != dict(arguments):
        raise Refused("The second person agreed to something else.", code="other_request")
    outcome = "all players agreed" if approval.is_by_players else "confirmed"
    settle(request, approval.second, Answer.CONFIRMED, outcome, is_by_players=approval.is_by_players)


def file_request(
    what: Intervention,
    moderator: User,
    reason: str,
    *,
    game: Game | None = None,
    person: User | None = None,
    arguments: Mapping[str, Any],
) -> ApprovalRequest:
    """Store a request, unless the same one is already waiting. Raises `Refused`."""
    waiting = ApprovalRequest.objects.filter(
        what=what, game=game, person=person, answer=Answer.WAITING, expires_at__gt=timezone.now()
    )
    if waiting.exists():
        raise Refused(
            "This has been asked for already. A second person can confirm that request.", code="asked_already"
        )
    receiver = receiver_of(what, arguments)
    request_arguments = dict(arguments) if receiver is None else {**arguments, RECEIVER: receiver.pk}
    request = ApprovalRequest.objects.create(
        what=what, game=game, person=person, asker=moderator, reason=clean_reason(reason), asked=request_arguments,
        expires_at=timezone.now() + REQUEST_LIFETIME,
    )  # fmt: skip
    _record_request(request, moderator, "asked_for_second", reason)
    return request


@transaction.atomic
def lock_for_approval(*, request_id: int, moderator: User | None) -> ApprovalRequest:
    """Lock a request for somebody who may confirm it: another moderator, or `None`, the operator of the server, if no
    other moderator may. Raises `Refused`."""
    request = lock_request(request_id)
    if request.game_id is not None:
        lock(request.game_id)
    receiver = receiver_of(request.what, request.asked)
    account_locks.lock_accounts(request.asker, moderator, also=[request.person_id, receiver.pk if receiver else None])
    asker = _check_asker(request)
    if moderator is not None:
        _check_second(request, moderator)
    elif others := who_may_confirm(request, asker):
        names = ", ".join(other.username for other in others)
        raise Refused(f"Not on the server: this can be confirmed at the desk, by {names}.", code="others_may")
    return request


def others_who_may(what: str, asker: User, *, game: Game | None = None, person: User | None = None) -> list[User]:
    """The moderators who could confirm what `asker` asks for."""
    staff = User.objects.filter(is_staff=True, is_active=True).exclude(pk=asker.pk).order_by("username")
    connected = connected_to(asker) | together_with(asker.pk)
    able = [user for user in staff if may(Intervention(what), user) and user.pk not in connected]
    return [user for user in able if not is_tied(user, game=game, on=person)]


def who_may_confirm(request: ApprovalRequest, asker: User) -> list[User]:
    """The moderators who could confirm this request of `asker`."""
    others = others_who_may(request.what, asker, game=request.game, person=request.person)
    receiver = receiver_of(request.what, request.asked)
    people = [*(players_of(request.game, request.asked) if request.game else []), *([receiver] if receiver else [])]
    untied = [other for other in others if not is_tied(other, people=people)]
    unconnected = [other for other in untied if receiver is None or not is_connected(receiver, other)]
    return [other for other in unconnected if not has_mailbox(request.asked, request.person, other)]


def is_agreed_by_players(game: Game, request_id: int) -> bool:
    """True if the players were asked about this request, enough of them are present, and all of those agree."""
    proposal = open_proposal(game, VoteTopic.REWIND)
    if proposal is None or proposal.number != request_id or len(game.present_seats) < fewest_players(game):
        return False
    return have_agreed(game, proposal)


def fewest_players(game: Game) -> int:
    """How many players together replace a second moderator: two if ratings are at stake."""
    return 2 if game.is_rated else 1


@transaction.atomic
def refuse(*, request_id: int, moderator: User, reason: str) -> None:
    """Refuse a request, or withdraw one's own. Raises `Refused`."""
    if not clean_reason(reason):
        raise Refused("Enter a reason. It is recorded.", code="reason_missing")
    if ApprovalRequest.objects.filter(pk=request_id, asker=moderator).exists():
        settle(lock_request(request_id), moderator, Answer.WITHDRAWN, reason)
    else:
        settle(lock_for_approval(request_id=request_id, moderator=moderator), moderator, Answer.REFUSED, reason)


def settle(
    request: ApprovalRequest,
    moderator: User | None,
    answer: ApprovalRequest.Answer,
    reason: str,
    *,
    is_by_players: bool = False,
) -> None:
    """Store the answer and who gave it (`None`: the players or the operator); the players are no longer asked."""
    request.answer, request.answered_by, request.answered_at = answer, moderator, timezone.now()
    request.save(update_fields=["answer", "answered_by", "answered_at", "ends_at"])
    if request.game_id is not None and request.what == Intervention.REWIND_TO:
        _stop_asking(request.game_id, request.pk)
    _record_request(request, request.asker if is_by_players else moderator, f"{answer.value}_request", reason)


def _stop_asking(game_id: int, request_id: int) -> None:
    game = lock(game_id)
    proposal = None if game is None else stored_proposal(game, VoteTopic.REWIND)
    if game is not None and proposal is not None and proposal.number == request_id:
        drop_proposal(game, VoteTopic.REWIND)
        door.write(game)


def is_open(request: ApprovalRequest) -> bool:
    """True if the request can still be answered."""
    return request.answer == Answer.WAITING and request.expires_at > timezone.now()


def lock_request(request_id: int) -> ApprovalRequest:
    """Lock a request that can still be answered. Raises `Refused`."""
    requests = ApprovalRequest.objects.select_for_update(of=("self",)).select_related("asker", "person")
    request = requests.filter(pk=request_id).first()
    if request is None:
        raise Refused("There is no such request.", code="no_such_request")
    if request.answer != Answer.WAITING:
        raise Refused(f"This request was already {request.answer}.", code="already_answered")
    if not is_open(request):
        raise Refused(
            f"This request expired: nobody confirmed it within {REQUEST_LIFETIME.days * 24} hours. Ask again.",
            code="request_expired",
        )
    return request


def _lock_agreed_by_players(request_id: int, game: Game) -> ApprovalRequest:
    """Lock a request to which the players of its game agree. Raises `Refused`."""
    request = lock_request(request_id)
    account_locks.lock_accounts(request.asker)
    if not is_agreed_by_players(game, request_id):
        raise Refused(
            "The players have not agreed, or somebody who is away may still come back.", code="players_disagree"
        )
    _check_asker(request)
    return request


def _check_asker(request: ApprovalRequest) -> User:
    if request.asker is None or not may(Intervention(request.what), request.asker):
        raise Refused(
            "The moderator who asked for this may no longer do it. It cannot be confirmed.", code="asker_may_not"
        )
    return request.asker


def _record_request(request: ApprovalRequest, moderator: User | None, verb: str, reason: str) -> None:
    details: dict[str, Any] = {"request": request.pk, "what": Intervention(request.what).label}
    if moderator is None:
        details["on"] = "the server"
    if moderator is None or request.asker_id != moderator.pk:
        details["asked_by"] = str(request.asker)
    if request.person is not None:
        details["user"] = request.person.username
    ModeratorAction.objects.create(
        game=request.game, user=moderator, verb=verb, reason=clean_reason(reason), details=details
    )


def _check_second(request: ApprovalRequest, moderator: User) -> None:
    what = Intervention(request.what)
    if moderator.pk == request.asker_id:
        raise Refused("You asked for this yourself. Another moderator must confirm it.", code="own_request")
    if not may(what, moderator):
        raise Refused(
            f"You are not allowed to {what.label}: it needs the permission {what.permission}.", code="no_permission"
        )
    if request.asker is not None:
        check_are_two(request.asker, moderator)
    players = players_of(request.game, request.asked) if request.game else []
    check_ties(moderator, game=request.game, on=request.person, people=players)
    check_receiver(request.what, request.asked, moderator)
    check_mailbox(request.asked, request.person, moderator)
