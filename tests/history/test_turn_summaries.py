"""The summary of a finished turn: first on the board of a new one, and at the head of its results."""

import re
from datetime import UTC, datetime

import pytest
from django.db.models.functions import Now
from django.test import Client

from game.boards.outcomes import Absence, Outcome, Part, Story
from game.boards.registry import board_of
from game.bots import playing
from game.history.since import DeedLine, Deeds, Happened
from game.history.turn_summaries import TurnSummary, summaries, summary_of
from game.rulesets.sectors.events.orders import PriceMoved
from game.rulesets.stock_market_tycoon.tables import COMPANIES
from game.store.game import Game, Seat
from tests import kept_games
from tests.rulesets.sectors.table import Table
from tests.tables import READY, everybody_ready, fresh, new_game, send
from tests.toy_scenes import news_of, page_of, sits, words_of

pytestmark = pytest.mark.django_db
LEADS = re.compile(r'<ul class="leads">.*?</ul>', re.DOTALL)  # seen only where the rest is folded


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
    assert re.search(r"Rank [^,]+, as before|You are now [^.]+, previously ", summary_words)


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


def test_the_news_of_an_end_of_a_year_stand_once_on_its_board() -> None:
    """Whatever of it the seat was told since its decision, the summary of the year leaves out, and the other way
    round."""
    game = new_game("ada", bots=2, pace="daily", ruleset="stock_market_tycoon")
    buys = [{"kind": "buy", "company": company, "shares": 1000} for company in COMPANIES]
    while fresh(game).turn == 1 or 0 not in fresh(game).waiting_seats:
        if not playing.play_bots(game_id=game.pk):
            is_trading = fresh(game).phase_name == "trade"
            send(game, 0, (buys.pop() if buys else {"kind": "end_turn"}) if is_trading else READY)
    words = words_of(LEADS.sub("", block(game, sits("ada"))))
    counts = [len(re.findall(f"{row.title} (?:rose|fell) from", words)) for row in COMPANIES.values()]
    assert max(counts) == 1


def test_the_last_moves_of_others_are_not_what_a_turn_brought(third_turn: Game) -> None:
    assert "The others" not in words_of(block(third_turn, sits("ada")))
    game = kept_games.finished("stock_market_tycoon")
    assert "The others" not in words_of(sits("ada").get(f"/games/{game.pk}/results/?turn=2").content.decode())


def test_what_was_told_above_is_left_out() -> None:
    line = Outcome(kind="price", label="Price", text="ACME rose from 5 to 7.")
    summary = TurnSummary(1, "year 1", (), "1st", "1st", "", (line,))
    assert summary.besides(frozenset({line.text})).lines == ()
    assert summary.besides(frozenset()).lines == (line,)
    happened = Happened((line,), (), "Trading", datetime.now(UTC), deeds=(Deeds(None, "", (DeedLine(line.text),)),))
    assert happened.besides(summary.texts) is None
    assert happened.besides(frozenset()) == happened


def test_the_moves_of_the_reader_s_prices_lead_a_new_turn() -> None:
    """They are seen before the rest is unfolded, whatever else mattered more, with the causes of the change."""
    table = Table().seats("ada", "bob", cash=500).company("MACH", price=60, ipo=3).holdings("MACH", ada=5)
    view, board = table.at("stock_orders").view("ada"), board_of("sectors")
    fall = PriceMoved(company="MACH", was=70, now=60, why="fewer orders")
    story = Story([Part(1, "start_turn", (fall,))], 0, table.names.__getitem__, view)
    summary = summary_of(1, board, Absence(view, story, board.score))
    assert [(line.text, line.figure) for line in summary.prices] == [("MACH fell from 70 to 60.", "−50")]


@pytest.mark.parametrize(
    ("lines", "news"),
    [
        ([("Your order is filled.", True), ("PHARMA floated.", False)], "PHARMA floated."),
        ([("Your order is filled.", True)], "Your order is filled."),
        ([], ""),
    ],
)
def test_a_headline_goes_on_with_what_others_did(lines: list[tuple[str, bool]], news: str) -> None:
    result = tuple(Outcome(kind="order", label="", text=text, is_own=is_own) for text, is_own in lines)
    assert TurnSummary(2, "turn 2", (), "1st", "1st", "", result).news == news
