"""Limits on what one user, account, device, address or mailbox may request: one table for pages, programs and sockets,
and one counter."""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol, cast

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

MINUTE, HOUR, DAY = 60, 3_600, 86_400
FIVE_MINUTES = 5 * MINUTE
AT_ONCE = 0  # seconds: no period, the maximum counts at one time
ADDRESS, PERSON, PERSON_AND_GAME, ACCOUNT = "address", "person", "person and game", "account"
PERSON_OR_ADDRESS = "person or address"
PERSON_AND_HOST = "person and host"
ACCOUNT_AND_DEVICE, ACCOUNT_AND_ADDRESS, MAILBOX = "account and device", "account and address", "mailbox"
IPV6_NETWORK_BITS = 64  # a customer with one IPv6 address has its whole /64


class Limit(NamedTuple):
    """`most` of `what` within `seconds` of the first one, counted per `by`; 0 seconds: at one time."""

    name: str
    most: int
    seconds: int
    by: str
    what: Any  # translated lazily


LIMITS = {
    limit.name: limit
    for limit in (
        # -- accounts --
        Limit("sign_up", 50, FIVE_MINUTES, ADDRESS, _("sign-ups from your network")),
        Limit("sign_up_mailbox", 10, HOUR, MAILBOX, _("sign-ups with one email address")),
        Limit("guest", 10, FIVE_MINUTES, ADDRESS, _("games without an account from your network")),
        Limit("way_back", 100, FIVE_MINUTES, ADDRESS, _("sign-ins from your network that return to a page")),
        Limit("sign_in", 100, FIVE_MINUTES, ADDRESS, _("sign-ins from your network")),
        Limit("guess", 20, FIVE_MINUTES, ADDRESS, _("wrong passwords and codes from your network")),
        Limit("guess_here", 5, FIVE_MINUTES, ACCOUNT_AND_ADDRESS, _("wrong passwords and codes for one account")),
        Limit("guess_account", 100, HOUR, ACCOUNT, _("wrong passwords and codes for one account from new devices")),
        Limit(
            "guess_device",
            5,
            FIVE_MINUTES,
            ACCOUNT_AND_DEVICE,
            _("wrong passwords and codes for one account on one device"),
        ),
        Limit("reset", 50, FIVE_MINUTES, ADDRESS, _("requests for a new password from your network")),
        Limit("reset_mailbox", 5, HOUR, MAILBOX, _("requests for a new password for one email address")),
        Limit("new_password", 50, FIVE_MINUTES, ADDRESS, _("new passwords set by a link from your network")),
        Limit("confirmation", 1, 3 * MINUTE, MAILBOX, _("emails that confirm an address")),
        Limit("confirmation_mailbox", 20, HOUR, MAILBOX, _("emails that confirm any address of one mailbox")),
        Limit("change_password", 10, FIVE_MINUTES, PERSON, _("changes of your password")),
        Limit("change_address", 20, FIVE_MINUTES, PERSON, _("changes of your email addresses")),
        Limit("address_mailbox", 10, HOUR, MAILBOX, _("changes of one email address")),
        Limit("reauthenticate", 10, FIVE_MINUTES, PERSON, _("confirmations that it is you")),
        Limit("export", 6, DAY, PERSON, _("downloads of your data")),
        Limit("household", 10, DAY, PERSON, _("requests to confirm a shared home")),
        Limit("invite", 20, DAY, PERSON, _("invitations by name")),
        Limit("program", 30, DAY, PERSON, _("new tokens, webhooks and bots")),
        Limit("challenge", 10, HOUR, PERSON, _("messages sent again to webhooks that are not active or fail")),
        Limit("browser", 20, DAY, PERSON, _("browsers newly allowed to show notifications")),
        Limit(
            "push_try",
            4,
            HOUR,
            PERSON_AND_HOST,
            _("notifications to a service that has taken none from this person yet"),
        ),
        # -- games, on pages and over the API --
        Limit("create", 20, DAY, PERSON, _("new games and rematches")),
        Limit("join", 30, HOUR, PERSON, _("seats taken by one person in games that wait")),
        Limit("proposal", 15, HOUR, PERSON_AND_GAME, _("proposals and agreements of one player in one game")),
        Limit("arrange", 60, HOUR, PERSON_AND_GAME, _("changes of a host to one game")),
        Limit("times", 20, DAY, PERSON, _("changes of one person’s hours")),
        Limit("vacation", 6, DAY, PERSON, _("vacations that one person declares")),
        Limit("write", 60, MINUTE, PERSON, _("changes by one person")),
        Limit("move", 60, MINUTE, PERSON_AND_GAME, _("submissions in one game")),
        Limit("draft", 120, MINUTE, PERSON_AND_GAME, _("saved drafts in one game")),
        Limit("message", 20, FIVE_MINUTES, PERSON, _("chat messages by one person")),
        Limit("message_day", 300, DAY, PERSON, _("chat messages by one person")),
        Limit("report", 10, DAY, PERSON, _("reports to the moderators")),
        Limit("work", 20_000, MINUTE, PERSON_OR_ADDRESS, _("milliseconds of computing for one person")),
        # -- programs --
        Limit("anon", 60, MINUTE, ADDRESS, _("requests without a valid token from your network")),
        Limit("network", 6_000, MINUTE, ADDRESS, _("requests of all programs in your network")),
        Limit("read", 300, MINUTE, PERSON, _("requests that read")),
        Limit("unchanged", 600, MINUTE, PERSON_OR_ADDRESS, _("requests that found nothing new")),
        Limit("heavy", 30, MINUTE, PERSON, _("requests for logs and past positions")),
        # -- sockets --
        Limit("opens_sockets", 120, MINUTE, PERSON, _("connections opened by one person")),
        Limit("visitor_opens_sockets", 300, MINUTE, ADDRESS, _("connections opened by visitors from your network")),
        # -- at one time --
        Limit("sockets", 6, AT_ONCE, PERSON, _("open connections of one person")),
        Limit("visitor_sockets", 30, AT_ONCE, ADDRESS, _("open connections of visitors from your network")),
        Limit("waits", 4, AT_ONCE, PERSON, _("requests of one person that wait for something new")),
        Limit("streams", 4, AT_ONCE, PERSON, _("open streams of one person")),
        Limit("open_tables", 3, AT_ONCE, PERSON, _("open games of one host that wait for players")),
        Limit("games", 30, AT_ONCE, PERSON, _("unfinished games of one person")),
        Limit("households", 10, AT_ONCE, PERSON, _("people who share a home or a connection with one person")),
        Limit("guest_games", 2, AT_ONCE, PERSON, _("unfinished games of one guest")),
        Limit("tokens", 10, AT_ONCE, ACCOUNT, _("valid tokens of one account")),
        Limit("webhooks", 5, AT_ONCE, PERSON, _("webhooks of one person")),
        Limit("browsers", 10, AT_ONCE, PERSON, _("browsers that show one person notifications")),
        Limit("bots", 5, AT_ONCE, PERSON, _("bots of one person")),
        Limit("bot_games", 20, AT_ONCE, ACCOUNT, _("unfinished games of one bot")),
    )
}
API_LIMITS = (
    *("anon", "network", "read", "unchanged", "heavy", "work", "write", "move", "draft"),
    *("proposal", "arrange", "times", "vacation"),
    *("create", "join", "invite", "program", "challenge"),
    *("message", "message_day"),
)
"""Listed on the API page."""


def limit_of(name: str) -> Limit:
    """A limit, with the operator's number if there is one."""
    limit = LIMITS[name]
    return limit._replace(most=int(settings.LIMITS.get(name, limit.most)))


def most_of(name: str) -> int:
    return limit_of(name).most


class Usage(NamedTuple):
    """One counted request of a limit; it can be given back."""

    limit: Limit
    key: str
    used: int
    left_seconds: int

    @property
    def is_too_many(self) -> bool:
        return self.used > self.limit.most

    @property
    def headers(self) -> dict[str, str]:
        """Response headers of the IETF draft on rate limits."""
        limit, remaining = self.limit, max(self.limit.most - self.used, 0)
        return {
            "RateLimit-Policy": f'"{limit.name}";q={limit.most};w={limit.seconds}',
            "RateLimit": f'"{limit.name}";r={remaining};t={self.left_seconds}',
        }

    def refund(self) -> None:
        """Undo the count: the password was right, or nothing was new."""
        if self.key:
            _counters().refund(self.key)

    def exchange(self, name: str, who: object) -> None:
        """Count the request against another limit instead, in one step; if it exceeds that one, the first count
        stays."""
        if not self.key:
            return
        other = limit_of(name)
        if _counters().exchange(self.key, _key(name, who), other.seconds) > other.most:
            _counters().count([(self.key, self.limit.seconds)])


class TooMany(Exception):
    """The request exceeds a limit; `usage` says which one and until when."""

    def __init__(self, usage: Usage) -> None:
        super().__init__(usage.limit.name)
        self.usage = usage

    @property
    def headers(self) -> dict[str, str]:
        """Headers of a 429 response."""
        return {**self.usage.headers, "Retry-After": str(self.usage.left_seconds)}


def spend(name: str, who: object) -> Usage:
    """Count one request. Raises `TooMany` if it exceeds the limit."""
    (usage,) = spend_together([(name, who)])
    if usage.is_too_many:
        raise TooMany(usage)
    return usage


def spend_together(limits_by_subject: Sequence[tuple[str, object]]) -> list[Usage]:
    """Count one request against several limits in one round trip; each result says whether its limit is exceeded."""
    limits_and_keys = [(limit_of(name), _key(name, who)) for name, who in limits_by_subject]
    if not settings.LIMITED:
        return [Usage(limit, "", 0, limit.seconds) for limit, _ in limits_and_keys]
    counts = _counters().count([(key, limit.seconds) for limit, key in limits_and_keys])
    return [
        Usage(limit, key, used, max(1, math.ceil(seconds)))
        for (limit, key), (used, seconds) in zip(limits_and_keys, counts, strict=True)
    ]


def charge(name: str, who: object, amount: int) -> None:
    """Count an amount that has already been used."""
    if settings.LIMITED:
        _counters().charge(_key(name, who), limit_of(name).seconds, amount)


def check(name: str, who: object) -> None:
    """Raises `TooMany` if this process knows that a limit is used up. Counts nothing."""
    if not settings.LIMITED:
        return
    limit, key = limit_of(name), _key(name, who)
    used, seconds = _counters().peek(key)
    if used >= limit.most:
        raise TooMany(Usage(limit, key, used, max(1, math.ceil(seconds))))


def all_in_use(name: str, seconds: int) -> Usage:
    """The state of an at-one-time limit whose places are all taken; one may be free after `seconds`."""
    limit = limit_of(name)
    return Usage(limit, "", limit.most + 1, seconds)


def is_spent(name: str, who: object) -> bool:
    """Count one request. True if it exceeds the limit."""
    try:
        spend(name, who)
    except TooMany:
        return True
    return False


def forget(name: str, who: object) -> None:
    """Reset the count to zero."""
    _counters().forget(_key(name, who))


def network_of(address: str) -> str:
    """The network whose requests are counted together: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is None:
            return str(ipaddress.ip_network((ip, IPV6_NETWORK_BITS), strict=False).network_address)
        ip = ip.ipv4_mapped
    return str(ip)


def digest(text: str) -> str:
    """A digest of something that somebody typed or holds, and that is not stored."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


class Counters(Protocol):
    """The counting interface of the cache: `sectors_site.caches` implements it for one process and for many."""

    def count(self, keys: Sequence[tuple[str, int]]) -> list[tuple[int, float]]: ...

    def charge(self, key: str, seconds: int, amount: int) -> None: ...

    def peek(self, key: str) -> tuple[int, float]: ...

    def refund(self, key: str) -> None: ...

    def exchange(self, key: str, other: str, seconds: int) -> int: ...

    def forget(self, key: str) -> None: ...


def _counters() -> Counters:
    return cast("Counters", cache)


def _key(name: str, who: object) -> str:
    return f"limit:{name}:{who}"
