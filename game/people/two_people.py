"""Every act that needs two people: the first one asks, and the second one confirms after seeing the game as it is then,
at the desk, or on the server of a site without a second moderator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, break_glass, interventions, repairs, rewind, sanctions, seat_acts
from game.people import account_closure, identity
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention

GAME_ACTS: Mapping[Intervention, Callable[..., Any]] = {
    Intervention.REWIND_TO: rewind.rewind_to,
    Intervention.APPLY_RERUN: repairs.apply_rerun,
    Intervention.HAND_SEAT_TO_BOT: seat_acts.hand_seat_to_bot,
    Intervention.HAND_SEAT_TO_USER: seat_acts.hand_seat_to_user,
    Intervention.SET_PROXY: seat_acts.set_stand_in,
    Intervention.CORRECT_MONEY: repairs.correct_money,
}
PEOPLE_ACTS: Mapping[Intervention, tuple[Callable[..., Any], str]] = {
    Intervention.BAN: (sanctions.confirm_ban, "the ban has begun"),
    Intervention.CLOSE_ACCOUNT: (account_closure.confirm_closing, "the account is closed"),
    Intervention.TAKE_SECOND_FACTOR: (identity.confirm_removing_factors, "the password alone signs in now"),
    Intervention.CHANGE_IDENTITY: (
        identity.confirm_new_address,
        "the new address counts once its owner has confirmed it",
    ),
    Intervention.READ_SECRETS: (break_glass.confirm, "whoever asked may read for an hour; the players are told later"),
}


def confirm(*, request_id: int, moderator: User | None, seen: interventions.Seen | None = None) -> str:
    """Carry out a request and return a message. `None` is the operator, on the server; `seen` is the game as they saw
    it, or as it is now. Raises `Refused`."""
    request = ApprovalRequest.objects.select_related("game").filter(pk=request_id).first()
    if request is None:
        raise Refused("There is no such request.", code="no_such_request")
    what = Intervention(request.what)
    if what in PEOPLE_ACTS:
        act, result_text = PEOPLE_ACTS[what]
        act(request_id=request_id, moderator=moderator)
        return f"Done: {result_text}."
    if request.game is None:
        raise Refused("There is no such game.", code="no_game")
    seen = seen or interventions.seen_of(request.game)
    confirm_about_game(request_id=request_id, moderator=moderator, seen=seen)
    return f"Done: {what.label}."


@transaction.atomic
def request_game_act(
    *, what: Intervention, game_id: int, moderator: User, reason: str, seen: interventions.Seen, **arguments: Any
) -> ApprovalRequest:
    """Ask for an act that a second person must confirm. It is tried out first. Raises `Refused`."""
    try_out(GAME_ACTS[what], game_id=game_id, moderator=moderator, reason=reason, seen=seen, **arguments)
    return approvals.file_request(what, moderator, reason, game=Game.objects.get(pk=game_id), arguments=arguments)


@transaction.atomic
def confirm_about_game(*, request_id: int, moderator: User | None, seen: interventions.Seen) -> None:
    """Carry out a request in the name of the moderator who asked. Raises `Refused`."""
    request = approvals.lock_for_approval(request_id=request_id, moderator=moderator)
    what = Intervention(request.what)
    if what not in GAME_ACTS:
        raise Refused("This request is not about what is done to a game.", code="other_request")
    approval = approvals.Approval(request_id, moderator)
    who: dict[str, Any] = {"moderator": request.asker, "reason": request.reason, "seen": seen, "approval": approval}
    GAME_ACTS[what](game_id=request.game_id, **who, **request.asked)


def try_out(act: Callable[..., Any], *, game_id: int, **arguments: Any) -> dict[str, Any]:
    """The public facts of a game after this act, which is done and rolled back. Raises `Refused`."""
    with approvals.trial():
        act(game_id=game_id, **arguments)
        return interventions.facts_of(game_id)
