"""When mail comes: in a digest at its reader's hour, a reminder while they are awake; at most once, whatever dies."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts import quiet_hours
from accounts.models import Bounce, User
from game.deadlines.paces import CUSTOM, DECISION, HOUR
from game.delivery import notice_sending
from game.delivery.notice_sending import FIRST_RETRY, send_due_notices
from game.lobby import lobby
from game.outbox import preferences
from game.outbox.models import NoticeTiming, Topic
from game.outbox.reminders import remind_at
from game.play import clocks
from game.site import features
from game.site.models import SiteState
from game.store.game import Game, Seat
from game.store.log import Channel, LoggedAction, Notice
from tests.accounts.dying import ended_while_sending
from tests.delivery.test_notices import ALWAYS_AWAKE, mails_to, page_of, text_of
from tests.scenes import let_time_pass, person, ready, run_out, silent, table
from tests.servers import Mailbox, smtp_server, use_post
from tests.tables import fresh

pytestmark = [pytest.mark.django_db]
WINDOW = timedelta(minutes=10)


@pytest.fixture
def ada() -> User:
    return person("Ada", timezone="Europe/Berlin", **ALWAYS_AWAKE)


def berlin(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=ZoneInfo("Europe/Berlin"))  # type: ignore[arg-type, misc]


def later(length: timedelta, *games: Game) -> int:
    """Time passes for the games, and for what was sent."""
    for game in games:
        let_time_pass(game, length)
    for notice in Notice.objects.exclude(handed_at=None):
        Notice.objects.filter(pk=notice.pk).update(handed_at=notice.handed_at - length)
    return send_due_notices()


# --- the digest


def test_a_digest_comes_at_its_readers_hour(mailbox: Mailbox, ada: User) -> None:
    preferences.choose(
        user_id=ada.pk, game_id=None, chosen={(topic, Channel.MAIL): NoticeTiming.DIGEST for topic in Topic}
    )
    User.objects.filter(pk=ada.pk).update(digest_hour=7)
    first, second = table(ada, silent(), name="Ironworks"), table(ada, silent(), name="Harbour")
    Game.objects.update(deadline_at=timezone.now() + timedelta(days=3))
    assert send_due_notices() == 0
    due = set(Notice.objects.filter(user=ada, kind="turn").values_list("due_at", flat=True))
    assert {at.astimezone(ZoneInfo("Europe/Berlin")).strftime("%H:%M") for at in due} == {"07:00"}
    assert all(timezone.now() < at <= timezone.now() + timedelta(hours=25) for at in due)
    assert later(timedelta(hours=25), first, second) == 1
    message = mailbox.messages[0]
    assert message["Subject"].startswith("2 games are waiting for you, the first until ")
    assert later(timedelta(hours=25), first, second) == 0, "nothing new, no digest"


def test_a_digest_tells_only_what_still_holds(mailbox: Mailbox, ada: User) -> None:
    preferences.choose(
        user_id=ada.pk, game_id=None, chosen={(topic, Channel.MAIL): NoticeTiming.DIGEST for topic in Topic}
    )
    game = table(ada, silent())
    Game.objects.update(deadline_at=timezone.now() + timedelta(days=3))
    send_due_notices()
    ready(game, 0)
    Notice.objects.filter(kind="started").delete()
    assert later(timedelta(hours=25), game) == 0
    assert not mailbox.messages


@pytest.mark.parametrize(
    ("now", "hour", "then"),
    [
        ((2026, 11, 22, 7, 59), 8, (2026, 11, 22, 8)),
        ((2026, 11, 22, 8, 0), 8, (2026, 11, 23, 8)),
        ((2026, 3, 28, 12, 0), 8, (2026, 3, 29, 8)),  # summer time begins that night
        ((2026, 3, 28, 12, 0), 2, (2026, 3, 29, 3)),  # an hour that this night does not have
        ((2026, 10, 24, 12, 0), 8, (2026, 10, 25, 8)),  # and ends
    ],
)
def test_the_hour_is_what_the_readers_clock_shows(
    ada: User, now: tuple[int, ...], hour: int, then: tuple[int, ...]
) -> None:
    found = quiet_hours.next_hour(ada, hour, berlin(*now))
    assert found.astimezone(UTC) == berlin(*then).astimezone(UTC)


# --- the reminder


@pytest.mark.parametrize(
    ("deadline", "reminded"),
    [
        ((2026, 11, 23, 20), (2026, 11, 23, 14)),  # a quarter of a day before
        ((2026, 11, 23, 12), (2026, 11, 23, 8)),  # 6:00 is night: in the morning, four hours are left
        ((2026, 11, 23, 9), (2026, 11, 22, 21)),  # in the morning one hour would be left: the evening before
        ((2026, 11, 23, 4), (2026, 11, 22, 21)),  # and where there is no morning
    ],
)
def test_a_reminder_comes_while_its_reader_is_awake(
    ada: User, deadline: tuple[int, ...], reminded: tuple[int, ...]
) -> None:
    game = table(ada, silent())
    ada.quiet_from, ada.quiet_until = 22, 8
    game.deadline_at = berlin(*deadline)
    game.clock_since = game.deadline_at - timedelta(days=1)
    assert remind_at(game, ada) == berlin(*reminded)


@pytest.mark.parametrize(
    ("zone", "reminded"),
    [
        ("Europe/Berlin", (2026, 11, 24, 14)),
        ("Asia/Tokyo", (2026, 11, 24, 13)),  # at four in the morning there: at nine the evening before
        ("Australia/Sydney", (2026, 11, 24, 11)),
    ],
)
def test_a_fixed_time_is_reminded_of_wherever_its_player_lives(ada: User, zone: str, reminded: tuple[int, ...]) -> None:
    """Every day at 20:00 in Berlin, after six hours at least: the phase is the whole day."""
    game = custom(ada, {"fixed": {"zone": "Europe/Berlin", "days": [*range(7)], "minute": 1200}})
    game.now = berlin(2026, 11, 23, 20)
    clocks.restart_clock(game)
    assert game.deadline_at == berlin(2026, 11, 24, 20)
    ada.timezone, ada.quiet_from, ada.quiet_until = zone, 22, 8
    assert remind_at(game, ada) == berlin(*reminded)


def test_a_deadline_that_moves_away_gets_a_reminder_that_it_had_no_time_for(mailbox: Mailbox, ada: User) -> None:
    game = custom(ada, {"lengths": {DECISION: HOUR}})
    send_due_notices()
    mailbox.messages.clear()
    Game.objects.filter(pk=game.pk).update(deadline_at=fresh(game).deadline_at + timedelta(hours=3))
    assert later(timedelta(hours=2), game) == 0
    assert later(timedelta(hours=1, minutes=1), game) == 1
    assert mailbox.messages[0]["Subject"].startswith("Reminder: ")


def custom(ada: User, timing: dict[str, Any]) -> Game:
    """A game of two at a host's own clock, of six hours at least."""
    timing = {"lengths": {DECISION: 6 * HOUR}, **timing}
    game = lobby.create_game(host=ada, name="Ours", seats=2, pace=CUSTOM, timing=timing)
    lobby.join_game(game_id=game.pk, user=silent())
    lobby.start_game(game_id=game.pk, user=ada)
    return fresh(game)


@pytest.mark.parametrize(("hour", "left", "sent"), [(3, 8, 0), (3, 4, 0), (12, 4, 1)])
def test_a_late_reminder_waits_for_the_morning(mailbox: Mailbox, ada: User, hour: int, left: int, sent: int) -> None:
    """The worker was away when it was due; now it may be night. A morning after the deadline is too late."""
    game = table(ada, silent())
    send_due_notices()
    mailbox.messages.clear()
    here = timezone.now().astimezone(ZoneInfo("Europe/Berlin")).hour
    night = (here - hour) % 24
    User.objects.filter(pk=ada.pk).update(quiet_from=(22 + night) % 24, quiet_until=(8 + night) % 24)
    deadline = timezone.now() + timedelta(hours=left)
    Game.objects.filter(pk=game.pk).update(deadline_at=deadline, clock_since=deadline - timedelta(days=1))
    Notice.objects.filter(kind="reminder").update(due_at=timezone.now())
    if sent == 0 and left == 8:
        assert send_due_notices() == 0
        waiting = Notice.objects.get(user=ada, kind="reminder")
        assert waiting.cancelled_at is None
        assert timezone.now() + timedelta(hours=3) < waiting.due_at < timezone.now() + timedelta(hours=6)
    else:
        assert send_due_notices() == sent
        assert (Notice.objects.get(user=ada, kind="reminder").cancelled_at is None) == bool(sent)


# --- what was missed, and what belongs together


def test_a_missed_decision_is_told_with_the_next(mailbox: Mailbox, ada: User) -> None:
    game = table(ada, silent())
    send_due_notices()
    mailbox.messages.clear()
    run_out(game)
    assert send_due_notices() == 1
    words = text_of(mailbox.messages[0])
    assert "You made no decision in phase 1, Influence bid. You bid 0 and kept every point as a dollar." in words
    assert words.count("kept every point") == 1, "it is told once"
    assert mailbox.messages[0]["Subject"].endswith(", turn 1"), "the decision that is open now leads"


@pytest.mark.django_db(transaction=True)
def test_a_missed_decision_waits_until_the_next_is_known(mailbox: Mailbox, ada: User) -> None:
    game = table(ada, silent())
    send_due_notices()
    mailbox.messages.clear()
    run_out(game)
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        list(LoggedAction.objects.filter(is_told=False).select_for_update())
        assert pool.submit(_apart).result() == 0, "a deadline that passes in the middle of a round"
    assert send_due_notices() == 1
    assert "You made no decision in phase 1" in text_of(mailbox.messages[0])


def test_who_alone_is_waited_for_is_told_at_once_what_they_missed(settings: Any, mailbox: Mailbox, ada: User) -> None:
    settings.MAIL_WINDOW = WINDOW
    game = table(ada, person("Bob", **ALWAYS_AWAKE))
    send_due_notices()
    assert later(WINDOW, game) == 2
    mailbox.messages.clear()
    ready(game, 1)
    run_out(game)
    ready(game, 1)
    assert send_due_notices() == 1
    assert "You made no decision in phase 1" in text_of(mailbox.messages[0])
    assert later(WINDOW, game) == 0, "nothing is left to tell"


def test_a_missed_decision_is_told_alone_where_nothing_is_asked(mailbox: Mailbox, ada: User) -> None:
    preferences.stop(user_id=ada.pk, topics=[Topic.TURN], channel=Channel.MAIL, game_id=None)
    game = table(ada, silent())
    send_due_notices()
    mailbox.messages.clear()
    run_out(game)
    send_due_notices()
    (message,) = mailbox.messages
    assert message["Subject"] == f"You missed a decision: {game.name}, turn 1"
    for told in (text_of(message), page_of(message)):
        assert told.count("You bid 0 and kept every point as a dollar.") == 1


def test_who_has_been_on_the_board_knows_what_they_missed(mailbox: Mailbox, client: Any, ada: User) -> None:
    preferences.stop(user_id=ada.pk, topics=[Topic.TURN, Topic.STARTED], channel=Channel.MAIL, game_id=None)
    game = table(ada, silent())
    run_out(game)
    client.force_login(ada)
    client.get(f"/games/{game.pk}/")
    assert send_due_notices() == 0
    assert not mailbox.messages


def test_what_a_round_has_no_time_for_comes_with_the_next(
    mailbox: Mailbox, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(ada, silent())
    with monkeypatch.context() as short_round:
        short_round.setattr(notice_sending, "SECONDS", 0)
        assert send_due_notices() == 0
    assert send_due_notices() == 1
    assert len(mailbox.messages) == 1


def test_the_mails_of_a_game_belong_together(mailbox: Mailbox, ada: User) -> None:
    game = table(ada, silent())
    send_due_notices()
    ready(game, 0)
    run_out(game)
    send_due_notices()
    first, second = mails_to(mailbox, ada)
    assert first["Message-ID"] != second["Message-ID"]
    root = f"<game-{game.pk}@testserver>"
    assert [message[name] for message in (first, second) for name in ("References", "In-Reply-To")] == [root] * 4


def test_after_a_restore_no_mail_has_an_id_that_was_given_before(mailbox: Mailbox, ada: User) -> None:
    """The numbers of rows are given again, and mailboxes drop a mail whose id they know."""
    SiteState.objects.create(pk=SiteState.ONLY, restored="1f2e3d4c")
    features.forget_row()
    game = table(ada, silent())
    send_due_notices()
    (message,) = mails_to(mailbox, ada)
    assert message["Message-ID"].endswith("-1f2e3d4c@testserver>")
    assert message["References"] == f"<game-{game.pk}-1f2e3d4c@testserver>"


# --- at most once


class Breaking(Mailbox):
    """A server that takes a mail, and breaks the line before it says so."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        await super().handle_DATA(server, session, envelope)
        server.transport.abort()
        await asyncio.sleep(0)
        return "250 nobody reads this"


@pytest.mark.usefixtures("judged")
def test_a_mail_whose_answer_was_lost_is_not_sent_again(settings: Any, ada: User) -> None:
    game, box = table(ada, silent()), Breaking()
    with smtp_server(box):
        use_post(settings, box.port)
        assert send_due_notices() == 0
        for _ in range(3):
            assert later(FIRST_RETRY, game) == 0
    assert len(box.messages) == 1
    rows = Notice.objects.get(user=ada, kind="turn")
    assert rows.handed_at is not None
    assert rows.sent_at is None
    assert "Disconnected" in rows.trouble


class HangingUp(Mailbox):
    """A server that breaks the line before it is given the mail, until it is told otherwise."""

    is_down = True

    async def handle_MAIL(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if self.is_down:
            server.transport.abort()
        envelope.mail_from = address
        return "250 OK"


def test_a_mail_that_was_certainly_not_taken_is_sent_again(settings: Any, ada: User) -> None:
    game, box = table(ada, silent()), HangingUp()
    with smtp_server(box):
        use_post(settings, box.port)
        assert send_due_notices() == 0
        assert Notice.objects.get(user=ada, kind="turn").handed_at is None
        box.is_down = False
        assert later(FIRST_RETRY, game) == 1
    assert len(box.messages) == 1


@pytest.mark.parametrize("is_taken", [False, True], ids=["before", "after"])
def test_a_process_that_dies_while_it_sends_sends_at_most_once(mailbox: Mailbox, ada: User, is_taken: bool) -> None:
    """Between the commit that says that it is handed over and the one that says that it was sent."""
    game = table(ada, silent())
    with ended_while_sending(is_taken=is_taken):
        send_due_notices()
    for _ in range(3):
        assert later(FIRST_RETRY, game) == 0
    assert len(mailbox.messages) == int(is_taken)


@pytest.mark.django_db(transaction=True)
def test_two_beats_and_many_workers_send_each_mail_once(settings: Any, mailbox: Mailbox) -> None:
    settings.MAIL_WINDOW = WINDOW
    people = [person(f"Person {letter}", **ALWAYS_AWAKE) for letter in "ABCDE"]
    games = [table(*people, name=name) for name in ("Ironworks", "Harbour")]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: _apart(), range(6)))
        assert not mailbox.messages
        for game in games:
            let_time_pass(game, WINDOW)
        list(pool.map(lambda _: _apart(), range(12)))
    assert sorted(message["To"] for message in mailbox.messages) == sorted(who.email for who in people)


def _apart() -> int:
    try:
        return send_due_notices()
    finally:
        connection.close()


def test_an_address_that_does_not_exist_gets_no_more_mail(settings: Any, ada: User) -> None:
    from tests.delivery.test_notices import Stubborn  # its own subject is what happens to the one mail

    box, game = Stubborn(), table(ada, silent())
    box.answer = "550 5.1.1 no such person"
    with smtp_server(box):
        use_post(settings, box.port)
        send_due_notices()
        box.answer = ""
        run_out(game)
        assert send_due_notices() == 0
    assert Bounce.objects.get().address == ada.email
    assert fresh(game).is_running


@pytest.mark.parametrize(
    "answer",
    ["550 5.7.1 we do not like you", "550 relay not permitted", "451 4.2.1 try later", "552 5.2.2 mailbox full"],
)
def test_an_address_that_may_exist_is_kept(settings: Any, ada: User, answer: str) -> None:
    from tests.delivery.test_notices import Stubborn  # its own subject is what happens to the one mail

    box = Stubborn()
    table(ada, silent())
    box.answer = answer
    with smtp_server(box):
        use_post(settings, box.port)
        send_due_notices()
    assert not Bounce.objects.exists()


# --- no more than anybody wants to read


def test_a_seventh_mail_of_a_day_waits_for_the_digest(mailbox: Mailbox, ada: User) -> None:
    six_mails(ada)
    one_more = table(ada, silent(), name="One more")
    Game.objects.filter(pk=one_more.pk).update(deadline_at=timezone.now() + timedelta(days=3))
    assert send_due_notices() == 0
    (held,) = Notice.objects.filter(game=one_more, user=ada, kind="turn")
    assert held.in_digest
    assert "waits for the digest" in held.trouble
    Notice.objects.filter(game=one_more).exclude(kind="reminder").update(due_at=timezone.now())
    assert send_due_notices() == 1
    assert len(mails_to(mailbox, ada)) == 7
    Notice.objects.exclude(handed_at=None).update(handed_at=timezone.now() - timedelta(days=1))
    table(ada, silent(), name="The next day")
    assert send_due_notices() == 1


def test_a_decision_is_mailed_at_once_where_the_digest_would_leave_little_time_for_it(
    mailbox: Mailbox, ada: User
) -> None:
    User.objects.filter(pk=ada.pk).update(digest_hour=(timezone.now().hour - 1) % 24, timezone="UTC")
    six_mails(ada)
    game = table(ada, silent(), name="One more")
    assert send_due_notices() == 1
    assert game.name in mails_to(mailbox, ada)[-1]["Subject"]


def six_mails(ada: User) -> None:
    """As many as anybody gets in a day."""
    for number in range(6):
        table(ada, silent(), name=f"Game {number}")
        assert send_due_notices() == 1


def test_a_reminder_comes_however_many_mails_came_before_it(mailbox: Mailbox, ada: User) -> None:
    six_mails(ada)
    late = table(ada, silent(), name="One more")
    Game.objects.filter(pk=late.pk).update(deadline_at=timezone.now() + timedelta(days=3))
    assert send_due_notices() == 0
    let_time_pass(late, timedelta(hours=70))
    Notice.objects.filter(game=late, in_digest=True).update(due_at=timezone.now() + timedelta(hours=8))
    assert send_due_notices() == 1
    reminder = Notice.objects.get(game=late, user=ada, kind="reminder")
    assert reminder.sent_at is not None
    assert not reminder.in_digest
    assert mails_to(mailbox, ada)[-1]["Subject"].startswith("Reminder: ")


def test_what_is_urgent_uses_up_nothing_of_a_days_mails(mailbox: Mailbox, ada: User) -> None:
    six_mails(ada)
    Notice.objects.filter(user=ada, kind="started").delete()
    Notice.objects.filter(user=ada, kind="reminder").update(due_at=timezone.now() + timedelta(days=1))
    Notice.objects.filter(user=ada, kind="turn").update(kind="vote")
    table(ada, silent(), name="One more")
    assert send_due_notices() == 1


def test_who_has_the_decision_on_the_screen_is_mailed_if_they_leave_it_so(
    mailbox: Mailbox, client: Any, ada: User
) -> None:
    game = table(ada, silent())
    preferences.stop(user_id=ada.pk, topics=[Topic.STARTED], channel=Channel.MAIL, game_id=None)
    client.force_login(ada)
    client.get(game.get_absolute_url())
    assert fresh(game).seats.get(user=ada).seen_version == fresh(game).version
    assert send_due_notices() == 0
    turn = Notice.objects.get(game=game, user=ada, kind="turn")
    assert turn.cancelled_at is None
    assert "shown the decision" in turn.trouble
    assert timedelta(minutes=4) < turn.due_at - timezone.now() <= timedelta(minutes=5)
    Seat.objects.filter(user=ada).update(seen_at=timezone.now() - timedelta(minutes=3))
    let_time_pass(game, timedelta(minutes=5))
    assert send_due_notices() == 1
    assert mails_to(mailbox, ada)[-1]["Subject"].startswith("Bid influence points")


def test_who_decides_after_a_look_at_the_board_is_not_mailed(mailbox: Mailbox, client: Any, ada: User) -> None:
    game = table(ada, silent())
    preferences.stop(user_id=ada.pk, topics=[Topic.STARTED], channel=Channel.MAIL, game_id=None)
    client.force_login(ada)
    client.get(game.get_absolute_url())
    send_due_notices()
    ready(game, 0)
    let_time_pass(game, timedelta(minutes=5))
    assert send_due_notices() == 0
    assert not mails_to(mailbox, ada)
