"""What requests would lead to, asked again and again while one page is made."""

import pytest

from game.engine.actions import Refused
from game.store.eyes import Foresight
from game.store.game import Game
from tests.toy_scenes import at_turns, hand

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def game() -> Game:
    return at_turns()


def test_a_view_is_made_once_however_often_it_is_asked_for(game: Game) -> None:
    foresee = Foresight(game, game.load_position(), 0)
    low, high = sorted(hand(game, 0))[:2]
    here, there = ({"kind": "place", "card": low, "cell": cell} for cell in ("A1", "B2"))
    then = {"kind": "place", "card": high, "cell": "C3"}
    once = foresee(here, then)
    assert foresee(here, then) is once
    assert foresee(here) is not once
    assert foresee(there, then).board != once.board


def test_what_is_refused_is_refused_each_time(game: Game) -> None:
    foresee = Foresight(game, game.load_position(), 0)
    foreign = max({*range(1, 21)} - {*hand(game, 0)})
    for _ in range(2):
        with pytest.raises(Refused):
            foresee({"kind": "place", "card": foreign, "cell": "A1"})
