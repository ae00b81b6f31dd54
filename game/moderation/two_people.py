"""Acts on a game that need two moderators: the first one asks, and the second one confirms after seeing the game as it
is then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, corrections, interventions, re_resolve, rewind, stand_ins
from game.store.approval_models import SecondOpinion
from game.store.game import Game
from game.store.log import Intervention

GAME_ACTS: Mapping[Intervention, Callable[..., Any]] = {
    Intervention.REWIND_TO: rewind.rewind_to,
    Intervention.APPLY_RERUN: re_resolve.apply_rerun,
    Intervention.HAND_SEAT_TO_BOT: interventions.hand_seat_to_bot,
    Intervention.HAND_SEAT_TO_USER: interventions.hand_seat_to_user,
    Intervention.SET_PROXY: stand_ins.set_proxy,
    Intervention.CORRECT_MONEY: corrections.correct_money,
}


@transaction.atomic
def ask_about_game(
    *, what: Intervention, game_id: int, moderator: User, reason: str, seen: interventions.Seen, **arguments: Any
) -> SecondOpinion:
    """Ask for an act that a second person must confirm. It is tried out first. Raises `Refused`."""
    try_out(GAME_ACTS[what], game_id=game_id, moderator=moderator, reason=reason, seen=seen, **arguments)
    return approvals.file(what, moderator, reason, game=Game.objects.get(pk=game_id), asked=arguments)


@transaction.atomic
def confirm_about_game(*, request_id: int, moderator: User | None, seen: interventions.Seen) -> None:
    """Carry out a request in the name of the moderator who asked. Raises `Refused`."""
    request = approvals.take_up(request_id=request_id, moderator=moderator)
    what = Intervention(request.what)
    if what not in GAME_ACTS:
        raise Refused("This request is not about what is done to a game.", code="other_request")
    consent = approvals.Consent(request_id, moderator)
    who: dict[str, Any] = {"moderator": request.asker, "reason": request.reason, "seen": seen, "consent": consent}
    GAME_ACTS[what](game_id=request.game_id, **who, **request.asked)


def try_out(act: Callable[..., Any], *, game_id: int, **arguments: Any) -> dict[str, Any]:
    """The public facts of a game after this act, which is done and rolled back. Raises `Refused`."""
    with approvals.trying():
        act(game_id=game_id, **arguments)
        return interventions.facts_of(game_id)
