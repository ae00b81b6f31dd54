"""Confirming any approval request: at the desk, or on the server of a site without a second moderator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import break_glass, interventions, sanctions, two_people
from game.people import account_closure, identity, mfa_reset
from game.store.approval_models import SecondOpinion
from game.store.log import Intervention

PEOPLE_ACTS: Mapping[Intervention, tuple[Callable[..., Any], str]] = {
    Intervention.BAN: (sanctions.confirm_ban, "the ban has begun"),
    Intervention.CLOSE_ACCOUNT: (account_closure.confirm_closing, "the account is closed"),
    Intervention.TAKE_SECOND_FACTOR: (mfa_reset.confirm_taking, "the password alone signs in now"),
    Intervention.CHANGE_IDENTITY: (identity.confirm_changing, "the new address counts once its owner has confirmed it"),
    Intervention.READ_SECRETS: (break_glass.confirm, "whoever asked may read for an hour; the players are told later"),
}


def confirm(*, request_id: int, moderator: User | None, seen: interventions.Seen | None = None) -> str:
    """Carry out a request and return a message. `None` is the operator, on the server; `seen` is the game as they saw
    it, or as it is now. Raises `Refused`."""
    request = SecondOpinion.objects.select_related("game").filter(pk=request_id).first()
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
    two_people.confirm_about_game(request_id=request_id, moderator=moderator, seen=seen)
    return f"Done: {what.label}."
