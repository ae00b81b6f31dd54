"""The name of a deleted account goes out of what was frozen when cases were filed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from accounts.models import User
from game.models import Case

NAMING = ("seats", "log", "text", "around", "reason", "decision")  # all else of the evidence names nobody


def whole_name(name: str) -> re.Pattern[str]:
    """Where a name stands by itself, as of a bot with its owner behind it."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)(?: \[[^]]*\])?")


def in_place_of_name(number: int | None) -> str:
    """What stands there then: the seat that they had, if any."""
    return "?" if number is None else f"Seat {number + 1}"


def forget_in_evidence(user: User, seats: Mapping[int, int]) -> None:
    """Take somebody's name out of the evidence of every case; `seats` are those they had, by the game's key."""
    name, found = whole_name(user.username), Q()
    for written in {user.username, json.dumps(user.username)[1:-1]}:  # SQLite keeps letters beyond ASCII escaped
        found |= Q(told__contains=written)
    cases = Case.objects.annotate(told=Cast("evidence", TextField())).filter(found).select_for_update()
    for case in cases.only("evidence", "game_id").order_by("pk"):
        instead = in_place_of_name(seats.get(case.game_id) if case.game_id else None)
        kept = {key: _without(told, name, instead) if key in NAMING else told for key, told in case.evidence.items()}
        if kept != case.evidence:
            Case.objects.filter(pk=case.pk).update(evidence=kept)


def _without(told: Any, name: re.Pattern[str], instead: str) -> Any:
    match told:
        case str():
            return name.sub(instead, told)
        case list():
            return [_without(each, name, instead) for each in told]
        case dict():
            return {key: _without(each, name, instead) for key, each in told.items()}
        case _:
            return told
