"""The ladder of modes: off at first; then what is locked is greyed with the way to open it, and refused everywhere."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.engine.actions import Refused
from game.lobby import lobby
from game.lobby.browse_page import ListQuery, browse_context
from game.lobby.lobby_page import lobby_context
from game.reputation import unlocks
from game.rulesets.registry import RULESETS
from game.seats import takeover
from game.store.game import Game, Keeper, Seat
from tests.reputation.test_ratings import finish, rated
from tests.scenes import person
from tests.tables import fresh

pytestmark = [pytest.mark.django_db]
LONG = {"edition": 2}
REASON = "2 is locked until you have 2 games of 1 finished with other people. You have {done}."


@pytest.fixture
def ladder(settings: Any) -> None:
    settings.UNLOCKS = True


@pytest.fixture
def people() -> list[User]:
    return [person(name) for name in ("Ada", "Ben", "Cy")]


def create(host: User, **more: Any) -> Game:
    return lobby.create_game(host=host, name="Long", seats=2, pace="daily", ruleset="toy", options=LONG, **more)


def finished(*people: User) -> Game:
    return finish(rated(*people, is_rated=False), *range(1, len(people) + 1))


def test_without_the_setting_everything_is_open(people: list[User]) -> None:
    assert unlocks.locked(RULESETS["toy"], people[0]) == {}
    game = create(people[0])
    assert lobby.join_game(game_id=game.pk, user=people[1]).number == 1


@pytest.mark.usefixtures("ladder")
def test_what_is_locked_is_refused_with_the_way_to_open_it(people: list[User]) -> None:
    with pytest.raises(Refused) as refused:
        create(people[0])
    assert (str(refused.value), refused.value.code) == (REASON.format(done=0), "locked")
    finished(*people[:2])
    assert str(unlocks.locked(RULESETS["toy"], people[0])["edition", 2]) == REASON.format(done=1)
    finished(*people[:2])
    game = create(people[0])
    with pytest.raises(Refused, match="You have 0"):
        lobby.join_game(game_id=game.pk, user=people[2])
    assert game.seats.count() == 1
    lobby.join_game(game_id=game.pk, user=people[1])
    lobby.start_game(game_id=game.pk, user=people[0])
    takeover.resign(game_id=game.pk, user=people[1])
    with pytest.raises(Refused, match="You have 0"):
        takeover.take_seat(game_id=game.pk, user=people[2], number=1)


@pytest.mark.usefixtures("ladder")
def test_what_counts_are_games_with_people_that_were_played_to_the_end(people: list[User]) -> None:
    """T-24: an absent player has completed, who resigned has not."""
    ada, ben, _ = people
    for _ in range(2):
        game = finished(ada, ben)
        Seat.objects.filter(game=game, user=ben).update(keeper=Keeper.RESIGNED)
        Seat.objects.filter(game=game, user=ada).update(keeper=Keeper.AWAY)
    assert (bool(unlocks.locked(RULESETS["toy"], ada)), bool(unlocks.locked(RULESETS["toy"], ben))) == (False, True)
    Seat.objects.filter(user=ben).update(user=None, bot="house")
    assert unlocks.locked(RULESETS["toy"], ada), "alone against bots"


@pytest.mark.usefixtures("ladder")
def test_a_host_may_waive_it(people: list[User]) -> None:
    game = create(people[0], waives_unlocks=True)
    assert lobby.join_game(game_id=game.pk, user=people[1]).number == 1


@pytest.mark.usefixtures("ladder")
def test_form_and_lists_say_what_is_missing(people: list[User]) -> None:
    ada, ben, _ = people
    client = Client()
    client.force_login(ada)
    page = client.get("/games/new/?game=toy").content.decode()
    assert REASON.format(done=0) in page
    assert "2 (locked)" in page
    form = {"game": "toy", "filled": "1", "name": "Long", "pace": "daily", "seats": "2", "bots": "0", "is_open": "on"}
    answer = client.post("/games/new/", form | LONG)
    assert answer.status_code == 422
    assert REASON.format(done=0) in answer.content.decode()
    assert client.post("/games/new/", form | LONG | {"waives_unlocks": "on"}).status_code == 302
    Game.objects.update(waives_unlocks=False)
    assert [entry.refusal for entry in lobby_context(user=ben)["open_games"]] == [REASON.format(done=0)]
    assert [row.refusal for row in browse_context(user=ben, query=ListQuery("open"))["rows"]] == [REASON.format(done=0)]
    assert browse_context(user=ben, query=ListQuery("open", may_join=True))["rows"] == []
    assert not fresh(Game.objects.get()).waives_unlocks
