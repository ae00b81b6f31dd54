"""The front page shows a real game: a public one of this site, else one that bots play by the rules; never anything
that is hidden."""

from html import escape

import pytest
from django.test import Client

from game import showcase
from game.models import Game, Status
from tests.tables import new_game, steps_to_the_end

pytestmark = pytest.mark.django_db
OWN = "A game among bots"


def front_page() -> str:
    answer = Client().get("/")
    assert answer.status_code == 200
    return answer.content.decode()


def far_on(*names: str, turns: int = 3, bots: int = 1) -> Game:
    game = new_game(*names, bots=bots, max_sub_rounds=1)
    return next(now for now in steps_to_the_end(game) if now.turn >= turns or now.status == Status.FINISHED)


def test_without_a_public_game_the_bots_own_is_shown() -> None:
    new_game("ada", "bob")  # it has only just begun
    shown, page = showcase.played(), front_page()
    assert OWN in page
    for player in shown.leaders:
        assert f"{player.name} {player.worth[0]:,} to {player.worth[-1]:,}" in page
    assert escape(shown.story) in page
    for company in shown.companies:
        assert company.name in page


def test_the_bots_game_is_played_by_the_rules_to_its_end() -> None:
    """The same from the same seed, and its figures are those that the rules' own standings give."""
    shown = showcase.played()
    showcase.played.cache_clear()
    assert showcase.played().players == shown.players
    assert shown.is_over
    assert shown.labels == ["Start", *"12345678"]
    assert all(len(player.worth) == len(shown.labels) for player in shown.players)
    first, second = shown.leaders[:2]
    assert shown.story.startswith(
        f"{first.name} ended with {first.worth[-1]:,}, {first.worth[-1] - second.worth[-1]:,} ahead of"
    )


def test_the_public_game_that_has_come_furthest_is_shown() -> None:
    far_on("ada", "bob", turns=3)
    game = far_on("cid", "dora", turns=4)
    page = front_page()
    assert OWN not in page
    assert f'href="{game.get_absolute_url()}"' in page
    assert f"turn {game.turn} of" in page
    worth = game.course[-1]["worth"]
    assert all(f"to {worth[seat]:,}" in page for seat in range(3))


def test_a_game_by_invitation_is_never_shown() -> None:
    game = far_on("ada", "bob")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert OWN in front_page()


def test_the_front_page_asks_little_of_the_database(django_assert_max_num_queries: object) -> None:
    far_on("ada", "bob")
    front_page()
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        front_page()


def test_a_damaged_game_does_not_spoil_the_front_page() -> None:
    game = far_on("ada", "bob")
    Game.objects.filter(pk=game.pk).update(state=b"damaged", version=game.version + 1)
    assert OWN in front_page()


@pytest.mark.parametrize(
    ("worth", "words"),
    [
        ([(1, 2, 2, 2, 9), (1, 1, 1, 1, 1)], "ada has 9, 8 ahead of bob."),
        ([(1, 1, 3, 1, 9), (1, 2, 1, 2, 8)], "ada has 9, 1 ahead of bob, who led after turns 1 and 3."),
        ([(1, 1, 1, 1, 9), (1, 2, 2, 2, 8)], "ada has 9, 1 ahead of bob, who led after turns 1 to 3."),
        ([(1, 1, 2, 1, 9), (1, 2, 2, 1, 9)], "ada has 9, as much as bob, who led after turn 1."),
    ],
)
def test_the_story_is_told_from_the_figures(worth: list[tuple[int, ...]], words: str) -> None:
    players = [
        showcase.Player(seat, name, figures)
        for seat, (name, figures) in enumerate(zip(("ada", "bob"), worth, strict=True))
    ]
    labels = ["Start", "1", "2", "3", "4"]
    assert (
        showcase.Showcase("", "", "", is_over=False, labels=labels, players=players, companies=(), chart=()).story
        == words
    )
