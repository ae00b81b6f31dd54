"""Upkeep goes on past a row that fails, and ends where the database is away."""

from typing import Any

import pytest
from django.db import OperationalError, connection

from accounts.models import User
from game.infra.calls import for_each_isolated
from tests.tables import person

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_row_that_fails_does_not_stop_the_others(logged: list[Any]) -> None:
    people = [person(name).pk for name in ("ada", "ben", "cleo")]

    def remove(user_id: int) -> bool:
        if user_id == people[1]:
            raise ValueError("ben stays")
        return bool(User.objects.filter(pk=user_id).delete())

    assert for_each_isolated(remove, people) == 2
    assert User.objects.get().pk == people[1]
    assert [(line["event"], line["number"]) for line in logged] == [("upkeep_failed", people[1])]


def test_without_a_database_no_other_row_is_tried() -> None:
    tried = []

    def lose(number: int) -> bool:
        tried.append(number)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return True

    with pytest.raises(OperationalError):
        for_each_isolated(lose, range(500))
    assert tried == [0]
    connection.close()
