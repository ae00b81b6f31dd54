"""Removing the name of a deleted account from what the desk keeps: evidence, requests, the moderators' record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts.models import User
from game.models import Case, Intervention, ModeratorAction, SecondOpinion
from game.services import record

M = TypeVar("M", bound=Model)
NAMING = ("seats", "log", "text", "around", "reason", "decision")  # nothing else in the evidence has names
PEOPLE = ("user", "was", "to", "other", "host", "whose", "asked_by", "confirmed_by", "username", "held_reason")
FACTS = ("seats", "held because", "rated for seat")
"""What of an act's details, and of how a game was before and after it, can name somebody."""


def names_of(user: User) -> list[str]:
    """What an account is called, and was called before moderators renamed it; without names that belong to another
    account now."""
    renamed = ModeratorAction.objects.filter(verb=Intervention.CHANGE_IDENTITY, details__account=user.pk)
    former = {str(name) for name in renamed.values_list("details__user", flat=True)} - {user.username}
    others = set(User.objects.filter(username__in=former).values_list("username", flat=True))
    return [user.username, *sorted(former - others)]


def whole_name(names: Iterable[str]) -> re.Pattern[str]:
    """Where one of these names occurs as a whole, such as that of a bot followed by its owner's."""
    told = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{told})(?!\w)(?: \[[^]]*\])?")


def in_place_of_name(number: int | None) -> str:
    """What replaces the name: the seat that they had, if any."""
    return "?" if number is None else f"Seat {number + 1}"


def forget(names: Iterable[str], seats: Mapping[int, int]) -> None:
    """Remove a person's names from everything that the desk keeps; `seats` are those they had, by the game's key."""
    name = whole_name(names)
    for case in _naming(Case.objects.only("evidence", "game_id"), names, "evidence"):
        kept = _told(case.evidence, NAMING, name, _instead(case.game_id, seats))
        Case.objects.filter(pk=case.pk).update(evidence=kept)
    for asked in _naming(SecondOpinion.objects.only("asked", "reason", "game_id"), names, "asked", "reason"):
        instead = _instead(asked.game_id, seats)
        told = _told(asked.asked, PEOPLE, name, instead)
        SecondOpinion.objects.filter(pk=asked.pk).update(asked=told, reason=name.sub(instead, asked.reason))
    with record.forgetting():
        for act in _naming(ModeratorAction.objects.all(), names, "details", "before", "after", "reason"):
            _forget_act(act, name, _instead(act.game_id, seats))


def _naming(rows: QuerySet[M], names: Iterable[str], *columns: str) -> QuerySet[M]:
    """Those in whose columns one of the names stands, if only as a part of another one."""
    found, told = Q(), {f"told_{column}": Cast(column, TextField()) for column in columns}
    for written in {form for name in names for form in (name, json.dumps(name)[1:-1])}:  # SQLite escapes beyond ASCII
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
