"""Games that never begin: the host is asked once, somebody who comes keeps the room open, and else it is closed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as site
from django.core import mail
from django.db.models import F
from django.test import Client

from accounts.models import User
from game.chat import writing
from game.delivery.notice_sending import send_due_notices
from game.lobby import inviting, lobby
from game.moderation import interventions
from game.store.game import Game, Status
from game.store.log import Notice
from game.store.log_notes import Sentence
from game.store.seat_models import Invitee
from game.tasks import remove_idle_guests
from tests.scenes import moderator, seen
from tests.scenes import person as confirmed
from tests.tables import fresh, new_game
from tests.tables import person as unreachable

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
BEFORE_NOTICE = site.WAITING_DAYS - site.WAITING_NOTICE_DAYS


@pytest.fixture
def ada() -> User:
    return confirmed("Ada")


@pytest.fixture
def game(ada: User) -> Game:
    """Ada waits in it with Ben and a bot for somebody else."""
    game = lobby.create_game(host=ada, name="Fridays", seats=4, pace="daily", ruleset="sectors", bots=1)
    lobby.join_game(game_id=game.pk, user=confirmed("Ben"))
    return game


def days_go_by(days: float) -> None:
    """Of which the clock's round notices the end alone."""
    since = timedelta(days=days)
    Game.objects.update(stirred_at=F("stirred_at") - since, closes_at=F("closes_at") - since)
    let_wait(since)
    remove_idle_guests()


def let_wait(since: timedelta) -> None:
    Notice.objects.update(due_at=F("due_at") - since, handed_at=F("handed_at") - since)


def posted() -> list[Any]:
    """The mail that is due."""
    let_wait(timedelta(hours=1))
    before = len(mail.outbox)
    send_due_notices()
    return mail.outbox[before:]


def opened(game: Game, who: User) -> str:
    client = Client()
    client.force_login(who)
    return client.get(game.get_absolute_url()).content.decode()


def test_the_host_is_asked_once_and_days_later_the_game_is_closed_and_all_are_told(game: Game, ada: User) -> None:
    inviting.invite(game_id=game.pk, user=ada, person=confirmed("Cleo").username)
    posted()
    days_go_by(BEFORE_NOTICE - 1)
    assert posted() == []
    days_go_by(1)
    (asked,) = posted()
    assert (asked.to, asked.subject) == (["ada@example.org"], "Fridays will be closed: open it to keep it")
    assert f"{site.SITE_URL}{game.get_absolute_url()}" in asked.body
    assert f"{site.SITE_URL}{game.get_absolute_url()}" in asked.alternatives[0][0]
    days_go_by(site.WAITING_NOTICE_DAYS - 1)
    assert (posted(), fresh(game).status) == ([], Status.WAITING)
    days_go_by(1)
    assert fresh(game).status == Status.ABANDONED
    assert [entry.note for entry in game.log.all()] == [Sentence.NOBODY_CAME.value]
    mails = posted()
    assert {tuple(each.to) for each in mails} == {("ada@example.org",), ("ben@example.org",)}
    assert {each.subject for each in mails} == {"Fridays was closed before it began"}
    assert Sentence.NOBODY_CAME.value in opened(game, ada)
    assert not Invitee.objects.exists()
    days_go_by(40)
    assert posted() == []


@pytest.mark.parametrize("name", ["Ada", "Ben"])
def test_whoever_sits_there_keeps_it_open_by_opening_it_and_is_asked_again_the_next_time(game: Game, name: str) -> None:
    who = User.objects.get(username=name)
    days_go_by(BEFORE_NOTICE)
    assert len(posted()) == 1
    assert "You opened this game, so it stays open" in opened(game, who)
    assert "You opened this game, so it stays open" not in opened(game, who)
    days_go_by(site.WAITING_NOTICE_DAYS + 1)
    assert (fresh(game).status, fresh(game).closes_at) == (Status.WAITING, None)
    days_go_by(BEFORE_NOTICE)
    assert [each.to for each in posted()] == [["ada@example.org"]]


def test_a_look_every_few_weeks_is_enough_and_one_of_a_stranger_is_none(game: Game, ada: User) -> None:
    for _ in range(3):
        days_go_by(BEFORE_NOTICE - 1)
        opened(game, ada)
    assert fresh(game).closes_at is None
    days_go_by(BEFORE_NOTICE)
    opened(game, confirmed("Mallory"))
    Client().get(game.get_absolute_url())
    days_go_by(site.WAITING_NOTICE_DAYS)
    assert fresh(game).status == Status.ABANDONED


def test_whatever_is_done_there_keeps_it_open(game: Game, ada: User) -> None:
    acts = (
        lambda: lobby.add_bot(game_id=game.pk, user=ada),
        lambda: lobby.remove_seat(game_id=game.pk, user=ada, number=3),
        lambda: writing.say(game_id=game.pk, user=ada, text="Is anybody there?"),
        lambda: inviting.invite(game_id=game.pk, user=ada, person=confirmed("Cleo").username),
        lambda: lobby.leave_game(game_id=game.pk, user=User.objects.get(username="Ben")),
    )
    for act in acts:
        days_go_by(BEFORE_NOTICE)
        assert fresh(game).closes_at is not None
        act()
        assert fresh(game).closes_at is None
        days_go_by(site.WAITING_NOTICE_DAYS)
    assert fresh(game).status == Status.WAITING
    assert posted()[-1].to != ["ada@example.org"], "none of the questions was still true when it was to be sent"


def test_who_cancels_it_then_is_told_nothing_of_nobody_coming(game: Game, ada: User) -> None:
    days_go_by(BEFORE_NOTICE)
    lobby.leave_game(game_id=game.pk, user=ada)
    (told,) = posted()
    assert (told.to, told.subject) == (["ben@example.org"], "Fridays was closed before it began")
    assert "The host cancelled this game before it began." in told.body
    assert "nobody" not in told.body
    assert "The host cancelled this game." in opened(game, ada)


def test_everybody_who_waits_is_told_why_a_moderator_removed_the_game(game: Game) -> None:
    posted()
    lena = moderator("Lena")
    interventions.remove_table(game_id=game.pk, moderator=lena, reason="its name insults", seen=seen(game))
    mails = posted()
    assert {tuple(each.to) for each in mails} == {("ada@example.org",), ("ben@example.org",)}
    for each in mails:
        assert "A moderator removed this game: its name insults" in each.body
        assert "A moderator removed this game: its name insults" in each.alternatives[0][0]


def test_nothing_is_closed_unasked_and_no_game_that_has_begun(game: Game, ada: User) -> None:
    begun = new_game("eva", "fay")
    days_go_by(400)
    assert fresh(game).status == Status.WAITING, "the site was away: the host is asked first"
    assert fresh(game).closes_at is not None
    assert (fresh(begun).status, fresh(begun).closes_at) == (Status.RUNNING, None)


def test_a_host_whom_no_mail_reaches_loses_the_room_all_the_same() -> None:
    game = lobby.create_game(host=unreachable("Zoe"), name="Alone", seats=2, pace="daily", ruleset="sectors")
    days_go_by(BEFORE_NOTICE)
    days_go_by(site.WAITING_NOTICE_DAYS)
    assert fresh(game).status == Status.ABANDONED
    assert posted() == []
    assert set(Notice.objects.values_list("sent_at", flat=True)) == {None}


def test_a22_tables_that_nobody_starts_leave_the_lobby(ada: User) -> None:
    names = [f"Table {number}" for number in range(3)]
    for name in names:
        lobby.create_game(host=ada, name=name, seats=4, pace="daily", ruleset="sectors")
    client = Client()
    client.force_login(confirmed("Ben"))
    assert all(name in client.get("/games/").content.decode() for name in names)
    days_go_by(BEFORE_NOTICE)
    days_go_by(site.WAITING_NOTICE_DAYS)
    assert not any(name in client.get("/games/").content.decode() for name in names)
    assert lobby.create_game(host=ada, name="Again", seats=4, pace="daily", ruleset="sectors").pk, "none counts now"


def test_a_reader_of_german_is_told_in_german(game: Game) -> None:
    User.objects.filter(username="Ada").update(language="de")
    days_go_by(BEFORE_NOTICE)
    (asked,) = posted()
    assert asked.subject == "Fridays wird geschlossen: Öffne das Spiel, um es zu behalten"
