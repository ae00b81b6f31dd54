"""The story of a game: who may read it and when, and that it is made once and leads into the history."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.boards.big_shoulders import story as big_shoulders
from game.boards.story.parts import Accounts, Part
from game.history import stories
from game.history.ledger import movements_of
from game.history.past import course_of
from game.history.viewer import viewer_of
from game.rulesets.registry import RULESETS
from game.store.game import Game
from tests import kept_games
from tests.scenes import moderator, play_on, rewind_by_two, seen
from tests.tables import fresh, new_game, person, shortest
from tests.toy_scenes import sits, words_of

pytestmark = [pytest.mark.django_db]
GAMES = sorted(RULESETS)
MOST_STATEMENTS = 8


def finished(ruleset: str, settings: Any, **more: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    options = shortest(ruleset, max_turns=3)
    return kept_games.finished(ruleset, bots=3 if ruleset == "sectors" else 2, **options, **more)


def story(game: Game, who: Client) -> str:
    answer = who.get(f"/games/{game.pk}/story/")
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "private, no-store"
    return str(answer.content.decode())


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_finished_game_has_a_story_every_line_of_which_leads_into_its_history(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    for who in (sits("ada"), Client()):
        page = story(game, who)
        words = words_of(page)
        assert "What decided it" in words
        assert "Who paid whom" in words
        assert "Decisions missed" in words
        for seat in game.seats.all():
            assert seat.shown_name in words
        links = set(re.findall(rf"/games/{game.pk}/history/\?at=\d+", page))
        assert links
        assert {who.get(link).status_code for link in links} == {200}


@pytest.mark.parametrize("ruleset", GAMES)
def test_what_it_says_of_money_is_what_the_books_say(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    tables = {sheet.key: sheet for sheet in stories.story_of(viewer_of(game, None)).tables}
    cash = game.load_position().state.ledger.cash
    seats = range(game.seats.count())
    assert list(tables["income"].rows[-1].cells) == [cash[f"cash:{seat}"] for seat in seats]
    movements = [movement.transfer for movement in movements_of(game, course_of(game))]
    for seat in seats:
        own = {f"cash:{seat}", f"margin:{seat}"}
        went = sum(each.amount for each in movements if each.payer in own and each.payee not in own)
        row = next(row for row in tables["paid"].rows if row.key == str(seat))
        assert row.cells[-1] == went


def test_payments_count_in_the_turn_whose_change_they_explain(settings: Any) -> None:
    """Also those of the step that opens a turn, and of the first companies: nothing but goals brings what no payment
    and no value does, and those at the end alone."""
    past = stories.played(viewer_of(finished("big_shoulders", settings), None), None)
    accounts, last = Accounts(past, big_shoulders.BOOKS), len(past.course) - 1
    unexplained = [
        (at, accounts.parts(at, seat).get(Part("", big_shoulders.BOOKS.rest), 0))
        for at in range(1, last + 1)
        for seat in past.seats
    ]
    assert {amount for at, amount in unexplained if at < last} == {0}
    assert {amount % 200 for _, amount in unexplained} == {0}


def test_decisions_and_missed_ones_are_counted(settings: Any) -> None:
    game = finished("sectors", settings)
    table = next(sheet for sheet in stories.story_of(viewer_of(game, None)).tables if sheet.key == "decisions")
    decided, missed = (row.cells for row in table.rows)
    assert decided[0] == 0, "for ada every clock ran out"
    assert int(missed[0] or 0) > 3
    assert all(int(count or 0) > 3 for count in decided[1:])


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_game_that_goes_on_has_no_story_and_no_tab_for_it(ruleset: str) -> None:
    game = new_game("ada", bots=1, ruleset=ruleset)
    for who in (sits("ada"), Client()):
        assert who.get(f"/games/{game.pk}/story/").status_code == 404
        assert f"/games/{game.pk}/story/" not in who.get(f"/games/{game.pk}/").content.decode()


def test_the_tab_is_there_once_the_game_is_over(settings: Any) -> None:
    game = finished("toy", settings)
    assert f'<a href="/games/{game.pk}/story/">Story</a>' in sits("ada").get(f"/games/{game.pk}/").content.decode()
    assert f'<a href="/games/{game.pk}/story/" aria-current="page">Story</a>' in story(game, Client())


def test_the_story_of_a_private_game_is_for_its_players(settings: Any) -> None:
    game = finished("toy", settings)
    Game.objects.filter(pk=game.pk).update(is_open=False)
    statuses = [who.get(f"/games/{game.pk}/story/").status_code for who in (sits("ada"), sits("eve"), Client())]
    assert statuses == [200, 404, 404]


def test_the_log_is_read_once_for_each_player_and_once_for_all_strangers(settings: Any) -> None:
    game, counts = finished("sectors", settings), []
    for who in (sits("ada"), Client(), sits("ada"), Client()):
        with CaptureQueriesContext(connection) as asked:
            story(game, who)
        statements = [query["sql"] for query in asked.captured_queries if "SAVEPOINT" not in query["sql"]]
        counts.append(len(statements))
        assert any("transfers" in sql for sql in statements) == (len(counts) <= 2)
    assert max(counts) <= MOST_STATEMENTS, counts


def test_a_rewind_takes_the_story_away_and_the_next_end_has_its_own(settings: Any) -> None:
    game = finished("toy", settings)
    before = stories.story_of(viewer_of(game, person("ada")))
    entry = game.log.exclude(opened_serial=None).order_by("number")[2]
    rewind_by_two(game_id=game.pk, moderator=moderator("mo"), reason="a test", seen=seen(game), number=entry.number)
    assert Client().get(f"/games/{game.pk}/story/").status_code == 404
    again = play_on(fresh(game))
    after = stories.story_of(viewer_of(again, person("ada")))
    assert after != before
    assert after.tables[1].rows[-1].cells == tuple(
        again.load_position().state.ledger.cash[f"cash:{seat}"] for seat in range(again.seats.count())
    )
