"""The name of a deleted account goes out of what the desk keeps: evidence, requests, the moderators' record."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts.models import User
from game.models import Case, ModeratorAction, SecondOpinion
from game.services import record

M = TypeVar("M", bound=Model)
NAMING = ("seats", "log", "text", "around", "reason", "decision")  # all else of the evidence names nobody
PEOPLE = ("user", "was", "to", "other", "host", "whose", "asked_by", "confirmed_by", "username", "held_reason")
FACTS = ("seats", "held because", "rated for seat")
"""What of an act's details, and of how a game was before and after it, can name somebody."""


def whole_name(name: str) -> re.Pattern[str]:
    """Where a name stands by itself, as of a bot with its owner behind it."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)(?: \[[^]]*\])?")


def in_place_of_name(number: int | None) -> str:
    """What stands there then: the seat that they had, if any."""
    return "?" if number is None else f"Seat {number + 1}"


def forget(user: User, seats: Mapping[int, int]) -> None:
    """Take somebody's name out of all that the desk keeps; `seats` are those they had, by the game's key."""
    name = whole_name(user.username)
    for case in _naming(Case.objects.only("evidence", "game_id"), user, "evidence"):
        kept = _told(case.evidence, NAMING, name, _instead(case.game_id, seats))
        Case.objects.filter(pk=case.pk).update(evidence=kept)
    for asked in _naming(SecondOpinion.objects.only("asked", "reason", "game_id"), user, "asked", "reason"):
        instead = _instead(asked.game_id, seats)
        told = _told(asked.asked, PEOPLE, name, instead)
        SecondOpinion.objects.filter(pk=asked.pk).update(asked=told, reason=name.sub(instead, asked.reason))
    with record.forgetting():
        for act in _naming(ModeratorAction.objects.all(), user, "details", "before", "after", "reason"):
            _forget_act(act, name, _instead(act.game_id, seats))


def _naming(rows: QuerySet[M], user: User, *columns: str) -> QuerySet[M]:
    """Those in whose columns the name stands, if only as a part of another one."""
    found, told = Q(), {f"told_{column}": Cast(column, TextField()) for column in columns}
    for written in {user.username, json.dumps(user.username)[1:-1]}:  # SQLite keeps letters beyond ASCII escaped
        for column in told:
            found |= Q(**{f"{column}__contains": written})
    return rows.alias(**told).filter(found).select_for_update().order_by("pk")


def _forget_act(act: ModeratorAction, name: re.Pattern[str], instead: str) -> None:
    ModeratorAction.objects.filter(pk=act.pk).rewrite(
        reason=name.sub(instead, act.reason),
        details=_told(act.details, PEOPLE, name, instead),
        before=_told(act.before, FACTS, name, instead),
        after=_told(act.after, FACTS, name, instead),
    )


def _instead(game_id: int | None, seats: Mapping[int, int]) -> str:
    return in_place_of_name(seats.get(game_id) if game_id else None)


def _told(facts: Mapping[str, Any], naming: tuple[str, ...], name: re.Pattern[str], instead: str) -> dict[str, Any]:
    """The facts, without the name in those that name somebody."""
    return {key: _without(told, name, instead) if key.startswith(naming) else told for key, told in facts.items()}


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
