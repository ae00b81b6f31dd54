"""Database trigger that protects the moderators' record: rows are added and never changed, except to remove the name of
a deleted account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

FIXED_COLUMNS = ("verb", "at", "id")
NAMING_COLUMNS = ("reason", "details", "before", "after")  # fixed too, except while a name in them is erased
# May only become NULL, when an account or a game is deleted.
NULLABLE_COLUMNS = ("user_id", "game_id")
TABLE, TRIGGER = "game_moderatoraction", "moderators_record_is_kept"
SETTING = "sectors.forgetting"
ERROR_TEXT = "The record of the moderators is only added to."


def is_there() -> bool:
    """Whether the table has the columns named here; false while a site is migrated half way."""
    with connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return False
        columns = {column.name for column in connection.introspection.get_table_description(cursor, TABLE)}
    return columns >= {*FIXED_COLUMNS, *NAMING_COLUMNS, *NULLABLE_COLUMNS}


def guard() -> None:
    """Install the trigger: after every `migrate`, because SQLite drops it when it rebuilds the table."""
    statements = _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def lift() -> None:
    """Remove the trigger before every `migrate`: SQLite drops no column that a trigger names."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER IF EXISTS {TRIGGER}")


@contextmanager
def forgetting() -> Iterator[None]:
    """Allow the name of a deleted account to be erased from rows, within a transaction."""
    if connection.vendor == "sqlite":
        lift()
        yield
        guard()
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, 'yes', true)", [SETTING])
    yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, '', true)", [SETTING])


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
