"""What a table asks of those who join: how reliable, and how many tables newcomers have."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game.deadlines.reliability_model import HALF_LIFE, weight_of
from game.engine.actions import Refused
from game.lobby import lobby
from game.reputation.reliability import LEDGER, ledger_of, reliability_of
from game.seats import takeover
from game.store.game import Game, Seat, Status
from game.store.seat_models import Tenure
from tests.api.clients import Program
from tests.scenes import person
from tests.tables import new_game

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def bob() -> User:
    return person("Bob")


def asks(host: User, least: int, name: str = "Choosy", **more: Any) -> Game:
    return lobby.create_game(host=host, name=name, seats=4, ruleset="toy", least_reliability=least, **more)


def has_decided(user: User, made: int, missed: int, *, is_open: bool = True, ago: int = 0) -> None:
    weight = weight_of(timezone.now().date() - timedelta(days=ago))
    game = Game.objects.create(name="Past", ruleset="toy", seats_wanted=3, status=Status.FINISHED, is_open=is_open)
    Seat.objects.create(game=game, number=0, user=user)
    counted = {"decisions": made, "missed": missed, "excused": 50}
    Tenure.objects.create(
        game=game, number=0, user=user, **counted, made_weight=made * weight, missed_weight=missed * weight
    )


@pytest.mark.parametrize(
    ("made", "missed", "least", "why"),
    [(18, 2, 90, ""), (17, 3, 90, "90%. Yours is 86%: 17 of 20"), (96, 4, 95, ""), (94, 6, 95, "Yours is 93%")],
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
    response = Program(bob.username).post(f"games/{game.pk}/seats", {})
    assert response.status_code == 422
    facts = response.json()["errors"][0]["facts"]
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
    with pytest.raises(Refused, match="Yours is 63%"):
        lobby.join_game(game_id=asks(ada, 90).pk, user=bob)


@pytest.mark.parametrize(("is_open", "stays", "percent"), [(True, True, 88), (False, True, 93), (True, False, 93)])
def test_leaving_a_game_that_others_play_on_weighs_like_misses(
    ada: User, bob: User, is_open: bool, stays: bool, percent: int
) -> None:
    """In games by invitation nothing counts, and where nobody else is present nobody is left alone."""
    has_decided(bob, 37, 2)
    game = new_game("Bob", "Ada", ruleset="toy")
    Game.objects.filter(pk=game.pk).update(is_open=is_open)
    client = Client()
    client.force_login(bob)
    if not stays:
        takeover.resign(game_id=game.pk, user=ada)
    page = client.get(f"/games/{game.pk}/seat/resign/").content.decode()
    assert ("as if you had missed 3 decisions" in page) == (is_open and stays)
    takeover.resign(game_id=game.pk, user=bob)
    found = reliability_of([bob.pk])[bob.pk]
    assert (found.percent, found.made, found.decisions) == (percent, 37, 39)


def test_what_was_missed_long_ago_keeps_nobody_out(ada: User, bob: User) -> None:
    """15 of 30 in time would be 60% if they were of today."""
    has_decided(bob, 15, 15, ago=3 * HALF_LIFE)
    has_decided(bob, 20, 0)
    lobby.join_game(game_id=asks(ada, 90).pk, user=bob)
    has_decided(bob, 0, 15)
    with pytest.raises(Refused, match="Yours is 63%: 35 of 65 decisions in time, and recent ones count more"):
        lobby.join_game(game_id=asks(person("Cy"), 90).pk, user=bob)


def test_every_page_tells_the_same_reliability(ada: User, bob: User) -> None:
    has_decided(bob, 60, 40, ago=HALF_LIFE)
    has_decided(bob, 30, 0)
    expected = reliability_of([bob.pk])[bob.pk]
    assert (expected.made, expected.decisions, expected.percent, expected.range) == (90, 130, 76, (69, 83))
    own, other = Client(), Client()
    own.force_login(bob)
    other.force_login(ada)
    page, foreign = (client.get("/people/Bob/").content.decode() for client in (own, other))
    assert "76%" in page
    assert "probably between 69% and 83%" in page
    assert "76%" in foreign
    facts = Program("Ada").get(f"people/{bob.pk}").json()
    assert (facts["reliability"], facts["reliability_range"], facts["decisions"]) == (76, [69, 83], [90, 130])
    assert 'id="ledger"' not in foreign, "how it came about is for their eyes alone"


def test_one_s_own_page_shows_the_ledger_and_the_formula(ada: User, bob: User) -> None:
    has_decided(bob, 60, 40, ago=HALF_LIFE)
    has_decided(bob, 500, 0, is_open=False)
    client = Client()
    client.force_login(bob)
    page = client.get("/people/Bob/").content.decode().split('id="ledger"')[1].split("</details>")[0]
    assert "(decisions in time + 9) ÷ (decisions in time + missed decisions + 10)" in page
    assert f"half after {HALF_LIFE} days" in page
    assert [page.count(f"<td>{told}</td>") for told in ("60", "40")] == [2, 2], "line and sum"
    assert page.count(">30.0 / 20.0</td>") == 2, "half of it, after a half-life"
    assert "500" not in page


def test_the_ledger_costs_one_statement_for_any_number_of_games(bob: User, django_assert_num_queries: Any) -> None:
    for _ in range(LEDGER + 5):
        has_decided(bob, 1, 1)
    with django_assert_num_queries(1):
        assert len(ledger_of(bob)) == LEDGER


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
    Tenure.objects.all().delete()
    Game.objects.filter(name="Past").delete()
    assert "No game fits these filters." in client.get("/games/?show=open&may=1").content.decode()
