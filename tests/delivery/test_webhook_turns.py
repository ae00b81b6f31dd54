"""People take turns, and slow hosts hold up those who own them: real hosts that do not answer before they may."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from accounts.models import User
from game import tasks
from game.delivery import notice_sending, webhook_sending, webhooks
from game.outbox import notices, webhook_events
from game.outbox.models import Delivery, Webhook
from game.store.log import Notice
from tests.faults.elsewhere import run_elsewhere
from tests.hooks import Host, Reply, Taken, echo, hook_host, reach_to, round_of_hooks
from tests.outbox.test_push import KEY, allowed
from tests.scenes import person, silent, table
from tests.tables import new_game

pytestmark = [pytest.mark.django_db(transaction=True)]
AT_MOST = 25.0  # seconds for what takes a fraction of one
AT_MOST_TO_START = 120.0  # seconds until another process works
SECOND_PROCESS = """
import sys
import django
django.setup()
from django.conf import settings
from game.delivery import webhook_sending
from game.infra.safe_http import Reach
port, authorities, longest = sys.argv[1:]
settings.OUTGOING = Reach(lambda name: ["127.0.0.1"], lambda address: True, int(port), authorities, float(longest))
webhook_sending.SLOW = 2 * float(longest)
webhook_sending.send_due()
"""


class SlowHost(Host):
    """Whoever is not quick waits for its answer until it `may_answer`."""

    def __init__(self) -> None:
        super().__init__(answer=self.reply)
        self.may_answer = threading.Event()
        self.began: list[str] = []

    def reply(self, taken: Taken) -> Reply:
        self.began.append(taken.path)
        if "slow" in taken.path:
            self.may_answer.wait(AT_MOST)
        return (201, {}, b"") if "push" in taken.path else echo(taken)

    def of(self, name: str) -> int:
        return sum(name in path for path in self.began)


@pytest.fixture
def host(settings: Any, monkeypatch: Any) -> Iterator[SlowHost]:
    monkeypatch.setattr(webhook_sending, "SLOW", 2 * AT_MOST)  # on a machine that is slow itself
    settings.PUSH_KEY = KEY
    found = SlowHost()
    with hook_host(of=found):
        settings.OUTGOING = reach_to(found.port, longest=AT_MOST)
        yield found
        found.may_answer.set()


def owner(name: str, *paths: str, messages: int = 1) -> User:
    """Somebody with active webhooks, for each of which so many messages wait."""
    user = User.objects.filter(username=name).first() or person(name)
    for path in paths:
        hook = webhooks.add(user=user, url=f"https://hooks.example.org/{path}")
        Webhook.objects.filter(pk=hook.pk).update(state=Webhook.State.ACTIVE)
        for _ in range(messages - 1):
            webhooks.ping(webhook=hook)
    return user


def until(what: Callable[[], object], seconds: float = AT_MOST) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


class Round(threading.Thread):
    """What another thread of the worker does."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.start()

    def run(self) -> None:
        try:
            self.work()
        finally:
            connection.close()


def test_a30_five_slow_webhooks_of_one_person_hold_up_one_thread(host: SlowHost) -> None:
    owner("mallory", *(f"slow/{number}" for number in range(5)), messages=4)
    rounds = [Round(webhook_sending.send_due) for _ in range(4)]
    until(lambda: host.of("slow"))
    until(lambda: sum(each.is_alive() for each in rounds) == 1)
    owner("ada", "ada", messages=3)
    assert webhook_sending.send_due() == 3
    assert (host.of("ada"), host.of("slow")) == (3, 1), "everybody is served while one message waits"
    host.may_answer.set()
    for each in rounds:
        each.join(AT_MOST)
    assert host.of("slow") == 20


def test_a30_slow_people_have_one_lane_together(host: SlowHost) -> None:
    for name in ("mallory", "moriarty", "milady"):
        owner(name, f"slow/{name}")
    Webhook.objects.update(slow_at=Now())
    round_of_the_slow = Round(webhook_sending.send_due)
    until(lambda: host.of("slow"))
    owner("ada", "ada", messages=3)
    assert webhook_sending.send_due() == 3
    assert (host.of("ada"), host.of("slow")) == (3, 1)
    host.may_answer.set()
    round_of_the_slow.join(AT_MOST)
    assert Counter(host.began) == {"/ada": 3, "/slow/mallory": 1, "/slow/moriarty": 1, "/slow/milady": 1}


def test_a30_a_second_process_gives_one_person_no_second_thread(
    host: SlowHost,
) -> None:
    """Turns are kept in the database, lanes by each process: of eight rounds two are for the slow."""
    owner("mallory", *(f"slow/mallory/{number}" for number in range(5)), messages=4)
    owner("moriarty", "slow/moriarty", messages=4)
    owner("milady", "slow/milady")
    Webhook.objects.update(slow_at=Now())
    there = run_elsewhere(SECOND_PROCESS, host.port, reach_to(host.port).authorities, AT_MOST)
    until(lambda: host.of("slow"), AT_MOST_TO_START)
    here = Round(webhook_sending.send_due)
    until(lambda: host.of("slow") == 2)
    owner("ada", "ada", messages=3)
    assert webhook_sending.send_due() == 3
    assert host.of("slow") == len({path.split("/")[2] for path in host.began if "slow" in path}) == 2
    host.may_answer.set()
    here.join(AT_MOST)
    assert there.wait(120) == 0
    while webhook_sending.send_due():
        pass  # what a slow machine has left
    assert Counter(host.began) == {
        "/ada": 3, "/slow/moriarty": 4, "/slow/milady": 1, **{f"/slow/mallory/{number}": 4 for number in range(5)}
    }  # fmt: skip


def test_who_takes_long_waits_for_the_lane_of_the_slow_for_some_minutes(host: SlowHost, monkeypatch: Any) -> None:
    owner("mallory", "slow")
    with monkeypatch.context() as quickly:
        quickly.setattr(webhook_sending, "SLOW", 0.1)
        took = Round(webhook_sending.send_due)
        until(lambda: host.of("slow"))
        time.sleep(0.1)
        host.may_answer.set()
        took.join(AT_MOST)
    owner("mallory", "quick")
    with webhook_sending.SLOW_LANE.try_acquire():
        assert webhook_sending.send_due() == 0, "what is for the quick host of the same person waits too"
        Webhook.objects.filter(url__endswith="slow").update(slow_at=Now() - timedelta(minutes=5))
        assert webhook_sending.send_due() == 1


def test_whoever_was_served_longest_ago_is_next_however_much_waits_for_others(host: SlowHost) -> None:
    owner("mallory", *(f"mallory/{number}" for number in range(3)), messages=3)
    owner("ada", "ada", messages=2)
    owner("ben", "ben")
    assert webhook_sending.send_due() == 12
    first = [path.split("/")[1] for path in host.began[:5]]
    assert Counter(first) == {"mallory": 2, "ada": 2, "ben": 1}
    assert len(set(first[:3])) == 3


def test_a_push_does_not_wait_for_a_webhook(host: SlowHost) -> None:
    owner("mallory", "slow/1", "slow/2", messages=3)
    slow = Round(tasks.send_due_hooks)
    until(lambda: host.of("slow"))
    ada = person("Ada", quiet_from=0, quiet_until=0)
    allowed(ada)
    table(ada, silent(), ruleset="toy", bots=0)
    tasks.send_due_pushes()
    assert (host.of("push"), host.of("slow")) == (1, 1)
    host.may_answer.set()
    slow.join(AT_MOST)


def test_a_slow_browser_holds_up_the_pushes_of_its_owner_alone(host: SlowHost) -> None:
    mallory, ada = (person(name, quiet_from=0, quiet_until=0) for name in ("Mallory", "Ada"))
    allowed(mallory, "slow")
    allowed(ada, "ada")
    table(mallory, silent(), ruleset="toy", bots=0)
    notices.write_notices()
    slow = Round(notice_sending.send_due_pushes)
    until(lambda: host.of("push/slow"))
    table(mallory, silent(), ruleset="toy", bots=0)
    table(ada, silent(), ruleset="toy", bots=0)
    tasks.send_due_pushes()
    assert (host.of("push/ada"), host.of("push/slow")) == (1, 1)
    host.may_answer.set()
    slow.join(AT_MOST)
    tasks.send_due_pushes()
    assert host.of("push/slow") == 2
    assert not Notice.objects.filter(channel="push", sent_at=None, due_at__lte=Now(), cancelled_at=None).exists()


def test_of_more_than_a_thousand_that_wait_for_a_webhook_the_oldest_are_given_up(host: SlowHost) -> None:
    owner("ada", "ada")
    round_of_hooks()
    hook, most = Webhook.objects.get(), webhook_events.MOST_WAITING
    Delivery.objects.bulk_create(
        Delivery(webhook=hook, type="phase.closed", due_at=hook.made_at, version=number) for number in range(most)
    )
    new_game("ada", "ben", ruleset="toy")
    notices.write_notices()
    assert webhooks.open_deliveries(hook).count() == most
    keys = {"game.started", "decision.opened"}
    assert keys <= {*webhooks.open_deliveries(hook).values_list("type", flat=True)}
    given_up = hook.deliveries.exclude(failed_at=None)
    assert sorted(given_up.values_list("version", flat=True)) == [*range(given_up.count())], "the oldest"
    assert {each.trouble for each in given_up} == {webhook_events.CROWDED_OUT}
