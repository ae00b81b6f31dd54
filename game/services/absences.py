"""Absence: at the deadline the last saved valid draft of a person who sent nothing is sent for them."""

from __future__ import annotations

from game.engine.actions import Refused
from game.models import Draft, Kind
from game.services.sittings import Sitting


def submit_drafts(sitting: Sitting) -> None:
    """Submit what absent persons have saved for the open phase, each draft whole or not at all."""
    untouched = [seat for seat, state in enumerate(sitting.game.seat_states) if state == "untouched"]
    absent = [seat for seat in untouched if str(seat) not in sitting.game.bots]
    if not absent:
        return
    drafts = Draft.objects.filter(seat__game=sitting.game, seat__number__in=absent, serial=sitting.serial)
    for number, content in drafts.order_by("seat__number").values_list("seat__number", "content"):
        _submit(sitting, number, content)


def _submit(sitting: Sitting, seat: int, content: object) -> None:
    """A draft that the rules refuse by now counts for nothing: close never refuses."""
    serial, kept = sitting.serial, sitting.mark()
    try:
        for request in content if isinstance(content, list) else []:
            action = sitting.rules.parse(request, seat)
            if sitting.serial == serial and not _is_ready(request):
                sitting.take(action, kind=Kind.DRAFT)
    except Refused:
        sitting.go_back(kept)


def _is_ready(request: object) -> bool:
    """Ready would close the phase before the next person's draft."""
    return isinstance(request, dict) and request.get("kind") == "ready"
