"""What pages only show of the cache: read by a process once a second."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from redis import Redis

from game.site import features
from sectors_site import caches
from sectors_site.caches import JSONSerializer, LossyRedisCache


@pytest.fixture
def redis_caches(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> list[LossyRedisCache]:
    """Those of two threads of one process, which has read nothing yet."""
    monkeypatch.setattr(LossyRedisCache, "_read", {})
    return [LossyRedisCache(redis_url, {"OPTIONS": {"serializer": JSONSerializer}}) for _ in range(2)]


def test_what_was_read_is_shown_for_a_while_and_then_read_again(
    redis_caches: list[LossyRedisCache], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = redis_caches
    one.set("told", ["first"], 60)
    monkeypatch.setattr(caches, "REUSE_SECONDS", 1000)
    assert one.get_recent("told") == other.get_recent("told") == ["first"]
    one.set("told", ["second"], 60)
    assert other.get_recent("told") == ["first"]
    assert other.get("told") == ["second"], "who must know asks Redis"
    monkeypatch.setattr(caches, "REUSE_SECONDS", 0)
    assert other.get_recent("told") == ["second"]


def test_nothing_is_something_that_was_read(
    redis_caches: list[LossyRedisCache], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = redis_caches
    one.delete("told")
    monkeypatch.setattr(caches, "REUSE_SECONDS", 1000)
    assert one.get_recent("told") is None
    one.set("told", ["late"], 60)
    assert one.get_recent("told") is None


def test_the_one_process_site_is_always_up_to_date() -> None:
    cache.set("told", ["first"], 60)
    assert features.recent_value("told") == ["first"]
    cache.set("told", ["second"], 60)
    assert features.recent_value("told") == ["second"]
    cache.delete("told")


def test_requests_one_after_another_share_the_connections_of_their_process(redis_url: str) -> None:
    with Redis.from_url(redis_url) as beside:
        _asked_by_a_new_request(redis_url)
        before = beside.info("stats")["total_connections_received"]
        for _ in range(10):
            assert _asked_by_a_new_request(redis_url) == "kept"
        assert beside.info("stats")["total_connections_received"] == before


def test_a_connection_that_redis_has_closed_is_replaced_and_nothing_taken_as_absent(redis_url: str) -> None:
    with Redis.from_url(redis_url) as beside:
        _asked_by_a_new_request(redis_url)
        assert beside.client_kill_filter(_type="normal", skipme=True)
        assert _asked_by_a_new_request(redis_url) == "kept"


def _asked_by_a_new_request(redis_url: str) -> str:
    """What a cache of its own, which Django makes for each request, finds of what it keeps."""
    result = LossyRedisCache(redis_url, {"OPTIONS": {"serializer": JSONSerializer}})
    result.set("told", "kept", 60)
    return str(result.get("told"))
