"""The database itself notes when a phase closes and whether its deadline had come, whatever the site believes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from django.db import connection

LATEST = 60  # seconds that a sound game may wait after its deadline while somebody sweeps, on a busy machine too
TABLE = "CREATE TABLE IF NOT EXISTS witness (game_id bigint, serial integer, is_early boolean)"
CLOSES = "OLD.phase_serial <> NEW.phase_serial"
POSTGRESQL = (
    TABLE,
    """
    CREATE OR REPLACE FUNCTION witness() RETURNS trigger AS $witness$
    BEGIN
        INSERT INTO witness VALUES
            (OLD.id, OLD.phase_serial, OLD.deadline_at IS NULL OR clock_timestamp() < OLD.deadline_at);
        RETURN NULL;
    END
    $witness$ LANGUAGE plpgsql
    """,
    "DROP TRIGGER IF EXISTS witness ON game_game",
    f"CREATE TRIGGER witness AFTER UPDATE ON game_game FOR EACH ROW WHEN ({CLOSES}) EXECUTE FUNCTION witness()",
)
SQLITE = (
    TABLE,
    # Its clock has milliseconds, and the stored instants microseconds.
    f"""
    CREATE TRIGGER IF NOT EXISTS witness AFTER UPDATE ON game_game WHEN {CLOSES}
    BEGIN
        INSERT INTO witness VALUES (OLD.id, OLD.phase_serial, OLD.deadline_at IS NULL
            OR strftime('%Y-%m-%d %H:%M:%f', 'now') < substr(OLD.deadline_at, 1, 23));
    END
    """,
)
FORGET = ("DROP TRIGGER IF EXISTS witness{}", "DROP TABLE IF EXISTS witness")


def watch() -> None:
    """From now on; of each game that is there, a row without a verdict says from which phase."""
    statements = POSTGRESQL if connection.vendor == "postgresql" else SQLITE
    with connection.cursor() as cursor:
        for statement in (*statements, "INSERT INTO witness SELECT id, phase_serial, NULL FROM game_game"):
            cursor.execute(statement)


def forget() -> None:
    """Leave a database as it was."""
    with connection.cursor() as cursor:
        for statement in FORGET:
            cursor.execute(statement.format(" ON game_game" if connection.vendor == "postgresql" else ""))


def faults() -> Iterator[str]:
    """One sentence for each deadline that was kept early, twice or not at all."""
    from game.store.log import Kind, LoggedAction

    with connection.cursor() as cursor:
        cursor.execute("SELECT game_id, serial, is_early FROM witness")
        rows = cursor.fetchall()
    since = {game: serial for game, serial, is_early in rows if is_early is None}
    seen = Counter((game, serial) for game, serial, is_early in rows if is_early is not None)
    queryset = LoggedAction.objects.filter(kind=Kind.CLOSE).values_list("game_id", "serial")
    closed = {(game, serial) for game, serial in queryset if serial >= since.get(game, 0)}
    early = {(game, serial) for game, serial, is_early in rows if is_early}
    unseen = {game for game, _ in closed} - {game for game, _ in seen}
    yield from (f"game {game}: phase {serial} closed before its deadline" for game, serial in sorted(early & closed))
    yield from (f"game {game}: phase {serial} closed twice" for (game, serial), times in seen.items() if times > 1)
    yield from (f"game {game}: nobody saw it close" for game in sorted(unseen))
    yield from _passed_over()


def _passed_over() -> Iterator[str]:
    """Sound games whose deadline had long come when somebody last swept."""
    from game.store.game import Game, Status
    from game.store.heartbeats import Heartbeat, Job

    beat = Heartbeat.objects.filter(name=Job.DEADLINES).first()
    if beat is not None:
        long_ago = beat.beat_at - timedelta(seconds=LATEST)
        waiting = Game.objects.filter(status=Status.RUNNING, attempts=0, deadline_at__lt=long_ago)
        yield from (f"game {game.pk}: its deadline was passed over" for game in waiting.order_by("pk"))


if __name__ == "__main__":
    import django

    django.setup()
    watch()
