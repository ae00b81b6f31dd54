"""Mail for mentions: a while later, once, in one mail with all else, and not to those who have read it."""

import re
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from game.chat import reading, writing
from game.chat.models import Message
from game.delivery import unsubscribing
from game.delivery.notice_sending import send_due_notices
from game.outbox import preferences
from game.outbox.models import Topic
from game.store.game import Game, Pace, Status
from game.store.log import Channel, Notice
from tests.delivery.test_notices import mails_to, page_of, text_of
from tests.scenes import let_time_pass, person, play_on, ready, table
from tests.seats.test_handover import hand
from tests.servers import Mailbox

pytestmark = [pytest.mark.django_db]
SOON, LATER = timedelta(minutes=10), timedelta(minutes=16)
MAIL_TEXT = "Shall we, @Ben?\nI <b>would</b> & you?"


@pytest.fixture
def ben() -> User:
    return person("Ben")


@pytest.fixture
def game(mailbox: Mailbox, ben: User) -> Game:
    """A daily game whose first mails are out."""
    game = table(person("Ada"), ben)
    ready(game, 1)
    send_due_notices()
    mailbox.messages.clear()
    return game


def say(game: Game, name: str, text: str) -> Message:
    return writing.say(game_id=game.pk, user=User.objects.get(username=name), text=text)


def later(game: Game, length: timedelta = LATER) -> None:
    let_time_pass(game, length)
    send_due_notices()


def test_a_mention_that_is_not_read_is_mailed_once(mailbox: Mailbox, game: Game, ben: User) -> None:
    say(game, "Ada", MAIL_TEXT)
    later(game, SOON)
    assert not mailbox.messages, "the game may be open on a page"
    later(game, SOON)
    later(game)
    (message,) = mails_to(mailbox, ben)
    assert message["Subject"] == f"Ada mentioned you in {game.name}"
    assert MAIL_TEXT in text_of(message).replace("\r\n", "\n")
    assert "Turn 1, phase 1: Influence bid" in text_of(message)
    assert f"http://testserver/games/{game.pk}/chat/" in text_of(message)
    assert "I &lt;b&gt;would&lt;/b&gt; &amp; you?" in page_of(message)
    assert "Stop emails like this" in text_of(message)
    token = re.search(r"unsubscribe/([^/>]+)/", message["List-Unsubscribe"])
    assert token
    assert unsubscribing.read(token[1]) == (ben.pk, (Topic.MENTION,), None)


def test_several_mentions_are_one_mail(mailbox: Mailbox, game: Game, ben: User) -> None:
    for number in range(3):
        say(game, "Ada", f"@Ben, point {number}")
    later(game)
    (message,) = mails_to(mailbox, ben)
    assert all(f"point {number}" in text_of(message) for number in range(3))


@pytest.mark.parametrize(
    "what", ["read", "muted", "removed", "unwanted", "handed over", "account closed", "unconfirmed"]
)
def test_what_is_not_to_be_told_is_not_mailed(mailbox: Mailbox, game: Game, ben: User, what: str) -> None:
    message = say(game, "Ada", "@Ben, hello")
    if what == "read":
        reading.mark_read(game_id=game.pk, user=ben, number=1)
    if what == "muted":
        reading.mute(game_id=game.pk, user=ben, seat_number=0, is_on=True)
    if what == "removed":
        Message.objects.filter(pk=message.pk).update(text="", removed_at=message.at)
    if what == "unwanted":
        preferences.stop(user_id=ben.pk, topics=[Topic.MENTION], channel=Channel.MAIL, game_id=None)
    if what == "handed over":
        hand(game, 1, "Carla")
    if what == "account closed":
        User.objects.filter(pk=ben.pk).update(is_active=False)
    if what == "unconfirmed":
        User.objects.filter(pk=ben.pk).update(email="new@example.org")
    later(game)
    assert not [mail for mail in mailbox.messages if "hello" in text_of(mail)]
    assert Notice.objects.get(kind=Notice.Kind.MENTION).cancelled_at


@pytest.mark.parametrize(("pace", "is_mailed"), [(Pace.LIVE, False), (Pace.DEMO, False), (Pace.DAILY, True)])
def test_while_everybody_plays_at_once_nothing_is_mailed(game: Game, pace: Pace, is_mailed: bool) -> None:
    Game.objects.filter(pk=game.pk).update(pace=pace)
    say(game, "Ada", "@Ben")
    assert Notice.objects.filter(kind=Notice.Kind.MENTION).exists() == is_mailed
    Game.objects.filter(pk=game.pk).update(status=Status.PAUSED, deadline_at=None)
    say(game, "Ada", "@Ben, it is paused")
    assert Notice.objects.filter(kind=Notice.Kind.MENTION, serial=2).exists()


def test_a_decision_and_a_mention_are_one_mail(mailbox: Mailbox, ben: User) -> None:
    game = table(person("Ada"), ben)
    say(game, "Ada", "@Ben, wake up")
    later(game)
    (message,) = mails_to(mailbox, ben)
    for words in (text_of(message), page_of(message)):
        assert "wake up" in words
        assert "Deadline" in words
    other = table(ben, person("Carla"), name="Wednesday")
    say(other, "Carla", "@Ben, and here")
    ready(other, 0)
    say(game, "Ada", "@Ben, again")
    let_time_pass(game, LATER)
    later(other)
    (second,) = mails_to(mailbox, ben)[1:]
    assert "mentioned you in the chat" in text_of(second)
    assert re.search(r"The Tuesday Consortium</a>:\s+Ada mentioned you", page_of(second))


def test_after_the_end_mentions_are_mailed_too(mailbox: Mailbox, settings: Any, ben: User) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = play_on(table(person("Ada"), ben, max_turns=2))
    say(game, "Ada", "Well played, @Ben")
    later(game)
    (message,) = mails_to(mailbox, ben)
    assert "is over: you finished" in message["Subject"]
    assert "Well played, @Ben" in text_of(message)
    assert "You hold no shares" not in text_of(message)


def test_a21_a_name_from_right_to_left_turns_no_line_of_a_mail(mailbox: Mailbox, ben: User) -> None:
    """Without an isolate, “אבי 338 mentioned you in …” is shown with its number and its end elsewhere."""
    name = "אבי 338"
    game = table(person(name), ben, name=f"{name} בבית")
    ready(game, 1)
    send_due_notices()
    mailbox.messages.clear()
    say(game, name, "@Ben שלום")
    later(game)
    (message,) = mails_to(mailbox, ben)
    for words in (message["Subject"], text_of(message), page_of(message)):
        assert name in words
        assert re.sub("\u2068[^\u2068\u2069]*\u2069", "", words).count(name) == 0, words
