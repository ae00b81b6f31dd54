"""A host that has not agreed is not asked again and again by way of browsers; one that is away is asked again."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db.models.functions import Now

from accounts.models import User
from game import tasks
from game.outbox import push_subscriptions
from game.outbox.models import PushSubscription
from game.store.log import Channel, Notice
from tests.hooks import hook_host, reach_to
from tests.outbox.test_push import KEY, Browser, playing
from tests.scenes import person

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def host(settings: Any) -> Iterator[Any]:
    settings.PUSH_KEY, settings.LIMITED = KEY, True
    cache.clear()
    with hook_host() as found:
        found.answer = lambda taken: (403, {}, b"")
        settings.OUTGOING = reach_to(found.port)
        yield found
    cache.clear()


@pytest.fixture
def ada() -> User:
    return person("Ada", quiet_from=0, quiet_until=0)


def allow(user: User, *paths: str) -> None:
    for path in paths:
        push_subscriptions.allow(user=user, endpoint=f"https://hooks.example.org/{path}", **Browser().told["keys"])


def try_often(times: int = 8) -> None:
    """Rounds of sending, whatever was put off being due again."""
    for _ in range(times):
        Notice.objects.filter(channel=Channel.PUSH, cancelled_at=None).exclude(kind="reminder").update(due_at=Now())
        tasks.send_due_pushes()


def test_a30_no_host_that_takes_nothing_has_many_pushes(ada: User, host: Any) -> None:
    """However many addresses of it somebody gives, and again when they give them again."""
    ben = person("Ben", quiet_from=0, quiet_until=0)
    allow(ada, *map(str, range(10)))
    playing(ada)
    try_often()
    assert len(host.taken) == 4
    assert not PushSubscription.objects.exists()
    assert not Notice.objects.filter(channel=Channel.PUSH, kind="turn", cancelled_at=None).exists()
    allow(ada, *map(str, range(10)))
    playing(ada)
    try_often()
    assert len(host.taken) == 4
    host.answer = lambda taken: (201, {}, b"")
    allow(ben, "ben")
    playing(ben)
    try_often()
    assert [taken.path for taken in host.taken[4:]] == ["/ben"], "others are told there"


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a30_a_service_that_comes_to_refuse_us_is_asked_no_more(ada: User, host: Any, status: int) -> None:
    allow(ada, "one")
    host.answer = lambda taken: (201, {}, b"")
    playing(ada)
    try_often()
    assert len(host.taken) == 1
    host.answer = lambda taken: (status, {}, b"")
    playing(ada)
    try_often()
    assert len(host.taken) == 5
    assert not PushSubscription.objects.exists()


def test_a_browser_that_is_told_first_of_many_counts_for_none(ada: User, host: Any) -> None:
    host.answer = lambda taken: (201, {}, b"")
    paths = [str(number) for number in range(6)]
    allow(ada, *paths)
    playing(ada)
    try_often()
    assert sorted(taken.path for taken in host.taken) == [f"/{path}" for path in paths]
    assert PushSubscription.objects.filter(has_taken=True).count() == 6


def test_a_service_that_has_told_and_is_away_is_asked_for_three_days(ada: User, host: Any) -> None:
    allow(ada, "one")
    PushSubscription.objects.update(has_taken=True, refusals=2)
    host.answer = lambda taken: (503, {}, b"")
    playing(ada)
    try_often()
    assert len(host.taken) == 8
    host.answer = lambda taken: (201, {}, b"")
    try_often(1)
    place = PushSubscription.objects.get()
    assert (place.has_taken, place.refusals, place.failing_since) == (True, 0, None)
    assert (place.failed_on, place.failed_days) == (None, 0)


def test_a_browser_is_lost_after_failures_on_three_days(ada: User, host: Any) -> None:
    """Two failures with silence between them are not enough, however long it lasted."""
    allow(ada, "one")
    PushSubscription.objects.update(has_taken=True)
    host.answer = lambda taken: (503, {}, b"")
    for _ in range(2):
        playing(ada)
        try_often(2)
        later(timedelta(days=3, minutes=1))
    assert PushSubscription.objects.get().failed_days == 2
    try_often(1)
    assert not PushSubscription.objects.exists()


def later(length: timedelta) -> None:
    """So long after the failures so far."""
    place = PushSubscription.objects.get()
    place.failing_since -= length
    place.failed_on = (datetime.combine(place.failed_on, time(12)) - length).date()
    place.save()
