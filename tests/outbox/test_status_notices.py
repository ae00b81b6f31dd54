"""People are told that their game stands still or goes on, and that a deadline moved of which they were reminded."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts.mail_server import NotAccepted
from accounts.models import Bounce, User
from game.clock import extensions, outages
from game.delivery import notice_sending
from game.delivery.emails import EmailChannel
from game.delivery.notice_sending import send_due_notices
from game.lobby import lobby
from game.moderation import interventions, site_desk
from game.outbox import preferences
from game.outbox.models import Topic
from game.play import failures
from game.play.transactions import DamageFound
from game.store.game import Game, Status
from game.store.heartbeats import Outage
from game.store.log import Channel, Notice
from game.store.moderation_models import Intervention
from tests.delivery.test_notices import ALWAYS_AWAKE, mails_to, page_of, text_of
from tests.scenes import let_time_pass, moderator, person, ready, seen, silent, table
from tests.servers import Mailbox
from tests.tables import fresh

pytestmark = [pytest.mark.django_db]
NAME = "The Tuesday Consortium"


@pytest.fixture
def ada() -> User:
    return person("Ada", timezone="Europe/Berlin", **ALWAYS_AWAKE)


@pytest.fixture
def game(mailbox: Mailbox, ada: User) -> Game:
    """One of which Ada has had her mail."""
    begun = table(ada, silent())
    send_due_notices()
    mailbox.messages.clear()
    return begun


@pytest.fixture
def lena() -> User:
    return moderator("Lena", *Intervention.values)


def subjects(mailbox: Mailbox, user: User) -> list[str]:
    return [message["Subject"] for message in mails_to(mailbox, user)]


# --- it stands still


def test_players_are_told_of_a_hold_without_its_reason_and_that_the_game_goes_on(
    mailbox: Mailbox, game: Game, ada: User, lena: User
) -> None:
    for _ in range(failures.ATTEMPTS):
        failures.note_failure(game_id=game.pk, error=RuntimeError("seed 1234 breaks"))
    assert fresh(game).status == Status.HELD
    assert send_due_notices() == 1
    held = mails_to(mailbox, ada)[-1]
    assert held["Subject"] == f"{NAME} is on hold"
    assert text_of(held).startswith(f"{NAME} is on hold\r\n"), "the heading says what has happened"
    assert re.search(rf"<h1 [^>]*>\s*{NAME} is on hold</h1>", page_of(held))
    for told in (text_of(held), page_of(held)):
        assert "The game is on hold and its clock is stopped. Nothing is lost." in told
        assert "1234" not in told
    interventions.retry(game_id=game.pk, moderator=lena, reason="mended", seen=seen(game))
    assert send_due_notices() == 1
    assert f"{NAME} goes on" in subjects(mailbox, ada)
    assert "The deadline is now " in text_of(mails_to(mailbox, ada)[-1])


def test_players_are_told_where_the_position_cannot_be_read(mailbox: Mailbox, game: Game, ada: User) -> None:
    Game.objects.filter(pk=game.pk).update(state=b"broken")
    failures.note_failure(game_id=game.pk, error=DamageFound())
    assert send_due_notices() == 1
    assert subjects(mailbox, ada) == [f"{NAME} is on hold"]
    assert "Where you stand" not in text_of(mailbox.messages[-1]) + page_of(mailbox.messages[-1])


def test_a_hold_that_is_over_is_not_told(mailbox: Mailbox, game: Game, ada: User, lena: User) -> None:
    interventions.hold(game_id=game.pk, moderator=lena, reason="odd", seen=seen(game))
    interventions.retry(game_id=game.pk, moderator=lena, reason="fine", seen=seen(game))
    assert send_due_notices() == 1
    assert subjects(mailbox, ada) == [f"{NAME} goes on"]


@pytest.mark.parametrize("pace", ["live", "demo"])
def test_a_hold_is_told_at_a_live_table_too_and_a_pause_is_not(mailbox: Mailbox, lena: User, pace: str) -> None:
    quick = table(person("Ada", **ALWAYS_AWAKE), silent(), pace=pace)
    interventions.pause(game_id=quick.pk, moderator=lena, reason="odd", seen=seen(quick))
    interventions.resume(game_id=quick.pk, moderator=lena, reason="fine", seen=seen(quick))
    interventions.hold(game_id=quick.pk, moderator=lena, reason="odd", seen=seen(quick))
    interventions.retry(game_id=quick.pk, moderator=lena, reason="fine", seen=seen(quick))
    result = list(quick.notices.filter(user__username="Ada").order_by("pk").values_list("kind", flat=True))
    assert result == (["held", "resumed"] if pace == "live" else [])


def test_a_pause_of_a_moderator_is_told_every_time(mailbox: Mailbox, game: Game, ada: User, lena: User) -> None:
    for _ in range(2):
        interventions.pause(game_id=game.pk, moderator=lena, reason="odd", seen=seen(game))
        assert send_due_notices() == 1
        interventions.resume(game_id=game.pk, moderator=lena, reason="fine", seen=seen(game))
        assert send_due_notices() == 1
    assert subjects(mailbox, ada) == [f"{NAME} is paused", f"{NAME} goes on"] * 2
    assert "A moderator paused the game" in text_of(mails_to(mailbox, ada)[0])


# --- the deadline moved


@pytest.fixture
def reminded(mailbox: Mailbox, game: Game) -> Game:
    let_time_pass(game, timedelta(hours=19))
    assert send_due_notices() == 1
    mailbox.messages.clear()
    return fresh(game)


def by_player(game: Game, lena: User) -> None:
    extensions.extend(game_id=game.pk, user=User.objects.get(username="Ada"), serial=game.phase_serial)


def by_moderator(game: Game, lena: User) -> None:
    interventions.extend_deadline(game_id=game.pk, moderator=lena, reason="slow", seen=seen(game), minutes=60)


def by_admin(game: Game, lena: User) -> None:
    site_desk.shift_deadlines(moderator=lena, reason="slow", hours=2)


def by_outage(game: Game, lena: User) -> None:
    ended = timezone.now()
    Game.objects.filter(pk=game.pk).update(clock_since=ended - timedelta(hours=19))
    Outage.objects.create(began_at=ended - timedelta(hours=2), ended_at=ended)
    assert outages.settle()


@pytest.mark.parametrize("move", [by_player, by_moderator, by_admin, by_outage])
def test_who_was_reminded_is_told_of_the_new_deadline_instead_of_reminded_again(
    mailbox: Mailbox, reminded: Game, ada: User, lena: User, move: Any
) -> None:
    move(reminded, lena)
    assert fresh(reminded).deadline_at > reminded.deadline_at
    assert [send_due_notices() for _ in range(2)] == [1, 0]
    (told,) = mails_to(mailbox, ada)
    assert told["Subject"].startswith("Deadline moved to ")
    assert "The deadline has moved since we reminded you." in text_of(told)
    assert not Notice.objects.filter(kind="moved").exclude(user=ada).exists()
    let_time_pass(reminded, timedelta(hours=1))
    assert send_due_notices() == 0


def test_each_later_move_is_told_and_none_that_needs_no_telling(
    mailbox: Mailbox, reminded: Game, ada: User, lena: User
) -> None:
    by_moderator(reminded, lena)
    send_due_notices()
    by_moderator(reminded, lena)
    by_moderator(reminded, lena)
    assert [send_due_notices() for _ in range(2)] == [1, 0]
    by_moderator(reminded, lena)
    ready(reminded, 0)
    assert send_due_notices() == 0
    assert len(mails_to(mailbox, ada)) == 2


class Moving(EmailChannel):
    """Mail whose deadline moves again at one step of sending it, at the first message."""

    def __init__(self, step: str, move: Callable[[], None]) -> None:
        super().__init__()
        self.step, self.move = step, move

    def _moves(self, step: str) -> bool:
        if is_now := step == self.step:
            self.step = ""
            self.move()
        return is_now

    def open(self) -> None:
        self._moves("written")
        super().open()

    def send(self, message: Any) -> None:
        if self._moves("refused"):
            raise NotAccepted("451 try again later")
        super().send(message)
        self._moves("sent")


@pytest.mark.parametrize(("step", "mails"), [("written", 1), ("refused", 1), ("sent", 2)])
def test_a_move_while_the_last_one_is_being_told_is_told_too(
    mailbox: Mailbox, reminded: Game, ada: User, lena: User, monkeypatch: pytest.MonkeyPatch, step: str, mails: int
) -> None:
    by_moderator(reminded, lena)
    way = Moving(step, lambda: by_moderator(reminded, lena))
    monkeypatch.setattr(notice_sending, "EmailChannel", lambda: way)
    for _ in range(3):
        send_due_notices()
    due = fresh(reminded).deadline_at
    assert due is not None
    here = due.astimezone(ZoneInfo("Europe/Berlin"))
    assert f"{here:%H:%M}" in mails_to(mailbox, ada)[-1]["Subject"]
    assert len(mails_to(mailbox, ada)) == mails


def test_who_was_not_reminded_yet_is_told_of_no_move(mailbox: Mailbox, game: Game, ada: User, lena: User) -> None:
    by_moderator(game, lena)
    assert send_due_notices() == 0
    assert not Notice.objects.filter(kind="moved").exists()


# --- who is not reached


def test_those_who_gather_are_told_whom_no_reminder_reaches(client: Any, ada: User) -> None:
    ben, cid = person("Ben"), person("Cid")
    room = lobby.create_game(host=ada, name="Ours", seats=3, pace="daily")
    for guest in (ben, cid):
        lobby.join_game(game_id=room.pk, user=guest)
    preferences.stop(user_id=ben.pk, topics=[Topic.TURN], channel=Channel.MAIL, game_id=None)
    for reader, told in ((ada, 1), (cid, 1), (person("Dot"), 0)):
        client.force_login(reader)
        page = client.get(room.get_absolute_url()).content.decode()
        assert page.count("No reminders by email") == told
        assert ben.email not in page
    EmailAddress.objects.filter(user=cid).update(verified=False)
    client.force_login(ada)
    assert client.get(room.get_absolute_url()).content.decode().count("No reminders by email") == 2
    Bounce.objects.create(address=ada.email.lower(), why=Bounce.Why.UNKNOWN)
    assert client.get(room.get_absolute_url()).content.decode().count("No reminders by email") == 3
