"""Requests to URLs that users have entered, safe against SSRF: HTTPS to public hosts only, at exactly the IP address
that was checked, and with a time limit."""

from __future__ import annotations

import http.client
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from typing import NamedTuple
from urllib.parse import urlsplit

import certifi
from django.conf import settings
from django.utils import timezone

from game.engine.actions import Refused
from game.engine.language import mark

PORT = 443
LONGEST = 10.0  # seconds from the first connection to the last byte that is read
LONGEST_LOOK_UP = 3.0  # seconds
LOOK_UPS = 64  # look-ups at a time; names that hang take one each
MOST_READ = 2048  # bytes of an answer
MOST_OF_A_URL = 500
TRIED_ADDRESSES = 2  # addresses tried of a host that has several
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
NAME = re.compile(rf"(?:{LABEL}\.)+(?=[a-z])(?!0x){LABEL}")  # the last part begins with a letter, as no IP address does
PRINTABLE = re.compile(r"[!-\[\]-~]+")  # ASCII without blanks and backslashes
NO_ADDRESS = mark("The address may not be used.")
# The same text for unknown and for internal names, so that nobody learns which names our network has.
NOT_PUBLIC = mark("The address leads to no host on the public Internet.")
NO_CONNECTION = mark("No connection could be made.")
NO_CERTIFICATE = mark("The certificate of the host is not valid for its name.")
NO_ANSWER = mark("No complete answer came within ten seconds.")
AGENT = "Sectors (webhooks and push)"
LookUp = Callable[[str], Sequence[str]]

# Our own list: what Python calls global differs from release to release, and has let NAT64, 6to4 and multicast pass.
BLOCKED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
    )
)  # fmt: skip
_LOOK_UP_LOCK = threading.Lock()
_pending_look_ups: dict[tuple[str, LookUp], Future[Sequence[str]]] = {}
GLOBAL_IPV6 = ipaddress.IPv6Network("2000::/3")  # nothing else is given to hosts: not ::1, NAT64, ULA, multicast


class Unreachable(Exception):
    """No response; the text says why and reveals nothing about our network."""


class Answer(NamedTuple):
    """A response: `body` is at most its first 2 KB; `wait` is from Retry-After."""

    status: int
    body: bytes
    wait: timedelta | None


def is_public(address: str) -> bool:
    """True if an IP address belongs to the public Internet."""
    try:
        ip_address = ipaddress.ip_address(address)
    except ValueError:  # with a zone, as link-local ones have
        return False
    if isinstance(ip_address, ipaddress.IPv6Address) and ip_address not in GLOBAL_IPV6:
        return False
    return not any(ip_address.version == network.version and ip_address in network for network in BLOCKED)


def look_up(name: str) -> Sequence[str]:
    """Every address of a host. Raises `OSError`."""
    return [str(place[0]) for *_, place in socket.getaddrinfo(name, PORT, type=socket.SOCK_STREAM)]


@dataclass(frozen=True)
class Reach:
    """Which hosts can be reached, and how. Only tests change it, because their hosts are on the local machine."""

    look_up: LookUp = look_up
    may_be_reached: Callable[[str], bool] = is_public
    port: int = PORT
    authorities: str = certifi.where()
    longest: float = LONGEST


def reach() -> Reach:
    """The `Reach` from the settings."""
    configured = settings.OUTGOING
    return configured if isinstance(configured, Reach) else Reach()


def check_url(url: str) -> str:
    """The host of an address that requests may be sent to. Raises `Refused`."""
    if not PRINTABLE.fullmatch(url) or len(url) > MOST_OF_A_URL:
        raise Refused(
            "An address has up to {most} characters and no spaces.", code="no_address", field="url", most=MOST_OF_A_URL
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused("This is not the address of a page.", code="no_address", field="url") from None
    if parts.scheme != "https" or port not in {None, PORT} or parts.netloc.endswith(":"):
        raise Refused("The address must begin with https:// and name no port.", code="no_https", field="url")
    if "@" in parts.netloc or parts.fragment:
        raise Refused("The address must hold no name, no password and no #.", code="no_address", field="url")
    name = parts.hostname or ""
    if not NAME.fullmatch(name) or len(name) > 253:
        raise Refused(
            "The address must name a host, as hooks.example.org, and no IP address.", code="no_host", field="url"
        )
    return name


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send a POST request. Follows no redirects and ignores proxies of the environment. Raises `Unreachable`."""
    target = reach()
    try:
        name = check_url(url)
    except Refused as refused:
        raise Unreachable(NO_ADDRESS) from refused
    addresses = _addresses(name, target)
    latest = time.monotonic() + target.longest
    for last, address in zip((*addresses[1:], None), addresses, strict=True):
        try:
            plain = socket.create_connection((address, target.port), max(latest - time.monotonic(), 0.1))
        except OSError as error:
            if last is None:
                raise Unreachable(NO_CONNECTION) from error
            continue
        with closing(plain), Limited(plain, latest):
            return _send(plain, name, url, body, headers, target)
    raise Unreachable(NO_CONNECTION)


def _addresses(name: str, target: Reach) -> Sequence[str]:
    """The IP addresses of a host. All must be allowed: a name that also resolves to our network is an attack."""
    try:
        addresses = list(dict.fromkeys(_look_up_once(name, target.look_up).result(LONGEST_LOOK_UP)))
    except (OSError, UnicodeError, TooLate) as error:
        raise Unreachable(NOT_PUBLIC) from error
    if not addresses or not all(target.may_be_reached(address) for address in addresses):
        raise Unreachable(NOT_PUBLIC)
    return addresses[:TRIED_ADDRESSES]


def _look_up_once(name: str, look_up: LookUp) -> Future[Sequence[str]]:
    """Resolve a name in one thread at a time, however many callers wait: a name server that never answers blocks it for
    half a minute, long after the callers have given up."""
    with _LOOK_UP_LOCK:
        future = _pending_look_ups.get((name, look_up))
        if future is None or future.done():
            future = _pending_look_ups[name, look_up] = _pool().submit(look_up, name)
            for other in [key for key, each in _pending_look_ups.items() if each.done()]:
                del _pending_look_ups[other]
    return future


@cache
def _pool() -> ThreadPoolExecutor:
    """Threads for the system's resolver, which has no time limit, so that callers can wait with one."""
    return ThreadPoolExecutor(LOOK_UPS, thread_name_prefix="names")


class Limited:
    """Ends a connection at a fixed time, however slowly bytes arrive: a socket timeout restarts with each byte."""

    def __init__(self, plain: socket.socket, latest: float) -> None:
        self.line = plain.dup()  # TLS takes over the socket, but the connection stays the same
        self.timer = threading.Timer(max(latest - time.monotonic(), 0), self._end)
        self.timer.daemon = True

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()
        self.line.close()

    def _end(self) -> None:
        try:
            self.line.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the connection has ended already


def _send(plain: socket.socket, name: str, url: str, body: bytes, headers: Mapping[str, str], target: Reach) -> Answer:
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        line = _ssl_context(target.authorities).wrap_socket(plain, server_hostname=name)
        with closing(line):
            talk = http.client.HTTPConnection(name)
            talk.sock = line
            talk.request("POST", path, body, {"Host": name, "User-Agent": AGENT, "Connection": "close", **headers})
            answer = talk.getresponse()
            return Answer(answer.status, answer.read(MOST_READ), _parse_retry_after(answer.getheader("Retry-After")))
    except ssl.SSLCertVerificationError as error:
        raise Unreachable(NO_CERTIFICATE) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(NO_ANSWER) from error


@cache
def _ssl_context(authorities: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=authorities)


def _parse_retry_after(text: str | None) -> timedelta | None:
    """Parse Retry-After (RFC 9110): seconds or a date; None for anything else."""
    if not text:
        return None
    if text.strip().isdecimal():
        return timedelta(seconds=min(int(text.strip()[:9]), 10**7))
    try:
        until: datetime = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(until - timezone.now(), timedelta(0)) if until.tzinfo else None
