"""Inviting somebody by name to a free seat of a game that is played: what they see, how they answer, and when it
ends; and a new link for such a game."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from game.delivery.notice_sending import send_due_notices
from game.lobby import inviting, lobby
from game.people import account_deletion
from game.play import attendance
from game.seats import takeover
from game.store import eyes
from game.store.game import Game, Seat
from game.store.proposals import VoteTopic
from game.store.readers import game_for
from game.store.seat_models import Invitee, Removal
from game.votes import voting
from tests.api.clients import Program
from tests.lobby.test_inviting import code_of, states
from tests.scenes import let_time_pass, person, table
from tests.seats.test_takeover import client_of, go_away, resign, who
from tests.servers import Mailbox
from tests.tables import fresh
from tests.toy_scenes import page_of, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]


@pytest.fixture
def game() -> Game:
    """One by invitation that is played; its host is Ada, and Ben has resigned."""
    begun = table(person("Ada"), person("Ben"), person("Carla"), bots=0, ruleset="toy")
    Game.objects.filter(pk=begun.pk).update(is_open=False)
    resign(begun, "Ben")
    return fresh(begun)


def invite(game: Game, name: str = "Dora", host: str = "Ada") -> Game:
    inviting.invite(game_id=game.pk, user=who(host), person=who(name).username)
    return game


def take(game: Game, name: str = "Dora", number: int = 1) -> Seat:
    return takeover.take_seat(game_id=game.pk, user=who(name), number=number)


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return words_of(answer.content.decode())


def test_the_host_invites_on_a_page_of_its_own_and_the_invited_takes_the_seat_without_the_link(game: Game) -> None:
    ada, dora, where = client_of("Ada"), client_of("Dora"), f"/games/{game.pk}/substitutes/"
    assert f'href="{where}"' in page_of(game, ada)
    assert ada.post(f"/games/{game.pk}/invitees/", {"name": "dora"})["Location"] == where
    html = page(ada, where)
    assert "Dora has not answered yet" in html
    assert "Ben resigned" in html
    assert "Ada invites you to take a free seat" in page(dora, game.get_absolute_url())
    lists = dora.get("/games/").content.decode()
    assert f"/games/{game.pk}/invitees/decline/" in lists
    assert f"/games/{game.pk}/join/" not in lists
    assert "2 of 3" in words_of(lists)
    assert dora.post(f"/games/{game.pk}/seats/1/take/")["Location"] == game.get_absolute_url()
    assert Seat.objects.get(game=game, number=1).user == who("Dora")
    assert not Invitee.objects.exists()
    assert ada.get(where)["Location"] == game.get_absolute_url(), "no seat is free any more"


def test_who_declines_is_a_stranger_again_and_the_host_reads_it(game: Game) -> None:
    invite(game)
    dora = client_of("Dora")
    assert dora.post(f"/games/{game.pk}/invitees/decline/")["Location"] == "/games/"
    assert dora.get(game.get_absolute_url()).status_code == 404
    assert code_of(lambda: take(game)) == "by_invitation"
    assert "Dora declined" in page(client_of("Ada"), f"/games/{game.pk}/substitutes/")
    assert code_of(lambda: invite(game)) == "was_declined"


def test_the_page_is_the_host_s_alone(game: Game) -> None:
    where = f"/games/{game.pk}/substitutes/"
    invite(game)
    for name in ("Ben", "Carla", "Dora", "Emil"):
        assert client_of(name).get(where).status_code == 404
        assert where not in client_of(name).get(game.get_absolute_url()).content.decode()
    assert Client().get(where).status_code == 302
    for name in ("Carla", "Dora"):
        assert code_of(lambda name=name: invite(game, "Emil", host=name)) == "not_host"


def test_the_host_of_an_open_game_invites_too(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(is_open=True)
    ada, where = client_of("Ada"), f"/games/{game.pk}/substitutes/"
    assert f'href="{where}"' in page_of(game, ada)
    assert "Invitation link" not in page(ada, where)
    invite(game)
    assert "Ada invites you to take a free seat" in page(client_of("Dora"), game.get_absolute_url())
    assert take(game).user == who("Dora")


def taken_by_another(game: Game) -> None:
    take(invite(game, "Emil"), "Emil")


def ended(game: Game) -> None:
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=who("Ada"))
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=who("Carla"))


def withdrawn(game: Game) -> None:
    inviting.withdraw(game_id=game.pk, user=who("Ada"), person=who("Dora").pk)


def host_deleted(game: Game) -> None:
    account_deletion.delete_account(user=who("Ada"))


@pytest.mark.parametrize("end", [taken_by_another, ended, withdrawn, host_deleted])
def test_an_invitation_ends(game: Game, mailbox: Mailbox, end: Callable[[Game], None]) -> None:
    invite(game)
    assert game_for(game_id=game.pk, user=who("Dora"))
    end(game)
    assert not Invitee.objects.exists()
    assert not game_for(game_id=game.pk, user=who("Dora"))
    let_time_pass(game, timedelta(minutes=1))
    send_due_notices()
    assert who("Dora").email not in {message["To"] for message in mailbox.messages}


def test_it_ends_when_the_player_who_was_away_is_back(game: Game) -> None:
    invite(game)
    go_away(game, 2, timedelta(days=3))
    take(invite(game, "Emil"), "Emil")
    assert states(game) == {"Dora": False}, "another seat is free"
    attendance.reclaim_seat(game_id=game.pk, user=who("Carla"))
    assert not Invitee.objects.exists()


def test_without_a_free_seat_nobody_is_invited(game: Game) -> None:
    take(invite(game))
    go_away(game, 2, timedelta(hours=47))
    assert code_of(lambda: invite(game, "Emil")) == "seat_taken", "she may be back tomorrow"


def test_the_rules_of_taking_over_hold(game: Game) -> None:
    assert code_of(lambda: invite(game, "Ben")) == "had_a_seat"
    assert code_of(lambda: invite(game, "Carla")) == "already_seated"
    Removal.objects.create(game=game, user=who("Dora"))
    Game.objects.filter(pk=game.pk).update(least_reliability=95, welcomes_newcomers=False)
    invite(game)
    assert not Removal.objects.exists(), "whom the host had sent away may come back"
    assert code_of(lambda: take(game)) == "reliability"
    assert code_of(lambda: take(game, number=2)) == "seat_taken"


def test_the_mail_says_that_a_seat_would_be_taken_over(game: Game, mailbox: Mailbox) -> None:
    invite(game)
    let_time_pass(game, timedelta(minutes=1))
    send_due_notices()
    (message,) = (each for each in mailbox.messages if each["To"] == who("Dora").email)
    words = " ".join(message.get_body(("plain",)).get_content().split())
    assert "Ada invites you to a game of" in words
    assert "2 of 3 seats are taken. The game is in turn 1: you would take over the seat" in words


def test_a_name_that_nobody_has_is_refused_where_it_was_typed(game: Game) -> None:
    ada, invite_page = client_of("Ada"), f"/games/{game.pk}/substitutes/"
    answer = ada.post(f"/games/{game.pk}/invitees/", {"name": "Nobody here"})
    assert answer["Location"] == invite_page
    assert "There is no player of this name who can " in ada.get(invite_page).content.decode()


def test_programs_invite_take_over_and_decline(game: Game) -> None:
    ada, dora = Program("Ada"), Program("Dora")
    assert dora.get(f"games/{game.pk}").status_code == 404
    assert ada.post(f"games/{game.pk}/seats", {"person": who("Dora").pk}).status_code == 200
    (mine,) = dora.get("me/invitations").json()["items"]
    assert (mine["game"], mine["status"], mine["taken"]) == (game.pk, "running", 2)
    assert dora.delete(f"games/{game.pk}/invitees/{who('Dora').pk}").status_code == 204
    assert dora.get("me/invitations").json()["items"] == []
    ada.post(f"games/{game.pk}/seats", {"person": who("Emil").pk})
    assert Program("Emil").post(f"games/{game.pk}/seats/1", {}).json()["you"] == 1


# --- a new link


def link_of(game: Game) -> str:
    return eyes.link_to(game.pk).removeprefix("http://testserver")


def test_a_new_link_of_a_game_that_is_played_ends_the_old_one(game: Game) -> None:
    ada, old, version = client_of("Ada"), link_of(game), game.version
    renew = f"/games/{game.pk}/invite/renew/"
    assert renew in ada.get(f"/games/{game.pk}/substitutes/").content.decode()
    assert client_of("Carla").post(renew).status_code == 409
    assert link_of(game) == old
    assert ada.post(renew)["Location"] == game.get_absolute_url()
    assert client_of("Dora").get(old).status_code == 404
    assert "Ben resigned" in page(client_of("Dora"), link_of(game))
    assert fresh(game).version > version, "the players' pages show the new one"
    assert eyes.link_to(game.pk) in page_of(game, client_of("Carla"))
    over_the_api: Any = Program("Ada").post(f"games/{game.pk}/invitation", {}).json()
    assert over_the_api["url"] == eyes.link_to(game.pk)


def test_a_game_that_is_over_has_no_new_link(game: Game) -> None:
    ended(game)
    ada = {"game_id": game.pk, "user": who("Ada")}
    assert code_of(lambda: lobby.renew_invitation(**ada)) == "not_waiting"
    assert code_of(lambda: inviting.invite(**ada, person="Carla")) == "not_waiting"


def test_a_host_who_resigned_still_invites(game: Game) -> None:
    takeover.resign(game_id=game.pk, user=who("Ada"))
    assert take(invite(game), number=0).number == 0


def test_whoever_loses_a_seat_lets_nobody_in_by_the_link_they_know(game: Game) -> None:
    """One who resigns, and one who is replaced; to the others' link people come as before."""
    Game.objects.filter(pk=game.pk).update(seats_wanted=3)
    link = eyes.link_to(game.pk).removeprefix("http://testserver")
    resign(game, "Carla")
    assert client_of("Dora").post(link, {"seat": "2"}).status_code == 404
    link = eyes.link_to(game.pk).removeprefix("http://testserver")
    assert client_of("Dora").post(link, {"seat": "2"}).status_code == 302
    go_away(game, 2, timedelta(days=3))
    link = eyes.link_to(game.pk).removeprefix("http://testserver")
    assert client_of("Emil").post(link, {"seat": "2"}).status_code == 302
    assert client_of("Finn").post(link, {"seat": "1"}).status_code == 404
    link = eyes.link_to(game.pk).removeprefix("http://testserver")
    assert client_of("Finn").post(link, {"seat": "1"}).status_code == 302
