"""The URL table as addresses one can open, and what every role is answered at each of them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, NamedTuple

from django.apps import apps
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import get_converters

from game.store.game import Game
from tests.attacks.world import OWN, World

# What one load of an unchanged page does not share with the next: form tokens, the time, drawn numbers.
CHANCE = re.compile(
    rb'name="(?:csrfmiddlewaretoken|token)" value="[^"]+"|"X-CSRFToken": "\w+"|data-now="[^"]+"|data-left="[^"]+">[^<]+'
    rb'|nonce="[^"]+"'
)
DRAWN_HEADERS = {"Expires", "X-Request-ID", "Set-Cookie", "Content-Security-Policy", "Content-Length"}
PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>|\^?\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)\$?|[\^$]")
API = "api/"


class Address(NamedTuple):
    """An entry of the URL table: its name, or its pattern where it has none, and its pattern."""

    name: str
    pattern: str
    is_free_of_csrf: bool

    @property
    def is_of_a_game(self) -> bool:
        return self.pattern.startswith("games/<int:game_id>/")


class Answer(NamedTuple):
    """What came back, without what differs from load to load."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def everything(self) -> bytes:
        return repr(self.headers).encode() + self.body


def addresses() -> list[Address]:
    """Every entry of the URL table; of two with the same pattern the first, which is the one that answers."""

    def walk(resolver: URLResolver, before: str) -> Iterator[Address]:
        for entry in resolver.url_patterns:
            pattern = before + str(entry.pattern)
            if isinstance(entry, URLPattern):
                is_free = getattr(entry.callback, "csrf_exempt", False)
                yield Address(entry.name or pattern, pattern, is_free)
            else:
                yield from walk(entry, pattern)

    found: dict[str, Address] = {}
    for each in walk(get_resolver(), ""):
        found.setdefault(each.pattern, each)
    return list(found.values())


def path_of(address: Address, world: World, game: Game) -> str:
    """Where the entry answers about this game, or about the person or the row that it names otherwise: the first."""
    given = _given(address, world, game)

    def filled(found: re.Match[str]) -> str:
        name = found[2] or found[3]  # neither at the ^ and $ of a pattern that is an expression
        if not name:
            return ""
        value = given.get(name, 1)
        return str(get_converters()[found[1]].to_url(value) if found[1] else value)

    return "/" + PARAMETER.sub(filled, address.pattern)


def _given(address: Address, world: World, game: Game) -> dict[str, object]:
    own = world.people[OWN]
    hooks = address.pattern.startswith("accounts/webhooks/")
    given: dict[str, object] = {
        "game_id": game.pk,
        "number": {"take_seat": 2, "revoke_token": world.token_number}.get(address.name, world.hook.pk if hooks else 1),
        "serial": game.phase_serial,
        "ruleset": "stock_market_tycoon" if address.name == "ladder" else "sectors",
        "ladder": "trader",
        "key": {"start_lesson": "short", "moderate": "pause", "answer_report": "close"}.get(address.name, "sectors"),
        "figure": "cash",
        "subject": "0",
        "what": "log",
        "form": "csv",
        "token": "canary",
        "name": own.username,
        "service": "nobody",
        "app_label": "game",
        "user_id": own.pk,
        "url": "nowhere",
    }
    return given | {"object_id": _row(address, game, own.pk)}


def _row(address: Address, game: Game, person: int) -> object:
    """The row of the desk that an address is about: this game, its person, or the first there is."""
    found = re.match(r"admin/(\w+)/(\w+)/<\w+:object_id>", address.pattern)
    if found is None:
        return 1
    known = {"game": game.pk, "user": person}
    if found[2] in known:
        return known[found[2]]
    return apps.get_model(found[1], found[2])._default_manager.values_list("pk", flat=True).order_by("pk").first() or 1


def answer_of(response: HttpResponse | Any) -> Answer:
    """An answer as it is compared and searched: files in a ZIP are unpacked."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    if response.headers.get("Content-Type") == "application/zip":
        with zipfile.ZipFile(BytesIO(body)) as packed:
            body = b"".join(packed.read(name) for name in packed.namelist())
    headers = sorted((name, value) for name, value in response.headers.items() if name not in DRAWN_HEADERS)
    return Answer(response.status_code, tuple(headers), CHANCE.sub(b"", body))


def differences(one: Mapping[Any, Answer], other: Mapping[Any, Answer]) -> list[str]:
    """Where two walks were answered differently, with the first words that differ."""
    return [f"{key}: {first_words(one[key], other[key])}" for key in one if one[key] != other[key]]


def first_words(one: Answer, other: Answer) -> str:
    if (one.status, one.headers) != (other.status, other.headers):
        return f"{one.status} {one.headers} and {other.status} {other.headers}"
    at = next(at for at, (a, b) in enumerate(zip(one.body + b"$", other.body + b"$", strict=False)) if a != b)
    return f"{one.body[max(0, at - 60) : at + 60]!r} and {other.body[at : at + 60]!r}"
