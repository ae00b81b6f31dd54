"""A substitute at a game by invitation: whoever has its link takes a free seat, and its players have the link then."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts import guests
from game.engine.actions import Refused
from game.lobby import lobby
from game.play import attendance
from game.seats import takeover
from game.store import eyes
from game.store.game import Game, Seat, Status
from game.store.seat_models import Removal
from tests.api.clients import Program
from tests.scenes import person, table
from tests.seats.test_takeover import client_of, go_away, page_text, resign, who
from tests.tables import fresh
from tests.toy_scenes import page_of, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]
LABEL = "Invitation link"


@pytest.fixture
def game() -> Game:
    """One by invitation that is played; its host is Ada."""
    begun = table(person("Ada"), person("Ben"), person("Carla"), bots=0, ruleset="toy")
    Game.objects.filter(pk=begun.pk).update(is_open=False)
    return fresh(begun)


def link_of(game: Game) -> str:
    return eyes.link_to(game.pk).removeprefix("http://testserver")


def read(game: Game, client: Client) -> str:
    answer = client.get(link_of(game))
    assert answer.status_code == 200
    return words_of(answer.content.decode())


def take(game: Game, name: str, number: int = 1) -> Any:
    return client_of(name).post(link_of(game), {"seat": number})


def test_the_link_shows_the_free_seats_and_nothing_where_there_are_none(game: Game) -> None:
    assert "This game has already started." in read(game, client_of("Dora"))
    resign(game, "Ben")
    html = read(game, client_of("Dora"))
    assert "Ben resigned" in html
    assert "Take over the seat of Ben" in html
    assert "Carla" not in html
    assert "Sign in to take a seat" in read(game, Client())
    assert "Take over" not in read(game, Client())
    assert client_of("Dora").get(link_of(game)[:-1] + "x/").status_code == 404
    assert "Free seats" not in page_text("Dora"), "no list tells of it"


def test_who_has_the_link_takes_a_seat_once_and_the_next_finds_none(game: Game) -> None:
    resign(game, "Ben")
    for _ in range(2):
        answer = take(game, "Dora")
        assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    seat = Seat.objects.get(game=game, number=1)
    assert (seat.shown_name, seat.keeper) == ("Dora", "")
    assert client_of("Dora").get(game.get_absolute_url()).status_code == 200
    late = take(game, "Emil")
    assert late.status_code == 409
    assert "no longer free" in late.content.decode()
    assert "This game has already started." in read(game, client_of("Emil"))
    assert client_of("Emil").get(game.get_absolute_url()).status_code == 404


def test_the_link_opens_no_door_that_is_closed_elsewhere(game: Game) -> None:
    resign(game, "Ben")
    Removal.objects.create(game=game, user=who("Dora"))
    assert "You can join it only when the host invites you again." in read(game, client_of("Dora"))
    assert take(game, "Dora").status_code == 409
    assert take(game, "Carla").status_code == 302, "she plays there, and is led to her seat"
    assert "You have already had a seat" in take(game, "Ben").content.decode()
    assert "/accounts/login/" in take(game, guests.new_guest().username)["Location"]
    Game.objects.filter(pk=game.pk).update(least_reliability=95, welcomes_newcomers=False)
    assert "asks for a reliability of 95%" in take(game, "Emil").content.decode()
    assert client_of("Emil").post(f"{game.get_absolute_url()}seats/1/take/").status_code == 404, "without the link"
    for number in ("0", "9", "9" * 30, "x", ""):
        assert take(game, "Fay", number).status_code == 409  # type: ignore[arg-type]
    assert Seat.objects.get(game=game, number=1).user == who("Ben")


def test_each_refusal_has_its_code(game: Game) -> None:
    resign(game, "Ben")
    token = link_of(game).rstrip("/").rpartition("/")[2]
    Removal.objects.create(game=game, user=who("Emil"))
    requests = [("Dora", "", 1), ("Dora", "x" + token, 1), ("Emil", token, 1), ("Carla", token, 1), ("Dora", token, 2)]
    codes = []
    for name, said, number in requests:
        with pytest.raises(Refused) as refused:
            takeover.take_seat(game_id=game.pk, user=who(name), number=number, token=said)
        codes.append(refused.value.code)
    assert codes == ["by_invitation", "by_invitation", "cannot_take", "cannot_take", "seat_taken"]


def test_players_see_the_link_while_a_seat_is_free_and_nobody_else_does(game: Game) -> None:
    assert LABEL not in page_of(game, client_of("Ada"))
    go_away(game, 2, timedelta(hours=47))
    assert LABEL not in page_of(game, client_of("Ada")), "she may be back tomorrow"
    resign(game, "Ben")
    for name in ("Ada", "Carla"):
        page = page_of(game, client_of(name))
        assert f'value="{eyes.link_to(game.pk)}"' in page
        assert "Free: Ben." in words_of(page)
    assert LABEL not in page_of(game, client_of("Ben"))
    take(game, "Dora")
    assert LABEL not in page_of(game, client_of("Ada"))


def test_a_host_who_has_resigned_can_still_send_the_link(game: Game) -> None:
    resign(game, "Ada")
    assert eyes.link_to(game.pk) in page_of(game, client_of("Ada"))
    Game.objects.filter(pk=game.pk).update(is_open=True)
    assert LABEL not in page_of(game, client_of("Carla")), "the free seats of an open game are in the lobby"


def test_a_substitute_wakes_a_game_by_invitation_whose_players_are_away(game: Game) -> None:
    for number in range(3):
        go_away(game, number, timedelta(days=3))
    attendance.pause_if_deserted(game=Game.objects.locked().get(pk=game.pk))
    assert fresh(game).status == Status.PAUSED
    assert read(game, client_of("Dora")).count("away for a while") == 3
    assert take(game, "Dora", 2).status_code == 302
    assert (fresh(game).status, fresh(game).deserted_at) == (Status.RUNNING, None)


def test_a_program_takes_a_seat_with_the_link_that_a_player_s_program_read(game: Game) -> None:
    carla, dora = Program("Carla"), Program("Dora")
    assert carla.get(f"games/{game.pk}/invitation").status_code == 403
    takeover.resign(game_id=game.pk, user=who("Ben"))
    found = carla.get(f"games/{game.pk}/invitation").json()
    assert found["url"] == eyes.link_to(game.pk)
    seat = f"games/{game.pk}/seats/1"
    assert dora.get(f"games/{game.pk}/invitation").status_code == 404
    assert [dora.post(seat, told).status_code for told in ({}, {"invitation": "x"})] == [404, 404]
    assert dora.get("free-seats").json()["items"] == []
    assert dora.post(seat, {"invitation": found["invitation"]}).status_code == 200
    assert Seat.objects.get(game=game, number=1).user == who("Dora")
    assert carla.get(f"games/{game.pk}/invitation").status_code == 403


def test_before_a_game_begins_its_link_leads_to_a_seat_as_ever() -> None:
    game = lobby.create_game(host=person("Ada"), name="Ours", seats=3, is_open=False, ruleset="toy")
    assert take(game, "Dora", 0).status_code == 409, "nobody has left a seat yet"
    assert client_of("Dora").post(link_of(game)).status_code == 302
