"""Ratings: which games count, for whom, and that counting them one by one or all anew gives the same numbers."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import interventions
from game.people import account_deletion
from game.reputation import ratings
from game.reputation.models import RatedResult, Rating
from game.reputation.rating_reads import SeatRating, rating_points
from game.seats import takeover
from game.store.game import Game, Seat, Status
from game.store.log import Kind, LoggedAction
from game.store.proposals import VoteTopic
from game.votes import voting
from tests.scenes import moderator, person, play_on, rewind_by_two
from tests.tables import fresh, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
NAMES = ("Ada", "Ben", "Cy", "Dot")


@pytest.fixture
def people() -> list[User]:
    return [person(name) for name in NAMES]


def rated(*people: User, pace: str = "daily", is_rated: bool = True, **more: Any) -> Game:
    """A game of Toy that has begun."""
    host, *others = people
    game = lobby.create_game(
        host=host, name="Rated", seats=len(people), pace=pace, ruleset="toy", is_rated=is_rated, **more
    )
    for other in others:
        lobby.join_game(game_id=game.pk, user=other)
    return lobby.start_game(game_id=game.pk, user=host)


def finish(game: Game, *places: int) -> Game:
    """The game ends with these places, by seat."""
    for number, place in enumerate(places):
        Seat.objects.filter(game=game, number=number).update(place=place)
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, finished_at=Now(), deadline_at=None)
    ratings.settle(game=Game.objects.get(pk=game.pk))
    return fresh(game)


def numbers() -> list[tuple[Any, ...]]:
    rows = Rating.objects.order_by("pk").values_list("pk", "mu", "sigma", "sure", "games", "last_at")
    return [*rows, *RatedResult.objects.values_list("game", "number", "rank", "mu", "sigma")]


def mus(*people: User) -> list[float]:
    known = dict(Rating.objects.values_list("user", "mu"))
    return [known[user.pk] for user in people]


def ranks(game: Game) -> dict[str, tuple[int, bool]]:
    rows = RatedResult.objects.filter(game=game).values_list("rating__user__username", "rank", "has_left")
    return {name: (rank, left) for name, rank, left in rows}


def test_a_rated_game_played_to_its_end_is_counted_once(people: list[User]) -> None:
    game = play_on(rated(*people[:3]))
    assert game.status == Status.FINISHED
    places = dict(game.seats.values_list("user__username", "place"))
    assert {name: rank for name, (rank, _) in ranks(game).items()} == places
    before = numbers()
    ratings.settle(game=game)
    assert numbers() == before
    best, worst = sorted(people[:3], key=lambda user: places[user.username])[::2]
    if places[best.username] < places[worst.username]:
        assert mus(best)[0] > 25 > mus(worst)[0]
    assert all(rating.sigma < 25 / 3 and rating.games == 1 for rating in Rating.objects.all())


@pytest.mark.parametrize("how", [{"is_rated": False}, {"is_rated": True}])
def test_only_games_created_as_rated_count(people: list[User], how: dict[str, bool]) -> None:
    finish(rated(*people[:2], **how), 1, 2)
    assert Rating.objects.exists() == how["is_rated"]


def test_ties_share_what_they_win(people: list[User]) -> None:
    finish(rated(*people), 1, 2, 2, 4)
    ada, ben, cy, dot = mus(*people)
    assert ada > ben == cy > dot


ORDERS: Sequence[Sequence[Sequence[int]]] = ([(0, 1, 2), (1, 3), (2, 0, 3, 1), (3, 0)],)


@pytest.mark.parametrize("tables", ORDERS)
def test_counting_anew_gives_the_same_numbers(people: list[User], tables: Any, capsys: Any) -> None:
    for seats in tables:
        finish(rated(*[people[seat] for seat in seats]), *range(1, len(seats) + 1))
    before = numbers()
    Rating.objects.update(mu=1, sigma=1, sure=0, games=0)
    RatedResult.objects.update(mu=1, sigma=1)
    call_command("recount_ratings", "toy")
    assert capsys.readouterr().out == f"toy: {len(tables)} rated games counted\n"
    assert numbers() == before


def test_a_game_that_finished_earlier_and_is_counted_later_gives_the_same_numbers(people: list[User]) -> None:
    """Two games finish at once, and the later one is quicker."""
    first, second = finish(rated(*people[:2]), 1, 2), finish(rated(*people[1:3]), 2, 1)
    before = numbers()
    Game.objects.filter(pk=first.pk).update(status=Status.RUNNING)
    ratings.settle(game=Game.objects.get(pk=first.pk))
    assert RatedResult.objects.filter(game=second).exists()
    assert numbers() != before
    Game.objects.filter(pk=first.pk).update(status=Status.FINISHED)
    ratings.settle(game=Game.objects.get(pk=first.pk))
    assert numbers() == before


def test_a_rewound_end_is_taken_back_and_the_new_end_counts(people: list[User]) -> None:
    mod = moderator("Mo")
    game = play_on(rated(*people[:2]))
    assert RatedResult.objects.filter(game=game).count() == 2
    opened = LoggedAction.objects.filter(game=game).exclude(opened_serial=None).order_by("number")
    number = next(each.number for each in opened if each.number > 1)
    rewind_by_two(
        game_id=game.pk, moderator=mod, reason="A mistake.", seen=interventions.seen_of(fresh(game)), number=number
    )
    assert not RatedResult.objects.filter(game=game).exists()
    assert set(Rating.objects.values_list("mu", "games")) == {(25.0, 0)}
    play_on(fresh(game))
    assert RatedResult.objects.filter(game=game).count() == 2
    assert set(Rating.objects.values_list("games", flat=True)) == {1}
    assert LoggedAction.objects.filter(game=game, kind=Kind.REWIND).exists()


def test_who_gave_up_is_last_and_the_substitute_is_not_rated(people: list[User]) -> None:
    ada, ben, cy, dot = people
    game = rated(ada, ben, cy)
    takeover.resign(game_id=game.pk, user=ben)
    takeover.take_seat(game_id=game.pk, user=dot, number=1)
    finish(game, 2, 1, 3)
    assert ranks(game) == {"Ada": (2, False), "Cy": (3, False), "Ben": (4, True)}
    ada_mu, ben_mu, cy_mu = mus(ada, ben, cy)
    assert ada_mu > cy_mu > ben_mu, "the substitute's victory is not the leaver's"


def test_an_agreed_end_counts_for_nobody(people: list[User]) -> None:
    ada, ben = people[:2]
    game = rated(ada, ben)
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=ada)
    voting.agree(topic=VoteTopic.ENDING, game_id=game.pk, user=ben, number=1)
    assert fresh(game).status == Status.ABANDONED
    assert not Rating.objects.exists()


def test_the_ratings_of_others_outlive_a_deleted_account(people: list[User], capsys: Any) -> None:
    ada, ben, cy = people[:3]
    finish(rated(ada, ben), 1, 2)
    finish(rated(cy, ada), 1, 2)
    before = numbers()
    account_deletion.delete_account(user=ada)
    assert numbers() == before
    assert Rating.objects.filter(user=None).count() == 1
    call_command("recount_ratings")
    assert "toy: 2 rated games counted" in capsys.readouterr().out
    assert numbers() == before


def test_who_deletes_the_account_before_the_end_is_left_out(people: list[User]) -> None:
    ada, ben, cy = people[:3]
    game = rated(ada, ben, cy)
    account_deletion.delete_account(user=ben)
    finish(game, 1, 3, 2)
    assert ranks(game) == {"Ada": (1, False), "Cy": (2, False)}


# --- which tables may be rated


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"bots": 1}, "for people only"),
        ({"pace": "none", "bots": 1}, "for people only"),
        ({"pace": "custom"}, "named pace"),
        ({"options": {"rounds": 3}}, "rules of a preset"),
    ],
)
def test_what_is_not_played_alike_is_not_rated(people: list[User], asked: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        lobby.create_game(host=people[0], name="X", seats=2, ruleset="toy", is_rated=True, **asked)
    assert not Game.objects.exists()


def test_no_bot_comes_in_later(people: list[User]) -> None:
    game = lobby.create_game(host=people[0], name="X", seats=3, ruleset="toy", is_rated=True)
    for service in (lobby.add_bot, lobby.fill_with_bots):
        with pytest.raises(Refused, match="for people only"):
            service(game_id=game.pk, user=people[0])
    robot = User.objects.create_user("Robot", is_bot=True)
    with pytest.raises(Refused, match="for people only"):
        lobby.join_game(game_id=game.pk, user=robot)


def test_the_host_changes_their_mind_until_somebody_sits_down(people: list[User]) -> None:
    ada, ben = people[:2]
    game = lobby.create_game(host=ada, name="X", seats=3, ruleset="toy")
    with pytest.raises(Refused, match="Only the host"):
        lobby.change_game(game_id=game.pk, user=ben, is_rated=True)
    lobby.change_game(game_id=game.pk, user=ada, is_rated=True)
    assert fresh(game).is_rated
    lobby.join_game(game_id=game.pk, user=ben)
    with pytest.raises(Refused, match="has already joined"):
        lobby.change_game(game_id=game.pk, user=ada, is_rated=False)
    assert fresh(game).is_rated


def test_a_table_with_bots_does_not_become_rated(people: list[User]) -> None:
    game = lobby.create_game(host=people[0], name="X", seats=3, ruleset="toy", bots=1)
    with pytest.raises(Refused, match="for people only"):
        lobby.change_game(game_id=game.pk, user=people[0], is_rated=True)


def test_every_named_pace_and_preset_of_every_ruleset_is_eligible(people: list[User]) -> None:
    from game.boards.registry import board_of
    from game.reputation.ratings import UNRATED_PACES
    from game.rulesets.registry import RULESETS
    from game.store.game import Pace

    ada = person("Host", is_superuser=True)
    for key, rules in RULESETS.items():
        for preset in board_of(key).options.presets or [None]:
            for pace in set(Pace.values) - {pace.value for pace in UNRATED_PACES}:
                options = dict(preset.options) if preset else {}
                game = lobby.create_game(
                    host=ada, name="X", seats=min(rules.seats) if 1 not in rules.seats else 2, pace=pace, ruleset=key,
                    options=options, is_rated=True, is_open=False,
                )  # fmt: skip
                Game.objects.filter(pk=game.pk).delete()


def test_a_rated_game_in_play_costs_its_moves_no_statement(people: list[User], django_assert_num_queries: Any) -> None:
    plain, counted = rated(*people[:2], is_rated=False), rated(*people[:2])
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as usual:
        send(plain, 0, {"kind": "bid", "coins": 1})
    with django_assert_num_queries(len(usual)):
        send(counted, 0, {"kind": "bid", "coins": 1})


def test_the_board_of_a_rated_game_shows_ratings_at_the_seats_and_what_became_of_them(
    people: list[User], client: Client
) -> None:
    """One statement for any number of seats, and none for a game that is not rated."""
    finish(rated(*people[:3]), 1, 2, 3)
    ada, ben, cy = (rating_points(row.mu, row.sigma, row.games) for row in Rating.objects.order_by("user__username"))
    running, plain = rated(*people[:3]), rated(*people[:3], is_rated=False)
    client.force_login(people[0])
    cost = []
    for game in (running, plain):
        client.get(f"/games/{game.pk}/")
        with CaptureQueriesContext(connection) as asked:
            page = client.get(f"/games/{game.pk}/").content.decode()
        cost.append(len(asked))
        assert [words in page for words in (ada.words, ben.words, cy.words)] == [game is running] * 3
    assert cost[0] == cost[1] + 1
    game = play_on(running)
    after = {result.number: result for result in RatedResult.objects.filter(game=game)}
    page = client.get(f"/games/{game.pk}/").content.decode()
    for number, before in enumerate((ada, ben, cy)):
        now = rating_points(after[number].mu, after[number].sigma, 2)
        change = now.rating - before.rating
        assert f'>{now.rating:,}</b> <span class="rating-change">{SeatRating(now, change).change_words}</span>' in page
        assert now.range_words in page
        assert "provisional" in now.range_words
    assert play_on(plain).status == Status.FINISHED
    assert "rating-change" not in client.get(f"/games/{plain.pk}/").content.decode()


def test_a_change_of_rating_is_told_with_its_sign() -> None:
    level = rating_points(26.0, 7.0, 5)
    assert [SeatRating(level, change).change_words for change in (24, -7, 0, 1_024)] == ["+24", "−7", "±0", "+1,024"]
    assert level.range_words == "probably between 1,356 and 1,692"


def test_the_lobby_tells_ratings_at_open_rated_tables_with_one_statement(people: list[User], client: Client) -> None:
    finish(rated(*people[:2]), 1, 2)
    ada, ben = (
        rating_points(*Rating.objects.filter(user=user).values_list("mu", "sigma", "games")[0]) for user in people[:2]
    )
    client.force_login(people[3])

    def cost(number: int, *, is_rated: bool, host: User) -> tuple[int, str]:
        for each in range(number):
            lobby.create_game(host=host, name=f"Open {each}", seats=3, ruleset="toy", is_rated=is_rated, pace="daily")
        client.get("/games/")
        with CaptureQueriesContext(connection) as asked:
            page = client.get("/games/").content.decode()
        return len(asked), page

    plain, page = cost(1, is_rated=False, host=people[0])
    assert ada.words not in page
    one, page = cost(1, is_rated=True, host=people[0])
    assert page.count(f"Ada {ada.words}") == 1
    three, page = cost(2, is_rated=True, host=people[1])
    assert page.count(f"Ben {ben.words}") == 2
    assert one == three == plain + 2, "ratings, and with whom the reader shares a home"
