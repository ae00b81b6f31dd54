"""Which sockets stay open: those of readers who are still signed in; and which sockets count together."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
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

from accounts import limits
from accounts.models import User

SIGNED_OUT, TOO_MANY = 4401, 4429  # why a socket was closed
LOOK_SECONDS = 3
log = structlog.get_logger("game.sockets.listeners")


class Claim(NamedTuple):
    """As whom a socket was opened."""

    session_key: str
    user_id: int
    session_hash: str


class Closable(Protocol):
    """A socket."""

    async def close(self, code: int | None = None) -> None: ...


class Watched(Closable, Protocol):
    """What the watch needs of a socket."""

    claim: Claim | None


def session_key_of(scope: Mapping[str, Any]) -> str:
    """Of the browser that opens a socket; empty where it sends none, or one that was never given: many are looked up
    together, so what the database refuses would keep others out."""
    cookies = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    key = parse_cookie(cookies.decode("latin1")).get(settings.SESSION_COOKIE_NAME, "")
    return key if key.isalnum() else ""


def reader_of(user_id: int | None, scope: Mapping[str, Any]) -> str:
    """Whose sockets count together: those of a person, or of all visitors at an address."""
    return f"visitor.{network_of(scope)}" if user_id is None else f"reader.{user_id}"


def is_visitor(reader: str) -> bool:
    """Whether those are the visitors at an address."""
    return reader.startswith("visitor.")


def watch(socket: Watched) -> None:
    """Close it within seconds of the person's signing out, in whatever way, even without a message."""
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
    """Two queries for all sockets of this process, while there are any. Between two looks it holds none of them."""
    while watched:
        await asyncio.sleep(LOOK_SECONDS)
        await _look_once(watched)


async def _look_once(watched: WeakSet[Any]) -> None:
    sockets = list(watched)
    try:
        still_in = await database_sync_to_async(holding)({socket.claim for socket in sockets})
    except Error as error:
        log.warning("sessions_not_read", trouble=type(error).__name__)
        return
    for socket in sockets:
        if socket.claim not in still_in:
            watched.discard(socket)
            await show_out(socket, SIGNED_OUT)


async def show_out(socket: Closable, code: int) -> None:
    """Close it, though it may be closing already."""
    try:
        await socket.close(code=code)
    except Exception as error:  # it was closing already; the others are still to be looked at
        log.info("socket_not_closed", trouble=type(error).__name__)


def holding(claims: Collection[Claim]) -> set[Claim]:
    """The claims of those who are signed in as they were, with the password they have now."""
    sessions = Session.objects.filter(
        session_key__in=[claim.session_key for claim in claims], expire_date__gt=timezone.now()
    )
    keys = set(sessions.values_list("session_key", flat=True))
    return with_same_password([claim for claim in claims if claim.session_key in keys])


def with_same_password(claims: Collection[Claim]) -> set[Claim]:
    """The claims of those whose accounts are open and who are not banned, with the password they had."""
    free = Q(banned_until=None) | Q(banned_until__lte=timezone.now())
    people = User.objects.filter(free, is_active=True).only("password").in_bulk([claim.user_id for claim in claims])
    return {claim for claim in claims if _is_same(people.get(claim.user_id), claim.session_hash)}


def _is_same(user: User | None, session_hash: str) -> bool:
    if user is None:
        return False
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(session_hash, known) for known in hashes)


def network_of(scope: Mapping[str, Any]) -> str:
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
