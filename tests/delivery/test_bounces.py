"""Mail that comes back: reported by the service that sends it, told to the person on the site, lifted by staff."""

import json
from base64 import b64encode
from typing import Any

import pytest
from anymail.signals import AnymailTrackingEvent, EventType, RejectReason, tracking
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import Bounce, User, WaitingMail
from game.delivery import bounces
from game.delivery.notice_sending import send_due_notices
from game.engine.actions import Refused
from game.store.log import Notice
from game.store.moderation_models import ModeratorAction
from tests.scenes import moderator, person, run_out, silent, table
from tests.servers import Mailbox, smtp_server, use_post

pytestmark = [pytest.mark.django_db]
SECRET = "sender:a long random word"
WHY = "has a new mailbox there"
WHERE = "/mail/events/postmark/"
BOUNCED = {
    "RecordType": "Bounce", "ID": 42, "Type": "HardBounce", "TypeCode": 1, "MessageID": "m-1", "Tag": "",
    "Description": "The server was unable to deliver your message", "Details": "550 5.1.1 no such user",
    "Email": "Ada@example.org", "BouncedAt": "2026-11-22T09:00:00Z",
}  # fmt: skip
SOFT = BOUNCED | {"Type": "SoftBounce", "TypeCode": 4096, "Details": "452 4.2.2 mailbox full"}
SPAM = BOUNCED | {"RecordType": "SpamComplaint", "Type": "SpamComplaint", "TypeCode": 100001}


@pytest.fixture
def ada() -> User:
    return person("Ada", quiet_from=0, quiet_until=0)


@pytest.fixture(autouse=True)
def with_service(settings: Any) -> None:
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}


def report(client: Client, what: dict[str, Any], secret: str = SECRET) -> int:
    authorization = f"Basic {b64encode(secret.encode()).decode()}"
    headers = {"authorization": authorization} if secret else {}
    return client.post(WHERE, json.dumps(what), content_type="application/json", headers=headers).status_code


def test_an_address_that_does_not_exist_gets_no_more_mail(mailbox: Mailbox, client: Client, ada: User) -> None:
    game = table(ada, silent())
    send_due_notices()
    mailer = Client(enforce_csrf_checks=True)
    assert [report(mailer, BOUNCED), report(mailer, BOUNCED)] == [200, 200]
    queryset = Bounce.objects.get()
    assert (queryset.address, queryset.why) == ("ada@example.org", "unknown")
    run_out(game)
    assert send_due_notices() == 0
    client.force_login(ada)
    for page in ("/", "/games/", "/notifications/"):
        assert "came back" in client.get(page).content.decode(), page
    assert client.post("/accounts/password/reset/", {"email": ada.email}).status_code == 302, "that is asked for"


def test_mail_called_spam_is_the_last(client: Client, ada: User) -> None:
    report(client, SPAM)
    assert Bounce.objects.get().why == "spam"
    client.force_login(ada)
    assert "was marked as spam" in client.get("/notifications/").content.decode()


@pytest.mark.parametrize("details", ["452 4.2.2 mailbox full", "552 5.2.2 mailbox full", "Out of the office"])
def test_a_mailbox_that_is_full_is_no_bounce(client: Client, ada: User, details: str) -> None:
    assert report(client, SOFT | {"Details": details}) == 200
    assert not Bounce.objects.exists()


@pytest.mark.parametrize(("kind", "is_kept"), [("Transient: MailboxFull", False), ("Permanent: General", True)])
def test_what_amazon_calls_transient_is_no_bounce(ada: User, kind: str, is_kept: bool) -> None:
    how = {"event_type": EventType.BOUNCED, "reject_reason": RejectReason.BOUNCED, "recipient": ada.email}
    event = AnymailTrackingEvent(**how, description=kind, mta_response="smtp; 550 not now", esp_event=None)
    tracking.send(sender=None, event=event, esp_name="Amazon SES")
    assert Bounce.objects.exists() == is_kept


def test_addresses_of_nobody_are_not_kept(client: Client, ada: User) -> None:
    assert report(client, BOUNCED | {"Email": "else@example.org"}) == 200
    assert not Bounce.objects.exists()


@pytest.mark.parametrize("secret", ["", "sender:another word"])
def test_a_stranger_cannot_report(client: Client, ada: User, secret: str) -> None:
    assert report(client, BOUNCED, secret) == 400
    assert not Bounce.objects.exists()


def test_without_a_secret_there_is_no_such_address(client: Client, settings: Any, ada: User) -> None:
    settings.ANYMAIL = {}
    assert report(client, BOUNCED) == 404


@pytest.mark.parametrize("where", ["/mail/events/nobody/", "/mail/events/postmark-inbound/"])
def test_a_service_that_does_not_exist_is_not_found(client: Client, ada: User, where: str) -> None:
    assert client.post(where, "{}", content_type="application/json").status_code == 404


def test_another_address_is_mailed_again(mailbox: Mailbox, client: Client, ada: User) -> None:
    report(client, BOUNCED)
    ada.emailaddress_set.update(email="ada@elsewhere.example")  # type: ignore[attr-defined]
    User.objects.filter(pk=ada.pk).update(email="ada@elsewhere.example")
    table(ada, silent())
    assert send_due_notices() == 1
    assert mailbox.messages[0]["To"] == "ada@elsewhere.example"


def test_nobody_lifts_their_own_bounce_nor_that_of_somebody_above_and_then_none_of_the_others(ada: User) -> None:
    lena, root = moderator("Lena", "lift_bounce"), person("Root", is_staff=True, is_superuser=True)
    for above in (lena, root):
        rows = [Bounce.objects.create(address=each.email, why="unknown") for each in (ada, above)]
        with pytest.raises(Refused):
            bounces.lift_bounces(numbers=[row.pk for row in rows], moderator=lena, reason=WHY)
        assert Bounce.objects.count() == 2
        Bounce.objects.all().delete()
    assert not ModeratorAction.objects.exists()


def test_staff_lift_a_bounce(mailbox: Mailbox, client: Client, ada: User) -> None:
    report(client, BOUNCED)
    staff = person("Lena", is_staff=True)
    client.force_login(staff)
    where, lift = (
        "/admin/accounts/bounce/",
        {"action": "lift", "_selected_action": [Bounce.objects.get().pk], "reason": WHY},
    )
    assert client.get(where).status_code == 403, "not every moderator sees addresses"
    staff.user_permissions.set(Permission.objects.filter(codename="view_bounce"))
    assert "ada@example.org" in client.get(where).content.decode()
    client.post(where, lift)
    assert Bounce.objects.exists(), "who may look may not lift"
    staff.user_permissions.add(Permission.objects.get(codename="can_lift_bounce"))
    assert "Enter a reason" in client.post(where, lift | {"reason": " "}, follow=True).content.decode()
    assert client.post(f"{where}{Bounce.objects.get().pk}/delete/", {"post": "yes"}).status_code == 403
    assert Bounce.objects.exists(), "nothing is lifted without a reason"
    client.post(where, lift)
    assert not Bounce.objects.exists()
    record = ModeratorAction.objects.get()
    assert (record.user, record.verb, record.reason, record.details["user"]) == (staff, "lift_bounce", WHY, "Ada")
    assert "example" not in str(record.details), "the record names no address"
    queryset = WaitingMail.objects.get()
    assert queryset.recipient == ada.email
    assert WHY in queryset.text
    table(ada, silent())
    assert send_due_notices() == 1


def test_what_the_server_says_is_kept_without_the_address(settings: Any, ada: User) -> None:
    """All staff read it; addresses only some of them."""
    from tests.delivery.test_notices import Stubborn  # its own subject is what becomes of the mail

    box = Stubborn()
    table(ada)
    box.answer = f"550 <{ada.email}>: Recipient address rejected"
    with smtp_server(box):
        use_post(settings, box.port)
        send_due_notices()
    trouble = Notice.objects.exclude(trouble="").first().trouble  # type: ignore[union-attr]
    assert "550" in trouble
    assert "Recipient address rejected" in trouble
    assert ada.email not in trouble
