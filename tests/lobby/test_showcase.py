"""The front page shows a real game: a public one of this site, else one that bots play by the rules; never anything
that is hidden."""

import re
from html import escape
from typing import Any

import pytest
from django.test import Client

from game.lobby import lobby, showcase
from game.rulesets.sectors.ruleset import SECTORS
from game.store.game import Game, Status
from tests.tables import new_game, person, steps_to_the_end

pytestmark = pytest.mark.django_db
OWN = "A game among bots"


def front_page() -> str:
    answer = Client().get("/")
    assert answer.status_code == 200
    return answer.content.decode()


def chart_of(page: str) -> str:
    found = re.search(r'id="front-chart"[^>]*>(.*?</ol></div>)</div>', page, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture(autouse=True)
def short_games(settings: Any) -> None:
    """A site's own games are longer."""
    settings.EXTRA_CHOICES = {"max_turns": (3, 4)}


def over(*names: str, turns: int = 3, bots: int = 1) -> Game:
    """A public game that is over after so many turns."""
    game = new_game(*names, bots=bots, max_sub_rounds=1, max_turns=turns)
    return next(now for now in steps_to_the_end(game) if now.status == Status.FINISHED)


def test_who_comes_reads_how_many_play_and_how_many_tables_look_for_players() -> None:
    assert "At the tables" not in front_page(), "there is none"
    lobby.create_game(host=person("ada"), name="Room for two", seats=3)
    assert "<p>1 table looks for players now.</p>" in front_page()
    new_game("ada", "bob")
    new_game("bob", "cid", bots=1)
    assert "<p>3 people play at 2 tables now; 1 table looks for players.</p>" in front_page()


def test_without_a_public_game_the_bots_own_is_shown() -> None:
    new_game("ada", "bob")  # it has only just begun
    shown, page = showcase.played(), front_page()
    assert OWN in page
    for player in shown.leaders:
        assert f"{player.name} {player.worth[0]:,} to {player.worth[-1]:,}" in page
    assert escape(shown.story) in page
    for company in shown.view.companies:
        assert company.name in page


def test_the_bots_game_is_played_by_the_rules_to_its_end() -> None:
    """The bots' game is equal for equal seeds, and its figures equal the standings of the rules."""
    result = showcase.played()
    showcase.played.cache_clear()
    assert showcase.played().players == result.players
    assert result.is_over
    assert result.labels == ["Start", *"12345678"]
    assert all(len(player.worth) == len(result.labels) for player in result.players)
    first, second = result.leaders[:2]
    assert result.story.startswith(
        f"{first.name} ended with {first.worth[-1]:,}, {first.worth[-1] - second.worth[-1]:,} ahead of"
    )


def test_the_longest_public_game_that_is_over_is_shown_and_one_can_step_through_it() -> None:
    over("ada", "bob", turns=3)
    game = over("cid", "dora", turns=4)
    page = front_page()
    assert OWN not in page
    assert f'href="{game.get_absolute_url()}"' in page
    assert "3 players, over after turn 4" in page
    worth = game.course[-1]["worth"]
    assert all(f"to {worth[seat]:,}" in page for seat in range(3))
    steps = f"{game.get_absolute_url()}history/"
    assert f'href="{steps}?at=1&amp;play=1">Watch it on the board' in page
    assert Client().get(steps).status_code == 200


def test_a_game_that_goes_on_is_not_shown() -> None:
    game = new_game("ada", "bob", max_sub_rounds=1, max_turns=8)
    next(now for now in steps_to_the_end(game) if now.turn >= 4)
    assert OWN in front_page()


def test_one_steps_through_the_bots_own_game_on_the_front_page() -> None:
    result = showcase.played()
    page = front_page()
    assert [place for place, *_ in result.stops] == list(range(9))
    assert all(f'href="?turn={place}#showcase"' in page for place in range(9))
    part = Client().get("/?turn=3", headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="showcase">')
    assert escape(result.after(3).story) in part
    assert Client().get("/?turn=0").status_code == 200
    third = Client().get("/?turn=3").content.decode()
    at = result.after(3)
    assert escape(at.story) in third
    assert len(at.labels) == 4
    assert [player.worth for player in at.players] == [player.worth[:4] for player in result.players]
    assert [company.price for company in at.view.companies] != [company.price for company in result.view.companies]
    assert 'aria-current="true"' in third.partition('id="turn-3"')[2].partition("</a>")[0]
    assert 'id="front-chart" hx-swap-oob' in part
    assert chart_of(part) == chart_of(third) != chart_of(page), "the price chart goes along"


@pytest.mark.parametrize("turn", ["8", "99", "-1", "x", "", "9" * 30])
def test_a_turn_that_there_is_not_is_the_end(turn: str) -> None:
    page = Client().get("/", {"turn": turn})
    assert page.status_code == 200
    assert escape(showcase.played().story) in page.content.decode()


def test_a_game_by_invitation_is_never_shown() -> None:
    game = over("ada", "bob")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert OWN in front_page()


def test_the_front_page_asks_little_of_the_database(django_assert_max_num_queries: object) -> None:
    over("ada", "bob")
    front_page()
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        front_page()


def test_the_front_page_lists_the_tables_and_counts_who_plays() -> None:
    over("ada", "bob", turns=3)
    new_game("cid", "dora", bots=1)
    hidden = new_game("eve", bots=2)
    Game.objects.filter(pk=hidden.pk).update(is_open=False, name="By invitation")
    lobby.create_game(host=person("fay"), name="Come in", seats=4, pace="daily")
    page = front_page()
    assert "2 people play at 1 table now; 1 table looks for players." in page
    tables = page.partition('id="tables"')[2].partition("</section>")[0]
    assert [name in tables for name in ("Come in", "By invitation")] == [True, False]
    assert "Replay" in tables


def test_a_damaged_game_does_not_spoil_the_front_page() -> None:
    game = over("ada", "bob")
    Game.objects.filter(pk=game.pk).update(state=b"damaged", version=game.version + 1)
    assert OWN in front_page()


@pytest.mark.parametrize(
    ("worth", "words"),
    [
        ([(1, 2, 2, 2, 9), (1, 1, 1, 1, 1)], "ada has 9, 8 ahead of bob."),
        ([(1, 1, 3, 1, 9), (1, 2, 1, 2, 8)], "ada has 9, 1 ahead of bob, who led after turn 1 and turn 3."),
        ([(1, 1, 1, 1, 9), (1, 2, 2, 2, 8)], "ada has 9, 1 ahead of bob, who led from turn 1 to turn 3."),
        ([(1, 1, 2, 1, 9), (1, 2, 2, 1, 9)], "ada has 9, as much as bob, who led after turn 1."),
    ],
)
def test_the_story_is_told_from_the_figures(worth: list[tuple[int, ...]], words: str) -> None:
    players = [
        showcase.Player(seat, name, figures)
        for seat, (name, figures) in enumerate(zip(("ada", "bob"), worth, strict=True))
    ]
    labels = ["Start", "1", "2", "3", "4"]
    game = showcase.Showcase("", "", "", is_over=False, labels=labels, players=players, view=None, rules=SECTORS)
    assert game.story == words
