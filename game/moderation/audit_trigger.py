"""The database's own guard of the moderators' record: its rows are added and never changed, except to remove the name
of a deleted account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

KEPT = ("verb", "at", "id")
NAMING = ("reason", "details", "before", "after")  # kept as well, until a name in them is forgotten
# A closed account or a deleted game is removed from the row; nothing else in it changes.
LOOSE = ("user_id", "game_id")
TABLE, GUARD = "game_moderatoraction", "moderators_record_is_kept"
SETTING = "sectors.forgetting"
WORDS = "The record of the moderators is only added to."


def is_there() -> bool:
    """Whether the tables are as these lines know them: not while a site is migrated half way."""
    with connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return False
        columns = {column.name for column in connection.introspection.get_table_description(cursor, TABLE)}
    return columns >= {*KEPT, *NAMING, *LOOSE}


def guard() -> None:
    """Install the guard as it is written here: after every `migrate`, since SQLite drops it with a table it remakes."""
    statements = _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def lift() -> None:
    """Take the guard away before every `migrate`: SQLite drops no column that a guard names."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER IF EXISTS {GUARD}")


@contextmanager
def forgetting() -> Iterator[None]:
    """Within a transaction, allow the words of rows to be rewritten without the name of a deleted account."""
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
    kept = [f"NEW.{name} {differs} OLD.{name}" for name in KEPT]
    loose = [f"(NEW.{name} IS NOT NULL AND NEW.{name} {differs} OLD.{name})" for name in LOOSE]
    return " OR ".join([*kept, *loose])


def _is_rewritten(differs: str) -> str:
    return " OR ".join(f"NEW.{name} {differs} OLD.{name}" for name in NAMING)


_POSTGRESQL = (
    f"""
    CREATE OR REPLACE FUNCTION {GUARD}() RETURNS trigger AS $guard$
    BEGIN
        IF TG_OP = 'DELETE' OR {_is_changed("IS DISTINCT FROM")}
            OR ({_is_rewritten("IS DISTINCT FROM")}) AND coalesce(current_setting('{SETTING}', true), '') <> 'yes' THEN
            RAISE EXCEPTION '{WORDS}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END
    $guard$ LANGUAGE plpgsql
    """,
    f"CREATE OR REPLACE TRIGGER {GUARD} BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION {GUARD}()",
)
# Django empties a SQLite database of tests by DELETE, so only changes are guarded there.
_SQLITE = (
    f"""
    CREATE TRIGGER IF NOT EXISTS {GUARD} BEFORE UPDATE ON {TABLE}
    WHEN {_is_changed("IS NOT")} OR {_is_rewritten("IS NOT")}
    BEGIN SELECT RAISE(ABORT, '{WORDS}'); END
    """,
)
