"""The service as it is deployed: pages and sockets by the web process, worker and beat by Celery, on PostgreSQL and
Redis."""

import contextlib
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest

from tests.faults.judging import verdict, watched_service
from tests.faults.test_under_fire import DUE, wait_for
from tests.servers import ROOT, Mailbox, accepts, end, free_port, smtp_server, wait_until
from tests.service import CELERY, Service

TABLES_DUE = 8
# Tables of two; nobody sits at two of them, and nobody sleeps.
TABLES = """
from tests.scenes import person
from tests.tables import new_game
names = [f"{{seat}}{{number}}{name}" for number in range({count}) for seat in "ab"]
people = [person(name, quiet_from=0, quiet_until=0) for name in names]
games = [
    new_game(ada.username, bob.username, pace="daily").pk for ada, bob in zip(people[::2], people[1::2], strict=True)
]
print(json.dumps([games, [user.email for user in people]]))
"""
CLOSES = "SELECT json_object_agg(game_id, times) FROM (SELECT game_id, count(*) AS times FROM game_loggedaction WHERE"
CLOSES += " kind = 'close' AND game_id IN ({}) GROUP BY game_id) AS closes"
BEAT = "SELECT extract(epoch FROM beat_at)::float FROM game_heartbeat WHERE name = '{}'"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, postgres_url: str, redis_url: str) -> dict[str, str]:
    return watched_service(tmp_path_factory.mktemp("service"), database=postgres_url, redis=redis_url)


@pytest.fixture(scope="module")
def pages(environment: dict[str, str]) -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", "sectors_site.serving", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    wait_until(lambda: accepts(port), process)
    yield port
    end(process)


def test_pages_are_served_behind_the_proxy(pages: int) -> None:
    proxied = {"Host": "play.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    request = urllib.request.Request(f"http://127.0.0.1:{pages}/accounts/login/", headers=proxied)
    with urllib.request.urlopen(request, timeout=240) as page:
        assert page.status == 200
        assert "max-age" in page.headers["Strict-Transport-Security"]
        assert "Secure" in page.headers["Set-Cookie"]


@pytest.mark.parametrize("beats", [pytest.param(1, marks=pytest.mark.trial), 2])
def test_however_many_beats_there_are_each_deadline_and_each_mail_is_kept_once(
    environment: dict[str, str], tmp_path: Path, beats: int
) -> None:
    """F4: what the beats send reaches the worker through Redis, and what comes twice does nothing."""
    box = Mailbox()
    with smtp_server(box):
        service = Service(environment | {"EMAIL_URL": f"smtp://127.0.0.1:{box.port}"})
        service.start("worker")
        with at_work([[*CELERY, "beat", "-s", str(tmp_path / str(number))] for number in range(beats)], service):
            games, people = service.run(TABLES.format(name=token_hex(3), count=TABLES_DUE))
            wait_for(lambda: mails_of(box, people) == dict.fromkeys(people, 1))
            service.run(DUE.format(games=games, apart=0.2))
            wait_for(lambda: closes_of(service, games) == dict.fromkeys(games, 1))
            wait_for(lambda: mails_of(box, people) == dict.fromkeys(people, 2))
            wait_for_rounds(service, 2)
        service.stop()
    assert closes_of(service, games) == dict.fromkeys(games, 1)
    assert mails_of(box, people) == dict.fromkeys(people, 2), "one of the beginning, and one of the next decision"
    assert "Traceback" not in service.words
    assert verdict(environment, service.words, box.messages) == []


@contextlib.contextmanager
def at_work(commands: list[list[str]], service: Service) -> Iterator[None]:
    """Further processes of a service; they write to its log."""
    with (service.home / "log").open("ab") as log:
        running = [
            subprocess.Popen(command, cwd=ROOT, env=service.environment, stdout=log, stderr=log) for command in commands
        ]
    try:
        yield
    finally:
        for process in running:
            end(process)


def closes_of(service: Service, games: list[int]) -> dict[int, int]:
    """How many times the deadline of each was kept."""
    told = service.ask_database(CLOSES.format(",".join(map(str, games)))) or {}
    return {game: told.get(str(game), 0) for game in games}


def mails_of(box: Mailbox, people: list[str]) -> dict[str, int]:
    """How many mails each of them has had."""
    had = Counter(str(message["To"]) for message in list(box.messages))
    return {address: had[address] for address in people}


def wait_for_rounds(service: Service, count: int) -> None:
    """Until the worker has gone so many more rounds of deadlines and of mail: what was sent twice has come by then."""
    for job in ("deadlines", "mail"):
        for _ in range(count):
            wait_for_a_beat(service, BEAT.format(job))


def wait_for_a_beat(service: Service, asked: str) -> None:
    before = service.ask_database(asked)
    wait_for(lambda: service.ask_database(asked) > before)
