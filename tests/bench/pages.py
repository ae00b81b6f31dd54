"""The game page beside the hello view of the same server: signed in, 6 seats, turn 8, cold."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from statistics import median
from time import perf_counter

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from game.models import Game
from game.past import course_of
from tests.bench.rows import Row
from tests.bench.tables import is_running, play_phase, start_table, statements

MOST_STATEMENTS = 8
MOST_OF_HISTORY = 1.3
TIMES = 150
HELLO = "/hello/"


def pages_rows(address: str, game_ids: list[int]) -> Iterator[Row]:
    """Time over the wire and statements of the page."""
    game = Game.objects.get(pk=game_ids[0])
    user = game.seats.get(number=0).user
    cookie = session_cookie(user)
    hello, page = _p50(address, HELLO, cookie), _p50(address, game.get_absolute_url(), cookie)
    ratio = page / hello
    yield Row("game page p50", page * 1000, "ms", "hello, ms", hello * 1000, ratio, "≤ 3 ×", ratio <= 3)
    yield from _history_rows(address, game, cookie, page)
    counts = {pk: _page_statements(pk) for pk in game_ids}
    worst = max(counts.values())
    note = "by table: " + ", ".join(map(str, counts.values()))
    yield Row(
        "SQL statements of the page, at most",
        worst,
        "",
        "",
        None,
        None,
        f"≤ {MOST_STATEMENTS}",
        worst <= MOST_STATEMENTS,
        note,
    )


def _history_rows(address: str, game: Game, cookie: str, page: float) -> Iterator[Row]:
    """A moment in the middle of the past beside the present board."""
    stops = course_of(game).stops
    path = f"{game.get_absolute_url()}history/?at={stops[len(stops) // 2].serial}"
    past = _p50(address, path, cookie)
    ratio = past / page
    yield Row(
        "history page p50",
        past * 1000,
        "ms",
        "game page, ms",
        page * 1000,
        ratio,
        f"≤ {MOST_OF_HISTORY} ×",
        ratio <= MOST_OF_HISTORY,
        f"{len(stops)} moments",
    )


def tables_to_look_at() -> list[int]:
    """6 seats at turn 8, then other sizes and turns; and the files that their pages name."""
    call_command("collectstatic", verbosity=0, interactive=False)
    return [_play_to(6, 8), _play_to(2, 1), _play_to(8, 8), _play_to(4, 20)]


def _play_to(seats: int, turn: int) -> int:
    game = start_table(f"page {seats} {turn}", seats, max_turns=23, bank=20000)
    while is_running(game.pk) and not _is_at(game.pk, turn):
        play_phase(game.pk, lambda act: act())
    return game.pk


def _is_at(game_id: int, turn: int) -> bool:
    now = Game.objects.get(pk=game_id)
    return now.turn == turn and now.phase_name == "stock_orders"


def session_cookie(user: User) -> str:
    """A signed-in session, as the sign-in page would make it."""
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def _p50(address: str, path: str, cookie: str) -> float:
    connection = http.client.HTTPConnection(address.removeprefix("http://"))
    durations = []
    for _ in range(TIMES):
        began = perf_counter()
        connection.request("GET", path, headers={"Cookie": cookie})
        answer = connection.getresponse()
        body = answer.read()
        durations.append(perf_counter() - began)
        assert answer.status == 200, (path, answer.status, body[:200])
    return median(durations[10:])


def _page_statements(game_id: int) -> int:
    game = Game.objects.get(pk=game_id)
    client = Client()
    client.force_login(game.seats.get(number=0).user)
    return len(statements(lambda: client.get(game.get_absolute_url(), headers={"host": "127.0.0.1"})))
