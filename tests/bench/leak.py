"""What time tells: requests of somebody who may not know something, timed over the wire in turns that are drawn, where
it is so and where it is not; and Welch's test of both. `./dev bench --only leak` fails where they can be told apart.

Work is counted by the tests (`tests/attacks/test_enumeration.py`, `test_secrets.py`); this is about what counting does
not see. Where somebody revises a sealed order just before the look, somebody else revises one in another game instead:
the database and the processor do the same in both groups."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from accounts import api_tokens
from game.play import moves
from game.store.game import Game
from tests.bench.pages import has_looked, session_cookie
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.tables import make_user, start_table
from tests.bench.welch import MOST, compared

HASHED = 10  # of the form that hashes a password, which takes its time, so many times fewer
WARM = size(20, small=1)
OWNER, RIVAL = 0, 1
CSRF = "c" * 32
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
Headers = dict[str, str]
Look = Callable[[bool], float]


def leak_rows(address: str, samples: int) -> Iterator[Row]:
    """A row for each look."""
    looks = {
        **sealed_looks(address),
        **hidden_looks(address),
        "who has an account, at sign-in": account_look(address, "/accounts/login/", "login", "password"),
        "who has an account, at a reset": account_look(address, "/accounts/password/reset/", "email"),
        "control: the same page twice": control_look(address),
    }
    for name, look in looks.items():
        yield row_of(name, look, max(samples // HASHED, 2) if name.endswith("sign-in") else samples)


def row_of(name: str, look: Look, samples: int) -> Row:
    """So many looks of each group, in an order that is drawn."""
    turns = [True, False] * samples
    Random(name).shuffle(turns)
    for number in range(WARM):
        look(number % 2 == 0)
    times: dict[bool, list[float]] = {True: [], False: []}
    for is_so in turns:
        times[is_so].append(look(is_so))
    found = compared(times[True], times[False])
    note = f"n = {found.numbers[0]:,} and {found.numbers[1]:,} of {samples:,} each; t of all {found.raw:+.2f}"
    ours, theirs = (mean * 1000 for mean in found.means)
    name, goal = f"leak: {name}, t = {found.t:+.2f}", f"|t| ≤ {MOST}"
    return Row(name, ours, "ms", "otherwise, ms", theirs, ours / theirs, goal, found.is_same, note)


def sealed_looks(address: str) -> dict[str, Look]:
    """A rival's looks at a game, after its first seat has revised what it sealed there or elsewhere."""
    game, decoy = (start_table(name, 4) for name in ("looked at", "decoy"))
    for each in (game, decoy):
        revise(each, 1)
        has_looked(each.pk)
    rival = game.seats.get(number=RIVAL).user
    page, cookie = game.get_absolute_url(), session_cookie(rival)
    _, token = api_tokens.issue(user=rival, name="leak", scopes=tuple(api_tokens.SCOPES), days=1)
    position, program = f"/api/v1/games/{game.pk}/position", {"Authorization": f"Bearer {token}"}
    known = {**program, "If-None-Match": Caller(address).ask("GET", position, program)[1]["etag"]}
    assert Caller(address).ask("GET", position, known)[0] == 304
    calls: dict[str, tuple[str, Headers]] = {
        "game page": (page, {"Cookie": cookie}),
        "game page of a stranger": (page, {}),
        "version of the page": (f"{page}version/", {"Cookie": cookie}),
        "position over the API": (position, program),
        "position that is not new": (position, known),
    }
    return {f"a sealed revision, {name}": _after_revising(address, game, decoy, *call) for name, call in calls.items()}


def _after_revising(address: str, game: Game, decoy: Game, path: str, headers: Headers) -> Look:
    caller, influence = Caller(address), iter(range(10**9))

    def look(is_so: bool) -> float:
        revise(game if is_so else decoy, 1 + next(influence) % 5)
        return caller.time("GET", path, headers)

    return look


def hidden_looks(address: str) -> dict[str, Look]:
    """A stranger's looks at a game by invitation, and at one that there is not."""
    game, stranger = start_table("by invitation", 4), make_user("a stranger")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    digits = len(str(game.pk))
    nowhere = next(key for key in range(10**digits - 1, 0, -1) if not Game.objects.filter(pk=key).exists())
    _, token = api_tokens.issue(user=stranger, name="leak", scopes=tuple(api_tokens.SCOPES), days=1)
    calls: dict[str, tuple[str, Headers]] = {
        "page of a visitor": ("/games/{}/", {}),
        "page of an account": ("/games/{}/", {"Cookie": session_cookie(stranger)}),
        "position over the API": ("/api/v1/games/{}/position", {"Authorization": f"Bearer {token}"}),
    }
    return {f"a hidden game, {name}": _hidden(address, (game.pk, nowhere), *call) for name, call in calls.items()}


def _hidden(address: str, keys: tuple[int, int], path: str, headers: Headers) -> Look:
    caller = Caller(address)
    return lambda is_so: caller.time("GET", path.format(keys[0] if is_so else keys[1]), headers, expected=404)


def revise(game: Game, points: int) -> None:
    """The first seat's sealed bid, once more."""
    moves.submit(game_id=game.pk, seat_number=OWNER, requests=[{"kind": "bid_influence", "points": points}])


def account_look(address: str, path: str, *fields: str) -> Look:
    """A form about an account that is there, or is not."""
    caller, user = Caller(address), make_user(f"known {fields[0]}", "bench bench bench")
    headers = {"Cookie": f"{settings.CSRF_COOKIE_NAME}={CSRF}", **FORM, "Origin": address, "Referer": address + path}

    def look(is_so: bool) -> float:
        named = user.email if is_so else user.email.replace("known", "knowm")
        body = urlencode({"csrfmiddlewaretoken": CSRF, fields[0]: named, **dict.fromkeys(fields[1:], "wrong horse 42")})
        return caller.time("POST", path, headers, body)

    return look


def control_look(address: str) -> Look:
    """The method finds nothing where there is nothing."""
    caller = Caller(address)
    return lambda is_so: caller.time("GET", "/hello/", {})


class Caller:
    """One connection that is kept."""

    def __init__(self, address: str) -> None:
        self.connection = http.client.HTTPConnection(address.removeprefix("http://"))

    def ask(self, method: str, path: str, headers: Headers, body: str | None = None) -> tuple[int, dict[str, str]]:
        """The status and the headers."""
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}

    def time(self, *call: Any, expected: int = 0) -> float:
        """Seconds until the whole answer is there; raises where it was refused, or is not what was expected."""
        began = perf_counter()
        status, _ = self.ask(*call)
        taken = perf_counter() - began
        assert status == expected or (not expected and status < 400), (call[:2], status)
        return taken
