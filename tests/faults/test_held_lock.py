"""Somebody locks a game and then does nothing, such as a computer that died in the middle of a move: nobody waits for
it without end. (F9)"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from game.clock import sweep
from game.store import heartbeats
from game.store.game import Game
from game.store.heartbeats import Job, Outage
from sectors_site.backups import write_backup
from sectors_site.connections import SESSION_LIMITS, add_limits
from sectors_site.servers import find_postgres
from tests.tables import fresh, new_game

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_connection_has_the_limits_and_the_operator_may_give_others() -> None:
    options = add_limits("-c lock_timeout=3s")
    with psycopg.connect(**connection.get_connection_params() | {"options": options}) as found:
        values_by_key = {
            name: found.execute("SELECT current_setting(%s)", [name]).fetchone() for name in SESSION_LIMITS
        }
    assert values_by_key["lock_timeout"] == ("3s",)
    assert values_by_key["idle_in_transaction_session_timeout"] == ("1min",)


def test_whoever_waits_for_a_game_is_told_to_try_again(client: Client) -> None:
    game = new_game("Ada", "Bo", pace="daily")
    client.force_login(game.seats.get(number=0).user)
    client.raise_request_exception = False
    extend = reverse("extend_phase", args=[game.pk, game.phase_serial])
    with locked(game), limited(lock_timeout="300ms"):
        answer = client.post(extend)
    assert answer.status_code == 503
    assert answer["Retry-After"]


def test_after_an_outage_all_games_go_on_once_the_lock_is_taken_away() -> None:
    """Their deadlines are moved first, and the locked game's is among them."""
    held, due = (new_game(name, f"{name} 2", pace="daily") for name in ("Ada", "Cy"))
    now = fresh(due).now
    past = now - timedelta(seconds=200)
    Game.objects.filter(pk=due.pk).update(deadline_at=past, clock_since=past - timedelta(days=1))
    for job in (Job.CLOCK, Job.DEADLINES):
        heartbeats.beat(job)
    Outage.objects.create(began_at=now - timedelta(seconds=100), ended_at=now)
    with locked(held) as holder, limited(lock_timeout="200ms"):
        with pytest.raises(OperationalError):
            sweep.sweep()
        assert fresh(due).phase_serial == due.phase_serial
        holder.execute("SET idle_in_transaction_session_timeout = '1s'")
        while not has_swept():
            time.sleep(0.1)
        assert fresh(due).phase_serial > due.phase_serial
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            holder.execute("SELECT 1")
    assert fresh(held).deadline_at > held.deadline_at


def test_a_backup_may_take_longer_than_others_may_be_idle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits in its transaction while another program reads the database."""
    real = shutil.which("pg_dump", path=f"{os.environ['PATH']}:{find_postgres()}")
    slow = tmp_path / "bin" / "pg_dump"
    slow.parent.mkdir()
    slow.write_text(f'#!/bin/sh\nsleep 2\nexec {real} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    new_game("Ada", "Bo", pace="daily")
    with limited(idle_in_transaction_session_timeout="1s"):
        assert write_backup(tmp_path / "sectors.backup") == 1


def has_swept() -> bool:
    try:
        sweep.sweep()
    except OperationalError:
        return False
    return True


@contextmanager
def locked(game: Game) -> Iterator[psycopg.Connection]:
    """The game, by somebody else who does nothing more."""
    with psycopg.connect(**connection.get_connection_params()) as holder:
        holder.execute("SELECT 1 FROM game_game WHERE id = %s FOR NO KEY UPDATE", [game.pk])
        yield holder
        if not holder.closed:
            holder.rollback()


@contextmanager
def limited(**settings: str) -> Iterator[None]:
    """This connection's limits, shorter for the story."""
    with connection.cursor() as cursor:
        for name, value in settings.items():
            cursor.execute(f"SET {name} = '{value}'")
    yield
    with connection.cursor() as cursor:
        for name in settings:
            cursor.execute(f"RESET {name}")
