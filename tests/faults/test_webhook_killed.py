"""A process that is killed between the attempt and the sending, or when the other side has the message and nobody has
heard so, leaves a message that is sent again under its name: at least once, as the standard has it."""

from typing import Any

import pytest
from django.db.models.functions import Now

from game.delivery import webhook_sending, webhooks
from game.outbox.models import Webhook
from tests.faults.elsewhere import KILLED, run_elsewhere
from tests.hooks import URL, Reply, Taken, echo, hook_host, reach_to
from tests.scenes import person

pytestmark = [pytest.mark.django_db(transaction=True)]
ROUND = """
import os, signal, sys
import django
django.setup()
from django.conf import settings
from game.delivery import webhook_sending
from game.infra.safe_http import Reach
def look_up(name):
    if sys.argv[1] == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    return ["127.0.0.1"]
settings.OUTGOING = Reach(look_up, lambda address: True, int(sys.argv[2]), sys.argv[3])
webhook_sending.send_due()
"""


def test_no_message_is_lost_and_each_keeps_its_name(settings: Any) -> None:
    with hook_host() as host:
        settings.OUTGOING = reach_to(host.port)
        hook = webhooks.add(user=person("ada"), url=URL)
        delivery = hook.deliveries.get()
        first = run_elsewhere(ROUND, "before", host.port, settings.OUTGOING.authorities)
        assert first.wait(120) == KILLED
        delivery.refresh_from_db()
        assert (delivery.how, delivery.attempts, host.taken) == ("waiting", 1, [])
        due_again(hook)

        def kill(taken: Taken) -> Reply:
            second.kill()
            return echo(taken)

        host.answer = kill
        second = run_elsewhere(ROUND, "after", host.port, settings.OUTGOING.authorities)
        assert second.wait(120) == KILLED
        delivery.refresh_from_db()
        assert (delivery.how, delivery.attempts, len(host.taken)) == ("waiting", 2, 1)
        assert webhook_sending.send_due() == 0, "while somebody may still be at it, nobody else is"
        due_again(hook)
        host.answer = echo
        assert webhook_sending.send_due() == 1
    assert {taken.headers["webhook-id"] for taken in host.taken} == {f"msg_{delivery.name.hex}"}
    assert len(host.taken) == 2


def due_again(hook: Webhook) -> None:
    Webhook.objects.filter(pk=hook.pk).update(busy_until=None)
    hook.deliveries.update(due_at=Now())
