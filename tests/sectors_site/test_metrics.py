"""What monitoring reads at /metrics, and who may read it."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.db.models.functions import Now
from django.test import Client

from accounts.models import WaitingMail
from game.store.game import Game
from tests.faults.test_database_away import Failing
from tests.servers import ROOT, accepts, end, free_port, wait_until
from tests.service import HOST, Visitor, new_service
from tests.tables import clock_runs_out, new_game, person

pytestmark = [pytest.mark.django_db(transaction=True)]


def figures(client: Client | None = None, **headers: str) -> dict[str, float]:
    """Each figure by its name with its labels."""
    answer = (client or Client()).get("/metrics", **headers)  # type: ignore[arg-type]
    assert answer.status_code == 200
    return read(answer.content.decode())


def read(text: str) -> dict[str, float]:
    rows = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in rows}


def test_requests_are_counted_by_view_and_not_by_address() -> None:
    game = new_game("ada", "bob")
    ada = Client()
    ada.force_login(person("ada"))
    name = 'sectors_requests_total{method="GET",status="200",view="game"}'
    before = figures().get(name, 0)
    for _ in range(3):
        assert ada.get(f"/games/{game.pk}/").status_code == 200
    after = figures()
    assert after[name] == before + 3
    assert after['sectors_request_seconds_count{view="game"}'] >= 3
    assert not [name for name in after if "/" in name or '"ada"' in name]


def test_an_invented_method_and_an_unknown_address_make_no_figures_of_their_own() -> None:
    Client().generic("PWNED", "/no/such/page/")
    assert not [name for name in figures() if "PWNED" in name or "such" in name]


def test_phases_and_their_lateness_are_counted() -> None:
    game = new_game("ada", "bob")
    phases, late = 'sectors_phases_total{ruleset="sectors"}', 'sectors_lateness_seconds_bucket{le="0.5"}'
    before = figures()
    clock_runs_out(game)
    after = figures()
    assert after[phases] > before[phases]
    assert after["sectors_lateness_seconds_count"] == before["sectors_lateness_seconds_count"] + 1
    assert after[late] >= before[late]


def test_what_waits_is_counted() -> None:
    game = new_game("ada", "bob", pace="daily")
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() - timedelta(minutes=2))
    WaitingMail.objects.create(recipient="ada@example.org", subject="s", text="t", page="", expires_at=Now())
    now = figures()
    assert now['sectors_games{status="running"}'] == 1
    assert now['sectors_games{status="held"}'] == 0
    assert now["sectors_deadlines_overdue"] == 1
    assert now["sectors_oldest_overdue_seconds"] >= 120
    assert now['sectors_outbox{kind="account"}'] == 1
    assert now['sectors_outbox{kind="log"}'] == 1
    assert now["sectors_database_up"] == 1


def test_without_its_database_the_other_figures_are_told() -> None:
    with Failing(OperationalError("away"), from_statement=1):
        now = figures()
    assert now["sectors_database_up"] == 0
    assert "sectors_phases_total" in "".join(now)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "192.0.2.7"}, 404),
        ({"REMOTE_ADDR": ""}, 404),
        ({"HTTP_X_FORWARDED_FOR": "192.0.2.7"}, 404),
        ({"HTTP_X_FORWARDED_FOR": "127.0.0.1, 192.0.2.7"}, 404),
        ({"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 200),
    ],
)
def test_without_a_token_only_this_machine_reads(headers: dict[str, str], status: int) -> None:
    assert Client().get("/metrics", **headers).status_code == status  # type: ignore[arg-type]


@pytest.mark.parametrize(("given", "status"), [("Bearer pssst", 200), ("Bearer other", 404), ("", 404)])
def test_with_a_token_whoever_has_it_reads(settings: Any, given: str, status: int) -> None:
    settings.METRICS_TOKEN = "pssst"
    answer = Client().get("/metrics", REMOTE_ADDR="192.0.2.7", HTTP_AUTHORIZATION=given)
    assert answer.status_code == status


def test_all_processes_of_a_service_are_added_up(tmp_path: Path, postgres_url: str, redis_url: str) -> None:
    environment = new_service(tmp_path, database=postgres_url, redis=redis_url) | {"METRICS_TOKEN": "pssst"}
    port = free_port()
    command = [sys.executable, "-m", "sectors_site.serving", "--port", str(port)]
    web = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        wait_until(lambda: accepts(port), web)
        for _ in range(20):
            assert Visitor(port).get("/accounts/login/")[0] == 200
        result = fetch(port)
    finally:
        end(web)
    assert result['sectors_requests_total{method="GET",status="200",view="account_login"}'] == 20
    assert result["sectors_database_up"] == 1


def fetch(port: int) -> dict[str, float]:
    import urllib.request

    headers = {"Host": HOST, "X-Forwarded-Proto": "https", "Authorization": "Bearer pssst"}
    with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers=headers)) as page:
        return read(page.read().decode())
