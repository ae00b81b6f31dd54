"""Which sockets stay open: those of signed-in readers, up to a limit for each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary, WeakSet

import structlog
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import Error
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts import limits
from accounts.models import User

SIGNED_OUT, TOO_MANY = 4401, 4429  # why a socket was closed
LOOK_SECONDS = 3
log = structlog.get_logger(__name__)


class Claim(NamedTuple):
    """As whom a socket was opened."""

    session_key: str
    user_id: int
    session_hash: str


class Watched(Protocol):
    """What the watch needs of a socket."""

    claim: Claim | None

    async def close(self, code: int | None = None) -> None: ...


def claim_of(scope: Mapping[str, Any]) -> Claim | None:
    """None for visitors, who cannot sign out."""
    user, session = scope["user"], scope["session"]
    return Claim(session.session_key, user.pk, session.get(HASH_SESSION_KEY, "")) if user.is_authenticated else None


def reader_of(scope: Mapping[str, Any]) -> str:
    """The group of all sockets that count together."""
    user = scope["user"]
    return f"reader.{user.pk}" if user.is_authenticated else f"visitor.{_network_of(scope)}"


def most_of(reader: str) -> int:
    return limits.most_of("visitor_sockets" if reader.startswith("visitor.") else "sockets")


def watch(socket: Watched) -> None:
    """Close it within seconds of the person's signing out, in whatever way, though no message says so."""
    loop = asyncio.get_running_loop()
    watched = _watched.setdefault(loop, WeakSet())
    watched.add(socket)
    if loop not in _lookers or _lookers[loop].done():
        _lookers[loop] = loop.create_task(_look(watched))


def unwatch(socket: Watched) -> None:
    _watched.get(asyncio.get_running_loop(), WeakSet()).discard(socket)


_watched: WeakKeyDictionary[asyncio.AbstractEventLoop, WeakSet[Any]] = WeakKeyDictionary()
_lookers: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[None]] = WeakKeyDictionary()


async def _look(watched: WeakSet[Any]) -> None:
    """Two queries for all sockets of this process, while there are any."""
    while watched:
        await asyncio.sleep(LOOK_SECONDS)
        sockets = list(watched)
        try:
            holding = await database_sync_to_async(_holding)({socket.claim for socket in sockets})
        except Error as error:
            log.warning("sessions_not_read", trouble=type(error).__name__)
            continue
        for socket in sockets:
            if socket.claim not in holding:
                watched.discard(socket)
                await _show_out(socket)


async def _show_out(socket: Watched) -> None:
    try:
        await socket.close(code=SIGNED_OUT)
    except Exception as error:  # it was closing already; the others are still to be looked at
        log.info("socket_not_closed", trouble=type(error).__name__)


def _holding(claims: Iterable[Claim]) -> set[Claim]:
    """The claims of those who are signed in as they were, with the password they have now."""
    sessions = Session.objects.filter(
        session_key__in=[claim.session_key for claim in claims], expire_date__gt=timezone.now()
    )
    keys = set(sessions.values_list("session_key", flat=True))
    people = User.objects.filter(is_active=True).only("password").in_bulk([claim.user_id for claim in claims])
    return {
        claim
        for claim in claims
        if claim.session_key in keys and _is_same(people.get(claim.user_id), claim.session_hash)
    }


def _is_same(user: User | None, session_hash: str) -> bool:
    if user is None:
        return False
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(session_hash, known) for known in hashes)


def _network_of(scope: Mapping[str, Any]) -> str:
    """The client's address, as far as proxies are believed, in the letters that a group's name may have."""
    return limits.network_of(_address_of(scope)).replace(":", "-")


def _address_of(scope: Mapping[str, Any]) -> str:
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    named = [
        part
        for name, value in scope["headers"]
        if name == b"x-forwarded-for"
        for part in value.decode("latin1").split(",")
    ]
    if proxies and len(named) >= proxies:
        return named[-proxies].strip()
    return str((scope.get("client") or ("",))[0])
