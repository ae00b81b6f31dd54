"""What a finished game takes on PostgreSQL, in all its rows with their indexes, and what it took at its end."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

from game.history import archive
from game.outbox import notices
from game.play import moves
from game.store.game import Game, Status
from game.store.log import Notice
from tests.bench.rows import Row
from tests.bench.tables import decisions, is_running, start_table

SEATS, TURNS = 6, 8
COPIES = 100  # a page of 8 kB that one game has begun is shared with those that follow
MOST_KILOBYTES = 100


def storage_rows() -> Iterator[Row]:
    """The growth of all tables by so many equal games, divided by them: first as the last move left them, then put
    away."""
    game = _played()
    at_the_end = _growth_by_copies_of(game)
    assert archive.archive_game(game_id=game.pk)
    assert not Notice.objects.filter(game=game).exists()
    put_away = _growth_by_copies_of(game)
    goal = f"≤ {MOST_KILOBYTES} kB"
    note = ", ".join(f"{name} {size / 1000:.1f}" for name, size in put_away.items() if size > 500)
    ours, was = sum(put_away.values()) / 1000, sum(at_the_end.values()) / 1000
    name = f"a finished game, {SEATS} seats, {TURNS} turns"
    yield Row(name, ours, "kB", "at its end, kB", was, ours / was, goal, ours <= MOST_KILOBYTES, note)


def _played() -> Game:
    """A game of people who send forms and are mailed of every decision."""
    game = start_table("storage", SEATS)
    while is_running(game.pk):
        serial = Game.objects.get(pk=game.pk).phase_serial
        people = dict(game.seats.values_list("number", "user_id"))
        for seat, requests in decisions(game.pk):
            form: dict[str, Any] = {"token": secrets.token_hex(16), "serial": serial, "user_id": people[seat]}
            moves.submit(game_id=game.pk, seat_number=seat, requests=requests, **form)
        while notices.write_notices():
            pass
    return Game.objects.get(pk=game.pk, status=Status.FINISHED)


def _growth_by_copies_of(game: Game) -> dict[str, float]:
    """Bytes of each table, with its indexes and what is stored beside it, that one more such game adds."""
    before = _sizes()
    _copy(game)
    after = _sizes()
    Game.objects.exclude(pk=game.pk).delete()
    return {name: (after[name] - before[name]) / COPIES for name in after}


def _copy(game: Game) -> None:
    """So many games with equal rows in every table that names its game."""
    tables = [model for model in apps.get_app_config("game").get_models() if model is not Game]
    for table in (Game, *(table for table in tables if "game_id" in _columns(table))):
        _copy_rows(table, game.pk)


def _copy_rows(table: type[Model], game_id: int) -> None:
    """A notice, or whatever else names a seat, names that of its own game."""
    own = "id" if table is Game else "game_id"
    name, rest = table._meta.db_table, [column for column in _columns(table) if column not in {"id", own}]
    values = ["fresh.id" if column == "seat_id" else f'row."{column}"' for column in rest]
    seats = "JOIN game_seat old ON old.id = row.seat_id JOIN game_seat fresh USING (number)"
    which = f"row.{own} = {game_id}" + (" AND fresh.game_id = n" if "seat_id" in rest else "")
    into = ", ".join(f'"{column}"' for column in [own, *rest])
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {name} ({into}) SELECT n, {', '.join(values)} "
            f"FROM generate_series({game_id + 1}, {game_id + COPIES}) n CROSS JOIN {name} row "
            f"{seats if 'seat_id' in rest else ''} WHERE {which} ORDER BY n"
        )


def _columns(table: type[Model]) -> list[str]:
    return [str(field.column) for field in table._meta.local_concrete_fields]


def _sizes() -> dict[str, int]:
    """Bytes of every table of games, packed as tightly as PostgreSQL does."""
    names = [model._meta.db_table for model in apps.get_app_config("game").get_models()]
    sizes = {}
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"VACUUM FULL {name}")
            cursor.execute("SELECT pg_total_relation_size(%s)", [name])
            sizes[name.removeprefix("game_")] = cursor.fetchone()[0]
    return sizes
