"""Acts on a game that need two moderators: the first one asks, and the second one confirms after seeing the game as it
is then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, interventions, repairs, rewind, seat_acts
from game.store.approval_models import SecondOpinion
from game.store.game import Game
from game.store.log import Intervention

GAME_ACTS: Mapping[Intervention, Callable[..., Any]] = {
    Intervention.REWIND_TO: rewind.rewind_to,
    Intervention.APPLY_RERUN: repairs.apply_rerun,
    Intervention.HAND_SEAT_TO_BOT: seat_acts.hand_seat_to_bot,
    Intervention.HAND_SEAT_TO_USER: seat_acts.hand_seat_to_user,
    Intervention.SET_PROXY: seat_acts.set_stand_in,
    Intervention.CORRECT_MONEY: repairs.correct_money,
}


@transaction.atomic
def ask_about_game(
    *, what: Intervention, game_id: int, moderator: User, reason: str, seen: interventions.Seen, **arguments: Any
) -> SecondOpinion:
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
