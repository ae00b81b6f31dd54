"""What could not be told while a ban ran or an address was broken is told afterwards, if it still waits; and what waits
for an hour of the reader's day follows that hour."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import quiet_hours
from accounts.models import Bounce, User
from game.delivery import bounces
from game.delivery.forms import HoursForm
from game.delivery.notice_sending import send_due_notices
from game.moderation import sanctions
from game.outbox import preferences
from game.outbox.models import Delivery, NoticeTiming, Topic, Webhook
from game.outbox.status_notices import BANNED
from game.outbox.webhook_types import REMINDER
from game.store.case_models import Sanction
from game.store.game import Game
from game.store.log import Channel, Notice
from tests.delivery.test_notices import ALWAYS_AWAKE, mails_to
from tests.scenes import moderator, person, ready, run_out, silent, table
from tests.servers import Mailbox
from tests.tables import confirmed

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def ada() -> User:
    return person("Ada", **ALWAYS_AWAKE)


@pytest.fixture
def banned(ada: User) -> Game:
    """A game in which a decision waits for somebody who is banned for a day."""
    preferences.stop(user_id=ada.pk, topics=[Topic.STARTED], channel=Channel.MAIL, game_id=None)
    game = table(ada, silent())
    sanctions.impose(person=ada, moderator=moderator("Lena"), kind="ban", reason="no tricks", days=1)
    assert send_due_notices() == 0
    held = Notice.objects.get(user=ada, kind="turn")
    assert (held.due_at, held.cancelled_at) == (Sanction.objects.get().until, None)
    assert held.trouble == BANNED
    return game


def lift_ban() -> None:
    sanctions.lift(
        person=Sanction.objects.get().user,
        number=Sanction.objects.get().pk,
        moderator=User.objects.get(username="Lena"),
        reason="enough",
    )


def test_a_decision_that_still_waits_when_a_ban_is_lifted_is_asked(mailbox: Mailbox, ada: User, banned: Game) -> None:
    lift_ban()
    assert send_due_notices() == 1
    assert "Bid influence points" in mails_to(mailbox, ada)[-1]["Subject"]


def test_a_decision_that_still_waits_when_a_ban_ends_is_asked(mailbox: Mailbox, ada: User, banned: Game) -> None:
    User.objects.filter(pk=ada.pk).update(banned_until=Now() - timedelta(seconds=1))
    Notice.objects.filter(trouble=BANNED).update(due_at=Now())
    assert send_due_notices() == 1


def test_what_was_settled_during_a_ban_is_not_asked(mailbox: Mailbox, ada: User, banned: Game) -> None:
    before = Notice.objects.get(user=ada, kind="turn")
    ready(banned, 0)
    lift_ban()
    send_due_notices()
    before.refresh_from_db()
    assert before.cancelled_at is not None
    assert not [mail for mail in mails_to(mailbox, ada) if "Bid influence points" in mail["Subject"]]


def test_what_was_not_sent_to_a_broken_address_is_asked_when_staff_lift_the_stop(mailbox: Mailbox, ada: User) -> None:
    bounce = Bounce.objects.create(address=ada.email, why=Bounce.Why.UNKNOWN)
    game = table(ada, silent())
    run_out(game)
    assert send_due_notices() == 0
    assert Notice.objects.filter(user=ada, kind="turn").exclude(cancelled_at=None).exists()
    bounces.lift_bounces(numbers=[bounce.pk], moderator=moderator("Lena"), reason="a new mailbox")
    assert send_due_notices() == 1
    assert len(mails_to(mailbox, ada)) == 1, "of what is open now, and of nothing before"


@pytest.mark.parametrize(("why", "again"), [(Bounce.Why.UNKNOWN, 1), (Bounce.Why.SPAM, 0)])
def test_what_came_back_is_asked_at_the_next_address_and_what_was_read_is_not(
    mailbox: Mailbox, ada: User, why: Bounce.Why, again: int
) -> None:
    ada.set_password("open sesame 42")
    ada.save()
    table(ada, silent())
    assert send_due_notices() == 1
    Bounce.objects.create(address=ada.email, why=why)
    EmailAddress.objects.create(user=ada, email="new@example.org", verified=True)
    page = confirmed(ada).post(reverse("account_email"), {"email": "new@example.org", "action_primary": ""})
    assert page.status_code == 302
    ada.refresh_from_db()
    assert ada.email == "new@example.org"
    assert send_due_notices() == again


def test_a_decision_that_waits_is_asked_when_an_address_is_confirmed(mailbox: Mailbox, ada: User) -> None:
    row = EmailAddress.objects.get(user=ada)
    EmailAddress.objects.update(verified=False)
    table(ada, silent())
    assert send_due_notices() == 0
    Client().post(reverse("account_confirm_email", args=[EmailConfirmationHMAC(row).key]))
    assert send_due_notices() == 1
    assert send_due_notices() == 0


# --- hours that change


@pytest.fixture
def noon(ada: User) -> datetime:
    """The deadline of a decision that waits for Ada: noon in two days, after a day for it."""
    table(ada, silent())
    send_due_notices()
    noon = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=2)
    Game.objects.update(deadline_at=noon, clock_since=noon - timedelta(days=1))
    Notice.objects.filter(kind="reminder").update(due_at=noon - timedelta(hours=6))
    return noon


def set_hours(ada: User, **chosen: int) -> None:
    form = HoursForm({"quiet_from": 0, "quiet_until": 0, "digest_hour": 8, **chosen}, instance=ada)
    assert form.is_valid()
    form.save()


def reminded_at() -> datetime:
    return Notice.objects.get(user__username="Ada", kind="reminder").due_at


def test_a_reminder_follows_other_quiet_hours(mailbox: Mailbox, ada: User, noon: datetime) -> None:
    hook = Webhook.objects.create(user=ada, url="https://hooks.example.org/", state=Webhook.State.ACTIVE)
    serial = Game.objects.get().phase_serial
    rows = Delivery.objects.create(
        webhook=hook, type=REMINDER, game=Game.objects.get(), serial=serial, due_at=reminded_at()
    )
    set_hours(ada, quiet_from=22, quiet_until=8)
    assert reminded_at() == noon - timedelta(hours=4), "in the morning"
    rows.refresh_from_db()
    assert rows.due_at == reminded_at(), "programs are told at the same time"
    set_hours(ada, quiet_from=0, quiet_until=0)
    assert reminded_at() == noon - timedelta(hours=6)
    set_hours(ada, quiet_from=1, quiet_until=11)
    assert reminded_at() == noon - timedelta(hours=12), "before the night, since the morning is too late"


def test_a_reminder_follows_another_zone(mailbox: Mailbox, ada: User, noon: datetime, client: Client) -> None:
    set_hours(ada, quiet_from=22, quiet_until=8)
    client.force_login(ada)
    chosen = {"timezone": "Asia/Tokyo", "theme": "auto", "language": "en"}
    assert client.post(reverse("preferences"), chosen).status_code == 302
    assert reminded_at() == noon - timedelta(hours=6), "three in the afternoon there"


def test_a_reminder_that_had_no_time_gets_one_that_is_still_to_come(
    ada: User, noon: datetime, mailbox: Mailbox
) -> None:
    Game.objects.update(deadline_at=timezone.now() + timedelta(minutes=50), clock_since=timezone.now())
    deadline = Game.objects.get().deadline_at
    Notice.objects.filter(kind="reminder").update(due_at=deadline)
    far = timezone.now().hour + 12
    set_hours(ada, quiet_from=far % 24, quiet_until=(far + 1) % 24)
    assert reminded_at() == deadline, "the hour before the deadline had begun when it was asked"


def test_a_digest_follows_its_hour(mailbox: Mailbox, ada: User) -> None:
    every: dict[Any, Any] = {(topic, Channel.MAIL): NoticeTiming.DIGEST for topic in Topic if topic != Topic.REMINDER}
    preferences.choose(user_id=ada.pk, game_id=None, chosen=every)
    table(ada, silent())
    send_due_notices()
    other = (timezone.now().hour + 7) % 24
    set_hours(ada, digest_hour=other)
    waiting = set(Notice.objects.filter(user=ada, in_digest=True).values_list("due_at", flat=True))
    assert waiting == {quiet_hours.next_hour(ada, other, timezone.now())}
