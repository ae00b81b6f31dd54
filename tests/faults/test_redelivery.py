"""F5: what Redis delivers again, because the worker that had it was killed, and what it delivers ten times over."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
import redis as client

from tests.faults.judging import verdict, watched_service
from tests.faults.test_service import TABLES, closes_of, mails_of
from tests.faults.test_under_fire import DUE, wait_for
from tests.servers import Mailbox, RedisServer, smtp_server
from tests.service import Service

GAMES, TIMES = 4, 10
SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.faults.redelivery_settings"}
SENT = """
from sectors_site.celery import app
for _ in range({times}):
    app.send_task("game.tasks.sweep")
    app.send_task("game.tasks.send_due_notices")
print("null")
"""


class Killing(Mailbox):
    """A server that kills the worker as soon as it has its first mail, before it hears so."""

    worker: int = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = await super().handle_DATA(server, session, envelope)
        if self.worker:
            for process in (self.worker, *children_of(self.worker)):
                os.kill(process, signal.SIGKILL)
            self.worker = 0
        return answer


def children_of(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.fixture
def environment(tmp_path: Path, postgres_url: str, redis: RedisServer) -> dict[str, str]:
    home = tmp_path / f"redelivery{token_hex(3)}"
    home.mkdir()
    return watched_service(home, database=postgres_url, redis=redis.url) | SETTINGS


def test_f5_what_a_killed_worker_had_is_delivered_again_and_nothing_happens_twice(
    environment: dict[str, str], redis: RedisServer
) -> None:
    box = Killing()
    with smtp_server(box), client.Redis(port=redis.port) as broker:
        service = Service(environment | {"EMAIL_URL": f"smtp://127.0.0.1:{box.port}"})
        try:
            games, people = service.run(TABLES.format(name=token_hex(3), count=GAMES))
            service.start("lone worker")
            box.worker = service.processes["lone worker"].pid
            service.run(DUE.format(games=games, apart=0))
            service.run(SENT.format(times=TIMES))
            wait_for(lambda: service.processes["lone worker"].poll() is not None)
            held = broker.hkeys("unacked")
            assert held, "Redis still has what the worker had in hand"
            service.processes.pop("lone worker")
            wait_for(
                lambda: (
                    broker.time()[0]
                    > max(score for _, score in broker.zrange("unacked_index", 0, -1, withscores=True)) + 3
                )
            )
            for turn in broker.keys("*round_of*"):  # that of the killed worker is over, as it is a minute later
                broker.delete(turn)
            service.start("lone worker")
            wait_for(lambda: not any(broker.hexists("unacked", tag) for tag in held))
            service.run(SENT.format(times=TIMES))
            wait_for(lambda: closes_of(service, games) == dict.fromkeys(games, 1))
            wait_for(lambda: min(mails_of(box, people).values()) > 0)
            wait_for(lambda: not broker.llen("deadlines") and not broker.llen("mail") and not broker.hlen("unacked"))
        finally:
            service.stop()
    assert closes_of(service, games) == dict.fromkeys(games, 1)
    names = [message["Message-ID"] for message in box.messages]
    assert len(names) == len(set(names)), "no mail twice"
    assert set(mails_of(box, people).values()) <= {1, 2}, "of the first decision, the next one, or both"
    assert verdict(environment, service.words, box.messages) == []
