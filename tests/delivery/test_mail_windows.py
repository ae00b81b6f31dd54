"""What comes in one mail: all that happens within a batching window, but that a fast game has started."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from game.chat import writing
from game.delivery.notice_sending import send_due_notices
from game.store.log import Notice
from tests.delivery.test_mail_times import WINDOW, later, six_mails
from tests.delivery.test_notices import ALWAYS_AWAKE, mails_to, page_of, text_of
from tests.scenes import let_time_pass, person, ready, run_out, silent, table
from tests.servers import Mailbox

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def ada() -> User:
    return person("Ada", timezone="Europe/Berlin", **ALWAYS_AWAKE)


def test_what_happens_within_a_window_is_one_mail(settings: Any, mailbox: Mailbox, ada: User) -> None:
    settings.MAIL_WINDOW = WINDOW
    first, second = table(ada, silent(), name="Ironworks"), table(ada, silent(), name="Harbour")
    assert send_due_notices() == 0, "more may come"
    assert later(WINDOW, first, second) == 1
    words = text_of(mailbox.messages[0])
    assert "Ironworks" in words + mailbox.messages[0]["Subject"]
    assert "Harbour" in words + mailbox.messages[0]["Subject"]


def test_nobody_gets_two_mails_within_a_window(settings: Any, mailbox: Mailbox, ada: User) -> None:
    settings.MAIL_WINDOW = WINDOW
    first = table(ada, silent(), name="Ironworks")
    send_due_notices()
    assert later(WINDOW, first) == 1
    second = table(ada, silent(), name="Harbour")
    send_due_notices()
    let_time_pass(second, WINDOW)
    assert later(timedelta(minutes=5), second) == 0, "five minutes after the last one"
    assert later(timedelta(minutes=6), second) == 1
    assert len(mails_to(mailbox, ada)) == 2


def test_what_is_settled_within_the_window_is_left_out(settings: Any, mailbox: Mailbox, ada: User) -> None:
    settings.MAIL_WINDOW = WINDOW
    settled, open_one = table(ada, silent(), name="Ironworks"), table(ada, silent(), name="Harbour")
    send_due_notices()
    Notice.objects.filter(kind="started").delete()
    ready(settled, 0)
    assert later(WINDOW, settled, open_one) == 1
    assert "Ironworks" not in text_of(mailbox.messages[0])


def test_for_whom_alone_the_table_waits_is_told_at_once(settings: Any, mailbox: Mailbox, ada: User) -> None:
    settings.MAIL_WINDOW = WINDOW
    bob = person("Bob", **ALWAYS_AWAKE)
    other, game = table(ada, silent(), name="Harbour"), table(ada, bob, name="Ironworks")
    send_due_notices()
    Notice.objects.filter(kind="started").delete()
    assert later(WINDOW, other) == 1
    assert "Ironworks" not in text_of(mailbox.messages[0])
    mailbox.messages.clear()
    assert send_due_notices() == 0, "both are waited for, and Ada has just had a mail"
    ready(game, 1)
    assert send_due_notices() == 1
    assert [message["To"] for message in mailbox.messages] == [ada.email]
    words = text_of(mailbox.messages[0])
    assert "Ironworks" in words + mailbox.messages[0]["Subject"]
    assert "You can:" in words
    assert send_due_notices() == 0, "once"


@pytest.mark.parametrize(("pace", "mails"), [("live", 2), ("daily", 1)])
def test_a_game_whose_first_deadline_comes_within_the_window_is_told_at_once(
    settings: Any, mailbox: Mailbox, ada: User, pace: str, mails: int
) -> None:
    settings.MAIL_WINDOW = WINDOW
    first = table(ada, silent(), name="Ironworks")
    send_due_notices()
    assert later(WINDOW, first) == 1
    second = table(ada, silent(), name="Harbour", pace=pace)
    send_due_notices()
    Notice.objects.filter(game=second, kind="started").update(due_at=timezone.now())
    send_due_notices()
    assert len(mails_to(mailbox, ada)) == mails


def test_a_fast_game_that_starts_waits_for_no_digest(mailbox: Mailbox, ada: User) -> None:
    six_mails(ada)
    fast = table(ada, silent(), name="Harbour", pace="live")
    send_due_notices()
    let_time_pass(fast, timedelta(seconds=10))
    assert send_due_notices() == 1
    assert len(mails_to(mailbox, ada)) == 7


def test_each_of_two_decisions_has_its_deadline_default_news_and_link(mailbox: Mailbox, ada: User) -> None:
    games = [table(ada, silent(), name=name) for name in ("Ironworks", "Harbour")]
    send_due_notices()
    mailbox.messages.clear()
    for game in games:
        run_out(game)
    assert send_due_notices() == 1
    (message,) = mailbox.messages
    assert message["Subject"].startswith("2 games are waiting for you, the first until ")
    for told in (text_of(message), page_of(message)):
        assert told.count("Deadline: ") == told.count("If you do nothing, ") == 2
        assert told.count("kept every point as a dollar") == 2, "what happened since, of each"
        assert "ou missed a decision" not in told, "what counted instead says so"
        assert all(game.get_absolute_url() in told for game in games)
        assert len(set(re.findall(r"/look/[^\s\"]+", told))) == 2


def test_in_a_list_a_mention_is_told_in_its_own_words_alone(mailbox: Mailbox, ada: User) -> None:
    ben = person("Ben")
    games = [table(ada, ben, name=name) for name in ("Ironworks", "Harbour")]
    writing.say(game_id=games[0].pk, user=ben, text="Shall we, @Ada?")
    for game in games:
        let_time_pass(game, timedelta(minutes=16))
    send_due_notices()
    (message,) = mails_to(mailbox, ada)
    text, page = text_of(message), page_of(message)
    assert text.count("Shall we, @Ada?") == page.count("Shall we, @Ada?") == 1
    assert (text.count("mentioned you"), page.count("mentioned you")) == (0, 1)


def test_three_games_are_a_list_by_deadline(mailbox: Mailbox, ada: User) -> None:
    games = [table(ada, silent(), name=name) for name in ("Ironworks", "Harbour", "Copper <& Co>")]
    let_time_pass(games[1], timedelta(hours=3))
    assert send_due_notices() == 1
    message = mailbox.messages[0]
    words, page = text_of(message), page_of(message)
    assert re.match(r"3 games are waiting for you, the first until \w{3} \d+ \w{3}, \d\d:\d\d$", message["Subject"])
    assert words.index("Harbour") < words.index("Ironworks") < words.index("Copper <& Co>")
    assert words.count("If you do nothing, you bid 0") == words.count("\n  The game has started\r\n") == 3
    assert (
        words.count(", turn 1\r\n") == len(re.findall(r"(?:Harbour|Ironworks|Co&gt;)</a><[^<]+>, turn 1<", page)) == 3
    )
    assert page.count("Deadline: ") == page.count("Open the game") == page.count("1st, tied") == 3
    assert "because you play in these games" in page
    assert "because you play in these games" in words
    assert "Copper &lt;&amp; Co&gt;" in page
    assert message["References"] is None, "a mail about several games belongs to none"
    assert "Stop all emails about this game" not in words
