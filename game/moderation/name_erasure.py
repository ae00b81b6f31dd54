"""Removing the name of a deleted account from what the desk keeps about it and its games: cases with their evidence,
text and notes, reported messages, requests, the moderators' record.

Nothing else is changed: names can be everyday words, and an account that is called like one must not erase it from the
whole record."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts.models import User
from game.chat.models import Report
from game.moderation import audit_trigger
from game.store.approval_models import SecondOpinion
from game.store.case_models import Case, CaseNote, Sanction
from game.store.log import Intervention, ModeratorAction

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


def whole_name(names: Iterable[str], *, in_any_case: bool = False) -> re.Pattern[str]:
    """Where one of these names stands by itself, as of a bot with its owner behind it; people write them `in_any_case`,
    programs do not."""
    told = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{told})(?!\w)(?: \[[^]]*\])?", re.IGNORECASE if in_any_case else re.NOFLAG)


def in_place_of_name(number: int | None) -> str:
    """What replaces the name: the seat that they had, if any."""
    return "?" if number is None else f"Seat {number + 1}"


def forget(user: User, names: Iterable[str], seats: Mapping[int, int], games: Collection[int]) -> None:
    """Take somebody's names out of what the desk keeps about them and the `games` they had a part in; `seats` are those
    they had, by the game's key."""
    name = whole_name(names, in_any_case=True)
    cases = Case.objects.filter(Q(people=user) | Q(reporter=user) | Q(game__in=games) | Q(games__in=games))
    about = set(cases.order_by().values_list("pk", flat=True))
    _forget_in_cases(about, name, seats)
    for report in Report.objects.select_for_update().filter(game__in=games).order_by("pk"):
        kept = _without(report.context, name, _instead(report.game_id, seats))
        _rewrite(report, name, _instead(report.game_id, seats), "reason", "text", context=kept)
    gainer = reduce(or_, (Q(asked__username__iexact=each) for each in names))
    for asked in _naming(SecondOpinion.objects.filter(Q(game__in=games) | gainer), names, "asked", "reason"):
        instead = _instead(asked.game_id, seats)
        _rewrite(asked, name, instead, "reason", asked=_told(asked.asked, PEOPLE, name, instead))
    told = reduce(or_, (Q(**{f"details__{fact}__in": [*names]}) for fact in PEOPLE))
    acts = ModeratorAction.objects.filter(Q(game__in=games) | Q(details__case__in=[*about]) | told)
    with audit_trigger.forgetting():
        for act in _naming(acts, names, "details", "before", "after", "reason"):
            _forget_act(act, name, _instead(act.game_id, seats))


def _forget_in_cases(about: Collection[int], name: re.Pattern[str], seats: Mapping[int, int]) -> None:
    """The evidence of these cases, what people wrote about them, and the decisions made by them."""
    games: dict[int, int | None] = {}
    for case in Case.objects.select_for_update().filter(pk__in=about).order_by("pk"):
        games[case.pk], instead = case.game_id, _instead(case.game_id, seats)
        _rewrite(case, name, instead, "words", "exculpatory", evidence=_told(case.evidence, NAMING, name, instead))
    for note in CaseNote.objects.filter(case__in=about):
        _rewrite(note, name, _instead(games[note.case_id or 0], seats), "text")
    for decided in Sanction.objects.filter(case__in=about):
        _rewrite(decided, name, _instead(games[decided.case_id or 0], seats), "reason")


def _rewrite(row: Model, name: re.Pattern[str], instead: str, *columns: str, **more: Any) -> None:
    """Store a row without the name in these columns, if that changes it."""
    kept = {column: name.sub(instead, getattr(row, column)) for column in columns} | more
    changed = {column: value for column, value in kept.items() if value != getattr(row, column)}
    if changed:
        type(row)._default_manager.filter(pk=row.pk).update(**changed)


def _naming(rows: QuerySet[M], names: Iterable[str], *columns: str) -> QuerySet[M]:
    """Those in whose columns one of the names stands, if only as a part of another one."""
    found, told = Q(), {f"told_{column}": Cast(column, TextField()) for column in columns}
    for written in {form for name in names for form in (name, json.dumps(name)[1:-1])}:  # SQLite escapes beyond ASCII
        for column in told:
            found |= Q(**{f"{column}__icontains": written})
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
