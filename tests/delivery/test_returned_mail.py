"""Who owns an address that mail came back from is told once by their browsers and webhooks, and by no mail."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Bounce, User
from game import tasks
from game.delivery import bounces
from game.outbox import preferences
from game.outbox.models import NoticeTiming, Topic
from game.seats.takeover import resign
from game.store.log import Channel, Notice
from tests.delivery.test_bounces import BOUNCED, SECRET, SPAM, report
from tests.delivery.test_webhooks import active
from tests.hooks import Host, hook_host, reach_to
from tests.outbox.test_push import KEY, allowed
from tests.scenes import moderator, person, silent, table

pytestmark = [pytest.mark.django_db]
EVENT = "mail.returned"


@pytest.fixture
def host(settings: Any) -> Any:
    settings.PUSH_KEY, settings.ANYMAIL = KEY, {"WEBHOOK_SECRET": SECRET}
    with hook_host() as found:
        settings.OUTGOING = reach_to(found.port)
        yield found


@pytest.fixture
def ada() -> User:
    return person("Ada", quiet_from=0, quiet_until=0)


def told(host: Host) -> list[Any]:
    """What browsers and webhooks were sent since the last look."""
    tasks.send_due_pushes()
    tasks.send_due_hooks()
    taken = list(host.taken)
    host.taken.clear()
    return taken


@pytest.mark.parametrize(("what", "words"), [(BOUNCED, "came back"), (SPAM, "marked as spam")])
def test_a_browser_is_told_once_and_leads_to_where_it_is_mended(
    ada: User, client: Client, host: Host, settings: Any, what: dict[str, Any], words: str
) -> None:
    game, browser = table(ada, silent()), allowed(ada)
    told(host)
    assert [report(client, what), report(client, what)] == [200, 200]
    (taken,) = told(host)
    result = browser.read(taken)
    assert (result["url"], result["tag"]) == (f"{settings.SITE_URL}/accounts/email/", "address")
    assert words in result["body"]
    assert taken.headers["topic"] == "address", "it takes the place of nothing that was said of a game"
    assert told(host) == []
    assert not game.notices.filter(kind="bounced", channel=Channel.MAIL).exists()


def test_it_is_told_in_the_reader_s_language(ada: User, client: Client, host: Host) -> None:
    User.objects.filter(pk=ada.pk).update(language="de")
    table(ada, silent())
    browser = allowed(ada)
    told(host)
    report(client, BOUNCED)
    (taken,) = told(host)
    assert browser.read(taken)["title"] == "Adresse ändern"


@pytest.mark.parametrize("how", ["lifted", "another address"])
def test_nothing_is_told_once_the_address_works_again(ada: User, client: Client, host: Host, how: str) -> None:
    table(ada, silent())
    allowed(ada)
    active(ada, host)
    told(host)
    report(client, BOUNCED)
    if how == "lifted":
        numbers = [Bounce.objects.get().pk]
        bounces.lift_bounces(numbers=numbers, moderator=moderator("lena"), reason="has a new mailbox there")
    else:
        User.objects.filter(pk=ada.pk).update(email="ada@example.net")
    assert told(host) == []
    assert Notice.objects.get(kind="bounced").cancelled_at is not None


def test_an_address_that_refuses_mail_a_second_time_is_told_again(ada: User, client: Client, host: Host) -> None:
    table(ada, silent())
    allowed(ada)
    told(host)
    for _ in range(2):
        report(client, BOUNCED)
        assert len(told(host)) == 1
        Bounce.objects.get().delete()


def test_a_webhook_is_told_once_where_it_wants_to_be(ada: User, client: Client, host: Host) -> None:
    game = table(ada, silent())
    active(ada, host, types=[EVENT])
    active(ada, host, url="https://hooks.example.org/other", types=["game.held"])
    report(client, BOUNCED)
    (taken,) = told(host)
    assert (taken.type, taken.json["data"]["game"]) == (EVENT, game.pk)
    report(client, BOUNCED)
    assert told(host) == []


def test_the_game_whose_deadline_comes_first_is_the_one_that_is_named(ada: User, client: Client, host: Host) -> None:
    later = table(ada, silent(), pace="relaxed")
    first = table(ada, silent(), pace="daily")
    assert (first.deadline_at or 0) < (later.deadline_at or 0)
    allowed(ada)
    report(client, BOUNCED)
    assert [notice.game_id for notice in Notice.objects.filter(kind="bounced")] == [first.pk]


def test_who_plays_nothing_and_who_wants_to_hear_nothing_is_told_nothing(ada: User, client: Client, host: Host) -> None:
    game = table(ada, silent())
    allowed(ada)
    preferences.choose(user_id=ada.pk, game_id=None, chosen={(Topic.SEAT, Channel.PUSH): NoticeTiming.OFF})
    told(host)
    report(client, BOUNCED)
    assert told(host) == []
    preferences.choose(user_id=ada.pk, game_id=None, chosen={(Topic.SEAT, Channel.PUSH): NoticeTiming.NOW})
    Bounce.objects.get().delete()
    resign(game_id=game.pk, user=ada)
    told(host)
    report(client, BOUNCED)
    assert told(host) == []
