"""Doors: games by invitation are there for their players alone, their link cannot be guessed, and whom the host removed
stays out."""

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from game.engine.actions import Refused
from game.lobby import guests as lobby_guests
from game.lobby import lobby
from game.store.game import Game, Seat, Status
from game.store.seat_models import Invitation
from tests.live.test_consumers import hint, socket_for
from tests.tables import everything, fresh, person, send, signed_in, steps_to_the_end

pytestmark = pytest.mark.django_db

READ = ("", "?before=3", "version/", "invite/", "invite/renew/", "invite/x/")
ASK = (
    *("actions/", "drafts/", "join/", "leave/", "bots/", "bots/fill/", "seats/0/remove/", "seats/1/remove/", "start/"),
    *("invite/renew/", "removed/1/invite/", "invite/x/"),
)


def private_table(*guests: str, seats: int = 3, bots: int = 0) -> Game:
    """A game by invitation that waits, hosted by ada."""
    game = lobby.create_game(host=person("ada"), name="Ours alone", seats=seats, bots=bots, is_open=False, pace="demo")
    for guest in guests:
        lobby.join_game(game_id=game.pk, user=person(guest), token=token_of(game))
    return game


def begun() -> Game:
    game = private_table("bob", bots=1)
    lobby.start_game(game_id=game.pk, user=person("ada"))
    return fresh(game)


def over() -> Game:
    game = begun()
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, deadline_at=None)
    return fresh(game)


def token_of(game: Game) -> str:
    return Invitation.objects.get(game=game).token


def link_to(game: Game) -> str:
    return reverse("invitation", args=[game.pk, token_of(game)])


def same(answer: Any, number: int) -> tuple[int, str, str]:
    """What tells one refusal from another."""
    page = re.sub(r'"X-CSRFToken": "\w+"|name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
    return (
        answer.status_code,
        answer.get("Location", "").replace(str(number), "N"),
        page.replace(f"/games/{number}/", "/games/N/"),
    )


@pytest.mark.parametrize("state", [private_table, begun, over])
@pytest.mark.parametrize("stranger", ["eve", ""])
def test_to_a_stranger_a_game_by_invitation_is_not_there(state: Any, stranger: str) -> None:
    game = state()
    before, seats = everything(game), list(game.seats.values_list("user_id", flat=True))
    client = signed_in(stranger) if stranger else Client()
    nothing = game.pk + 1000
    for path in READ:
        for headers in ({}, {"HX-Request": "true"}):
            found = client.get(f"/games/{game.pk}/{path}", headers=headers)
            none = client.get(f"/games/{nothing}/{path}", headers=headers)
            assert same(found, game.pk) == same(none, nothing), path
            assert found.status_code == 404 or path == "invite/renew/", path
    for path in ASK:
        found, none = (
            client.post(f"/games/{number}/{path}", {"do": "ready", "serial": "1"}) for number in (game.pk, nothing)
        )
        assert same(found, game.pk) == same(none, nothing), path
        assert found.status_code == (404 if stranger or path == "invite/x/" else 302), path
    assert (everything(game), list(game.seats.values_list("user_id", flat=True))) == (before, seats)
    if stranger:
        lists = client.get("/games/").content.decode()
        assert "Ours alone" not in lists
        assert "invitation" not in lists, "no message left over from a refusal"


@pytest.mark.parametrize("state", [private_table, begun, over])
def test_its_players_see_it_before_during_and_after(state: Any) -> None:
    game = state()
    for name in [seat.shown_name for seat in game.seats.exclude(user=None)]:
        for path in ("", "version/"):
            assert signed_in(name).get(f"/games/{game.pk}/{path}").status_code == 200


def test_an_open_game_is_there_for_everybody() -> None:
    game = lobby.create_game(host=person("ada"), name="Open", seats=3)
    assert Client().get(f"/games/{game.pk}/").status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["", "eve"])
async def test_a_stranger_gets_no_socket_of_a_game_by_invitation(name: str) -> None:
    game = await sync_to_async(private_table)("bob")
    assert not await (await sync_to_async(socket_for)(game, name)).connect()
    bobs = await sync_to_async(socket_for)(game, "bob")
    assert await bobs.connect()
    await bobs.leave()


@pytest.mark.django_db(transaction=True)
async def test_a_removed_guest_s_socket_hears_nothing_more() -> None:
    game = await sync_to_async(private_table)("bob")
    socket = await sync_to_async(socket_for)(game, "bob")
    await socket.connect()
    await sync_to_async(lobby.remove_seat)(game_id=game.pk, user=await sync_to_async(person)("ada"), number=1)
    await hint(f"game.{game.pk}", 9000)
    while (result := await socket.told())["type"] == "websocket.send":
        assert '"version": 9000' not in result["text"]
    assert result["code"] == 4403


def test_the_link_leads_in_and_cannot_be_guessed() -> None:
    game = private_table()
    assert len(token_of(game)) >= 22, "128 bits, at 6 a letter"
    assert token_of(game) != token_of(private_table())
    bob = signed_in("bob")
    page = bob.get(link_to(game))
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    assert "ada invites you to this game" in page.content.decode()
    assert game.seats.count() == 1, "looking takes no seat: mail scanners follow links"
    assert bob.post(link_to(game))["Location"] == game.get_absolute_url()
    assert bob.get(game.get_absolute_url()).status_code == 200
    assert bob.get(link_to(game))["Location"] == game.get_absolute_url(), "once seated it leads to the game"


@pytest.mark.parametrize("guess", ["x", "é" * 32, "%07", "None", "A" * 5000])
def test_a_wrong_link_is_no_link(guess: str) -> None:
    game = private_table()
    for wrong in (
        f"/games/{game.pk}/invite/{guess}/",
        link_to(private_table()).replace(str(game.pk + 1), str(game.pk), 1),
    ):
        for client in (signed_in("bob"), Client()):
            assert client.get(wrong).status_code == client.post(wrong).status_code == 404
    assert Client().get(f"/games/{10**30}/invite/{token_of(game)}/").status_code == 404
    with pytest.raises(Refused, match="by invitation"):
        lobby.join_game(game_id=game.pk, user=person("bob"), token=guess)


def test_a_visitor_signs_in_and_comes_back_to_the_link() -> None:
    game, visitor = private_table(), Client()
    person("bob")
    page = visitor.get(link_to(game)).content.decode()
    assert f'name="next" value="{link_to(game)}"' in page
    assert visitor.post(link_to(game))["Location"] == reverse("account_login")
    came = visitor.post(reverse("account_login"), {"login": "bob", "password": "open sesame 42"})
    assert came["Location"] == link_to(game)
    assert "Take a seat" in visitor.get(link_to(game)).content.decode()
    fields = {
        "username": "Grace",
        "email": "grace@example.org",
        "password1": "correct horse battery",
        "next": link_to(game),
    }
    assert Client().post(reverse("account_signup"), fields)["Location"] == link_to(game)


def test_a_player_who_is_not_signed_in_is_shown_the_way() -> None:
    game = begun()
    answer = Client().get(game.get_absolute_url())
    assert answer.status_code == 404
    assert f'name="next" value="{game.get_absolute_url()}"' in answer.content.decode()


def test_only_the_host_is_shown_the_link_and_renews_it(settings: Any) -> None:
    settings.SITE_URL = "https://sectors.example"
    game = private_table("bob")
    where, old = game.get_absolute_url(), link_to(game)
    host, bob = signed_in("ada"), signed_in("bob")
    assert f"https://sectors.example{old}" in host.get(where).content.decode()
    assert token_of(game) not in bob.get(where).content.decode()
    assert bob.post(f"{where}invite/renew/").status_code == 409
    assert link_to(game) == old
    version = fresh(game).version
    assert host.post(f"{where}invite/renew/").status_code == 302
    assert link_to(game) != old
    assert fresh(game).version > version, "the host's other page shows it"
    assert signed_in("cid").get(old).status_code == signed_in("cid").post(old).status_code == 404
    assert signed_in("cid").post(link_to(game)).status_code == 302
    assert bob.get(where).status_code == 200, "who has joined stays"


def test_a_link_is_in_no_admin_page_and_in_no_log(admin_client: Client, caplog: pytest.LogCaptureFixture) -> None:
    game = private_table("bob")
    for page in (reverse("admin:game_game_changelist"), reverse("admin:game_game_change", args=[game.pk])):
        answer = admin_client.get(page)
        assert answer.status_code == 200
        assert token_of(game) not in answer.content.decode()
    assert token_of(game) not in repr(game) + repr(Invitation.objects.get(game=game)) + caplog.text


def test_a_guest_removed_from_a_game_by_invitation_stays_out() -> None:
    game = private_table("bob")
    where, old = game.get_absolute_url(), link_to(game)
    host, bob = signed_in("ada"), signed_in("bob")
    assert host.post(f"{where}seats/1/remove/").status_code == 302
    for path in (where, f"{where}version/", old):
        assert bob.get(path).status_code == 404
    assert bob.post(f"{where}join/").status_code == bob.post(old).status_code == 404
    assert signed_in("bob2").post(old).status_code == 404, "nor under another name"
    refused = bob.post(link_to(game))
    assert refused.status_code == 409
    assert "The host removed you from this game." in refused.content.decode()
    assert game.seats.count() == 1
    assert "bob" in host.get(where).content.decode(), "the host sees whom to invite again"


def test_a_guest_removed_from_an_open_game_stays_out_until_invited_again() -> None:
    game = lobby.create_game(host=person("ada"), name="Open", seats=3)
    where, host, bob = game.get_absolute_url(), signed_in("ada"), signed_in("bob")
    bob.post(f"{where}join/")
    host.post(f"{where}seats/1/remove/")
    refused = bob.post(f"{where}join/")
    assert refused.status_code == 409
    assert "You can join it only when the host invites you again." in refused.content.decode()
    assert "Take a seat" not in bob.get(where).content.decode()
    again = re.search(rf'action="({where}removed/\d+/invite/)"', host.get(where).content.decode())
    assert again
    assert bob.post(again[1]).status_code == 409, "not by himself"
    assert host.post(again[1]).status_code == 302
    assert host.post(again[1]).status_code == host.post(f"{where}removed/{10**30}/invite/").status_code == 409
    assert bob.post(f"{where}join/").status_code == 302
    assert [seat.shown_name for seat in game.seats.all()] == ["ada", "bob"]


def test_who_leaves_by_themselves_may_come_back() -> None:
    game = private_table("bob")
    bob = signed_in("bob")
    bob.post(f"{game.get_absolute_url()}leave/")
    assert bob.get(game.get_absolute_url()).status_code == 404
    assert bob.post(link_to(game)).status_code == 302


def test_removed_bots_leave_no_trace() -> None:
    game = private_table(bots=1)
    old = link_to(game)
    lobby.remove_seat(game_id=game.pk, user=person("ada"), number=1)
    lobby.add_bot(game_id=game.pk, user=person("ada"))
    assert link_to(game) == old


@pytest.mark.parametrize(
    ("state", "words"), [(begun, "This game has already started."), (over, "This game has already started.")]
)
def test_a_link_to_a_game_that_has_begun_tells_nothing_of_it(state: Any, words: str) -> None:
    game = state()
    eve = signed_in("eve")
    page = eve.get(link_to(game))
    assert page.status_code == 200
    assert words in page.content.decode()
    assert "bob" not in page.content.decode()
    assert eve.post(link_to(game)).status_code == 409
    assert not Seat.objects.filter(user=person("eve")).exists()


def test_a_full_table_says_so_at_the_link() -> None:
    game = private_table(bots=2)
    for client in (signed_in("bob"), Client()):
        assert "All 3 seats are taken." in client.get(link_to(game)).content.decode()
    assert signed_in("bob").post(link_to(game)).status_code == 409


def test_a_seat_handed_over_takes_the_sight_of_the_game_along() -> None:
    game, lena = begun(), person("lena")
    lena.is_staff = lena.is_superuser = True
    lena.save()
    Seat.objects.filter(game=game, user=person("bob")).update(user=None, bot="house")
    assert signed_in("bob").get(game.get_absolute_url()).status_code == 404
    assert signed_in("lena").get(game.get_absolute_url()).status_code == 404, "staff look at the desk"
    desk = signed_in("lena").get(reverse("admin:game_game_change", args=[game.pk]))
    assert desk.status_code == 200
    assert f'href="{game.get_absolute_url()}"' not in desk.content.decode(), "and find no link that leads nowhere"


def test_a_game_by_invitation_is_played_to_its_end_by_its_pages(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = lobby.create_game(
        host=person("ada"), name="Ours", seats=3, bots=2, is_open=False, pace="demo", options={"max_turns": 2}
    )
    lobby.start_game(game_id=game.pk, user=person("ada"))
    send(game, 0, {"kind": "bid_influence", "points": 7})
    ada = signed_in("ada")
    for _ in steps_to_the_end(game):
        pass
    assert fresh(game).status == Status.FINISHED
    assert ada.get(game.get_absolute_url()).status_code == 200
    assert (
        signed_in("eve").get(game.get_absolute_url()).status_code
        == Client().get(game.get_absolute_url()).status_code
        == 404
    )


def test_the_demo_s_table_is_its_player_s() -> None:
    player = lobby_guests.ensure_demo()
    client, game = Client(), Game.objects.get()
    client.force_login(player)
    assert fresh(game).status == Status.RUNNING
    assert client.get(game.get_absolute_url()).status_code == 200
    assert signed_in("eve").get(game.get_absolute_url()).status_code == 404
