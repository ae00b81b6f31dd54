"""Pages beside the hello view of the same server: signed in, in the middle of a game, cold."""

from __future__ import annotations

import http.client
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from game.history.past import course_of
from game.lobby import lobby
from game.store.game import Game, Seat
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.sockets import web_server
from tests.bench.tables import is_running, make_user, play_phase, start_table, statements

MOST_STATEMENTS = 8
MOST_RATIO = 3
MOST_OF_HISTORY = 1.3
ROUNDS, TIMES = size((15, 10), small=(1, 1))  # pages and hello take turns, since a machine's other work comes and goes
HELLO, LOBBY = "/hello/", "/games/"
SECTORS, POWER_UP, SHOULDERS, TYCOON = "Sectors", "Power Up", "City of the Big Shoulders", "Stock Market Tycoon"
SEATS, TURN = size((6, 8), small=(2, 1))
OTHERS = size(((2, 1), (8, 8), (4, 20)), small=())  # seats, turns
POWER_UP_SEATS = size((4, 2, 3), small=(2,))
OPEN_GAMES = size(10, small=1)
POWER_UP_STEPS = size(40, small=5)  # submissions: about the middle of a game
SHOULDERS_SEATS, SHOULDERS_STEPS = size((4, 2, 3), small=(2,)), size(80, small=5)
MOST_OF_OPERATION = 1.5
TYCOON_SEATS, TYCOON_STEPS = size((4, 6), small=(2,)), size(60, small=5)


class Asking(NamedTuple):
    """A GET, and the status of its answer."""

    path: str
    headers: Mapping[str, str]
    status: int = 200


def pages_rows(address: str, games: dict[str, list[int]]) -> Iterator[Row]:
    """Time over the wire and statements of each game's page."""
    for name, game_ids in games.items():
        path, cookie = seated_at(game_ids[0])
        hello, page, past = _p50s(address, (HELLO, path, _past_of(game_ids[0])), cookie)
        yield _beside(f"{name}: game page p50", page, "hello, ms", hello, MOST_RATIO)
        yield _beside(f"{name}: history page p50", past, "game page, ms", page, MOST_OF_HISTORY)
        came_back(game_ids[0])
        page, briefed = _p50s(address, (HELLO, path), cookie)
        yield _beside(f"{name}: game page with a briefing", briefed, "hello, ms", page, 2 * MOST_RATIO)
        yield _statements_row(name, game_ids)
        if name == SHOULDERS:
            yield _operation_row(game_ids[0])


def _operation_row(game_id: int) -> Row:
    """Planning an operation, which answers each change of its form, beside the page; in this process."""
    game, client = Game.objects.get(pk=game_id), Client(headers={"host": "127.0.0.1"})
    client.force_login(_asked(game).user)
    form = {"serial": game.phase_serial, "step": game.phase_step, "phase": game.phase_name, "act": "plan"}
    htmx = {"HX-Request": "true", "host": "127.0.0.1"}
    address = game.get_absolute_url()
    walls: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS * TIMES):
        for taken, ask in zip(
            walls,
            (
                lambda: client.get(address, headers={"host": "127.0.0.1"}),
                lambda: client.post(f"{address}drafts/", form, headers=htmx),
            ),
            strict=True,
        ):
            began = perf_counter()
            answer = ask()
            taken.append(perf_counter() - began)
            assert answer.status_code == 200, answer.content[:200]
    page, plan = (median(taken) for taken in walls)
    return _beside(f"{SHOULDERS}: planning an operation", plan, "game page, ms", page, MOST_OF_OPERATION)


def lobby_rows() -> Iterator[Row]:
    """The lobby of somebody with one game that needs them, between games that look for players; on the service's web
    processes."""
    game_id = sectors_at(SEATS, TURN)
    for number in range(OPEN_GAMES):
        lobby.create_game(host=make_user(f"lobby {number}"), name=f"open {number}", seats=4)
    address = settings.SITE_URL
    with web_server(urlsplit(address).port or 0):
        hello, page = _p50s(address, (HELLO, LOBBY), seated_at(game_id)[1])
    yield _beside("lobby p50", page, "hello, ms", hello, MOST_RATIO)


def _past_of(game_id: int) -> str:
    """A moment in the middle of a game's past."""
    game = Game.objects.get(pk=game_id)
    stops = course_of(game).stops
    return f"{game.get_absolute_url()}history/?at={stops[len(stops) // 2].serial}"


def _beside(name: str, ours: float, beside: str, theirs: float, most: float) -> Row:
    ratio = ours / theirs
    return Row(name, ours * 1000, "ms", beside, theirs * 1000, ratio, f"≤ {most} ×", ratio <= most)


def _statements_row(name: str, game_ids: list[int]) -> Row:
    counts = [_page_statements(pk) for pk in game_ids]
    worst, goal = max(counts), f"≤ {MOST_STATEMENTS}"
    note = "by table: " + ", ".join(map(str, counts))
    return Row(f"{name}: SQL statements of a page", worst, "", "", None, None, goal, worst <= MOST_STATEMENTS, note)


def tables_to_look_at() -> dict[str, list[int]]:
    """Sectors with 6 seats at turn 8, then other sizes and turns; Power Up with 4 seats, then 2 and 3; and the files
    that their pages name."""
    call_command("collectstatic", verbosity=0, interactive=False)
    return {
        SECTORS: [sectors_at(seats, turn) for seats, turn in ((SEATS, TURN), *OTHERS)],
        POWER_UP: [power_up_after(seats, POWER_UP_STEPS) for seats in POWER_UP_SEATS],
        SHOULDERS: [shoulders_after(seats, SHOULDERS_STEPS) for seats in SHOULDERS_SEATS],
        TYCOON: [_played("stock_market_tycoon", seats, TYCOON_STEPS, mode="strategist") for seats in TYCOON_SEATS],
    }


def sectors_at(seats: int, turn: int) -> int:
    """A game of Sectors in the stock orders of a turn."""
    game = start_table(f"page {seats} {turn}", seats, max_turns=23, bank=20000)
    while is_running(game.pk) and not _is_at(game.pk, turn):
        play_phase(game.pk, lambda act: act())
    return game.pk


def power_up_after(seats: int, steps: int) -> int:
    """A game of Power Up after so many submissions."""
    return _played("power_up", seats, steps)


def shoulders_after(seats: int, steps: int) -> int:
    """A game of City of the Big Shoulders after so many submissions, in the operation that comes next."""
    game_id = _played("big_shoulders", seats, steps)
    while Game.objects.get(pk=game_id).phase_name != "operation":
        play_phase(game_id, lambda act: act())
    return game_id


def _played(ruleset: str, seats: int, steps: int, **options: str) -> int:
    game = start_table(f"{ruleset[:10]} {seats}", seats, ruleset=ruleset, **options)
    for _ in range(steps):
        if is_running(game.pk):
            play_phase(game.pk, lambda act: act())
    return game.pk


def _is_at(game_id: int, turn: int) -> bool:
    now = Game.objects.get(pk=game_id)
    return now.turn == turn and now.phase_name == "stock_orders"


def seated_at(game_id: int) -> tuple[str, str]:
    """The address of a game and the cookie of somebody who is asked there."""
    game = Game.objects.get(pk=game_id)
    has_looked(game_id)
    return game.get_absolute_url(), session_cookie(_asked(game).user)


def _asked(game: Game) -> Seat:
    return game.seats.get(number=min(game.waiting_seats, default=0))


def has_looked(game_id: int) -> None:
    """Nothing of the game is news to anybody."""
    game = Game.objects.get(pk=game_id)
    game.seats.update(seen_version=game.version, seen_at=game.moved_at, away_version=None)


def came_back(game_id: int) -> None:
    """Everybody has been away for the latter half of the game, and has the briefing of it on the page."""
    game = Game.objects.get(pk=game_id)
    game.seats.update(away_version=game.version // 2, away_at=game.moved_at)


def session_cookie(user: User) -> str:
    """A signed-in session, as the sign-in page would make it."""
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def _p50s(address: str, paths: tuple[str, ...], cookie: str) -> list[float]:
    """Median seconds of each address, compressed as browsers ask for it."""
    return medians(address, [Asking(path, {"Cookie": cookie, "Accept-Encoding": "gzip"}) for path in paths])


def medians(address: str, asked: Sequence[Asking]) -> list[float]:
    """Median seconds of each, in rounds that take turns."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"))
    durations: list[list[float]] = [[] for _ in asked]
    for _ in range(ROUNDS):
        for each, taken in zip(asked, durations, strict=True):
            taken.extend([_seconds(connection, each) for _ in range(TIMES + 1)][1:])
    return [median(taken) for taken in durations]


def _seconds(connection: http.client.HTTPConnection, asked: Asking) -> float:
    began = perf_counter()
    connection.request("GET", asked.path, headers=asked.headers)
    answer = connection.getresponse()
    body = answer.read()
    taken = perf_counter() - began
    assert answer.status == asked.status, (asked.path, answer.status, body[:200])
    return taken


def _page_statements(game_id: int) -> int:
    game, client = Game.objects.get(pk=game_id), Client()
    client.force_login(_asked(game).user)
    has_looked(game_id)
    return len(statements(lambda: client.get(game.get_absolute_url(), headers={"host": "127.0.0.1"})))
