"""Invitations by name on pages and in mail: the host's form, the two answers, and what strangers are told."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from game.delivery import webhook_sending
from game.delivery.notice_sending import send_due_notices
from game.lobby import inviting, lobby
from game.lobby.invitations import takes_invitations
from game.outbox import preferences
from game.outbox.models import Delivery, NoticeTiming, Topic, Webhook
from game.store.case_models import Case
from game.store.game import Game
from game.store.log import Channel, Notice
from game.store.seat_models import InvitationStop
from tests.scenes import let_time_pass
from tests.scenes import person as confirmed
from tests.servers import Mailbox
from tests.tables import person, signed_in

pytestmark = [pytest.mark.django_db]
PAGE = "/accounts/invitations/"
NAME = "Buy gold at evil.example"


@pytest.fixture
def ben() -> User:
    return confirmed("Ben")


def gathering(**more: Any) -> Game:
    usual: dict[str, Any] = {"seats": 3, "pace": "daily", "ruleset": "sectors", "is_open": False}
    return lobby.create_game(host=person("ada"), name=NAME, **{**usual, **more})


def invite(game: Game, who: User) -> Game:
    inviting.invite(game_id=game.pk, user=person("ada"), person=who.username)
    return game


def page_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


# --- pages


def test_the_page_of_an_open_game_says_what_it_is_and_how_to_come_in() -> None:
    """Its address is the link that its host sends around."""
    room = gathering(is_open=True).get_absolute_url()
    page = page_of(Client(), room)
    for words in ("vote on what each of them does with its money", "Takes about", "weeks", "when full"):
        assert words in page
    assert page.index("Sign up and take a seat") < page.index("Sign in to take a seat") < page.index("Try it first")
    assert "Takes about" in page_of(signed_in("ben"), room)
    assert "Takes about" not in page_of(signed_in("ada"), room), "the host knows"


def test_a_host_invites_by_name_and_reads_who_declines(ben: User) -> None:
    game, ada = gathering(), signed_in("ada")
    room = game.get_absolute_url()
    assert ada.post(f"{room}invitees/", {"name": " ben "})["Location"] == room
    page = page_of(ada, room)
    assert "has not answered yet" in page
    assert f"invitees/{ben.pk}/withdraw/" in page
    bens = signed_in(ben)
    assert "ada invites you to this game" in page_of(bens, room)
    assert "Invitations by name" not in page_of(bens, room), "whom else the host invited is the host's alone"
    assert bens.post(f"{room}invitees/decline/")["Location"] == "/games/"
    assert bens.get(room).status_code == 404
    page = page_of(ada, room)
    assert "declined" in page
    assert "/withdraw/" not in page
    again = ada.post(f"{room}invitees/", {"name": "Ben"})
    assert again.status_code == 409
    assert "Ben declined. You cannot invite them to this game again" in again.content.decode()


@pytest.mark.parametrize("name", ["", "nobody", "\0", "x" * 5000, "<b>"])
def test_what_is_no_name_of_anybody_is_said_on_the_page(name: str) -> None:
    game = gathering()
    answer = signed_in("ada").post(f"{game.get_absolute_url()}invitees/", {"name": name})
    assert answer.status_code == 409
    assert "There is no player of this name who can be invited." in answer.content.decode()


def test_the_form_offers_the_names_of_people_one_has_played_with(ben: User) -> None:
    for other in (ben, person("carla")):
        before = lobby.create_game(host=person("ada"), name="Before", seats=2, ruleset="toy")
        lobby.join_game(game_id=before.pk, user=other)
    game = invite(gathering(), ben)
    page = page_of(signed_in("ada"), game.get_absolute_url())
    assert '<option value="carla">' in page
    assert '<option value="Ben">' not in page, "who is invited already"
    person("eve")
    assert '<option value="eve">' not in page_of(signed_in("ada"), game.get_absolute_url())


def test_my_games_begins_with_the_invitations_and_both_answers(ben: User) -> None:
    game = invite(gathering(is_open=True), ben)
    bens = signed_in(ben)
    page = page_of(bens, "/games/")
    assert page.index("h-inv") < page.index("h-games")
    assert f"{game.get_absolute_url()}invitees/decline/" in page
    joined = bens.post(f"{game.get_absolute_url()}join/", {"rated": "no"})
    assert joined["Location"] == game.get_absolute_url()
    assert "h-inv" not in page_of(bens, "/games/")
    assert "h-inv" not in page_of(signed_in("carla"), "/games/")


def test_where_all_seats_are_taken_the_invitation_says_so(ben: User) -> None:
    game = invite(gathering(seats=2), ben)
    lobby.add_bot(game_id=game.pk, user=person("ada"))
    page = page_of(signed_in(ben), "/games/")
    assert "All 2 seats are taken." in page
    assert f"{game.get_absolute_url()}join/" not in page
    assert f"{game.get_absolute_url()}invitees/decline/" in page


def test_the_page_of_invitations_ends_those_of_a_host_and_of_all(ben: User) -> None:
    game, bens = invite(gathering(), ben), signed_in(ben)
    page = page_of(bens, PAGE)
    assert "No more invitations from ada" in page
    assert "/people/ada/report/" in page
    assert bens.post(f"{game.get_absolute_url()}invitees/stop/")["Location"] == PAGE
    page = page_of(bens, PAGE)
    assert "You have no open invitation." in page
    host = person("ada").pk
    assert f"{PAGE}{host}/allow/" in page
    assert bens.post(f"{PAGE}{host}/allow/")["Location"] == PAGE
    assert not InvitationStop.objects.exists()
    bens.post(PAGE, {})
    assert not takes_invitations(ben)
    assert "checked" not in page_of(bens, PAGE)
    bens.post(PAGE, {"wanted": "on"})
    assert takes_invitations(ben)


def test_an_inviter_is_reported_like_anybody(ben: User) -> None:
    invite(gathering(), ben)
    sent = {"kind": "harassment", "words": "They invite me again and again."}
    page = page_of(signed_in(ben), "/people/ada/report/")
    kinds = [each.split('"')[0] for each in page.split('value="')]
    sent["kind"] = next(each for each in kinds if each in dict(Case.Kind.choices))
    signed_in(ben).post("/people/ada/report/", sent)
    assert Case.objects.get().people.get() == person("ada")


# --- what is told


def test_the_mail_says_who_invites_to_what_and_nothing_that_the_host_wrote(mailbox: Mailbox, ben: User) -> None:
    game = invite(gathering(is_rated=True, least_reliability=80), ben)
    assert send_due_notices() == 0, "a wrong name can be taken back first"
    let_time_pass(game, timedelta(minutes=1))
    assert [send_due_notices(), send_due_notices()] == [1, 0]
    (message,) = mailbox.messages
    assert message["To"] == ben.email
    assert message["Subject"] == "ada invites you to a game of Sectors"
    for kind in ("plain", "html"):
        words = " ".join(unescape(message.get_body((kind,)).get_content()).split())
        assert "Daily, a day per phase. 1 of 3 seats are taken. The game is rated." in words
        assert "a reliability of at least 80%" in words
        assert f"http://testserver{game.get_absolute_url()}" in words
        assert f"http://testserver{PAGE}" in words
        assert "a player invited you by your name" in words
        assert "evil" not in words
    assert "evil" not in str(message)


def test_a21_a_host_s_name_from_right_to_left_turns_no_line_of_the_invitation(mailbox: Mailbox, ben: User) -> None:
    name = "אבי 338"
    game = lobby.create_game(host=person(name), name=NAME, seats=3, pace="daily")
    inviting.invite(game_id=game.pk, user=person(name), person=ben.username)
    let_time_pass(game, timedelta(minutes=1))
    send_due_notices()
    (message,) = mailbox.messages
    for words in (message["Subject"], *(message.get_body((kind,)).get_content() for kind in ("plain", "html"))):
        assert name in words
        assert re.sub("\u2068[^\u2068\u2069]*\u2069", "", words).count(name) == 0, words


def withdraw(game: Game, who: User) -> None:
    inviting.withdraw(game_id=game.pk, user=person("ada"), person=who.pk)


def decline(game: Game, who: User) -> None:
    inviting.decline(game_id=game.pk, user=who)


def join(game: Game, who: User) -> None:
    lobby.join_game(game_id=game.pk, user=who)


def cancel(game: Game, _: User) -> None:
    lobby.leave_game(game_id=game.pk, user=person("ada"))


def want_no_mail(_: Game, who: User) -> None:
    preferences.choose(user_id=who.pk, game_id=None, chosen={(Topic.INVITED, Channel.MAIL): NoticeTiming.OFF})


@pytest.mark.parametrize("end", [withdraw, decline, join, cancel, want_no_mail])
def test_no_mail_comes_of_what_is_no_longer_true_or_not_wanted(mailbox: Mailbox, ben: User, end: Any) -> None:
    game = invite(gathering(), ben)
    end(game, ben)
    let_time_pass(game, timedelta(minutes=1))
    send_due_notices()
    assert mailbox.messages == []
    assert not Notice.objects.filter(kind="invited", cancelled_at=None).exists()


def test_who_is_invited_again_gets_no_second_mail(mailbox: Mailbox, ben: User) -> None:
    game = invite(gathering(), ben)
    let_time_pass(game, timedelta(minutes=1))
    send_due_notices()
    withdraw(game, ben)
    invite(game, ben)
    assert Notice.objects.filter(kind="invited").count() == 1
    other = invite(gathering(), confirmed("Carla"))
    withdraw(other, User.objects.get(username="Carla"))
    invite(other, User.objects.get(username="Carla"))
    let_time_pass(other, timedelta(minutes=1))
    send_due_notices()
    assert [message["To"] for message in mailbox.messages] == [ben.email, "carla@example.org"]


def test_a_digest_tells_of_invitations_too_without_the_names_of_the_games(mailbox: Mailbox, ben: User) -> None:
    for _ in range(3):
        game = invite(gathering(), ben)
    Notice.objects.update(due_at=game.created_at - timedelta(hours=1))
    assert send_due_notices() == 1
    (message,) = mailbox.messages
    assert message["Subject"] == "News from 3 games"
    for kind in ("plain", "html"):
        words = unescape(message.get_body((kind,)).get_content())
        assert words.count("ada invites you to a game") >= 3
        assert "evil" not in words
        assert "are invited to them" in words


def test_a_webhook_is_told_in_numbers_as_long_as_it_is_true(ben: User) -> None:
    hook = Webhook.objects.create(
        user=ben, url="https://hooks.example.org/", secret="whsec_AAAA", challenge="x", state="active"
    )
    game = invite(gathering(), ben)
    delivery = Delivery.objects.get(webhook=hook)
    assert (delivery.type, delivery.game, delivery.seat) == ("game.invited", game, None)
    decline(game, ben)
    assert webhook_sending.send_due() == 0
    delivery.refresh_from_db()
    assert delivery.how == "cancelled"


def test_no_mail_is_made_for_somebody_who_cannot_be_invited(mailbox: Mailbox, ben: User) -> None:
    inviting.take_invitations(user=ben, wanted=False)
    signed_in("ada").post(f"{gathering().get_absolute_url()}invitees/", {"name": "Ben"})
    assert not Notice.objects.exists()
    assert mail.outbox == []
