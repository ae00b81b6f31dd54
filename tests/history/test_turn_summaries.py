"""The summary of a finished turn: first on the board of a new one, and at the head of its results."""

import re

import pytest
from django.db.models.functions import Now
from django.test import Client

from game.boards.outcomes import Outcome
from game.bots import playing
from game.history.turn_summaries import TurnSummary, summaries
from game.store.game import Game, Seat
from game.templatetags.history import badge_cell
from tests.tables import everybody_ready, fresh, new_game
from tests.toy_scenes import news_of, page_of, sits, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def third_turn() -> Game:
    """A game of ada and three bots as it asks her for the first time in turn 3."""
    game = new_game("ada", bots=3, pace="daily")
    for _ in range(400):
        if fresh(game).turn == 3 and 0 in fresh(game).waiting_seats:
            break
        if not playing.play_bots(game_id=game.pk):
            everybody_ready(game)
    game = fresh(game)
    Seat.objects.filter(game=game).update(seen_version=game.version, seen_at=Now())
    return game


def block(game: Game, who: Client) -> str:
    return news_of(page_of(game, who))


def test_a_new_turn_begins_with_what_the_last_one_brought(third_turn: Game) -> None:
    summary_words = words_of(block(third_turn, sits("ada"))).strip().removeprefix("Show all Show less ")
    assert re.match(r"You (gained|lost|neither gained nor lost).* in turn 2\.", summary_words)
    worth, cash = (
        re.search(rf"{figure} (?P<was>[\d.,]+) to (?P<now>[\d.,]+)", summary_words) for figure in ("Net worth", "Cash")
    )
    assert worth
    assert cash
    player = third_turn.rules.view(third_turn.load_position(), 0).player(0)
    assert (int(worth["now"].replace(",", "")), int(cash["now"].replace(",", ""))) == (player.score, player.cash)
    assert re.search(r"Rank \w+, (as before|was)", summary_words)


def test_it_is_folded_and_kept_after_the_first_decision(third_turn: Game) -> None:
    ada = sits("ada")
    headline = re.search(r"You [^.]* in turn 2\.", words_of(block(third_turn, ada)))
    assert headline
    for _ in range(40):
        game = fresh(third_turn)
        if game.turn > 3:
            break
        if not playing.play_bots(game_id=game.pk):
            everybody_ready(game)
        if fresh(game).turn == 3:
            assert headline[0] in words_of(block(game, ada))


def test_results_open_on_the_last_finished_turn(third_turn: Game) -> None:
    ada = sits("ada")
    page = str(ada.get(f"/games/{third_turn.pk}/results/").content.decode())
    assert "Results: turn 2" in words_of(page)
    assert 'class="turn-sum"' in page
    now = str(ada.get(f"/games/{third_turn.pk}/results/?turn=3").content.decode())
    assert 'class="turn-sum"' not in now
    stranger = str(Client().get(f"/games/{third_turn.pk}/results/").content.decode())
    assert "Results: turn 2" in words_of(stranger)
    assert 'class="turn-sum"' not in stranger


def test_it_is_computed_once(third_turn: Game) -> None:
    ada = sits("ada")
    summaries.clear()
    block(third_turn, ada)
    assert len(summaries) == 1
    block(third_turn, ada)
    assert len(summaries) == 1


def test_an_outcome_is_a_badge_with_the_rest_behind_it() -> None:
    cell = badge_cell("bad", "open: buy 2 at 20; rejected: none were left")
    assert words_of(cell).strip() == "Rejected none were left; open: buy 2 at 20"
    assert 'class="badge badge--bad"' in cell
    assert words_of(badge_cell("good", "bought for 14")).strip() == "Bought for 14"


@pytest.mark.parametrize(
    ("lines", "news"),
    [
        ([("Your order is filled.", True), ("PHARMA floated.", False)], "PHARMA floated."),
        ([("Your order is filled.", True)], "Your order is filled."),
        ([], ""),
    ],
)
def test_a_headline_goes_on_with_what_others_did(lines: list[tuple[str, bool]], news: str) -> None:
    told = tuple(Outcome(kind="order", label="", text=text, is_own=is_own) for text, is_own in lines)
    assert TurnSummary(2, "turn 2", (), 1, 1, "", told).news == news
