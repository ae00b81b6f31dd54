"""Games in a database, ready to be measured: with bots that act only when asked to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.db import connection, reset_queries
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from game.engine import referee
from game.engine.chance import Chance
from game.engine.requests import request_of
from game.engine.selfplay import bot_actions
from game.lobby import lobby
from game.play import moves
from game.store.board_rows import Company, Contract, Holding, Order
from game.store.game import Game, Status

BOOKKEEPING = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def make_user(name: str, password: str | None = None) -> User:
    """A player; to hash a password takes as long as many a page, so that only those have one who are asked for it."""
    return User.objects.create_user(name, email=f"{name}@example.org", password=password)


def start_table(name: str, seats: int, *, ruleset: str = "sectors", **options: Any) -> Game:
    """A running game of persons only, so that nothing moves it but the measurement."""
    host = make_user(f"{name} 0")
    game = lobby.create_game(host=host, name=name, seats=seats, ruleset=ruleset, options=options)
    for number in range(1, seats):
        lobby.join_game(game_id=game.pk, user=make_user(f"{name} {number}"))
    lobby.start_game(game_id=game.pk, user=host)
    return Game.objects.get(pk=game.pk)


def decisions(game_id: int) -> list[tuple[int, list[dict[str, Any]]]]:
    """What the house bots would send for every seat that is waited for; where all decide at once, each ends with being
    ready."""
    game = Game.objects.on_the_clock().get(pk=game_id)
    rules, position = game.rules, game.load_position()
    waiting = sorted(referee.waiting_on(rules, position))
    actions = bot_actions(rules, position, waiting, [rules.bots["house"]] * len(waiting), Chance(game.secret))
    return [(seat, [request_of(action) for action in actions if action.actor == seat]) for seat in waiting]


def play_phase(game_id: int, closing: Callable[[Callable[[], object]], object]) -> None:
    """Send everybody's decisions; `closing` is given the last one, which closes the phase, to carry out as it likes."""
    sent = decisions(game_id)
    for seat, requests in sent[:-1]:
        moves.submit(game_id=game_id, seat_number=seat, requests=requests)
    last, requests = sent[-1]
    closing(lambda: moves.submit(game_id=game_id, seat_number=last, requests=requests))


def transactions(act: Callable[[], object]) -> int:
    """How many transactions a call begins."""
    return sum(sql.startswith("BEGIN") for sql in _queries(act))


def statements(act: Callable[[], object]) -> list[str]:
    """The SQL of a call, without the bookkeeping of transactions."""
    return [sql for sql in _queries(act) if not sql.startswith(BOOKKEEPING)]


def _queries(act: Callable[[], object]) -> list[str]:
    reset_queries()  # Django's log of queries has an end: what a call adds to a full one would count as nothing
    with CaptureQueriesContext(connection) as captured:
        act()
    return [query["sql"] for query in captured.captured_queries]


def plant(game_id: int, other: Game) -> int:
    """Put another game's position into a game as its turn 2, without the other's log and rows."""
    position = other.load_position()
    game = Game.objects.get(pk=game_id)
    game.state = game.rules.codec.pack(msgspec.structs.replace(position.state, turn=2))
    game.store_position(msgspec.structs.replace(position, cursor=msgspec.structs.replace(position.cursor, turn=2)))
    game.status, game.course = Status.RUNNING, []
    game.save()
    for table in (Company, Holding, Order, Contract):
        table._default_manager.filter(game=game).delete()
    return game_id


def is_running(game_id: int) -> bool:
    """Whether it can be moved on."""
    return Game.objects.filter(pk=game_id, status=Status.RUNNING).exists()
