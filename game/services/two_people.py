"""What no moderator does alone: one asks, and within two days another one with the same permission confirms or
refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.models import Game, Intervention, ModeratorAction, SecondOpinion
from game.services import moderation, rewind

Answer = SecondOpinion.Answer
LASTS = timedelta(hours=48)
GAME_ACTS: Mapping[Intervention, Callable[..., Any]] = {
    Intervention.REWIND_TO: rewind.rewind_to,
    Intervention.HAND_SEAT_TO_BOT: moderation.hand_seat_to_bot,
    Intervention.HAND_SEAT_TO_USER: moderation.hand_seat_to_user,
}
"""What is done to a game, after a second person has looked at it as it is then."""


def needs_two(what: Intervention, game: Game) -> bool:
    """Whether a second person must confirm this: every rewind, and a seat that changes hands where ratings are at
    stake."""
    return what in GAME_ACTS and (what is Intervention.REWIND_TO or game.is_rated)


@transaction.atomic
def ask_about_game(
    *, what: Intervention, game_id: int, moderator: User, reason: str, seen: moderation.Seen, **asked: Any
) -> SecondOpinion:
    """Ask for something that a second person must confirm. What would be refused now is refused. Raises `Refused`."""
    try_out(GAME_ACTS[what], game_id=game_id, moderator=moderator, reason=reason, seen=seen, **asked)
    return file(what, moderator, reason, game=Game.objects.get(pk=game_id), asked=asked)


def file(
    what: Intervention,
    moderator: User,
    reason: str,
    *,
    game: Game | None = None,
    person: User | None = None,
    asked: Mapping[str, Any],
) -> SecondOpinion:
    """Keep a request; the same one is not made twice while it waits. Raises `Refused`."""
    waiting = SecondOpinion.objects.filter(
        what=what, game=game, person=person, answer=Answer.WAITING, expires_at__gt=timezone.now()
    )
    if waiting.exists():
        raise Refused(
            "This has been asked for already. A second person can confirm that request.", code="asked_already"
        )
    request = SecondOpinion.objects.create(
        what=what, game=game, person=person, asker=moderator, reason=moderation.clean(reason), asked=dict(asked),
        expires_at=timezone.now() + LASTS,
    )  # fmt: skip
    _note(request, moderator, "asked_for_second", reason)
    return request


@transaction.atomic
def take_up(*, request_id: int, moderator: User) -> SecondOpinion:
    """The locked request, for somebody who may confirm it. Raises `Refused`."""
    request = _locked(request_id)
    what = Intervention(request.what)
    if moderator.pk == request.asker_id:
        raise Refused("You asked for this yourself. Another moderator must confirm it.", code="own_request")
    if not moderation.may(what, moderator):
        raise Refused(
            f"You are not allowed to {what.label}: it needs the permission {what.permission}.", code="no_permission"
        )
    if request.game is not None and moderation.sits_at(request.game, moderator):
        raise Refused("You play or played in this game. Ask another moderator.", code="plays_there")
    if request.person_id == moderator.pk:
        raise Refused("This is about you. Ask another moderator.", code="about_you")
    if request.asker is None or not moderation.may(what, request.asker):
        raise Refused("Whoever asked for this may no longer do it. It cannot be confirmed.", code="asker_may_not")
    return request


@transaction.atomic
def confirm_about_game(*, request_id: int, moderator: User, seen: moderation.Seen) -> None:
    """Do what was asked, in the name of whoever asked for it. Raises `Refused`."""
    request = take_up(request_id=request_id, moderator=moderator)
    act = GAME_ACTS[Intervention(request.what)]
    act(game_id=request.game_id, moderator=request.asker, reason=request.reason, seen=seen, **request.asked)
    settle(request, moderator, Answer.CONFIRMED, "confirmed")


@transaction.atomic
def refuse(*, request_id: int, moderator: User, reason: str) -> None:
    """Say no to a request, or withdraw one's own. Raises `Refused`."""
    if not moderation.clean(reason):
        raise Refused("Enter a reason. It is recorded.", code="reason_missing")
    if SecondOpinion.objects.filter(pk=request_id, asker=moderator).exists():
        settle(_locked(request_id), moderator, Answer.WITHDRAWN, reason)
    else:
        settle(take_up(request_id=request_id, moderator=moderator), moderator, Answer.REFUSED, reason)


def settle(request: SecondOpinion, moderator: User, answer: SecondOpinion.Answer, reason: str) -> None:
    """Write down who answered what."""
    request.answer, request.answered_by, request.answered_at = answer, moderator, timezone.now()
    request.save(update_fields=["answer", "answered_by", "answered_at", "ends_at"])
    _note(request, moderator, f"{answer.value}_request", reason)


def is_open(request: SecondOpinion) -> bool:
    """Whether it can still be answered."""
    return request.answer == Answer.WAITING and request.expires_at > timezone.now()


class _TriedOut(Exception):
    """Rolls back what was only tried."""


def try_out(act: Callable[..., Any], *, game_id: int, **asked: Any) -> dict[str, Any]:
    """What everybody could see of a game after this, which is done and taken back. Raises `Refused`."""
    after: dict[str, Any] = {}
    try:
        with transaction.atomic():
            act(game_id=game_id, **asked)
            after = moderation.facts_of(game_id)
            raise _TriedOut
    except _TriedOut:
        return after


def _locked(request_id: int) -> SecondOpinion:
    locked = SecondOpinion.objects.select_for_update(of=("self",)).select_related("asker", "person")
    request = locked.filter(pk=request_id).first()
    if request is None:
        raise Refused("There is no such request.", code="no_such_request")
    if request.answer != Answer.WAITING:
        raise Refused(f"This request was already {request.answer}.", code="already_answered")
    if not is_open(request):
        raise Refused(
            f"This request expired: nobody confirmed it within {LASTS.days * 24} hours. Ask again.",
            code="request_expired",
        )
    return request


def _note(request: SecondOpinion, moderator: User, verb: str, reason: str) -> None:
    details: dict[str, Any] = {"request": request.pk, "what": Intervention(request.what).label}
    if request.asker_id != moderator.pk:
        details["asked_by"] = str(request.asker)
    if request.person is not None:
        details["user"] = request.person.username
    ModeratorAction.objects.create(
        game=request.game, user=moderator, verb=verb, reason=moderation.clean(reason), details=details
    )
