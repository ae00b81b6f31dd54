"""No mail goes out twice, wherever its process is killed; where it was not on its way yet, it still goes out."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.judging import verdict
from tests.homes import fresh_database, fresh_home
from tests.servers import ROOT, Mailbox, smtp_server


class Killing(Mailbox):
    """A server that, once it has a mail, kills whoever sent it before they hear so."""

    sender: Path | None = None

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = await super().handle_DATA(server, session, envelope)
        if self.sender is not None:
            os.kill(int(self.sender.read_text()), signal.SIGKILL)
        return answer


SQLITE = pytest.param("sqlite", marks=pytest.mark.trial)


def environment_of(home: Path, database: str, post: int) -> dict[str, str]:
    values_by_key = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    wanted = {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings", "LOG_LEVEL": "CRITICAL"}
    wanted |= {"EMAIL_URL": f"smtp://127.0.0.1:{post}", "MAIL_WINDOW": "0", "DATABASE_URL": database}
    return values_by_key | wanted


def run(home: Path, database: str, post: int, command: str) -> list[dict[str, Any]]:
    line, environment = [sys.executable, "-m", "tests.faults.mailing", command], environment_of(home, database, post)
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=800)
    assert done.returncode == 0, done.stderr
    return [json.loads(told) for told in done.stdout.splitlines()]


def database_of(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    if kind == "sqlite":
        fresh_home(tmp_path)
        return f"sqlite:///{tmp_path}/sectors.sqlite3"
    return fresh_database(request.getfixturevalue("postgres_url"), "mail_once")


@pytest.mark.parametrize("kind", [SQLITE, "postgres"])
def test_the_plug_is_pulled_at_every_statement_of_a_round(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database, box = database_of(kind, tmp_path, request), Mailbox()
    with smtp_server(box):
        run(tmp_path, database, box.port, "prepare")
        result = run(tmp_path, database, box.port, "rounds")
    assert len(result) > 12, "a round of mail is no shorter"
    assert [one["died"] for one in result] == [True] * (len(result) - 1) + [False]
    names = [message["Message-ID"] for message in box.messages]
    assert len(names) == len(set(names)), "no mail twice"
    lost = [one for one in result if not one["sent"]]
    assert len(names) >= len(result) - len(lost), "who was not handed over is sent later"
    assert all(one["handed"] for one in result)
    assert len(lost) <= 2, "only between the two commits around the sending nobody knows"
    assert verdict(environment_of(tmp_path, database, box.port), "", box.messages) == []


@pytest.mark.parametrize("kind", [SQLITE, "postgres"])
def test_a_process_killed_while_the_server_has_its_mail_does_not_send_it_again(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database, box = database_of(kind, tmp_path, request), Killing()
    with smtp_server(box):
        run(tmp_path, database, box.port, "prepare")
        box.sender = tmp_path / "sender"
        (told,) = run(tmp_path, database, box.port, "taken")
    assert told == {"statement": 0, "died": True, "handed": True, "sent": False}
    assert len(box.messages) == 1
    assert verdict(environment_of(tmp_path, database, box.port), "", box.messages) == []
