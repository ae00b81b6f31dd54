"""What the rules told a seat alone before it changed hands is for its former player: the next one reads nothing of it
at any address until the game is over."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from game.seats import takeover
from game.store.game import Game
from game.store.moderation_models import Intervention
from tests.attacks.laying import lay, undone
from tests.attacks.readers import Answers, Reader, paths_about
from tests.attacks.secrets import SEALED
from tests.scenes import by_two, moderator, person, seen, table
from tests.tables import everybody_ready, fresh, send
from tests.tables import person as account

pytestmark = pytest.mark.django_db
ADA, FRED = "ada", "fred"
MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.+]+Z?|\d\d:\d\d(:\d\d)?")


@pytest.fixture
def game(settings: Any) -> Game:
    settings.LIMITED = False
    people = [person(name) for name in (ADA, "ben", "cid")]
    person(FRED)
    moderator("Lena")
    return lay(table(*people, bots=0, ruleset="sectors"), SEALED["sectors"]["standing_order"].at())


def order_in_vain(game: Game, limit: int) -> None:
    """Ada orders for when a price has fallen so far. It does not in this turn, of which the rules tell her alone."""
    send(game, 0, {"kind": "standing_order", "company": "ACME", "side": "buy", "limit": limit, "quantity": 1})
    while fresh(game).turn == game.turn:
        everybody_ready(game)


def take_over(game: Game) -> None:
    takeover.resign(game_id=game.pk, user=account(ADA))
    takeover.take_seat(game_id=game.pk, user=account(FRED), number=0)


def hand_on(game: Game) -> None:
    who: dict[str, Any] = {"game_id": game.pk, "moderator": account("Lena"), "reason": "ill", "seen": seen(game)}
    by_two(Intervention.HAND_SEAT_TO_USER, **who, seat_number=0, username=FRED)


def answers(game: Game, name: str, limit: int, *acts: Callable[[Game], None]) -> Answers:
    with undone():
        order_in_vain(game, limit)
        for act in acts:
            act(game)
        answer_by_path = Reader(name, paths_about(fresh(game), ADA)).see()
    return {path: answer._replace(body=MOMENT.sub(b"", answer.body)) for path, answer in answer_by_path.items()}


def differing(one: Answers, other: Answers) -> set[str]:
    return {path for path in one if one[path].body != other[path].body}


def test_a2_the_next_player_reads_nothing_of_what_the_former_one_was_told_alone(game: Game) -> None:
    own = differing(answers(game, ADA, 20), answers(game, ADA, 21))
    assert {f"/games/{game.pk}/", f"/api/v1/games/{game.pk}/log", f"/games/{game.pk}/export/log.csv"} <= own
    for change in (take_over, hand_on):
        assert differing(answers(game, FRED, 20, change), answers(game, FRED, 21, change)) == set(), change
