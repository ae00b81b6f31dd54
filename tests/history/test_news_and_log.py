"""One function says where the news of a seat begins, and the log of its page reaches back to there."""

from collections.abc import Iterator

import pytest

from game.boards.registry import board_of
from game.history.game_log import read_steps
from game.history.since import Happened, cached_happened, happened_to, seated_at
from game.store.game import Game
from tests.tables import READY, fresh, new_game, send
from tests.toy_scenes import bid

pytestmark = pytest.mark.django_db
NAMES = ("ada", "ben", "cid", "dan")


def moves_of_a_round(game: Game) -> Iterator[Game]:
    """The game after each of its moves: bids, then a turn of each of the four; ada comes last."""
    for seat in range(4):
        send(game, seat, bid(1 if seat else 0), READY)
        yield fresh(game)
    while fresh(game).phase_name == "take_turn":
        seat = int(fresh(game).waiting_seats[0])
        for kind in ("draw", "stop"):
            send(game, seat, {"kind": kind})
            yield fresh(game)


def news_in_both(game: Game, seat: int) -> tuple[Happened | None, Happened | None]:
    """The news from as much of the log as a page reads for them, and from all of the log."""
    seated, view = seated_at(game, seat), game.rules.view(game.load_position(), seat)
    board = board_of(game.ruleset)
    all_steps, _ = read_steps(game=game, index_of_decision=lambda steps: None)
    return (
        cached_happened(seated=seated, board=board, names=NAMES, view=view),
        happened_to(all_steps, seated=seated, board=board, names=NAMES.__getitem__, view=view),
    )


def test_the_log_of_a_page_holds_all_of_its_news() -> None:
    game = new_game(*NAMES, ruleset="toy")
    for _ in range(2):
        for now in moves_of_a_round(game):
            for seat in range(4):
                on_page, of_all = news_in_both(now, seat)
                assert on_page == of_all
                if on_page is None:
                    continue
                steps, _ = read_steps(game=now, index_of_decision=on_page.start_in)
                assert on_page.version is None or on_page.start_in(steps) is not None
