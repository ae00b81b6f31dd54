"""Ratings where people read them: leaderboards, profiles, lists, rooms and the API."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from game.lobby import lobby
from game.lobby.browse_page import ListQuery, browse_context
from game.lobby.lobby_page import lobby_context
from game.reputation import ratings
from game.reputation.models import RatedResult, Rating
from game.store.game import Game
from tests.api.clients import Program
from tests.reputation.test_ratings import finish, rated
from tests.scenes import person
from tests.tables import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
BOARD = "/leaderboard/toy/"


@pytest.fixture
def people() -> list[User]:
    return [person(name) for name in ("Ada", "Ben", "Cy", "Dot")]


def season(*people: User, games: int = 3) -> None:
    """So many games, always with the same outcome: the first wins."""
    for _ in range(games):
        finish(rated(*people), *range(1, len(people) + 1))


def long_season(*people: User) -> None:
    """Three games of the other edition, which as nobody's preset cannot be created as rated."""
    for _ in range(3):
        game = rated(*people, is_rated=False, options={"edition": 2})
        Game.objects.filter(pk=game.pk).update(is_rated=True)
        finish(fresh(game), *range(1, len(people) + 1))


def names(page: str) -> list[str]:
    body = page.split("<tbody>")[1].split("</tbody>", maxsplit=1)[0] if "<tbody>" in page else ""
    return [part.split("</a>")[0].split(">")[-1] for part in body.split('class="person"')[1:]]


def shown(path: str = BOARD, status: int = 200) -> str:
    answer = Client().get(path)
    assert answer.status_code == status
    return answer.content.decode()


def test_it_stands_beside_the_lists_of_games() -> None:
    page = shown()
    assert '<a href="/games/?show=open">' in page
    assert '<a href="/leaderboard/" aria-current="page">' in " ".join(page.split())


def test_the_surest_strength_leads(people: list[User]) -> None:
    season(*people)
    season(people[1], people[2], games=1)
    page = shown()
    assert names(page) == ["Ada", "Ben", "Cy", "Dot"]
    assert "provisional" in page
    assert "±" in page


def test_it_lists_people_with_three_games_within_a_year(people: list[User]) -> None:
    season(people[0], people[1], games=3)
    season(people[2], people[3], games=2)
    assert names(shown()) == ["Ada", "Ben"]
    long_ago = timezone.now() - timedelta(days=366)
    RatedResult.objects.filter(pk=RatedResult.objects.values("pk")[:1]).update(at=long_ago)
    assert len(names(shown())) == 1
    RatedResult.objects.update(at=long_ago)
    assert "Nobody has finished 3 rated games within a year" in shown()


def test_closed_accounts_are_not_on_it(people: list[User]) -> None:
    season(*people[:2])
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    assert names(shown()) == ["Ben"]


def crowd(size: int) -> None:
    """People with ratings of their own, the later the stronger."""
    game = Game.objects.create(name="X", ruleset="toy", seats_wanted=2)
    users = User.objects.bulk_create(User(username=f"Player {n:03}", email=f"p{n}@x.test") for n in range(size))
    made = Rating.objects.bulk_create(
        Rating(user=user, ruleset="toy", mu=n, sigma=1, sure=n - 3, games=3, last_at=timezone.now())
        for n, user in enumerate(users)
    )
    for turn in range(3):
        game = Game.objects.create(name=f"X{turn}", ruleset="toy", seats_wanted=2)
        RatedResult.objects.bulk_create(
            RatedResult(game=game, rating=rating, number=n, rank=1, at=Now()) for n, rating in enumerate(made)
        )


def test_it_has_pages_of_one_cost() -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            shown()
        return len(asked)

    crowd(5)
    few = cost()
    Rating.objects.all().delete()
    User.objects.all().delete()
    crowd(60)
    assert cost() == few <= 4
    assert names(shown())[0] == "Player 059"
    assert names(shown(f"{BOARD}?page=3")) == [f"Player {n:03}" for n in reversed(range(10))]
    for nonsense in ("0", "4", "x", "9" * 30):
        shown(f"{BOARD}?page={nonsense}", 404)
    shown("/leaderboard/chess/", 404)


def test_the_api_gives_the_same_by_cursor() -> None:
    crowd(30)
    client, found, path = Client(), [], "/api/v1/rulesets/toy/leaderboard?limit=12"
    while path:
        page = client.get(path).json()
        found += page["items"]
        path = page["next"]
    assert [line["rank"] for line in found] == list(range(1, 31))
    assert [line["name"] for line in found] == [f"Player {n:03}" for n in reversed(range(30))]
    assert found[0]["sure"] < found[0]["rating"]
    assert client.get("/api/v1/rulesets/chess/leaderboard").status_code == 404
    assert client.get("/api/v1/rulesets/toy/leaderboard?cursor=0").status_code == 422


def test_each_ladder_of_a_game_is_counted_for_itself(people: list[User]) -> None:
    season(*people[:2])
    long_season(people[2], people[0])
    ada = {row.ladder: (row.games, row.mu > 25) for row in Rating.objects.filter(user=people[0])}
    assert ada == {"": (3, True), "long": (3, False)}
    assert (names(shown()), names(shown(f"{BOARD}long/"))) == (["Ada", "Ben"], ["Cy", "Ada"])
    assert "Leaderboard of Toy, Long edition" in shown(f"{BOARD}long/")
    assert f'href="{BOARD}long/"' in shown()
    shown(f"{BOARD}longer/", 404)
    before = list(Rating.objects.order_by("pk").values_list("mu", "sigma", "games"))
    assert ratings.recount(ruleset="toy") == 6
    assert list(Rating.objects.order_by("pk").values_list("mu", "sigma", "games")) == before


def test_a_ladder_is_read_by_its_name(people: list[User]) -> None:
    season(*people[:2], games=2)
    long_season(people[2], people[0])
    client, path = Client(), "/api/v1/rulesets/toy/leaderboard?ladder="
    assert [line["name"] for line in client.get(f"{path}long").json()["items"]] == ["Cy", "Ada"]
    assert client.get(path).json()["items"] == []
    assert client.get(f"{path}longer").status_code == 404
    assert client.get("/api/v1/rulesets/toy").json()["ladders"] == {"": "Short edition", "long": "Long edition"}
    profile = shown("/people/Ada/")
    assert all(f">Toy, {edition} edition</a>" in profile for edition in ("Short", "Long"))
    assert f'href="{BOARD}long/"' in profile
    facts = client.get(f"/api/v1/people/{people[0].pk}").json()
    assert [(each["ladder"], each["games"]) for each in facts["ratings"]] == [("", 2), ("long", 3)]


def test_where_a_game_waits_its_own_ladder_counts(people: list[User]) -> None:
    season(*people[:2], games=1)
    for edition, is_known in ((1, True), (2, False)):
        game = lobby.create_game(
            host=people[0],
            name=f"Edition {edition}",
            seats=2,
            pace="daily",
            ruleset="toy",
            options={"edition": edition},
        )
        Game.objects.filter(pk=game.pk).update(is_rated=True)
        client = Client()
        client.force_login(people[2])
        assert ("not rated yet" in client.get(game.get_absolute_url()).content.decode()) is not is_known
        rows = {row.name: row.ratings for row in browse_context(user=people[2], query=ListQuery("open"))["rows"]}
        assert bool(rows[game.name]) is is_known
        listed = {each.name: each.ratings for each in lobby_context(user=people[2])["open_games"]}
        assert bool(listed[game.name]) is is_known


def test_profiles_show_rating_and_course(people: list[User]) -> None:
    season(*people[:2], games=2)
    page = shown("/people/Ada/")
    rating = Rating.objects.get(user=people[0])
    assert f"{round(1500 + 24 * (rating.mu - 25)):,}\xa0±\xa0{round(24 * rating.sigma):,}, provisional" in page
    assert "2 rated games" in page
    assert 'id="rating-toy-t">Rating at Toy, Short edition, game by game' in page
    assert "Ratings" not in shown("/people/Cy/")
    facts = Client().get(f"/api/v1/people/{people[0].pk}").json()
    assert [(each["ruleset"], each["games"], each["is_provisional"]) for each in facts["ratings"]] == [("toy", 2, True)]


def test_lists_and_rooms_say_that_a_game_is_rated_and_how_strong_its_people_are(people: list[User]) -> None:
    season(*people[:2], games=1)
    game = lobby.create_game(host=people[0], name="Strong ones", seats=3, ruleset="toy", is_rated=True)
    client = Client()
    client.force_login(people[2])
    for path in ("/games/", "/games/?show=open", f"/games/{game.pk}/"):
        assert "Rated</span>" in client.get(path).content.decode(), path
    for path in ("/games/?show=open", f"/games/{game.pk}/"):
        assert "±" in client.get(path).content.decode(), path
    summary = Client().get(f"/api/v1/games/{game.pk}").json()
    assert summary["is_rated"] is True


def test_the_form_makes_a_rated_game_and_the_room_changes_its_mind(people: list[User]) -> None:
    client = Client()
    client.force_login(people[0])
    form: dict[str, Any] = {"game": "toy", "name": "X", "seats": 2, "bots": 0, "pace": "daily", "is_rated": "on"}
    form |= {"rounds": "2", "least_reliability": "90"}
    assert client.post("/games/new/", form | {"bots": 1}).status_code == 422
    made = client.post("/games/new/", form)
    assert made.status_code == 302, made.content.decode()
    game = Game.objects.get()
    assert (game.is_rated, game.least_reliability, game.welcomes_newcomers) == (True, 90, False)
    assert "Do not rate this game" in client.get(made["Location"]).content.decode()
    client.post(f"/games/{game.pk}/rated/", {"rated": "off"})
    assert not Game.objects.get().is_rated
    assert "Rate this game" in client.get(made["Location"]).content.decode()


def test_programs_make_rated_games_on_the_same_terms(people: list[User]) -> None:
    ada = Program(people[0].username)
    body = {"ruleset": "toy", "seats": 2, "is_rated": True, "least_reliability": 90}
    made = ada.post("games", body)
    assert made.status_code == 201
    assert (made.json()["is_rated"], made.json()["least_reliability"]) == (True, 90)
    refused = ada.post("games", body | {"bots": 1})
    assert refused.status_code == 422
    assert "people only" in refused.json()["detail"]
    assert ada.post("games", body | {"least_reliability": 77}).status_code == 422
