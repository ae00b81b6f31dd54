"""The Celery application, whose schedule and limits are in the settings. Its connection to Redis survives an outage: it
retries every second and never ends the worker."""

import os
from typing import Any

import kombu
import kombu.transport
from celery import Celery
from celery.app.amqp import AMQP
from kombu.transport import redis, virtual
from redis.exceptions import ConnectionError as RedisConnectionError

from sectors_site.logs import bind_tasks


class QoS(redis.QoS):
    """Drops a task that could not be acknowledged; Redis offers it again later, and tasks may run twice.

    Kombu 5.7 keeps counting it: after as many as there are processes, the worker takes no more tasks."""

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)


class Channel(redis.Channel):
    """Reports a lost connection in the way that Celery expects.

    Kombu 5.7 fails with an AttributeError if a task was running when the connection broke, which ends the worker."""

    QoS = QoS

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise RedisConnectionError("The connection to the broker is closed.")
        parameters: dict[str, Any] = super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]
        return parameters


class Transport(redis.Transport):
    Channel = Channel


class Connection(kombu.Connection):
    """Retries every second: Celery's own pauses grow to half a minute, and due work would wait as long."""

    def _ensure_connection(  # type: ignore[override]
        self,
        errback: Any = None,
        max_retries: Any = None,
        interval_start: int = 1,
        interval_step: int = 0,
        interval_max: int = 1,
        **options: Any,
    ) -> kombu.Connection:
        pauses: dict[str, Any] = {
            "interval_start": interval_start,
            "interval_step": interval_step,
            "interval_max": interval_max,
        }
        return super()._ensure_connection(errback, max_retries, **pauses, **options)


class Broker(AMQP):
    Connection = Connection


kombu.transport.TRANSPORT_ALIASES |= dict.fromkeys(("redis", "rediss"), "sectors_site.celery:Transport")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")
# Checks import every page, a fifth of a worker's memory; `migrate`, the web process and `./dev check` run them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "yes")

app = Celery("sectors", amqp=Broker)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
bind_tasks()
