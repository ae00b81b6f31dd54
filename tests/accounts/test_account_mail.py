"""Mail about accounts: no request waits for a mail server, nothing is lost while it is away, nothing stays when it is
sent."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import emails
from accounts.models import User, WaitingMail
from game import tasks
from tests.accounts.dying import ended_while_sending
from tests.delivery.test_mail_times import Breaking
from tests.servers import Mailbox, free_port, smtp_server, use_post

pytestmark = [pytest.mark.django_db]
GOOD_PASSWORD = "correct horse battery"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", "ada@example.org", GOOD_PASSWORD)


@pytest.fixture
def no_post(settings: Any) -> int:
    """A mail server that is down; the port where it would be."""
    port = free_port()
    use_post(settings, port)
    return port


def ask_for_a_reset(address: str, **headers: str) -> Any:
    return Client().post(reverse("account_reset_password"), {"email": address}, follow=True, headers=headers)


def sign_up(name: str, address: str) -> Any:
    return Client().post(reverse("account_signup"), {"username": name, "email": address, "password1": GOOD_PASSWORD})


def let_time_pass(length: timedelta) -> None:
    for waiting in WaitingMail.objects.all():
        waiting.due_at, waiting.expires_at = waiting.due_at - length, waiting.expires_at - length
        waiting.save()


def test_no_request_talks_to_a_mail_server(mailbox: Mailbox, ada: User) -> None:
    ask_for_a_reset(ada.email)
    sign_up("Grace", "grace@example.org")
    assert not mailbox.messages
    tasks.send_due_notices()
    assert [message["To"] for message in mailbox.messages] == [ada.email, "grace@example.org"]


def test_mail_waits_while_the_post_is_down_and_is_deleted_when_it_is_sent(
    no_post: int, ada: User, logged: list[Any]
) -> None:
    answer = ask_for_a_reset(ada.email)
    assert answer.status_code == 200
    assert emails.send_queued() == 0
    assert WaitingMail.objects.get().attempts == 1
    assert "post_is_down" in [line["event"] for line in logged]
    box = Mailbox()
    with smtp_server(box, port=no_post):
        assert emails.send_queued() == 0, "not before the next attempt is due"
        let_time_pass(emails.FIRST_RETRY)
        assert emails.send_queued() == 1
    for kind in ("plain", "html"):
        part: Any = box.messages[0].get_body((kind,))
        assert re.search(r"http://testserver/accounts/password/reset/key/\S+", part.get_content())
    assert not WaitingMail.objects.exists()


@pytest.mark.usefixtures("no_post")
def test_a_mail_too_old_to_be_of_use_is_deleted_unsent(ada: User) -> None:
    ask_for_a_reset(ada.email)
    let_time_pass(emails.VALID_FOR)
    assert emails.send_queued() == 0
    assert not WaitingMail.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_moment_send_a_mail_once(mailbox: Mailbox, ada: User) -> None:
    ask_for_a_reset(ada.email)

    def work(_: int) -> int:
        try:
            return emails.send_queued()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        assert sum(workers.map(work, range(4))) == 1
    assert len(mailbox.messages) == 1


def test_a_mail_whose_answer_was_lost_is_not_sent_again(settings: Any, ada: User) -> None:
    ask_for_a_reset(ada.email)
    box = Breaking()
    with smtp_server(box):
        use_post(settings, box.port)
        for _ in range(3):
            assert emails.send_queued() == 0
            let_time_pass(emails.LONGEST_RETRY)
    assert len(box.messages) == 1
    assert not WaitingMail.objects.exists(), "its link is not kept any longer"


@pytest.mark.parametrize("is_taken", [False, True], ids=["before", "after"])
def test_a_process_that_dies_while_it_sends_sends_at_most_once(mailbox: Mailbox, ada: User, is_taken: bool) -> None:
    """Between the commit that says that it is handed over and the one that deletes it."""
    ask_for_a_reset(ada.email)
    with ended_while_sending(is_taken=is_taken):
        emails.send_queued()
    for _ in range(3):
        let_time_pass(emails.LONGEST_RETRY)
        assert emails.send_queued() == 0
    assert len(mailbox.messages) == int(is_taken)
    let_time_pass(emails.VALID_FOR)
    emails.send_queued()
    assert not WaitingMail.objects.exists()


@pytest.fixture
def strict_box(settings: Any) -> Iterator[Mailbox]:
    """A server that takes nothing for one address, ever."""

    class Strict(Mailbox):
        async def handle_RCPT(  # noqa: N802
            self, server: Any, session: Any, envelope: Any, address: str, options: Any
        ) -> str:
            if address.startswith("ada@"):
                return "550 no such person"
            envelope.rcpt_tos.append(address)
            return "250 OK"

    box = Strict()
    with smtp_server(box):
        use_post(settings, box.port)
        yield box


def test_a_refused_address_holds_no_other_mail_up_and_is_not_logged(
    strict_box: Mailbox, ada: User, caplog: pytest.LogCaptureFixture
) -> None:
    ask_for_a_reset(ada.email)
    ask_for_a_reset("nobody@example.org")
    assert emails.send_queued() == 1
    assert [message["To"] for message in strict_box.messages] == ["nobody@example.org"]
    assert not WaitingMail.objects.exists()
    lines = [str(record.msg) for record in caplog.records if record.name == "accounts.post"]
    assert ["account_mail_not_sent" in line and ada.email not in line for line in lines] == [True]


def test_waiting_mail_is_in_no_admin(admin_client: Client, ada: User) -> None:
    ask_for_a_reset(ada.email)
    assert not admin.site.is_registered(WaitingMail)
    assert apps.get_app_config("accounts").get_model("WaitingMail") is WaitingMail
    assert "waiting" not in admin_client.get(reverse("admin:index")).content.decode().lower()


def test_a_reset_leaves_the_same_traces_for_every_address(ada: User) -> None:
    """The pages are equal, and each request writes one row."""
    answers = []
    for number, address in enumerate((ada.email, "nobody@example.org"), 1):
        page = ask_for_a_reset(address).content.decode()
        answers.append(page[page.index("<main") : page.index("</main>")])
        assert WaitingMail.objects.count() == number
    assert answers[0] == answers[1]


def test_sign_up_takes_as_long_for_an_address_that_has_an_account(
    ada: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in hashes, of which each takes far longer than all the rest."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    counted: list[int] = []
    plain = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *given: counted.append(1) or plain(*given))
    hashes = []
    for name, address in (("Grace", "grace@example.org"), ("Eve", ada.email)):
        counted.clear()
        assert sign_up(name, address).status_code == 302
        hashes.append(len(counted))
    assert hashes[0] == hashes[1] > 0


@pytest.mark.parametrize("host", ["testserver:9999", "testserver:80", "TESTSERVER"])
def test_links_in_mail_begin_with_the_site_s_own_address_whatever_the_request_names(
    mailoutbox: list[Any], ada: User, host: str
) -> None:
    ask_for_a_reset(ada.email, host=host)
    ask_for_a_reset("nobody@example.org", host=host)
    links = [link for letter in mailoutbox for link in re.findall(r"https?://\S+", letter.body)]
    assert len(links) == 2
    assert all(link.startswith("http://testserver/accounts/") for link in links)


def test_a_mail_s_life_is_short_in_the_backup_too(ada: User) -> None:
    ask_for_a_reset(ada.email)
    assert WaitingMail.objects.get().expires_at - timezone.now() <= emails.VALID_FOR
