"""Notifications of browsers: encrypted for the browser alone, signed for its service, thin, and forgotten when it is
gone."""

import base64
import json
import os
from datetime import datetime, timedelta
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management import call_command
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from py_vapid import Vapid02

from accounts.limits import most_of
from accounts.models import User
from game import tasks
from game.delivery.forms import HoursForm
from game.engine.actions import Refused
from game.lobby import inviting, lobby
from game.outbox import notices, preferences, push_subscriptions
from game.outbox.models import NoticeTiming, PushSubscription, Topic
from game.outbox.status_notices import QUIET
from game.store.game import Game
from game.store.log import Channel, Notice
from game.store.proposals import VoteTopic
from game.votes import voting
from tests.hooks import Host, Taken, hook_host, reach_to
from tests.scenes import let_time_pass, person, silent, table
from tests.tables import READY, confirmed, send

pytestmark = [pytest.mark.django_db]
KEY = "Zs9eCbAYkiCAWXTLSJNVOrBUqx8wfBg8LOXIfnPBEWE"


class Browser:
    """What a browser keeps to itself, and what it tells."""

    def __init__(self, name: str = "one") -> None:
        self.private, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.endpoint = f"https://hooks.example.org/push/{name}"

    @property
    def told(self) -> dict[str, Any]:
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "keys": {"p256dh": text_of(point), "auth": text_of(self.auth)}}

    def read(self, taken: Taken) -> Any:
        plain = http_ece.decrypt(
            taken.body, private_key=self.private, auth_secret=self.auth, version=taken.headers["content-encoding"]
        )
        return json.loads(plain)


def text_of(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.fixture
def host(settings: Any) -> Any:
    settings.PUSH_KEY = KEY
    with hook_host() as found:
        found.answer = lambda taken: (201, {}, b"")
        settings.OUTGOING = reach_to(found.port)
        yield found


@pytest.fixture
def ada() -> User:
    return person("Ada", quiet_from=0, quiet_until=0)


def allowed(user: User, name: str = "one") -> Browser:
    """A browser in which this person has pressed the button."""
    browser, client = Browser(name), confirmed(user, "correct horse battery")
    answer = client.post("/notifications/browser/allow/", browser.told, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return browser


def playing(ada: User, **more: Any) -> Game:
    return table(ada, silent(), ruleset="toy", bots=0, **more)


def test_a_decision_is_shown_thin_encrypted_and_signed(ada: User, host: Host, settings: Any) -> None:
    browser, game = allowed(ada), playing(ada)
    send(game, 1, {"kind": "bid", "coins": 4})
    tasks.send_due_pushes()
    assert len(host.taken) == 1, "one for a game, whatever happened there"
    (taken,) = host.taken
    result = browser.read(taken)
    assert set(result) == {"title", "body", "url", "tag"}
    assert (result["title"], result["tag"]) == (game.name, f"game-{game.pk}")
    assert result["url"] == f"{settings.SITE_URL}/games/{game.pk}/"
    assert "(until " in result["body"]
    assert b"Tuesday" not in taken.body
    assert (taken.headers["topic"], taken.headers["urgency"]) == (f"game-{game.pk}", "normal")
    assert 0 < int(taken.headers["ttl"]) <= 86_400
    assert Vapid02.verify(taken.headers["authorization"])
    assert f"k={push_subscriptions.public_key(KEY)}" in taken.headers["authorization"]
    assert not Notice.objects.filter(channel=Channel.PUSH, sent_at=None, kind__in=["turn", "started"]).exists()
    tasks.send_due_pushes()
    assert len(host.taken) == 1


def test_a_vote_takes_no_decision_s_place(ada: User, host: Host) -> None:
    browser, ben = allowed(ada), person("Ben")
    game = table(ada, ben, ruleset="toy", bots=0)
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=ben)
    tasks.send_due_pushes()
    values_by_key = {shown["tag"]: shown["body"] for shown in map(browser.read, host.taken)}
    assert set(values_by_key) == {f"game-{game.pk}", f"game-{game.pk}-vote"}
    assert values_by_key[f"game-{game.pk}-vote"] == "A player asks for your vote on a pause."


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Ben invites you to a game."), ("de", "Ben lädt dich zu einem Spiel ein.")]
)
def test_an_invitation_says_who_invites_to_what_and_nothing_that_the_host_wrote(
    ada: User, host: Host, settings: Any, language: str, words: str
) -> None:
    ada.language = language
    ada.save(update_fields=["language"])
    browser, ben = allowed(ada), person("Ben")
    game = lobby.create_game(host=ben, name="Come to evil.example", seats=3, pace="daily", ruleset="toy")
    inviting.invite(game_id=game.pk, user=ben, person=ada.pk)
    tasks.send_due_pushes()
    assert not host.taken, "a wrong name can be taken back first"
    let_time_pass(game, timedelta(minutes=1))
    tasks.send_due_pushes()
    (taken,) = host.taken
    assert browser.read(taken) == {
        "title": game.rules.title,
        "body": words,
        "url": f"{settings.SITE_URL}{game.get_absolute_url()}",
        "tag": f"game-{game.pk}",
    }


def test_a_withdrawn_invitation_is_not_shown(ada: User, host: Host) -> None:
    allowed(ada)
    ben = person("Ben")
    game = lobby.create_game(host=ben, name="Ours", seats=3, pace="daily", ruleset="toy")
    inviting.invite(game_id=game.pk, user=ben, person=ada.pk)
    inviting.withdraw(game_id=game.pk, user=ben, person=ada.pk)
    let_time_pass(game, timedelta(minutes=1))
    tasks.send_due_pushes()
    assert not host.taken


def test_nobody_else_can_read_it(ada: User, host: Host) -> None:
    allowed(ada)
    playing(ada)
    tasks.send_due_pushes()
    with pytest.raises(Exception, match=r"(?i)decrypt|tag|key"):
        Browser().read(host.taken[0])


def test_what_was_decided_before_is_not_shown(ada: User, host: Host) -> None:
    allowed(ada)
    preferences.choose(user_id=ada.pk, game_id=None, chosen={(Topic.STARTED, Channel.PUSH): NoticeTiming.OFF})
    send(playing(ada), 0, READY)
    tasks.send_due_pushes()
    assert not host.taken


def test_each_person_chooses_of_what_a_browser_tells(ada: User, host: Host) -> None:
    allowed(ada)
    off: dict[tuple[Topic, Channel], NoticeTiming | None] = {(topic, Channel.PUSH): NoticeTiming.OFF for topic in Topic}
    preferences.choose(user_id=ada.pk, game_id=None, chosen=off)
    playing(ada)
    tasks.send_due_pushes()
    assert not host.taken
    assert not Notice.objects.filter(channel=Channel.MAIL).exclude(cancelled_at=None).exists()


# --- while its reader sleeps


def asleep(user: User) -> datetime:
    """The person's quiet hours have begun; when they end."""
    now = timezone.now()
    user.quiet_from, user.quiet_until = now.hour, (now.hour + 3) % 24
    user.save(update_fields=["quiet_from", "quiet_until"])
    return now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=3)


def wake(user: User) -> None:
    """The quiet hours are over, and what waits for their end is due."""
    User.objects.filter(pk=user.pk).update(quiet_from=0, quiet_until=0)
    Notice.objects.filter(channel=Channel.PUSH).exclude(kind="reminder").update(due_at=Now())


def test_at_night_no_browser_asks_for_a_decision_and_in_the_morning_it_does(ada: User, host: Host) -> None:
    browser, morning = allowed(ada), asleep(ada)
    game = playing(ada)
    tasks.send_due_pushes()
    assert not host.taken
    waiting = Notice.objects.get(channel=Channel.PUSH, kind="turn")
    assert (waiting.due_at, waiting.trouble, waiting.cancelled_at) == (morning, QUIET, None)
    wake(ada)
    tasks.send_due_pushes()
    assert [browser.read(taken)["tag"] for taken in host.taken] == [f"game-{game.pk}"]


def test_quiet_hours_that_are_given_up_hold_nothing_back(ada: User, host: Host) -> None:
    allowed(ada)
    asleep(ada)
    playing(ada)
    tasks.send_due_pushes()
    form = HoursForm({"quiet_from": 0, "quiet_until": 0, "digest_hour": 8}, instance=ada)
    assert form.is_valid()
    form.save()
    tasks.send_due_pushes()
    assert len(host.taken) == 1


def test_what_was_decided_at_night_is_not_shown_in_the_morning(ada: User, host: Host) -> None:
    allowed(ada)
    asleep(ada)
    preferences.choose(user_id=ada.pk, game_id=None, chosen={(Topic.STARTED, Channel.PUSH): NoticeTiming.OFF})
    game = playing(ada)
    tasks.send_due_pushes()
    send(game, 0, READY)
    wake(ada)
    tasks.send_due_pushes()
    assert not host.taken
    assert Notice.objects.get(channel=Channel.PUSH, kind="turn").cancelled_at is not None


@pytest.mark.parametrize(("pace", "shown"), [("live", 1), ("daily", 0)])
def test_a_fast_game_that_starts_is_shown_at_any_hour(ada: User, host: Host, pace: str, shown: int) -> None:
    allowed(ada)
    asleep(ada)
    game = playing(ada, pace=pace)
    notices.write_notices()
    let_time_pass(game, timedelta(seconds=10))
    tasks.send_due_pushes()
    assert len(host.taken) == shown


def test_an_invitation_to_a_fast_game_waits_for_the_morning(ada: User, host: Host) -> None:
    """Nobody plays it yet."""
    allowed(ada)
    morning, ben = asleep(ada), person("Ben")
    game = lobby.create_game(host=ben, name="Ours", seats=3, pace="live", ruleset="toy")
    inviting.invite(game_id=game.pk, user=ben, person=ada.pk)
    let_time_pass(game, timedelta(minutes=1))
    tasks.send_due_pushes()
    assert not host.taken
    assert Notice.objects.get(channel=Channel.PUSH).due_at == morning


# --- browsers that are gone, and services that are away


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(ada: User, host: Host, status: int) -> None:
    allowed(ada)
    playing(ada)
    host.answer = lambda taken: (status, {}, b"")
    tasks.send_due_pushes()
    assert not PushSubscription.objects.exists()
    assert not Notice.objects.filter(channel=Channel.PUSH, kind="turn", cancelled_at=None).exists()


def test_a_service_that_is_away_is_asked_again_later(ada: User, host: Host) -> None:
    allowed(ada)
    playing(ada)
    host.answer = lambda taken: (503, {}, b"")
    tasks.send_due_pushes()
    notice = Notice.objects.get(channel=Channel.PUSH, kind="turn")
    assert (notice.sent_at, notice.handed_at, notice.trouble) == (None, None, "HTTP 503")
    host.answer = lambda taken: (201, {}, b"")
    Notice.objects.update(due_at=notice.due_at - timedelta(hours=1))
    tasks.send_due_pushes()
    notice.refresh_from_db()
    assert notice.sent_at is not None


def test_every_browser_of_a_person_is_told_and_one_that_stops_is_not(ada: User, host: Host) -> None:
    one, _ = allowed(ada, "one"), allowed(ada, "two")
    client = Client()
    client.force_login(person("mallory"))
    gone = {"endpoint": one.endpoint}
    client.post("/notifications/browser/stop/", gone, content_type="application/json")
    assert PushSubscription.objects.count() == 2, "of others nobody is stopped"
    client.force_login(ada)
    client.post("/notifications/browser/stop/", gone, content_type="application/json")
    playing(ada)
    tasks.send_due_pushes()
    assert [taken.path for taken in host.taken] == ["/push/two"]


def test_a_browser_belongs_to_whoever_allowed_it_last(ada: User, host: Host) -> None:
    allowed(ada)
    ben = person("Ben")
    allowed(ben)
    assert PushSubscription.objects.get().user == ben
    for number in range(12):
        allowed(ben, f"n{number}")
    assert ben.push_subscriptions.count() == most_of("browsers")


@pytest.mark.parametrize("endpoint", ["https://127.0.0.1/x", "http://push.example.org/x", "https://localhost/x"])
def test_a_browser_elsewhere_is_refused(ada: User, host: Host, endpoint: str) -> None:
    client = confirmed(ada, "correct horse battery")
    fields = Browser().told | {"endpoint": endpoint}
    assert client.post("/notifications/browser/allow/", fields, content_type="application/json").status_code == 422
    fields = Browser().told | {"keys": {"p256dh": "AAAA", "auth": "AAAA"}}
    assert client.post("/notifications/browser/allow/", fields, content_type="application/json").status_code == 422
    assert client.post("/notifications/browser/allow/", "[", content_type="application/json").status_code == 422
    assert not PushSubscription.objects.exists()


def test_without_a_key_nobody_is_asked(client: Client, ada: User, host: Host, settings: Any) -> None:
    client.force_login(ada)
    assert "data-push" in client.get("/notifications/").content.decode()
    assert "turn-push" in client.get("/notifications/").content.decode()
    settings.PUSH_KEY = ""
    page = client.get("/notifications/").content.decode()
    assert "data-push" not in page
    assert "turn-push" not in page
    part = Browser().told["keys"]
    with pytest.raises(Refused, match="no notifications"):
        push_subscriptions.allow(user=ada, endpoint="https://push.example.org/x", **part)


def test_the_worker_is_at_the_root_of_the_site(client: Client) -> None:
    answer = client.get("/push-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert b"showNotification" in answer.content


def test_a_new_key_is_one_that_works(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("push_key")
    name, _, key = capsys.readouterr().out.strip().partition("=")
    assert name == "PUSH_KEY"
    assert len(push_subscriptions.public_key(key)) == 87
