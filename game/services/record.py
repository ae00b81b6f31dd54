"""The database's own guard of the moderators' record: a row of it is added and never changed."""

from __future__ import annotations

from django.db import connection

KEPT = ("verb", "reason", "details", "before", "after", "at", "id")
# Whoever closes an account, or a game that is deleted, leaves the row without them; nothing else of it changes.
LOOSE = ("user_id", "game_id")
TABLE, GUARD = "game_moderatoraction", "moderators_record_is_kept"
WORDS = "The record of the moderators is only added to."


def is_there() -> bool:
    """Whether the tables are as these lines know them: not while a site is migrated half way."""
    with connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return False
        columns = {column.name for column in connection.introspection.get_table_description(cursor, TABLE)}
    return columns >= {*KEPT, *LOOSE}


def guard() -> None:
    """Install the guard where it is missing: after every `migrate`, since SQLite drops it with a table it remakes."""
    statements = _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT 1 FROM pg_trigger WHERE tgname = %s", [GUARD])
            if cursor.fetchone():
                return
        for statement in statements:
            cursor.execute(statement)


def lift() -> None:
    """Take the guard away before every `migrate`: SQLite drops no column that a guard names."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER IF EXISTS {GUARD}")


def _is_changed(differs: str) -> str:
    kept = [f"NEW.{name} {differs} OLD.{name}" for name in KEPT]
    loose = [f"(NEW.{name} IS NOT NULL AND NEW.{name} {differs} OLD.{name})" for name in LOOSE]
    return " OR ".join([*kept, *loose])


_POSTGRESQL = (
    f"""
    CREATE OR REPLACE FUNCTION {GUARD}() RETURNS trigger AS $guard$
    BEGIN
        IF TG_OP = 'DELETE' OR {_is_changed("IS DISTINCT FROM")} THEN
            RAISE EXCEPTION '{WORDS}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END
    $guard$ LANGUAGE plpgsql
    """,
    f"CREATE TRIGGER {GUARD} BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION {GUARD}()",
)
# Django empties a SQLite database of tests by DELETE, so only changes are guarded there.
_SQLITE = (
    f"""
    CREATE TRIGGER IF NOT EXISTS {GUARD} BEFORE UPDATE ON {TABLE} WHEN {_is_changed("IS NOT")}
    BEGIN SELECT RAISE(ABORT, '{WORDS}'); END
    """,
)
