"""After a test that commits, the database is as `migrate` left it, whatever another thread still does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import connection, transaction

from accounts.models import User
from game.store.game import Game
from game.store.moderation_models import ModeratorAction
from tests.emptying.management.commands import flush
from tests.tables import new_game, person

pytestmark = pytest.mark.django_db(transaction=True)


def empty() -> None:
    call_command("flush", verbosity=0, interactive=False)


@pytest.mark.embedded
def test_what_migrate_made_is_there_again_and_nothing_else() -> None:
    empty()
    groups, permissions = {*Group.objects.values_list("name")}, Permission.objects.count()
    game = new_game("ada", "bob")
    ModeratorAction.objects.create(user=person("ada"), game=game, verb="pause", reason="its rows are never deleted")
    Group.objects.create(name="of a test")
    Permission.objects.filter(codename__startswith="view").delete()
    empty()
    assert not Game.objects.exists()
    assert not ModeratorAction.objects.exists()
    assert {*Group.objects.values_list("name")} == groups
    assert all(group.permissions.exists() for group in Group.objects.all())
    assert Permission.objects.count() == permissions


def test_it_waits_for_a_transaction_that_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    has_looked, look = Event(), flush._at_work

    def look_and_say_so(database: str) -> list[Any]:
        found = look(database)
        has_looked.set()
        return found

    monkeypatch.setattr(flush, "_at_work", look_and_say_so)
    lock_two_tables_while_emptied(until=has_looked.is_set)


def test_where_one_of_both_has_to_give_in_it_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flush, "AT_WORK", "SELECT 1 WHERE false")  # they begin in the instant after the look

    def somebody_waits_for_a_lock() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
            return bool(cursor.fetchone()[0])

    with connection.cursor() as cursor:
        cursor.execute("SET deadlock_timeout = '100ms'")  # earlier than the other's: the emptying gives in
        lock_two_tables_while_emptied(until=somebody_waits_for_a_lock)
        cursor.execute("RESET deadlock_timeout")


def lock_two_tables_while_emptied(*, until: Callable[[], bool]) -> None:
    new_game("ada", "bob")
    first, *_, last = (name for name in flush._filled("default") if name not in flush.MADE)
    has_begun: Future[None] = Future()

    def lock() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL deadlock_timeout = '60s'")
            cursor.execute(f"SELECT 1 FROM {last} FOR UPDATE")
            has_begun.set_result(None)
            while not until():
                continue
            cursor.execute(f"SELECT 1 FROM {first} FOR UPDATE")
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(lock)
        has_begun.result(30)
        empty()
        other.result(30)
    assert not User.objects.exists()
