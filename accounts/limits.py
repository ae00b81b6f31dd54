"""How much one person, account, device, address or mailbox may ask for: the one table of numbers for pages, programs
and sockets, and the one counter."""

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
AT_ONCE = 0  # not counted in time: that many at one time
ADDRESS, PERSON, GAME, ACCOUNT = "address", "person", "person and game", "account"
EITHER = "person or address"
HOST = "person and host"
DEVICE, HERE, MAILBOX = "account and device", "account and address", "mailbox"
NETWORK = 64  # bits of an IPv6 address: who has one has all that share them


class Limit(NamedTuple):
    """`most` of `what` in so many seconds from the first, for each of whom it is counted `by`; in no seconds, at one
    time."""

    name: str
    most: int
    seconds: int
    by: str
    what: Any  # told in the reader's language


LIMITS = {
    limit.name: limit
    for limit in (
        # -- accounts --
        Limit("sign_up", 50, FIVE_MINUTES, ADDRESS, _("sign-ups from your network")),
        Limit("sign_up_mailbox", 10, HOUR, MAILBOX, _("sign-ups with one email address")),
        Limit("guest", 10, FIVE_MINUTES, ADDRESS, _("games without an account from your network")),
        Limit("way_back", 100, FIVE_MINUTES, ADDRESS, _("ways back to where visitors from your network signed in")),
        Limit("sign_in", 100, FIVE_MINUTES, ADDRESS, _("sign-ins from your network")),
        Limit("guess", 20, FIVE_MINUTES, ADDRESS, _("wrong passwords and codes from your network")),
        Limit("guess_here", 5, FIVE_MINUTES, HERE, _("wrong passwords and codes for one account")),
        Limit("guess_account", 100, HOUR, ACCOUNT, _("wrong passwords and codes for one account from new devices")),
        Limit("guess_device", 5, FIVE_MINUTES, DEVICE, _("wrong passwords and codes for one account on one device")),
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
        Limit("push_try", 4, HOUR, HOST, _("notifications to a service that has taken none from this person yet")),
        # -- games, on pages and over the API --
        Limit("create", 20, DAY, PERSON, _("new games and rematches")),
        Limit("join", 30, HOUR, PERSON, _("seats taken by one person in games that wait")),
        Limit("proposal", 15, HOUR, GAME, _("proposals and agreements of one player in one game")),
        Limit("arrange", 60, HOUR, GAME, _("changes of a host to one game")),
        Limit("times", 20, DAY, PERSON, _("changes of one person’s hours and vacations")),
        Limit("write", 60, MINUTE, PERSON, _("changes by one person")),
        Limit("move", 60, MINUTE, GAME, _("submissions in one game")),
        Limit("draft", 120, MINUTE, GAME, _("saved drafts in one game")),
        Limit("message", 20, FIVE_MINUTES, PERSON, _("chat messages by one person")),
        Limit("message_day", 300, DAY, PERSON, _("chat messages by one person")),
        Limit("report", 10, DAY, PERSON, _("reports to the moderators")),
        Limit("work", 20_000, MINUTE, EITHER, _("milliseconds of work on what one person reads and tries out")),
        # -- programs --
        Limit("anon", 60, MINUTE, ADDRESS, _("requests without a valid token from your network")),
        Limit("network", 6_000, MINUTE, ADDRESS, _("requests of all programs in your network")),
        Limit("read", 300, MINUTE, PERSON, _("requests that read")),
        Limit("unchanged", 600, MINUTE, EITHER, _("answers that nothing is new")),
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
OF_PROGRAMS = (
    *("anon", "network", "read", "unchanged", "heavy", "work", "write", "move", "draft"),
    *("proposal", "arrange", "times"),
    *("create", "join", "invite", "program", "challenge"),
    *("message", "message_day"),
)
"""What the API's page tells."""


def limit_of(name: str) -> Limit:
    """A limit with the number that the operator has given it, if any."""
    limit = LIMITS[name]
    return limit._replace(most=int(settings.LIMITS.get(name, limit.most)))


def most_of(name: str) -> int:
    """The number of a limit."""
    return limit_of(name).most


class Spent(NamedTuple):
    """What a request took of a limit; it can be given back."""

    limit: Limit
    key: str
    used: int
    left_seconds: int

    @property
    def is_too_many(self) -> bool:
        return self.used > self.limit.most

    @property
    def headers(self) -> dict[str, str]:
        """How it stands, in the words of the IETF's draft on rate limit headers."""
        limit, left = self.limit, max(self.limit.most - self.used, 0)
        return {
            "RateLimit-Policy": f'"{limit.name}";q={limit.most};w={limit.seconds}',
            "RateLimit": f'"{limit.name}";r={left};t={self.left_seconds}',
        }

    def give_back(self) -> None:
        """Undo the count, as if nothing had been asked: the password was right, or nothing was new."""
        if self.key:
            _counters().give_back(self.key)

    def exchange(self, name: str, who: object) -> None:
        """Count the request for another limit instead, in one step; if it is one too many there, it stays as before."""
        if not self.key:
            return
        other = limit_of(name)
        if _counters().exchange(self.key, _key(name, who), other.seconds) > other.most:
            _counters().count([(self.key, self.limit.seconds)])


class TooMany(Exception):
    """One request more than the limit allows; `spent` says which and until when."""

    def __init__(self, spent: Spent) -> None:
        super().__init__(spent.limit.name)
        self.spent = spent

    @property
    def headers(self) -> dict[str, str]:
        """What an answer of 429 carries."""
        return {**self.spent.headers, "Retry-After": str(self.spent.left_seconds)}


def spend(name: str, who: object) -> Spent:
    """Count one request. Raises `TooMany` where it is one too many."""
    (spent,) = spend_together([(name, who)])
    if spent.is_too_many:
        raise TooMany(spent)
    return spent


def spend_together(asked: Sequence[tuple[str, object]]) -> list[Spent]:
    """Count one request for each of these, names of limits and for whom, by one errand. Each says whether it is one too
    many."""
    found = [(limit_of(name), _key(name, who)) for name, who in asked]
    if not settings.LIMITED:
        return [Spent(limit, "", 0, limit.seconds) for limit, _ in found]
    counts = _counters().count([(key, limit.seconds) for limit, key in found])
    return [
        Spent(limit, key, used, max(1, math.ceil(left)))
        for (limit, key), (used, left) in zip(found, counts, strict=True)
    ]


def charge(name: str, who: object, amount: int) -> None:
    """Count so much at once, of what has been done already."""
    if settings.LIMITED:
        _counters().charge(_key(name, who), limit_of(name).seconds, amount)


def check(name: str, who: object) -> None:
    """Raises `TooMany` where a limit is used up, as far as this process knows. Nothing is counted."""
    if not settings.LIMITED:
        return
    limit, key = limit_of(name), _key(name, who)
    used, left = _counters().known(key)
    if used >= limit.most:
        raise TooMany(Spent(limit, key, used, max(1, math.ceil(left))))


def none_left(name: str, seconds: int) -> Spent:
    """How it stands with a limit of so many at one time when all places are taken; one may be free after so many
    seconds."""
    limit = limit_of(name)
    return Spent(limit, "", limit.most + 1, seconds)


def is_spent(name: str, who: object) -> bool:
    """Count one request; whether it is one too many."""
    try:
        spend(name, who)
    except TooMany:
        return True
    return False


def forget(name: str, who: object) -> None:
    """Count from nothing again."""
    _counters().forget(_key(name, who))


def network_of(address: str) -> str:
    """An address as limits count it: of IPv6 the network that one line has for itself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return str(ipaddress.ip_network((found, NETWORK), strict=False).network_address)
        found = found.ipv4_mapped
    return str(found)


def digest(text: str) -> str:
    """Of what somebody typed or holds, which is kept nowhere."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


class Counters(Protocol):
    """What counting needs of the cache: `sectors_site.caches` has it for one process and for many."""

    def count(self, asked: Sequence[tuple[str, int]]) -> list[tuple[int, float]]: ...

    def charge(self, key: str, seconds: int, amount: int) -> None: ...

    def known(self, key: str) -> tuple[int, float]: ...

    def give_back(self, key: str) -> None: ...

    def exchange(self, key: str, other: str, seconds: int) -> int: ...

    def forget(self, key: str) -> None: ...


def _counters() -> Counters:
    return cast("Counters", cache)


def _key(name: str, who: object) -> str:
    return f"limit:{name}:{who}"
