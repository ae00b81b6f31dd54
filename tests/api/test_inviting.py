"""Inviting over the API: a host's program invites by number, the other one's joins or declines."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from game.lobby import inviting, lobby
from game.store.game import Game
from tests.api.clients import Program
from tests.tables import person

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


@pytest.fixture
def game() -> Game:
    return lobby.create_game(host=person("ada"), name="Ours", seats=3, pace="daily", ruleset="toy", is_open=False)


def number_of(name: str) -> int:
    person(name)
    return int(Program("ada").get(f"people?name={name}").json()["items"][0]["id"])


def test_from_the_invitation_to_the_seat(game: Game) -> None:
    ada, ben, seats = Program("ada"), Program("ben"), f"games/{game.pk}/seats"
    assert ben.get(f"games/{game.pk}").status_code == 404
    assert ben.post(seats, {}).status_code == 404
    assert ada.post(seats, {"person": number_of("ben")}).status_code == 200
    (item,) = ada.get(f"games/{game.pk}/invitees").json()["items"]
    at = item.pop("invited_at")
    assert item == {"person": number_of("ben"), "name": "ben", "has_declined": False}
    assert abs(timezone.now() - timezone.datetime.fromisoformat(at)) < timedelta(hours=1)
    (mine,) = ben.get("me/invitations").json()["items"]
    assert mine == {
        "game": game.pk, "name": "Ours", "ruleset": "toy", "host": "ada", "pace": "daily", "seats_wanted": 3,
        "taken": 1, "is_rated": False, "least_reliability": 0, "status": "waiting",
    }  # fmt: skip
    assert ben.get(f"games/{game.pk}").json()["you"] is None
    assert [each["id"] for each in ben.get("games").json()["items"]] == [game.pk]
    assert ben.get(f"games/{game.pk}/invitees").status_code == 403, "whom else they invited is the host's alone"
    assert ben.post(seats, {}).json()["you"] == 1
    assert ben.get("me/invitations").json()["items"] == []
    assert ada.get(f"games/{game.pk}/invitees").json()["items"] == []


def test_declining_and_withdrawing_are_one_address(game: Game) -> None:
    ada, ben = Program("ada"), Program("ben")
    for name in ("ben", "carla"):
        ada.post(f"games/{game.pk}/seats", {"person": number_of(name)})
    assert ben.delete(f"games/{game.pk}/invitees/{number_of('carla')}").status_code == 403
    assert ben.delete(f"games/{game.pk}/invitees/{number_of('ben')}").status_code == 204
    assert ben.get(f"games/{game.pk}").status_code == 404
    assert ada.delete(f"games/{game.pk}/invitees/{number_of('carla')}").status_code == 204
    items = ada.get(f"games/{game.pk}/invitees").json()["items"]
    assert [(each["name"], each["has_declined"]) for each in items] == [("ben", True)]
    again = ada.post(f"games/{game.pk}/seats", {"person": number_of("ben")})
    assert (again.status_code, again.json()["errors"][0]["code"]) == (422, "was_declined")


def test_what_is_no_player_is_refused_alike_and_what_is_no_number_at_once(game: Game) -> None:
    ada = Program("ada")
    inviting.take_invitations(user=person("ben"), wanted=False)
    answers = [ada.post(f"games/{game.pk}/seats", {"person": each}) for each in (person("ben").pk, 2**40)]
    assert [each.json()["errors"] for each in answers] == [answers[0].json()["errors"]] * 2
    assert answers[0].json()["errors"][0]["code"] == "cannot_be_invited"
    assert answers[0].json()["errors"][0]["pointer"] == "#/person"
    for odd in (0, -1, 2**63, "ben", 1.5):
        assert ada.post(f"games/{game.pk}/seats", {"person": odd}).status_code == 422
    assert not game.invitees.exists()


def test_who_joins_and_leaves_again_and_again_is_stopped_on_the_page_and_over_the_api(
    game: Game, settings: Any
) -> None:
    from django.core.cache import cache

    settings.LIMITED, settings.LIMITS = True, {"join": 1}
    cache.clear()
    Game.objects.filter(pk=game.pk).update(is_open=True)
    person("ben")
    ben = Program("ben")
    assert ben.post(f"games/{game.pk}/seats").status_code == 200
    assert ben.post(f"games/{game.pk}/seats").status_code == 200, "who has a seat takes none"
    lobby.leave_game(game_id=game.pk, user=person("ben"))
    answer = ben.post(f"games/{game.pk}/seats")
    assert (answer.status_code, answer.json()["limit"]) == (429, "join")
    assert int(answer["Retry-After"]) > 3000
    assert ben.client.login(username="ben", password="open sesame 42")
    page = ben.client.post(f"{game.get_absolute_url()}join/")
    assert (page.status_code, "The limit for seats taken by one person" in page.content.decode()) == (429, True)
    assert not game.seats.filter(user=person("ben")).exists()
    cache.clear()


def test_programs_and_pages_share_the_limit(game: Game, settings: Any) -> None:
    from django.core.cache import cache

    settings.LIMITED, settings.LIMITS = True, {"invite": 1}
    cache.clear()
    ada = Program("ada")
    assert ada.post(f"games/{game.pk}/seats", {"person": person("ben").pk}).status_code == 200
    assert ada.client.login(username="ada", password="open sesame 42")
    page = ada.client.post(f"{game.get_absolute_url()}invitees/", {"name": "carla"})
    assert (page.status_code, "The limit for invitations by name" in page.content.decode()) == (429, True)
    answer = ada.post(f"games/{game.pk}/seats", {"person": person("carla").pk})
    assert (answer.status_code, answer.json()["limit"]) == (429, "invite")
    cache.clear()
