"""What load balancers and monitoring are told."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now
from django.test import Client

from game import tasks
from game.moderation import site_desk
from game.play import leases
from game.store.game import Game
from game.store.heartbeats import Heartbeat, Job
from sectors_site import monitoring
from tests.faults.test_database_away import Failing
from tests.scenes import moderator
from tests.tables import new_game

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def closed_by_the_clock() -> None:
    """The clock was here a moment ago."""
    Heartbeat.objects.create(name=Job.CLOCK, beat_at=Now())


def ready(status: int = 200) -> dict[str, Any]:
    answer = Client().get("/readyz", HTTP_HOST="10.0.0.7")
    assert answer.status_code == status
    assert "Set-Cookie" not in answer.headers
    result: dict[str, Any] = answer.json()
    assert result["ready"] is (status == 200)
    return result


def test_a_process_lives_whatever_the_database_does() -> None:
    with Failing(OperationalError("away"), from_statement=1):
        answer = Client().get("/healthz", HTTP_HOST="10.0.0.7")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_whoever_asks_needs_neither_https_nor_the_name_of_the_site(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert ready()["troubles"] == {}


def test_without_its_database_it_is_not_ready() -> None:
    with Failing(OperationalError("pssst: password"), from_statement=1):
        result = ready(503)
    assert result == {"ready": False, "troubles": {"database": "does not answer"}}


def test_without_its_tables_it_is_not_ready() -> None:
    monitoring._is_migrated.cache_clear()
    rows = list(MigrationRecorder(connection).migration_qs.filter(app="game"))
    MigrationRecorder(connection).migration_qs.filter(app="game").delete()
    assert "migrations" in ready(503)["troubles"]
    MigrationRecorder(connection).migration_qs.bulk_create(rows)
    assert ready()["troubles"] == {}


def test_a_rest_of_everybody_who_closes_phases_is_named() -> None:
    Heartbeat.objects.update(beat_at=Now() - timedelta(seconds=40))
    result = ready()
    assert "deadlines" in result["troubles"]
    assert result["seconds_since"]["clock"] >= 40
    assert result["seconds_since"]["mail"] is None


def test_work_that_has_gone_to_rest_is_named_and_what_never_began_is_not() -> None:
    tasks.put_away_finished()
    tasks.send_due_notices()
    assert ready()["troubles"] == {}
    Heartbeat.objects.exclude(name=Job.CLOCK).update(beat_at=Now() - timedelta(seconds=40))
    assert set(ready()["troubles"]) == {"mail"}, "a minute may pass between two rounds of upkeep"
    Heartbeat.objects.exclude(name=Job.CLOCK).update(beat_at=Now() - timedelta(seconds=70))
    assert set(ready()["troubles"]) == {"mail", "upkeep"}


def test_a_deadline_that_nobody_keeps_is_named() -> None:
    game = new_game("ada", "bob", pace="daily")
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() - timedelta(seconds=50))
    result = ready()
    assert result["oldest_overdue"] >= 50
    assert "overdue" in result["troubles"]


def test_while_deadlines_are_stopped_none_is_late_and_afterwards_they_are_again() -> None:
    game, lena = new_game("ada", "bob", pace="daily"), moderator("Lena")
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() - timedelta(seconds=50))
    site_desk.stop_resolving(moderator=lena, reason="A wrong rule.", is_stopped=True)
    assert ready()["oldest_overdue"] == 0
    assert not leases.is_any_overdue(), "nobody is to stand in for the worker"
    site_desk.stop_resolving(moderator=lena, reason="A wrong rule.", is_stopped=False)
    assert ready()["oldest_overdue"] >= 50
    assert leases.is_any_overdue()


def test_a_broker_that_is_away_is_named_and_no_reason_to_leave(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert "broker" in ready()["troubles"]
