"""A process that dies at the n-th statement of a resolution, as if its plug were pulled: `python -m
tests.faults.crashing`."""

import os
import signal
import sys
from typing import Any

import django


def prepare() -> None:
    """A game whose next closing moves money, shares, orders and contracts."""
    from django.core.management import call_command

    from tests.faults import witness
    from tests.tables import at_phase, new_game, send

    call_command("migrate", verbosity=0)
    witness.watch()
    game = at_phase(new_game("ada", "bob", bots=2), "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    for seat in (0, 1):
        send(game, seat, {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2})


def close(statement: int) -> None:
    """Close the open phase, and die just before statement number `statement` reaches the database."""
    from django.db import connection
    from django.db.models.functions import Now

    from game.models import Game
    from game.services import moves

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


def report() -> None:
    """What is stored, and whether it is whole."""
    from game.models import Game
    from game.services.replay import replay_game
    from tests.tables import stored_rows

    game = Game.objects.get()
    whole = all(check.is_equal for check in replay_game(game=game)) and game.log.count() == game.entries
    print(game.phase_serial, game.version, whole, sum(map(len, stored_rows(game).values())))  # noqa: T201


if __name__ == "__main__":
    django.setup()
    command, *numbers = sys.argv[1:]
    {"prepare": prepare, "close": close, "report": report}[command](*map(int, numbers))
