"""Figures on the pages of a game lead to what adds up to them, and the two agree."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from game.history.past import course_of
from game.rulesets.registry import RULESETS
from game.store.game import Game
from tests import kept_games
from tests.scenes import play_on
from tests.tables import at_phase, new_game, shortest
from tests.toy_scenes import sits

pytestmark = [pytest.mark.django_db]
LINK = re.compile(r'<a class="explain" href="([^"]+)">([^<]+)</a>')
SUM = re.compile(r'<h2 id="h-sum">([^<]+)</h2>')


def links(page: str) -> dict[str, int]:
    """The figures of a page that lead somewhere, by where."""
    found = ((unescape(path), re.sub(r"[^\d-]", "", shown.replace("−", "-"))) for path, shown in LINK.findall(page))
    return {path: int(figure) for path, figure in found}


def page_of(who: Client, path: str) -> str:
    answer = who.get(path)
    assert answer.status_code == 200
    return str(answer.content.decode())


def explained(who: Client, path: str) -> int:
    """What an explanation says the figure is; its parts add up to it."""
    page = page_of(who, path)
    parts = re.findall(r"<td>([+−]?[\d,]+)</td><td>([−\d,]+)</td></tr>", page.partition("<tbody>")[2])
    total, sums = number(SUM.findall(page)[0]), [number(amount) for amount, _ in parts]
    assert sum(sums) == total
    assert not parts or number(parts[-1][1]) == total
    return total


def number(text: str) -> int:
    return int(text.replace("−", "-").replace("+", "").replace(",", ""))


def assert_all_agree(who: Client, page: str, *expected: str) -> None:
    found = links(page)
    assert {link.split("/explain/")[1].split("/")[0] for link in found} == set(expected)
    for path, figure in found.items():
        assert explained(who, path) == figure, path


TABLE = ("economy", "pool", "consumers")
CARD = ("price", "unit_price", "treasury", "operating_cost", "prestige", "supply", "demand", "throughput")


@pytest.mark.parametrize("phase", ["stock_orders", "company_vote"])
def test_every_figure_of_the_board_agrees_with_its_explanation(phase: str) -> None:
    game = at_phase(new_game("ada", bots=3), phase)
    board = page_of(sits("ada"), f"/games/{game.pk}/")
    assert_all_agree(sits("ada"), board, *TABLE, *CARD, "net_worth", "cash", "certificates", "account")


def test_the_figures_of_a_past_phase_are_explained_as_they_stood(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game = kept_games.finished("sectors", bots=3, max_turns=3)
    stop = next(stop for stop in course_of(game).stops if stop.turn == 2)
    past = page_of(Client(), f"/games/{game.pk}/history/?at={stop.serial}")
    assert all(path.endswith(f"?at={stop.serial}") for path in links(past))
    assert_all_agree(Client(), past, *TABLE, *CARD, "net_worth", "cash", "certificates", "account")


def test_final_standings_are_explained(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,), "rounds": (1,)}
    for ruleset in RULESETS:
        game = kept_games.finished(ruleset, **shortest(ruleset, rounds=1))
        board = page_of(Client(), f"/games/{game.pk}/").partition('id="standings"')[2].partition("</section>")[0]
        assert_all_agree(Client(), board, "score")


def test_production_in_the_results_is_explained_as_it_was(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (4,)}
    game, seen = play_on(new_game("ada", bots=3, max_turns=4)), 0
    for turn in range(1, 5):
        found = page_of(Client(), f"/games/{game.pk}/results/?turn={turn}")
        for path, figure in links(found).items():
            assert explained(Client(), path) == figure, path
            seen += 1
    assert seen > 10


def test_power_up_explains_prices_cash_and_scores() -> None:
    game = new_game("ada", bots=2, ruleset="power_up")
    board = page_of(sits("ada"), f"/games/{game.pk}/")
    assert {"cash", "score", "account"} <= {link.split("/explain/")[1].split("/")[0] for link in links(board)}
    for path, figure in links(board).items():
        assert explained(sits("ada"), path) == figure
    assert "Department of Energy" in page_of(sits("ada"), f"/games/{game.pk}/explain/account/doe/")


def test_the_plain_board_links_what_its_ruleset_explains() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    assert_all_agree(sits("ada"), page_of(sits("ada"), f"/games/{game.pk}/"), "score")


@pytest.mark.parametrize(("at", "status"), [("x", 400), ("-1", 400), ("9999999999", 400), ("99999", 404), ("0", 404)])
def test_another_moment_is_refused_in_words(at: str, status: int) -> None:
    game: Game = new_game("ada", "bob")
    answer = Client().get(f"/games/{game.pk}/explain/cash/0/", {"at": at})
    assert answer.status_code == status
    assert {400: "phase", 404: "moment"}[status] in answer.content.decode()


@pytest.mark.parametrize("path", ["account/outside", "account/cash:0", "account/NO", "price/NO", "income/9"])
def test_nothing_else_is_explained(path: str) -> None:
    assert Client().get(f"/games/{new_game('ada', 'bob').pk}/explain/{path}/").status_code == 404
