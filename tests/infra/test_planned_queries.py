"""The compiled queries of pages: planned once by PostgreSQL, and anew when a column has changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import NotSupportedError, connection, transaction
from django.db.models.functions import Now

from accounts.models import User
from game.infra.compiled import CompiledQuery
from game.store.heartbeats import Heartbeat, Job

pytestmark = pytest.mark.django_db(transaction=True)


def heartbeats_by_key() -> CompiledQuery[Heartbeat]:
    return CompiledQuery(lambda key: Heartbeat.objects.filter(pk=key).values_list("name"))


def a_heartbeat() -> Heartbeat:
    heartbeat, _ = Heartbeat.objects.update_or_create(name=Job.BOTS, defaults={"beat_at": Now()})
    return heartbeat


def plans() -> list[tuple[str, int]]:
    """The statements that the server has planned for this connection, and how often each was asked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement, generic_plans + custom_plans FROM pg_prepared_statements")
        return cursor.fetchall()


@contextmanager
def another_type() -> Iterator[None]:
    """The column of another type, as a migration leaves it."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE game_heartbeat ALTER COLUMN name TYPE text")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE game_heartbeat ALTER COLUMN name TYPE varchar(12)")


@pytest.mark.embedded
def test_they_stand_in_the_log_of_statements(django_assert_num_queries: Any) -> None:
    heartbeat, asked = a_heartbeat(), heartbeats_by_key()
    for _ in range(2):
        with django_assert_num_queries(1) as log:
            asked.rows(heartbeat.pk)
        assert "game_heartbeat" in log.captured_queries[0]["sql"]


@pytest.mark.embedded
def test_constants_of_any_form_are_found_and_are_not_taken_for_places() -> None:
    names = ["50 %s's", "100 %", "2 %% \\'", 'a "b"']
    for name in names:
        User.objects.create_user(name)
    for name in names:
        query = CompiledQuery(
            lambda most, name=name: User.objects.filter(username=name, pk__lt=most, is_bot=False).values_list(
                "username"
            )
        )
        assert query.rows(2_000_000) == [(name,)]
        assert query.rows(0) == []


@pytest.mark.embedded
def test_a_slot_takes_the_smallest_and_the_largest_keys_and_one_value_in_several_places() -> None:
    heartbeat = a_heartbeat()
    either = CompiledQuery(lambda no, key: Heartbeat.objects.filter(pk=key).exclude(pk=no).values_list("pk", "name"))
    assert either.rows(0, heartbeat.pk) == either.rows(2**63 - 1, heartbeat.pk) == [(heartbeat.pk, Job.BOTS)]
    assert either.rows(heartbeat.pk, heartbeat.pk) == []


def test_a_query_is_planned_once_a_connection_and_no_other_statement_is() -> None:
    heartbeat, asked = a_heartbeat(), heartbeats_by_key()
    connection.close()
    for _ in range(3):
        assert asked.rows(heartbeat.pk) == [(Job.BOTS,)]
        assert Heartbeat.objects.filter(pk=heartbeat.pk).exists()
    known = plans()
    assert len(known) == 1, known
    assert "game_heartbeat" in known[0][0]
    assert known[0][1] == 3


def test_a_column_that_has_changed_since_is_read_all_the_same() -> None:
    heartbeat, asked = a_heartbeat(), heartbeats_by_key()
    assert asked.rows(heartbeat.pk) == [(Job.BOTS,)]
    with another_type():
        assert asked.rows(heartbeat.pk) == [(Job.BOTS,)]
    assert asked.rows(heartbeat.pk) == [(Job.BOTS,)]


def test_within_a_transaction_such_a_column_fails_once() -> None:
    heartbeat, asked = a_heartbeat(), heartbeats_by_key()
    assert asked.rows(heartbeat.pk) == [(Job.BOTS,)]
    with another_type():
        with pytest.raises(NotSupportedError, match="cached plan"), transaction.atomic():
            asked.rows(heartbeat.pk)
        with transaction.atomic():
            assert asked.rows(heartbeat.pk) == [(Job.BOTS,)]
