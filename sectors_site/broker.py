"""Celery's connection to Redis, made to survive the loss of it: tried again every second, and never the end of a
worker."""

from typing import Any

import kombu
import kombu.transport
from celery.app.amqp import AMQP
from kombu.transport import redis, virtual
from redis.exceptions import ConnectionError as RedisConnectionError


class QoS(redis.QoS):
    """Lets go of a task that could not be acknowledged; Redis offers it again later, and tasks may run twice.

    Kombu 5.7 goes on counting it: after as many as there are processes, the worker takes no task any more."""

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)


class Channel(redis.Channel):
    """Says that its connection is lost in the way Celery expects.

    Kombu 5.7 fails with an AttributeError where a task was under way when the connection broke, and that ends the
    worker."""

    QoS = QoS

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise RedisConnectionError("The connection to the broker is closed.")
        known: dict[str, Any] = super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]
        return known


class Transport(redis.Transport):
    Channel = Channel


class Connection(kombu.Connection):
    """Tries again every second: Celery's own pauses grow to half a minute, and what is due would wait as long."""

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


kombu.transport.TRANSPORT_ALIASES |= dict.fromkeys(("redis", "rediss"), "sectors_site.broker:Transport")
