"""Redis stopped, hung, full or read-only: answers come as always, deadlines fire, and hints flow again after its
return."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from kombu import Consumer, Producer, Queue
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from game.live import announce
from sectors_site.caches import JSONSerializer, LossyRedisCache
from sectors_site.celery import Connection
from sectors_site.logs import THROTTLE_SECONDS
from tests.faults.judging import verdict, watched_service
from tests.faults.sizes import size
from tests.servers import PATIENCE, RedisServer, hints_over
from tests.service import HOST, Service, Visitor

WAYS = ["stopped", "hung", "full", "read-only"]
PROMPT = 2.0  # seconds, on a machine that does nothing else
AWAY = size(2, full=30)  # seconds
ROUNDING = 1  # second: a line is stamped before the process decides whether to log it
SEED = """
from django.test import Client
from tests.tables import new_game, person
games = [new_game("ada", bots=2, pace="daily").pk for _ in range(12)]
new_game("ada", "bob")
client = Client()
ada = person("ada")
ada.email = "ada@example.org"
ada.save()
client.force_login(ada)
print(json.dumps({"games": games, "session": client.cookies["sessionid"].value}))
"""


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, postgres_url: str, redis: RedisServer) -> Iterator[Service]:
    service = Service(watched_service(tmp_path_factory.mktemp("redis_away"), database=postgres_url, redis=redis.url))
    service.start("web", "worker", "beat", "clock")
    yield service
    service.stop()


@pytest.fixture(scope="module")
def seed(service: Service) -> Any:
    return service.run(SEED)


@pytest.fixture
def ada(service: Service, seed: Any) -> Visitor:
    return Visitor(service.port, session=seed["session"])


@pytest.fixture
def game(service: Service, seed: Any) -> int:
    """A game whose bots have acted and which waits for Ada."""
    found = seed["games"].pop()
    wait_for(lambda: not service.ask_database(f"SELECT bots_due FROM game_game WHERE id = {found}"))
    return found


def wait_for(what: Callable[[], object], *, seconds: float = 240) -> float:
    """Until it is so; how long that took."""
    began = time.monotonic()
    while not what():
        assert time.monotonic() - began < seconds, f"not within {seconds} s"
        time.sleep(0.1)
    return time.monotonic() - began


def serial_of(service: Service, game: int) -> int:
    return service.ask_database(f"SELECT phase_serial FROM game_game WHERE id = {game}")


def ready(service: Service, ada: Visitor, game: int) -> tuple[int, float]:
    return ada.post(f"/games/{game}/actions/", do="ready", serial=serial_of(service, game), token=f"{time.monotonic()}")


@pytest.mark.parametrize("how", WAYS)
def test_ready_is_answered_in_a_game_with_bots(
    service: Service, redis: RedisServer, ada: Visitor, game: int, how: str
) -> None:
    before = serial_of(service, game)
    ada.get(f"/games/{game}/")
    with redis.away(how):
        assert ready(service, ada, game)[0] == 302
        assert serial_of(service, game) > before
        assert ada.get(f"/games/{game}/")[0] == 200


@pytest.mark.parametrize("how", WAYS)
def test_people_sign_in_sign_up_and_reset_their_password(
    service: Service, redis: RedisServer, seed: Any, how: str
) -> None:
    with redis.away(how):
        assert {status for status, _ in sign_in_and_up(service, f"new{WAYS.index(how)}")} == {302}


def sign_in_and_up(service: Service, name: str) -> list[tuple[int, float]]:
    """Three forms of visitors, answered."""
    values = {
        "/accounts/login/": {"login": "ada", "password": "open sesame 42"},
        "/accounts/signup/": {"username": name, "email": f"{name}@example.org", "password1": "open sesame 42"},
        "/accounts/password/reset/": {"email": "nobody@example.org"},
    }
    return [Visitor(service.port).post(path, **fields) for path, fields in values.items()]


@pytest.mark.trial
@pytest.mark.parametrize("how", WAYS)
def test_all_this_is_answered_at_once(service: Service, redis: RedisServer, ada: Visitor, game: int, how: str) -> None:
    ada.get(f"/games/{game}/")
    with redis.away(how):
        answers = [ready(service, ada, game), ada.get(f"/games/{game}/")]
        forms = sign_in_and_up(service, f"quick{WAYS.index(how)}")
    assert max(took for _, took in answers) < PROMPT
    assert max(took for _, took in forms) < PROMPT + 1


def test_limits_count_in_redis_again_after_the_return(service: Service, redis: RedisServer, seed: Any) -> None:
    def is_counted() -> bool:
        Visitor(service.port).post("/accounts/login/", login="eve", password="wrong")
        stored = [redis.tell("GET", key) for key in redis.tell("KEYS", "*limit:guess_here*")]
        return any(int(value) > 0 for value in stored if value)

    wait_for(is_counted)


def test_passwords_cannot_be_guessed_without_limit_meanwhile(service: Service, redis: RedisServer) -> None:
    """Each process counts for itself: of eleven tries at two processes one has six, and five are allowed."""
    with redis.away("stopped"):
        answers = [
            Visitor(service.port).post("/accounts/login/", login="mallory", password="wrong")[0] for _ in range(11)
        ]
    assert 429 in answers


def test_a_pickle_that_somebody_put_into_redis_is_taken_as_absent(redis: RedisServer, settings: Any) -> None:
    cache = LossyRedisCache(redis.url, {"OPTIONS": {"serializer": JSONSerializer}})
    cache.set("known", [1.5, "two"])
    assert cache.get("known") == [1.5, "two"]
    redis.tell("SET", ":1:strange", pickle.dumps([1.5]))
    assert cache.get("strange", "nothing") == "nothing"


def test_a_task_that_could_not_be_acknowledged_takes_no_place_in_the_worker_for_ever(redis: RedisServer) -> None:
    with Connection(redis.url, transport_options={"socket_timeout": 0.2}) as broker:
        queue = broker.SimpleQueue("places")
        queue.channel.basic_qos(0, 1, False)
        queue.put("task")
        message = queue.get(timeout=5)
        with redis.away("hung"), pytest.raises(broker.connection_errors):
            message.ack()
        assert queue.channel.qos.can_consume()


def test_losing_the_broker_under_a_task_does_not_end_the_worker(redis: RedisServer) -> None:
    broker, taken = Connection(redis.url), []
    tasks = broker.Consumer(Queue("tasks"), callbacks=[lambda body, message: taken.append(body)])
    orders = Consumer(broker.channel(), Queue("orders"))
    Producer(orders.channel).publish("task", routing_key="tasks", declare=[Queue("tasks")])
    for consumer in (tasks, orders):
        consumer.consume()
    while True:
        try:
            broker.drain_events(timeout=0.5)
        except TimeoutError:  # nothing more comes, and both go on to wait
            break
    assert taken == ["task"]
    with redis.away("stopped"):
        # What Celery does when its connection is lost. It survives these errors and no others.
        with contextlib.suppress(Exception):
            broker.collect(socket_timeout=1)
        with contextlib.suppress(*broker.connection_errors):
            broker.close()


def test_hints_do_not_pile_up_while_redis_hangs(redis: RedisServer, settings: Any) -> None:
    settings.CHANNEL_LAYERS = hints_over({"address": redis.url, "socket_connect_timeout": 1, "socket_timeout": 1})
    with redis.away("hung"):
        for version in range(5 * announce.MOST_WAITING):
            announce._send("game.1", "game.changed", version=version)
        assert 0 < len(announce._waiting) <= announce.MOST_WAITING
        wait_for(lambda: not announce._waiting)


@pytest.mark.parametrize("how", ["stopped", "hung"])
def test_deadlines_fire_while_redis_is_away_and_after_its_return(
    service: Service, redis: RedisServer, game: int, how: str
) -> None:
    def is_closed() -> bool:
        return serial_of(service, game) > before

    with redis.away(how):
        before = serial_of(service, game)
        service.ask_database(f"UPDATE game_game SET deadline_at = now() WHERE id = {game}")
        wait_for(is_closed)
    before = serial_of(service, game)
    service.ask_database(f"UPDATE game_game SET deadline_at = now() WHERE id = {game}")
    wait_for(is_closed)


def test_mail_goes_out_while_redis_is_away(service: Service, redis: RedisServer, seed: Any) -> None:
    with redis.away("stopped"):
        assert Visitor(service.port).post("/accounts/password/reset/", email="ada@example.org")[0] == 302
        assert service.ask_database("SELECT count(*) FROM accounts_waitingmail") == 1
        wait_for(lambda: not service.ask_database("SELECT count(*) FROM accounts_waitingmail"))


@pytest.mark.parametrize("how", WAYS)
def test_the_worker_sweeps_again_by_itself_after_the_return(
    service: Service, redis: RedisServer, seed: Any, how: str
) -> None:
    service.stop("clock")
    try:
        with redis.away(how):
            time.sleep(AWAY)
        service.ask_database("UPDATE game_heartbeat SET beat_at = now() - interval '50 seconds'")
        wait_for(
            lambda: service.ask_database("SELECT max(beat_at) > now() - interval '40 seconds' FROM game_heartbeat")
        )
        assert service.processes["worker"].poll() is None
    finally:
        service.start("clock")


@pytest.mark.parametrize("how", ["stopped", "hung"])
async def test_an_open_socket_hears_hints_again_and_a_new_one_is_not_left_hanging(
    service: Service, redis: RedisServer, seed: Any, ada: Visitor, game: int, how: str
) -> None:
    headers = {"Cookie": f"sessionid={seed['session']}", "X-Forwarded-Proto": "https"}
    to: dict[str, Any] = {"uri": f"ws://{HOST}/ws/games/{game}/", "host": "127.0.0.1", "port": service.port}
    to |= {"origin": f"https://{HOST}", "additional_headers": headers}
    async with connect(**to) as socket:
        with redis.away(how), contextlib.suppress(InvalidStatus, ConnectionClosed, TimeoutError):
            async with connect(**to, open_timeout=PATIENCE) as second:
                await asyncio.wait_for(second.recv(), 0.5)
        hint = asyncio.create_task(socket.recv())
        while not hint.done():  # what is announced before the process listens again is lost
            status, _ = await asyncio.to_thread(ready, service, ada, game)
            assert status in {302, 422}
            await asyncio.wait([hint], timeout=1)
        assert "version" in await hint


def test_the_log_is_not_filled(service: Service) -> None:
    """Every process says once a minute that Redis is away, and no request or socket ends in a traceback."""
    lines = [json.loads(line) for line in service.words.splitlines() if line.startswith('{"')]
    values: dict[int, list[datetime]] = {}
    for line in lines:
        if line["event"] == "cache_away":
            values.setdefault(line["pid"], []).append(datetime.fromisoformat(line["timestamp"]))
    assert values
    gaps = [(later - earlier).total_seconds() for times in values.values() for earlier, later in pairwise(times)]
    assert min(gaps, default=THROTTLE_SECONDS) >= THROTTLE_SECONDS - ROUNDING
    ours = [line for line in lines if "exception" in line and not line["logger"].startswith("celery")]
    assert ours == []


def test_every_game_is_whole_afterwards_and_no_log_holds_a_secret(service: Service, seed: Any) -> None:
    assert verdict(service.environment, service.words) == []
