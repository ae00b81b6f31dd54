"""Erase the name of a deleted account from what the desk stores about it and its games: cases with their evidence, text
and notes, reported messages, requests, the moderators' record. Nothing else is changed: a name can be an everyday word,
and must not erase that word from the whole record.

A database trigger protects the moderators' record: rows are added and never changed, except for such a name."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from operator import or_
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts.models import User
from game.chat.models import Report
from game.store.case_models import Case, CaseNote, Sanction
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction

FIXED_COLUMNS = ("verb", "at", "id")
NAMING_COLUMNS = ("reason", "details", "before", "after")  # fixed too, except while a name in them is erased
# May only become NULL, when an account or a game is deleted.
NULLABLE_COLUMNS = ("user_id", "game_id")
TABLE, TRIGGER = "game_moderatoraction", "moderators_record_is_kept"
SETTING = "sectors.forgetting"
ERROR_TEXT = "The record of the moderators is only added to."
M = TypeVar("M", bound=Model)
EVIDENCE_KEYS = ("seats", "log", "text", "around", "reason", "decision")  # the parts of the evidence with names
DETAIL_KEYS = ("user", "was", "to", "other", "host", "whose", "asked_by", "confirmed_by", "username", "held_reason")
FACT_KEYS = ("seats", "held because", "rated for seat")
"""Keys of an act's details, and of its facts before and after, whose values can name somebody."""


def has_record_table() -> bool:
    """True if the table has the columns named here; false while a site is migrated half way."""
    with connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return False
        columns = {column.name for column in connection.introspection.get_table_description(cursor, TABLE)}
    return columns >= {*FIXED_COLUMNS, *NAMING_COLUMNS, *NULLABLE_COLUMNS}


def install_trigger() -> None:
    """Install the trigger: after every `migrate`, because SQLite drops it when it rebuilds the table."""
    statements = _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def remove_trigger() -> None:
    """Remove the trigger before every `migrate`: SQLite drops no column that a trigger names."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER IF EXISTS {TRIGGER}")


@contextmanager
def allow_erasure() -> Iterator[None]:
    """Allow the name of a deleted account to be erased from rows, within a transaction."""
    if connection.vendor == "sqlite":
        remove_trigger()
        yield
        install_trigger()
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, 'yes', true)", [SETTING])
    yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, '', true)", [SETTING])


def names_of(user: User) -> list[str]:
    """The current name of an account and its former ones, without names that belong to another account now."""
    former = former_names([user.pk]) - {user.username}
    others = set(User.objects.filter(username__in=former).values_list("username", flat=True))
    return [user.username, *sorted(former - others)]


def former_names(accounts: Collection[int]) -> set[str]:
    """The names that moderators changed of these accounts."""
    renamed = ModeratorAction.objects.filter(verb=Intervention.CHANGE_IDENTITY, details__account__in=[*accounts])
    return set(map(str, renamed.values_list("details__user", flat=True)))


def name_pattern(names: Iterable[str], *, in_any_case: bool = False) -> re.Pattern[str]:
    """Pattern of these names as whole words, with the owner in brackets after a bot's name; people write them
    `in_any_case`, programs do not."""
    alternatives = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)(?: \[[^]]*\])?", re.IGNORECASE if in_any_case else re.NOFLAG)


def replacement_of(number: int | None) -> str:
    """The replacement of a name: the person's seat, if any."""
    return "?" if number is None else f"Seat {number + 1}"


def erase_names(user: User, names: Iterable[str], seats: Mapping[int, int], games: Collection[int]) -> None:
    """Erase somebody's names from what the desk stores about them and their `games`; `seats` are their seat numbers by
    game."""
    name = name_pattern(names, in_any_case=True)
    cases = Case.objects.filter(Q(people=user) | Q(reporter=user) | Q(game__in=games) | Q(games__in=games))
    about = set(cases.order_by().values_list("pk", flat=True))
    _forget_in_cases(about, name, seats)
    for report in Report.objects.select_for_update().filter(game__in=games).order_by("pk"):
        context = _erase_in_value(report.context, name, _replacement_in(report.game_id, seats))
        _rewrite(report, name, _replacement_in(report.game_id, seats), "reason", "text", context=context)
    names_receiver = reduce(or_, (Q(asked__username__iexact=each) for each in names))
    requests = ApprovalRequest.objects.filter(Q(game__in=games) | names_receiver)
    for request in _rows_naming(requests, names, "asked", "reason"):
        replacement = _replacement_in(request.game_id, seats)
        arguments = _erase_in_fields(request.asked, DETAIL_KEYS, name, replacement)
        _rewrite(request, name, replacement, "reason", asked=arguments)
    named_in_details = reduce(or_, (Q(**{f"details__{fact}__in": [*names]}) for fact in DETAIL_KEYS))
    acts = ModeratorAction.objects.filter(Q(game__in=games) | Q(details__case__in=[*about]) | named_in_details)
    with allow_erasure():
        for act in _rows_naming(acts, names, "details", "before", "after", "reason"):
            _forget_act(act, name, _replacement_in(act.game_id, seats))


def _forget_in_cases(about: Collection[int], name: re.Pattern[str], seats: Mapping[int, int]) -> None:
    """Erase it from the evidence of these cases, the notes on them and the decisions based on them."""
    games: dict[int, int | None] = {}
    for case in Case.objects.select_for_update().filter(pk__in=about).order_by("pk"):
        games[case.pk], replacement = case.game_id, _replacement_in(case.game_id, seats)
        evidence = _erase_in_fields(case.evidence, EVIDENCE_KEYS, name, replacement)
        _rewrite(case, name, replacement, "words", "exculpatory", evidence=evidence)
    for note in CaseNote.objects.filter(case__in=about):
        _rewrite(note, name, _replacement_in(games[note.case_id or 0], seats), "text")
    for sanction in Sanction.objects.filter(case__in=about):
        _rewrite(sanction, name, _replacement_in(games[sanction.case_id or 0], seats), "reason")


def _erase_in_fields(
    fields: Mapping[str, Any], naming_keys: tuple[str, ...], name: re.Pattern[str], replacement: str
) -> dict[str, Any]:
    """The fields, with the name replaced in those that can name somebody."""
    return {
        key: _erase_in_value(value, name, replacement) if key.startswith(naming_keys) else value
        for key, value in fields.items()
    }


def _erase_in_value(value: Any, name: re.Pattern[str], replacement: str) -> Any:
    match value:
        case str():
            return name.sub(replacement, value)
        case list():
            return [_erase_in_value(each, name, replacement) for each in value]
        case dict():
            return {key: _erase_in_value(each, name, replacement) for key, each in value.items()}
        case _:
            return value


def _rewrite(row: Model, name: re.Pattern[str], replacement: str, *columns: str, **others: Any) -> None:
    """Save a row with the name replaced in these columns, if that changes it."""
    values = {column: name.sub(replacement, getattr(row, column)) for column in columns} | others
    changed = {column: value for column, value in values.items() if value != getattr(row, column)}
    if changed:
        type(row)._default_manager.filter(pk=row.pk).update(**changed)


def _replacement_in(game_id: int | None, seats: Mapping[int, int]) -> str:
    return replacement_of(seats.get(game_id) if game_id else None)


def _rows_naming(rows: QuerySet[M], names: Iterable[str], *columns: str) -> QuerySet[M]:
    """Rows with one of the names in these columns, even as a part of another name."""
    condition, texts = Q(), {f"{column}_text": Cast(column, TextField()) for column in columns}
    for spelling in {form for name in names for form in (name, json.dumps(name)[1:-1])}:  # SQLite escapes beyond ASCII
        for column in texts:
            condition |= Q(**{f"{column}__icontains": spelling})
    return rows.alias(**texts).filter(condition).select_for_update().order_by("pk")


def _forget_act(act: ModeratorAction, name: re.Pattern[str], replacement: str) -> None:
    ModeratorAction.objects.filter(pk=act.pk).rewrite(
        reason=name.sub(replacement, act.reason),
        details=_erase_in_fields(act.details, DETAIL_KEYS, name, replacement),
        before=_erase_in_fields(act.before, FACT_KEYS, name, replacement),
        after=_erase_in_fields(act.after, FACT_KEYS, name, replacement),
    )


def _is_changed(differs: str) -> str:
    fixed = [f"NEW.{name} {differs} OLD.{name}" for name in FIXED_COLUMNS]
    nullable = [f"(NEW.{name} IS NOT NULL AND NEW.{name} {differs} OLD.{name})" for name in NULLABLE_COLUMNS]
    return " OR ".join([*fixed, *nullable])


def _is_rewritten(differs: str) -> str:
    return " OR ".join(f"NEW.{name} {differs} OLD.{name}" for name in NAMING_COLUMNS)


_POSTGRESQL = (
    f"""
    CREATE OR REPLACE FUNCTION {TRIGGER}() RETURNS trigger AS $guard$
    BEGIN
        IF TG_OP = 'DELETE' OR {_is_changed("IS DISTINCT FROM")}
            OR ({_is_rewritten("IS DISTINCT FROM")}) AND coalesce(current_setting('{SETTING}', true), '') <> 'yes' THEN
            RAISE EXCEPTION '{ERROR_TEXT}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END
    $guard$ LANGUAGE plpgsql
    """,
    f"CREATE OR REPLACE TRIGGER {TRIGGER} BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION {TRIGGER}()",
)
# Django empties a SQLite test database by DELETE, so only updates are guarded there.
_SQLITE = (
    f"""
    CREATE TRIGGER IF NOT EXISTS {TRIGGER} BEFORE UPDATE ON {TABLE}
    WHEN {_is_changed("IS NOT")} OR {_is_rewritten("IS NOT")}
    BEGIN SELECT RAISE(ABORT, '{ERROR_TEXT}'); END
    """,
)
