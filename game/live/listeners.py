"""Close sockets whose readers have signed out, identify readers for counting sockets, and unsubscribe sockets, long
polls and streams from the channel layer."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary, WeakSet

import structlog
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import Error
from django.db.models import Q
from django.http.cookie import parse_cookie
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from redis.exceptions import RedisError

from accounts import limits
from accounts.models import User

SIGNED_OUT, TOO_MANY_CONNECTIONS = 4401, 4429  # why a socket was closed
CHECK_SECONDS = 3
log = structlog.get_logger("game.sockets.listeners")


class Claim(NamedTuple):
    """The session and person for which a socket was opened."""

    session_key: str
    user_id: int
    session_hash: str


class Closable(Protocol):
    """A socket."""

    async def close(self, code: int | None = None) -> None: ...


class Watched(Closable, Protocol):
    """The part of a socket that the watch needs."""

    claim: Claim | None


def session_key_of(scope: Mapping[str, Any]) -> str:
    """The session key from the browser's cookie; empty if there is none or it is malformed. Many keys are looked up in
    one query, so one that the database rejects would lock others out."""
    cookies = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    key = parse_cookie(cookies.decode("latin1")).get(settings.SESSION_COOKIE_NAME, "")
    return key if key.isalnum() else ""


def reader_of(user_id: int | None, scope: Mapping[str, Any]) -> str:
    """The key under which sockets are counted: a person, or all visitors of an IP address."""
    return f"visitor.{network_of(scope)}" if user_id is None else f"reader.{user_id}"


def is_visitor(reader: str) -> bool:
    """True if the key stands for visitors of an IP address."""
    return reader.startswith("visitor.")


def watch(socket: Watched) -> None:
    """Close the socket within seconds after the person's session ends, even if no message is sent."""
    loop = asyncio.get_running_loop()
    watched = _watched.setdefault(loop, WeakSet())
    watched.add(socket)
    if loop not in _check_tasks or _check_tasks[loop].done():
        _check_tasks[loop] = loop.create_task(_check_forever(watched))


def unwatch(socket: Watched) -> None:
    _watched.get(asyncio.get_running_loop(), WeakSet()).discard(socket)


_watched: WeakKeyDictionary[asyncio.AbstractEventLoop, WeakSet[Any]] = WeakKeyDictionary()
_check_tasks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[None]] = WeakKeyDictionary()


async def _check_forever(watched: WeakSet[Any]) -> None:
    """Check all sockets of this process with two queries at a time, while there are any. It keeps no reference to them
    between two checks."""
    while watched:
        await asyncio.sleep(CHECK_SECONDS)
        await _check_once(watched)


async def _check_once(watched: WeakSet[Any]) -> None:
    sockets = list(watched)
    try:
        valid_claims = await database_sync_to_async(holding)({socket.claim for socket in sockets})
    except Error as error:
        log.warning("sessions_not_read", trouble=type(error).__name__)
        return
    for socket in sockets:
        if socket.claim not in valid_claims:
            watched.discard(socket)
            await close_connection(socket, SIGNED_OUT)


async def close_connection(socket: Closable, code: int) -> None:
    """Close a socket that may be closing already."""
    try:
        await socket.close(code=code)
    except Exception as error:  # it was closing already; continue with the others
        log.info("socket_not_closed", trouble=type(error).__name__)


def holding(claims: Collection[Claim]) -> set[Claim]:
    """Those of these claims whose session still exists and whose password has not changed."""
    sessions = Session.objects.filter(
        session_key__in=[claim.session_key for claim in claims], expire_date__gt=timezone.now()
    )
    keys = set(sessions.values_list("session_key", flat=True))
    return with_same_password([claim for claim in claims if claim.session_key in keys])


def with_same_password(claims: Collection[Claim]) -> set[Claim]:
    """Those of these claims whose account is open, not banned, and has the same password."""
    free = Q(banned_until=None) | Q(banned_until__lte=timezone.now())
    people = User.objects.filter(free, is_active=True).only("password").in_bulk([claim.user_id for claim in claims])
    return {claim for claim in claims if _is_same(people.get(claim.user_id), claim.session_hash)}


def _is_same(user: User | None, session_hash: str) -> bool:
    if user is None:
        return False
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(session_hash, session_hash_now) for session_hash_now in hashes)


def network_of(scope: Mapping[str, Any]) -> str:
    """The client's network, by trusted proxies, in characters that group names allow."""
    return limits.network_of(_address_of(scope)).replace(":", "-")


def _address_of(scope: Mapping[str, Any]) -> str:
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    forwarded = [
        part
        for name, value in scope["headers"]
        if name == b"x-forwarded-for"
        for part in value.decode("latin1").split(",")
    ]
    if proxies and len(forwarded) >= proxies:
        return forwarded[-proxies].strip()
    return str((scope.get("client") or ("",))[0])


async def leave(layer: Any, channel: str, groups: Iterable[str]) -> None:
    """Remove a channel from the layer and from all these groups, even if Redis is down."""
    await layer.forget(channel)
    for group in groups:
        with suppress(RedisError):
            await layer.group_discard(group, channel)
