"""Mail about decisions: written with the move, rendered when sent, once, in the reader's zone, and never about what is
over."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game import tasks
from game.delivery import notice_checks, notice_sending
from game.delivery.notice_sending import send_due_notices
from game.outbox import notices, preferences
from game.outbox.models import Topic
from game.play import moves
from game.store.game import Game, Pace
from game.store.log import Channel, Draft, Notice
from game.store.log_notes import Sentence
from tests.scenes import let_time_pass, person, play_on, ready, run_out, silent, table
from tests.servers import Mailbox, free_port, smtp_server, use_post
from tests.tables import READY, at_phase, fresh, new_game, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]
BID = {"kind": "bid_influence", "points": 11}
ALWAYS_AWAKE = {"quiet_from": 0, "quiet_until": 0}


@pytest.fixture
def ada() -> User:
    return person("Ada", timezone="America/New_York", **ALWAYS_AWAKE)


@pytest.fixture
def ben() -> User:
    return person("Ben", timezone="Asia/Kolkata", **ALWAYS_AWAKE)


def mails_to(mailbox: Mailbox, user: User) -> list[Any]:
    return [message for message in mailbox.messages if message["To"] == user.email]


def text_of(message: Any) -> str:
    return str(message.get_body(("plain",)).get_content())


def page_of(message: Any) -> str:
    return str(message.get_body(("html",)).get_content())


def test_a_decision_is_mailed_once_in_the_readers_zone(mailbox: Mailbox, ada: User, ben: User) -> None:
    game = table(ada, ben)
    for _ in range(3):
        send_due_notices()
    assert [len(mails_to(mailbox, who)) for who in (ada, ben)] == [1, 1], (
        "one mail tells of the start and of the first decision"
    )
    message = mails_to(mailbox, ben)[0]
    due = fresh(game).deadline_at
    assert due is not None
    here = due.astimezone(ZoneInfo("Asia/Kolkata"))
    for words in (text_of(message), page_of(message)):
        assert f"Deadline: {here:%A} {here.day} {here:%B}, {here:%H:%M}" in re.sub("<[^>]+>", "", words)
        assert "(Kolkata time)" in words
        assert "All times are Kolkata time." in words
        assert f"http://testserver/games/{game.pk}/" in words
        assert "Still deciding: you, Ada and " in words
        assert "you bid 0 and keep every point as a dollar" in words
        assert "has started" in words
    assert (
        message["Subject"]
        == f"Bid influence points for player priority by {here:%a} {here.day} {here:%b}, {here:%H:%M}: "
        f"{game.name}, turn {game.turn}"
    )


def test_the_mail_says_where_its_reader_stands(mailbox: Mailbox, ada: User, ben: User) -> None:
    game = table(ada, ben)
    run_out(game)
    send_due_notices()
    seen = fresh(game).rules.view(fresh(game).load_position(), 0).player(0)
    words = text_of(mails_to(mailbox, ada)[0])
    assert re.search(rf"Cash {seen.cash}\s+Net worth {seen.net_worth}\s+Place (1st|2nd|3rd)(, tied| of 3)", words)


def test_the_mail_lists_what_its_reader_holds(mailbox: Mailbox, ada: User, ben: User) -> None:
    game = table(ada, ben, bots=0)
    send_due_notices()
    assert "You hold no shares." in text_of(mails_to(mailbox, ada)[0])
    game = at_phase(game, "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    send(game, 0, {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2}, READY)
    ready(game, 1)
    send_due_notices()
    company, message = (
        fresh(game).rules.view(fresh(game).load_position(), 0).company(ticker),
        mails_to(mailbox, ada)[-1],
    )
    assert f"\n  {ticker} 2 at {company.price}\n" in text_of(message).replace("\r", "")
    assert f"{ticker} <b>2 at {company.price}</b>" in page_of(message)


def test_the_mail_of_a_game_without_a_board_says_score_and_place(mailbox: Mailbox, ada: User) -> None:
    game = play_on(new_game(ada.username, bots=1, ruleset="toy"))
    Notice.objects.create(
        game=game, seat=game.seats.get(number=0), user=ada, kind="finished", serial=0, due_at=timezone.now()
    )
    send_due_notices()
    score, message = game.seats.get(number=0).score, mailbox.messages[-1]
    assert re.search(rf"Score {score}\s+Place (1st|2nd) of 2", text_of(message)), text_of(message)
    assert "Net worth" not in page_of(message)
    assert "shares" not in text_of(message)


def test_a_decision_of_a_game_without_a_board_is_mailed(mailbox: Mailbox, ada: User, ben: User) -> None:
    game = new_game(ada.username, ben.username, pace=Pace.DAILY, ruleset="toy")
    send_due_notices()
    message = mails_to(mailbox, ada)[0]
    assert message["Subject"].startswith("Make your decision in phase 1, Bidding by ")
    assert "If you do nothing, you bid 0." in text_of(message)
    run_out(game)
    send_due_notices()
    subjects = [str(message["Subject"]) for message in mailbox.messages]
    assert any(subject.startswith("Take your turn in phase 2, Turn by ") for subject in subjects), "whoever is first"


def test_one_click_stops_the_mail(mailbox: Mailbox, client: Client, ada: User) -> None:
    game = table(ada)
    send_due_notices()
    message = mailbox.messages[0]
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = str(message["List-Unsubscribe"]).strip("<> ")
    assert address in text_of(message)
    assert client.post(address.removeprefix("http://testserver")).status_code == 200
    run_out(game)
    send_due_notices()
    lines = [str(message["Subject"]).split(":")[0] for message in mailbox.messages[1:]]
    assert lines == ["You missed a decision"], "no decision is mailed any more"


def test_no_mail_about_what_is_over(mailbox: Mailbox, ada: User, ben: User) -> None:
    game = table(ada, ben)
    notices.write_notices()
    ready(game, 0, 1)
    run_out(game)
    Notice.objects.filter(game=game, kind="started").delete()
    serials = set(Notice.objects.filter(game=game).values_list("serial", flat=True))
    notices.write_notices()
    send_due_notices()
    assert not Notice.objects.filter(serial__in=serials, due_at__lte=timezone.now(), cancelled_at=None)
    assert len(mailbox.messages) == 2, "only the phase that is open now is mailed about"


def test_who_has_submitted_is_not_asked(mailbox: Mailbox, ada: User, ben: User) -> None:
    game = table(ada, ben)
    Notice.objects.all().delete()
    notices.write_notices()
    Notice.objects.filter(kind="started").delete()
    send(game, 0, BID)
    send_due_notices()
    assert not mails_to(mailbox, ada)
    assert mails_to(mailbox, ben)


def test_a_reminder_comes_once_before_the_deadline(mailbox: Mailbox, ada: User, ben: User) -> None:
    game = table(ada, ben)
    send_due_notices()
    mailbox.messages.clear()
    send(game, 1, BID)
    let_time_pass(game, timedelta(hours=17))
    assert send_due_notices() == 0
    let_time_pass(game, timedelta(hours=1, minutes=1))
    assert [send_due_notices() for _ in range(3)] == [1, 0, 0]
    message = mailbox.messages[0]
    assert message["To"] == ada.email
    assert message["Subject"].startswith("Reminder: Bid influence points")
    assert re.search(r"5 h 5\d min left", text_of(message))


def test_a_reminder_moves_with_its_deadline(mailbox: Mailbox, ada: User) -> None:
    game = table(ada, silent())
    send_due_notices()
    mailbox.messages.clear()
    let_time_pass(game, timedelta(hours=18, minutes=1))
    Game.objects.filter(pk=game.pk).update(deadline_at=fresh(game).deadline_at + timedelta(hours=2))
    assert send_due_notices() == 0
    let_time_pass(game, timedelta(hours=2))
    assert send_due_notices() == 1


def test_the_mail_names_a_draft_without_its_content(mailbox: Mailbox, ada: User) -> None:
    game = table(ada, silent())
    seat = game.seats.get(number=0)
    Draft.objects.create(seat=seat, serial=game.phase_serial, content=[{"kind": "bid_influence", "points": 37}])
    send_due_notices()
    words = text_of(mailbox.messages[0])
    assert "the draft you saved at" in words
    assert "37" not in re.sub(r"https?://\S+|\d\d:\d\d", "", words)


def a_moment_later(game: Game) -> None:
    """Whoever has the page of the game open has been shown by now that it has begun."""
    notices.write_notices()
    let_time_pass(game, timedelta(seconds=15))


FAST = pytest.mark.parametrize("pace", [Pace.LIVE, Pace.DEMO, Pace.EVENING])


@FAST
def test_fast_games_do_not_mail_decisions(mailbox: Mailbox, ada: User, ben: User, pace: str) -> None:
    game = table(ada, ben, pace=pace)
    run_out(game)
    a_moment_later(game)
    send_due_notices()
    assert [message["Subject"] for message in mailbox.messages] == [f"{game.name} has started"] * 2


@FAST
def test_whoever_waits_elsewhere_is_told_that_a_fast_game_begins_and_who_is_shown_it_is_not(
    mailbox: Mailbox, client: Client, ada: User, ben: User, pace: str
) -> None:
    game = table(ada, ben, pace=pace)
    assert send_due_notices() == 0, "an open page shows it first"
    client.force_login(ada)
    assert client.get(game.get_absolute_url()).status_code == 200
    a_moment_later(game)
    assert [send_due_notices() for _ in range(2)] == [1, 0]
    assert [message["To"] for message in mailbox.messages] == [ben.email]


@FAST
def test_who_begins_a_fast_game_with_bots_alone_is_told_nothing(mailbox: Mailbox, ada: User, pace: str) -> None:
    game = table(ada, bots=2, pace=pace)
    a_moment_later(game)
    assert send_due_notices() == 0
    assert not game.notices.exists()


def test_who_wants_no_mail_of_starts_gets_none_of_a_quick_one(mailbox: Mailbox, ada: User, ben: User) -> None:
    preferences.stop(user_id=ben.pk, topics=[Topic.STARTED], channel=Channel.MAIL, game_id=None)
    a_moment_later(table(ada, ben, pace=Pace.DEMO))
    send_due_notices()
    assert [message["To"] for message in mailbox.messages] == [ada.email]


@pytest.mark.parametrize("pace", [Pace.DAILY, Pace.DEMO])
def test_the_first_mail_has_the_fingerprint_that_the_log_published(
    mailbox: Mailbox, ada: User, ben: User, pace: str
) -> None:
    game = table(ada, ben, pace=pace)
    a_moment_later(game)
    send_due_notices()
    (first,) = mails_to(mailbox, ben)
    published = game.log.get(kind="start").note.rpartition(" ")[2]
    line = f"Their fingerprint is {published}; when the game is over, the page “Draws” must show the same one."
    for words in (text_of(first), page_of(first)):
        assert " ".join(words.split()).count(line) == 1
    run_out(game)
    send_due_notices()
    assert not any(published in text_of(message) for message in mails_to(mailbox, ben)[1:])


def test_a_mail_about_several_games_has_the_fingerprint_of_each_that_has_begun(
    mailbox: Mailbox, ada: User, ben: User
) -> None:
    for number in range(1, 4):
        games = [table(ada, ben, name=f"Game {place}") for place in range(number)]
        send_due_notices()
        for words in (each(mails_to(mailbox, ben)[-1]) for each in (text_of, page_of)):
            once = ["cannot be changed later", *(game.secret_hash for game in games)]
            assert [words.count(each) for each in once] == [1] * (number + 1)
        Notice.objects.all().delete()


def test_a_game_that_begins_at_a_position_made_by_hand_has_no_fingerprint(mailbox: Mailbox, ada: User) -> None:
    """Nothing was published of its secret."""
    game = table(ada, silent())
    game.log.filter(kind="start").update(**Sentence.LESSON_BEGINS().columns)
    send_due_notices()
    assert "fingerprint" not in text_of(mailbox.messages[0])


def test_several_games_come_in_one_mail(mailbox: Mailbox, ada: User) -> None:
    first, second = table(ada, silent(), name="Ironworks"), table(ada, silent(), name="Harbour & Sons")
    let_time_pass(second, timedelta(hours=3))
    assert send_due_notices() == 1
    message = mailbox.messages[0]
    assert text_of(message).index("Harbour & Sons") < text_of(message).index("Ironworks"), "the nearest deadline leads"
    assert text_of(message).count("Bid influence points for player priority") == 2
    assert f"http://testserver/games/{first.pk}/" in page_of(message)
    assert not Notice.objects.filter(sent_at=None, due_at__lte=timezone.now())


def test_who_is_not_asked_is_not_told_of_a_decision(mailbox: Mailbox, ada: User) -> None:
    quiet, asking = table(ada, silent(), name="Ironworks", pace=Pace.LIVE), table(ada, name="Harbour")
    a_moment_later(quiet)
    assert send_due_notices() == 1
    words = text_of(mailbox.messages[0])
    assert mailbox.messages[0]["Subject"].endswith(f"{asking.name}, turn 1")
    assert f"  {quiet.name}: The game has started\n" in words.replace("\r", "")


def test_a_name_cannot_write_headers_or_markup(mailbox: Mailbox, ada: User) -> None:
    game = table(ada, name="x")
    Game.objects.filter(pk=game.pk).update(name="A\r\nBcc: spy@example.org\n\n<script>alert(1)</script>")
    send_due_notices()
    message = mailbox.messages[0]
    assert message["Bcc"] is None
    assert message["To"] == ada.email
    assert "<script>" not in page_of(message)


@pytest.fixture
def no_post(settings: Any) -> None:
    use_post(settings, free_port())


@pytest.mark.usefixtures("no_post")
def test_while_the_post_is_down_the_game_goes_on_and_the_mail_waits(logged: Any, ada: User, request: Any) -> None:
    game = table(ada)
    assert (send_due_notices(), [line["event"] for line in logged]) == (0, ["post_is_down"])
    waiting = Notice.objects.get(kind="turn")
    assert (waiting.sent_at, waiting.attempts) == (None, 1)
    assert "ConnectionRefusedError" in waiting.trouble
    assert send_due_notices() == 0
    waiting.refresh_from_db()
    assert waiting.attempts == 1, "the next attempt waits"
    assert fresh(game).is_running
    mailbox: Mailbox = request.getfixturevalue("mailbox")
    let_time_pass(game, notice_sending.FIRST_RETRY)
    assert [send_due_notices(), send_due_notices()] == [1, 0]
    assert len(mailbox.messages) == 1


class Stubborn(Mailbox):
    """A server that answers with this until it is told otherwise."""

    answer = "451 try later"

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if self.answer:
            return self.answer
        envelope.rcpt_tos.append(address)
        return "250 OK"


@pytest.mark.parametrize(("answer", "is_given_up"), [("451 try later", False), ("550 no such person", True)])
def test_a_refused_address_is_tried_again_or_given_up(settings: Any, ada: User, answer: str, is_given_up: bool) -> None:
    box, game = Stubborn(), table(ada)
    box.answer = answer
    with smtp_server(box):
        use_post(settings, box.port)
        assert send_due_notices() == 0
        box.answer = ""
        let_time_pass(game, notice_sending.FIRST_RETRY)
        assert send_due_notices() == (0 if is_given_up else 1)
    assert Notice.objects.filter(kind="turn", cancelled_at=None).exists() is not is_given_up


def test_a_process_that_dies_after_the_commit_loses_no_mail(
    mailbox: Mailbox, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table(ada)
    with monkeypatch.context() as patch:
        patch.setattr(notice_sending, "_process", _die)
        with pytest.raises(SystemExit):
            send_due_notices()
    assert send_due_notices() == 0, "the claim keeps others away for a while"
    let_time_pass(game, notice_sending.FIRST_RETRY)
    assert send_due_notices() == 1
    assert len(mailbox.messages) == 1


class Curious(Mailbox):
    """A server that tries, while it is given a mail, whether the game can be changed meanwhile."""

    game_id = 0
    found: list[bool]

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        await asyncio.to_thread(self._look)
        return await super().handle_DATA(server, session, envelope)

    def _look(self) -> None:
        moves.submit(game_id=self.game_id, seat_number=1, requests=[BID])
        connection.close()
        self.found.append(True)


class Slow(Mailbox):
    """A server that lets the site's next round of mail begin before it takes the mail of this one."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        await asyncio.to_thread(self._next_round)
        return await super().handle_DATA(server, session, envelope)

    def _next_round(self) -> None:
        tasks.send_due_notices()
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_while_a_server_is_slow_no_second_worker_waits_for_it(settings: Any, ada: User, ben: User) -> None:
    from aiosmtpd.controller import Controller  # here: finding the binaries must work without it

    table(ada, ben)
    box = Slow()
    box.port = free_port()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
    controller = Controller(box, hostname="127.0.0.1", port=box.port)
    controller.start()
    try:
        tasks.send_due_notices()
    finally:
        controller.stop()
    assert sorted(message["To"] for message in box.messages) == [ada.email, ben.email]


@pytest.mark.django_db(transaction=True)
def test_no_row_is_held_while_a_mail_is_handed_over(settings: Any, ada: User, ben: User) -> None:
    game = table(ada, ben)
    Notice.objects.filter(user=ben).delete()
    box = Curious()
    box.game_id, box.found = game.pk, []
    with smtp_server(box):
        use_post(settings, box.port)
        send_due_notices()
    assert box.found
    assert fresh(game).seat_states[1] == "submitted"


@pytest.mark.django_db(transaction=True)
def test_many_workers_send_every_mail_once(mailbox: Mailbox) -> None:
    people = [person(f"Person {letter}", timezone="UTC") for letter in "ABCDEFG"]
    table(*people)
    with ThreadPoolExecutor(4) as pool:
        sent = list(pool.map(lambda _: _send_apart(), range(8)))
    assert sum(sent) == len(people)
    assert sorted(message["To"] for message in mailbox.messages) == sorted(who.email for who in people)


def _send_apart() -> int:
    try:
        return send_due_notices()
    finally:
        connection.close()


def _die(*_: Any) -> int:
    raise SystemExit


def test_bots_and_people_without_an_address_get_nothing(mailbox: Mailbox, ada: User) -> None:
    User.objects.filter(pk=ada.pk).update(email="")
    table(ada)
    assert send_due_notices() == 0
    assert not Notice.objects.filter(due_at__lte=timezone.now(), cancelled_at=None)


def test_an_address_that_nobody_confirmed_gets_no_mail(mailbox: Mailbox, ada: User, ben: User) -> None:
    """Whoever signs up with somebody else's address has the site write to a stranger once, and not about every move."""
    EmailAddress.objects.filter(user=ada).update(verified=False)
    User.objects.filter(pk=ben.pk).update(email="changed@example.org")
    table(ada, ben)
    assert send_due_notices() == 0
    assert not Notice.objects.filter(due_at__lte=timezone.now(), cancelled_at=None)
    EmailAddress.objects.filter(user=ada).update(verified=True)
    run_out(Game.objects.get())
    assert send_due_notices() == 1
    assert len(mails_to(mailbox, ada)) == 1


def test_mail_that_is_only_printed_needs_no_confirmation(
    ada: User, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    EmailAddress.objects.all().delete()
    table(ada)
    assert send_due_notices() == 1
    assert ada.email in capsys.readouterr().out


def test_a_paused_game_asks_when_it_goes_on(mailbox: Mailbox, ada: User) -> None:
    game = table(ada)
    Game.objects.filter(pk=game.pk).update(status="paused", deadline_at=None, paused_left=timedelta(hours=20))
    assert send_due_notices() == 0
    Game.objects.filter(pk=game.pk).update(status="running", deadline_at=timezone.now() + timedelta(hours=20))
    let_time_pass(game, notice_checks.LOOK_AGAIN)
    assert send_due_notices() == 1
