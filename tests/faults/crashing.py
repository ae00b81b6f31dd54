"""Processes that die at one statement of a resolution after another, as if their plug were pulled: `python -m
tests.faults.crashing`."""

import json
import os
import signal
import sys
from typing import Any

import django

from tests.faults.mailing import in_a_child

MOST_STATEMENTS = 20


def prepare() -> None:
    """A game whose next closing moves money, shares, orders and contracts."""
    from tests.faults import witness
    from tests.tables import at_phase, new_game, send

    witness.watch()
    game = at_phase(new_game("ada", "bob", bots=2), "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    for seat in (0, 1):
        send(game, seat, {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2})


def close(statement: int) -> None:
    """Close the open phase, and die just before statement number `statement` reaches the database."""
    from django.db import connection
    from django.db.models.functions import Now

    from game.play import moves
    from game.store.game import Game

    Game.objects.update(deadline_at=Now())
    game, asked = Game.objects.get(), 0

    def pull_the_plug(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == statement:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(pull_the_plug):
        moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial)


def closings() -> None:
    """For each statement of a closing: a process that dies before it. Tells what is stored before the first one, and
    after each: serial, version, whether it is whole, and how many rows."""
    print(json.dumps(stored()))  # noqa: T201
    for statement in range(1, MOST_STATEMENTS):
        died = in_a_child(lambda at=statement: close(at))  # type: ignore[misc]
        print(json.dumps([died, *stored()]))  # noqa: T201
        if not died:
            return


def stored() -> list[Any]:
    from game.store.game import Game
    from game.store.replay import replay_game
    from tests.tables import stored_rows

    game = Game.objects.get()
    whole = all(check.is_equal for check in replay_game(game=game)) and game.log.count() == game.entries
    return [game.phase_serial, game.version, whole, sum(map(len, stored_rows(game).values()))]


if __name__ == "__main__":
    django.setup()
    {"prepare": prepare, "closings": closings}[sys.argv[1]]()
