"""What a table asks of those who join: how reliable, and how many tables newcomers have."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.engine.actions import Refused
from game.models import Game, Seat, Sitting, Status
from game.services import lobby
from tests.api.clients import Program
from tests.site.tables import person
from tests.tables import new_game

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def bob() -> User:
    return person("Bob")


def asks(host: User, least: int, name: str = "Choosy", **more: Any) -> Game:
    return lobby.create_game(host=host, name=name, seats=4, ruleset="toy", least_reliability=least, **more)


def has_decided(user: User, made: int, missed: int, *, is_open: bool = True) -> None:
    game = Game.objects.create(name="Past", ruleset="toy", seats_wanted=3, status=Status.FINISHED, is_open=is_open)
    Seat.objects.create(game=game, number=0, user=user)
    Sitting.objects.create(game=game, number=0, user=user, decisions=made, missed=missed, excused=50)


@pytest.mark.parametrize(
    ("made", "missed", "least", "why"),
    [(18, 2, 90, ""), (17, 3, 90, "90%. Yours is 85%: 17 of 20"), (19, 1, 95, ""), (94, 6, 95, "Yours is 94%")],
)
def test_who_is_less_reliable_than_asked_is_refused_with_the_numbers(
    ada: User, bob: User, made: int, missed: int, least: int, why: str
) -> None:
    has_decided(bob, made, missed)
    game = asks(ada, least)
    if not why:
        lobby.join_game(game_id=game.pk, user=bob)
        return
    with pytest.raises(Refused, match=why) as refused:
        lobby.join_game(game_id=game.pk, user=bob)
    assert refused.value.code == "reliability"
    client = Client()
    client.force_login(bob)
    answer = client.post(f"/games/{game.pk}/join/")
    assert answer.status_code == 409
    assert why in answer.content.decode()
    told = Program(bob.username).post(f"games/{game.pk}/seats", {})
    assert told.status_code == 422
    facts = told.json()["errors"][0]["facts"]
    assert (facts["least"], facts["made"], facts["asked"]) == (least, made, made + missed)


@pytest.mark.parametrize("welcome", [True, False])
def test_newcomers_may_join_where_they_are_welcome(ada: User, bob: User, welcome: bool) -> None:
    has_decided(bob, 3, 16)
    game = asks(ada, 95, welcomes_newcomers=welcome)
    if welcome:
        lobby.join_game(game_id=game.pk, user=bob)
    else:
        with pytest.raises(Refused, match="known after 20 decisions; you have had 19"):
            lobby.join_game(game_id=game.pk, user=bob)


def test_games_by_invitation_make_nobody_reliable(ada: User, bob: User) -> None:
    has_decided(bob, 500, 0, is_open=False)
    has_decided(bob, 10, 10)
    with pytest.raises(Refused, match="Yours is 50%"):
        lobby.join_game(game_id=asks(ada, 90).pk, user=bob)


def test_a_host_asks_for_one_of_the_choices(ada: User) -> None:
    with pytest.raises(Refused, match="0%, 80%, 90%, 95%, not of 91%"):
        asks(ada, 91)


def test_a_newcomer_sits_at_two_timed_tables_until_a_game_is_finished(ada: User, bob: User, settings: Any) -> None:
    settings.NEWCOMER_TABLES, settings.LIMITS = 2, {"open_tables": 9}
    hosts = [person(f"Host {n}") for n in range(4)]
    tables = [lobby.create_game(host=host, name="T", seats=3, ruleset="toy") for host in hosts]
    new_game("Bob", bots=2, ruleset="toy")  # nobody waits for them there
    for game in tables[:2]:
        lobby.join_game(game_id=game.pk, user=bob)
    with pytest.raises(Refused, match="2 games with other people at once") as refused:
        lobby.join_game(game_id=tables[2].pk, user=bob)
    assert refused.value.code == "newcomer"
    with pytest.raises(Refused, match="at once"):
        lobby.create_game(host=bob, name="Mine", seats=3, ruleset="toy")
    lobby.create_game(host=bob, name="Alone", seats=3, bots=2, ruleset="toy")
    Game.objects.filter(pk=tables[0].pk).update(status=Status.FINISHED)
    for game in tables[2:]:
        lobby.join_game(game_id=game.pk, user=bob)


def test_the_lobby_lists_the_tables_one_may_join(ada: User, bob: User, settings: Any) -> None:
    settings.LIMITS = {"open_tables": 9}
    has_decided(bob, 17, 3)
    asks(ada, 80, "Easy")
    asks(ada, 90, "Strict")
    asks(ada, 0, "Free")
    away = asks(ada, 0, "Sent away")
    lobby.join_game(game_id=away.pk, user=bob)
    lobby.remove_seat(game_id=away.pk, user=ada, number=1)
    lobby.join_game(game_id=asks(person("Cy"), 0, "Own already").pk, user=bob)
    client = Client()
    client.force_login(bob)
    everything = client.get("/games/?show=open").content.decode()
    page = client.get("/games/?show=open&may=1").content.decode()
    for name, may in (("Easy", 1), ("Strict", 0), ("Free", 1), ("Sent away", 0), ("Own already", 0)):
        assert (f">{name}<" in page) == bool(may), name
        assert f">{name}<" in everything
    assert "reliability from 90%" in everything
    assert '<span class="muted">2</span>' in page
    settings.NEWCOMER_TABLES = 1
    Sitting.objects.all().delete()
    Game.objects.filter(name="Past").delete()
    assert "No game fits these filters." in client.get("/games/?show=open&may=1").content.decode()
