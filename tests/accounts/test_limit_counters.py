"""The counter of limits: nothing that comes at once is lost, and nobody washes out what they have run up."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.limits import LIMITS, TooMany, is_spent, spend
from sectors_site.caches import JSONSerializer, LocalCounters, LossyRedisCache, local_counters
from tests.scenes import person
from tests.servers import ROOT, RedisServer

MANY = 10_000
COUNTING = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from sectors_site.caches import JSONSerializer, LossyRedisCache
counter = LossyRedisCache(sys.argv[1], {"OPTIONS": {"serializer": JSONSerializer}})
with ThreadPoolExecutor(4) as threads:
    print(json.dumps(list(threads.map(lambda _: counter.count([("all", 60)])[0][0], range(250)))))
"""


@pytest.fixture
def counted(settings: Any) -> Any:
    settings.LIMITED = True
    cache.clear()
    yield
    cache.clear()


def redis_cache(url: str) -> LossyRedisCache:
    return LossyRedisCache(url, {"OPTIONS": {"serializer": JSONSerializer}})


def count_one(counter: LossyRedisCache) -> tuple[int, float]:
    return counter.count([("one", 60)])[0]


def test_counts_of_many_threads_are_all_counted() -> None:
    counter = LocalCounters()
    with ThreadPoolExecutor(16) as threads:
        counts = list(threads.map(lambda _: counter.count("all", 60)[0], range(4000)))
    assert sorted(counts) == list(range(1, 4001))


def test_counts_of_many_processes_are_all_counted(redis_url: str) -> None:
    redis_cache(redis_url).forget("all")
    requests = [subprocess.Popen([sys.executable, "-c", COUNTING, redis_url], cwd=ROOT, stdout=subprocess.PIPE)
             for _ in range(4)]  # fmt: skip
    counts = [count for each in requests for count in json.loads(each.communicate(timeout=400)[0])]
    assert sorted(counts) == list(range(1, 1001))


def test_what_is_counted_in_one_journey_is_counted_like_anything_else(redis_url: str) -> None:
    counter = redis_cache(redis_url)
    for key in ("one", "other"):
        counter.forget(key)
    count_one(counter)
    found = counter.count([("one", 60), ("other", 30), ("one", 60)])
    assert [used for used, _ in found] == [2, 1, 3]
    assert [0 < left <= most for (_, left), most in zip(found, (60, 30, 60), strict=True)] == [True] * 3
    assert [counter.exchange("one", "other", 30) for _ in range(5)] == [2, 3, 4, 5, 6], "of three, five are given back"
    assert [used for used, _ in counter.count([("one", 60)])] == [1]
    away = redis_cache("redis://127.0.0.1:1/0")
    local_counters.clear()
    assert [used for used, _ in away.count([("one", 60), ("one", 60)])] == [1, 2]
    assert away.exchange("one", "other", 60) == 1
    assert [used for used, _ in away.count([("one", 60)])] == [2]
    LossyRedisCache._down_until = 0


def test_work_of_many_processes_is_added_up_and_each_knows_what_it_was_told_last(redis_url: str) -> None:
    first = redis_cache(redis_url)
    first.forget("work")
    first.charge("work", 60, 700)
    assert first.peek("work")[0] == 700
    first.count([("work", 60)])  # as another process does
    first.charge("work", 60, 200)
    used, left = first.peek("work")
    assert used == 901
    assert 0 < left <= 60


def test_while_redis_is_away_each_process_adds_up_its_own_work() -> None:
    local_counters.clear()
    away = redis_cache("redis://127.0.0.1:1/0")
    for _ in range(2):
        away.charge("work", 60, 700)
    assert away.peek("work")[0] == 1400
    LossyRedisCache._down_until = 0


def test_of_requests_at_once_as_many_pass_as_the_limit_says(counted: None) -> None:
    with ThreadPoolExecutor(16) as threads:
        refused = list(threads.map(lambda _: is_spent("move", "1.1"), range(200)))
    assert refused.count(False) == LIMITS["move"].most == 60


@pytest.mark.django_db(transaction=True)
def test_passwords_that_are_guessed_at_once_are_counted_one_after_the_other(counted: None) -> None:
    """On a real database, each request in a thread of its own."""
    person("ada")

    def guess(number: int) -> int:
        from django.db import connection

        form = {"login": "ada", "password": f"wrong horse {number}"}
        try:
            return Client().post("/accounts/login/", form, REMOTE_ADDR="192.0.2.1").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(guess, range(24)))
    assert (answers.count(200), answers.count(429)) == (LIMITS["guess_here"].most, 24 - LIMITS["guess_here"].most)


@pytest.mark.parametrize("most", [MANY * 10, 1000])
def test_ten_thousand_addresses_wash_out_no_counter(most: int) -> None:
    counter = LocalCounters(most)
    for _ in range(5):
        counter.count("victim", 3600)
    for number in range(MANY):
        counter.count(f"10.{number >> 8}.{number & 255}.1", 3600)
    assert counter.count("victim", 3600)[0] == 6
    assert len(counter) <= most


def test_what_is_cached_washes_out_no_counter(counted: None) -> None:
    """Django's own cache in memory keeps 300 entries."""
    for _ in range(60):
        spend("move", "1.1")
    for number in range(1000):
        cache.set(f"entry-{number}", number)
        spend("anon", f"192.0.2.{number}")
    with pytest.raises(TooMany):
        spend("move", "1.1")


def test_a_window_begins_with_its_first_request_and_ends_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counter, now = LocalCounters(), time.time()
    assert counter.count("a", 60) == (1, pytest.approx(60, abs=1))
    monkeypatch.setattr(time, "time", lambda: now + 59)
    assert counter.count("a", 60) == (2, pytest.approx(1, abs=1))
    monkeypatch.setattr(time, "time", lambda: now + 62)
    assert counter.count("a", 60) == (1, pytest.approx(60, abs=1))


def test_counters_that_are_over_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    counter, now = LocalCounters(100), time.time()
    for number in range(100):
        counter.count(f"old {number}", 60)
    monkeypatch.setattr(time, "time", lambda: now + 61)
    counter.count("new", 60)
    assert len(counter) == 1


def test_redis_keeps_no_counter_for_ever_and_gives_back(redis_url: str) -> None:
    counter = redis_cache(redis_url)
    counter.forget("one")
    assert count_one(counter) == (1, pytest.approx(60, abs=2))
    assert count_one(counter)[0] == 2
    counter.refund("one")
    assert count_one(counter) == (2, pytest.approx(60, abs=2))
    for _ in range(5):
        counter.refund("one")
    assert count_one(counter)[0] == 1, "never below nothing"
    counter.forget("one")
    assert count_one(counter)[0] == 1


def test_while_redis_is_away_each_process_counts_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LossyRedisCache, "_down_until", 0.0)
    local_counters.clear()
    server = RedisServer()
    try:
        counter = redis_cache(server.url)
        assert count_one(counter)[0] == 1
        with server.away("stopped"):
            assert [count_one(counter)[0] for _ in range(3)] == [1, 2, 3]
            counter.refund("one")
            assert count_one(counter)[0] == 3
    finally:
        server.stop()
        local_counters.clear()
