"""What another thread still does when a test has ended does not hinder the emptying of the database."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from accounts.models import User
from tests.emptying.management.commands import flush
from tests.tables import person

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_waits_for_a_transaction_that_is_under_way() -> None:
    read_two_tables_while_flushed()


def test_where_one_of_both_has_to_give_in_it_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flush, "AT_WORK", "SELECT 1 WHERE false")  # they begin in the instant after the look
    with connection.cursor() as cursor:
        cursor.execute("SET deadlock_timeout = '3s'")  # earlier than the reader's: the flush gives in
        read_two_tables_while_flushed()
        cursor.execute("RESET deadlock_timeout")


def read_two_tables_while_flushed() -> None:
    person("ada")
    first, *_, last = connection.introspection.django_table_names(only_existing=True, include_views=False)
    has_begun: Future[None] = Future()

    def read() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL deadlock_timeout = '60s'")
            cursor.execute(f"SELECT count(*) FROM {last}")
            has_begun.set_result(None)
            time.sleep(0.5)
            cursor.execute(f"SELECT count(*) FROM {first}")
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(read)
        has_begun.result(30)
        call_command("flush", verbosity=0, interactive=False)
        reader.result(30)
    assert not User.objects.exists()
