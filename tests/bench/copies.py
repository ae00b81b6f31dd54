"""Games like one that was played, all due at this moment: laid by the database itself, so that ten thousand take
seconds."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection, models
from django.db.models.functions import Now

from game.store import heartbeats
from game.store.board_rows import Company, Contract, Holding, Order
from game.store.game import Game, Seat
from game.store.heartbeats import Heartbeat, Job
from game.store.seat_models import Tenure

COPIED = (Seat, Tenure, Company, Holding, Order, Contract)


def lay_copies(original: Game, games: int) -> None:
    """So many games like it and none other."""
    lay_games(original, games)
    lay_rows(original, *COPIED)
    Heartbeat.objects.update(beat_at=Now())  # what was measured before was no outage
    heartbeats.beat(Job.CLOCK)
    Game.objects.exclude(pk=original.pk).update(deadline_at=Now(), clock_since=Now() - timedelta(days=1))
    settle_tables()


def lay_games(original: Game, games: int) -> None:
    """The games alone, without what stands around them."""
    Game.objects.exclude(pk=original.pk).delete()
    with connection.cursor() as cursor:
        cursor.execute(_copies_of_game(), [games, original.pk])


def lay_rows(original: Game, *tables: type[models.Model]) -> None:
    """What stands around the original in these tables, around each of its copies as well."""
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(_copies_of_rows(table), [original.pk, original.pk])


def settle_tables() -> None:
    """Forget what was deleted, and know how much there is."""
    with connection.cursor() as cursor:
        for statement in ["VACUUM ANALYZE"] if connection.vendor == "postgresql" else ["VACUUM", "ANALYZE"]:
            cursor.execute(statement)


def _copies_of_game() -> str:
    columns = _columns(Game)
    return f"""
        WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < %s)
        INSERT INTO game_game ({columns}) SELECT {columns} FROM game_game, numbers WHERE id = %s
    """


def _copies_of_rows(table: type[models.Model]) -> str:
    name, columns = table._meta.db_table, _columns(table, without=("id", "game_id"))
    return f"""
        INSERT INTO {name} (game_id, {columns})
        SELECT game_game.id, {", ".join(f"like_it.{column}" for column in columns.split(", "))}
        FROM {name} like_it, game_game WHERE like_it.game_id = %s AND game_game.id <> %s ORDER BY 1
    """


def _columns(table: type[models.Model], without: tuple[str, ...] = ("id",)) -> str:
    names = [str(field.column) for field in table._meta.concrete_fields]
    return ", ".join(f'"{name}"' for name in names if name not in without)
