"""The board of a finished game begins with what decided it, its course, and where to go from here."""

import re
from typing import Any

import pytest
from django.test import Client

from game.history.stories import story_of
from game.history.viewer import viewer_of
from game.store.game import Game
from tests import kept_games
from tests.tables import new_game
from tests.toy_scenes import page_of, sits, words_of

pytestmark = [pytest.mark.django_db]


def finish(game: Game, who: Client) -> str:
    """The part of the board about the end of the game."""
    page = page_of(game, who)
    return page.partition('id="finish"')[2].partition('id="standings"')[0]


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    return kept_games.finished("sectors", bots=3, max_turns=3)


def test_the_causes_are_the_parts_in_which_the_winner_gained_most(game: Game) -> None:
    viewer = viewer_of(game, None)
    story, places = story_of(viewer), {seat.number: seat.place for seat in game.seats.all()}
    worth = game.course[-1]["worth"]
    for seat, causes in enumerate(story.causes):
        figures = [abs(cause.figure or 0) for cause in causes]
        assert 0 < len(causes) <= 3
        assert figures == sorted(figures, reverse=True)
        assert all(((cause.figure or 0) > 0) == (places[seat] == 1) for cause in causes)
        assert sum(figures) >= abs(worth[seat] - max(w for i, w in enumerate(worth) if i != seat)) / 2


def test_players_and_strangers_see_it_with_the_chart_and_the_next_steps(game: Game) -> None:
    for who, number in ((sits("ada"), 5), (Client(), 4)):
        part = finish(game, who)
        assert "What decided it" in words_of(part)
        assert "<svg" in part
        steps = re.findall(r'<li><a href="([^"]+)"', part)
        assert len(steps) == number
        assert {who.get(step.replace("&amp;", "&")).status_code for step in steps} == {200}
    assert 'id="happened-t"' not in page_of(game, sits("ada")), "the end comes first; the rest is one link away"


def test_results_open_on_the_last_turn_with_the_winner(game: Game) -> None:
    page = words_of(sits("ada").get(f"/games/{game.pk}/results/").content.decode())
    assert "Results: turn 3" in page
    assert "win" in page.partition("What decided it, and a rematch")[0]
    assert "What decided it, and a rematch" not in words_of(
        sits("ada").get(f"/games/{game.pk}/results/?turn=2").content.decode()
    )


def test_a_game_that_is_played_shows_nothing_of_it() -> None:
    assert "What decided it" not in page_of(new_game("ada", bots=3), sits("ada"))
