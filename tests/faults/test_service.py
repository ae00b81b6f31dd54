"""The service as it is deployed: pages and sockets by the web process, worker and beat by Celery, on PostgreSQL and
Redis."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery

from tests.servers import ROOT, accepts, end, free_port, wait_until
from tests.service import new_service


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, postgres_url: str, redis_url: str) -> dict[str, str]:
    return new_service(tmp_path_factory.mktemp("service"), database=postgres_url, redis=redis_url)


@pytest.fixture(scope="module")
def pages(environment: dict[str, str]) -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", "sectors_site.serving", "--port", str(port), "--workers", "2"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    wait_until(lambda: accepts(port), process)
    yield port
    end(process)


def test_pages_are_served_behind_the_proxy(pages: int) -> None:
    proxied = {"Host": "play.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    request = urllib.request.Request(f"http://127.0.0.1:{pages}/accounts/login/", headers=proxied)
    with urllib.request.urlopen(request, timeout=60) as page:
        assert page.status == 200
        assert "max-age" in page.headers["Strict-Transport-Security"]
        assert "Secure" in page.headers["Set-Cookie"]


@pytest.mark.parametrize("beats", [1, 2])
def test_the_beat_reaches_the_worker_through_redis(environment: dict[str, str], tmp_path: Path, beats: int) -> None:
    celery = [sys.executable, "-m", "celery", "-A", "sectors_site"]
    log = (tmp_path / "log").open("wb")
    running = [
        subprocess.Popen(
            [*celery, "worker", "-c", "1", "-n", f"w{beats}@here"], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
    ]
    for number in range(beats):
        schedule = str(tmp_path / f"schedule{number}")
        running.append(
            subprocess.Popen([*celery, "beat", "-s", schedule], cwd=ROOT, env=environment, stdout=log, stderr=log)
        )
    try:
        assert sweeps_seen(environment["REDIS_URL"]) >= 3
    finally:
        for process in running:
            end(process)
        log.close()
    assert b"Traceback" not in (tmp_path / "log").read_bytes()


def sweeps_seen(broker: str, *, seconds: float = 240) -> int:
    """How many the worker has carried out, once there are some."""
    end_at, seen = time.monotonic() + seconds, 0
    while seen < 3 and time.monotonic() < end_at:
        stats = Celery(broker=broker).control.inspect(timeout=1).stats() or {}
        seen = sum(worker["total"].get("game.tasks.sweep", 0) for worker in stats.values())
    return seen
