"""Checks the origin of sockets: the site's own scheme, host and port, and no other."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")
DEFAULT_PORTS = {"http": 80, "https": 443}


class OwnOrigin:
    """Admits sockets of the site's own pages. Channels' validator compares only host names."""

    def __init__(self, application: Any) -> None:
        self.application = application

    def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
        origins = [value.decode("latin1") for name, value in scope["headers"] if name == b"origin"]
        is_own = len(origins) == 1 and origins[0] in own_origins(scope)
        answer: Awaitable[None] = (self.application if is_own else WebsocketDenier())(scope, receive, send)
        return answer


def own_origins(scope: dict[str, Any]) -> set[str]:
    """SITE_URL as an origin; for a private copy also this machine's names with the port that it listens on."""
    site = urlsplit(settings.SITE_URL)
    origins = {
        _origin(site.scheme, f"[{site.hostname}]" if ":" in (site.hostname or "") else site.hostname or "", site.port)
    }
    if settings.EMBEDDED:
        _, port = scope.get("server") or (None, site.port)
        origins |= {_origin("http", host, port) for host in LOOPBACK_HOSTS}
    return origins


def _origin(scheme: str, host: str, port: int | None) -> str:
    return f"{scheme}://{host}" if port in {None, DEFAULT_PORTS.get(scheme)} else f"{scheme}://{host}:{port}"
