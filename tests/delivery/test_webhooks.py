"""Webhooks: signed as the standard says, made of what mail is made of, sent until they are taken, and no longer than
they are true."""

import base64
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from standardwebhooks.webhooks import Webhook as Verifier
from standardwebhooks.webhooks import WebhookVerificationError

from accounts.models import User
from game import tasks
from game.delivery import webhook_sending, webhooks
from game.engine.actions import Refused
from game.history import archive
from game.moderation import sanctions
from game.outbox import notices
from game.outbox.models import Delivery, Webhook
from game.outbox.webhook_types import TYPES
from game.play import failures
from game.seats import stand_ins
from game.store.case_models import Sanction
from game.store.game import Game
from game.store.heartbeats import Heartbeat, Job
from game.store.moderation_models import Intervention
from tests.api.clients import Program
from tests.hooks import URL, Host, Taken, active, as_the_api_writes, echo, hook_host, reach_to, round_of_hooks
from tests.scenes import by_two, moderator, person, play_on, seen
from tests.servers import ROOT
from tests.tables import clock_runs_out, everybody_ready, fresh, new_game, send

pytestmark = [pytest.mark.django_db]
DAY = timedelta(days=1)


@pytest.fixture
def host(settings: Any) -> Any:
    with hook_host() as found:
        settings.OUTGOING = reach_to(found.port)
        yield found


@pytest.fixture
def ada() -> User:
    return person("ada")


def later() -> None:
    """The next attempts are due."""
    Delivery.objects.filter(sent_at=None, cancelled_at=None, failed_at=None).update(due_at=Now())
    webhook_sending.send_due()


def fails(taken: Taken) -> Any:
    return 500, {}, b"the body is nobody's business"


def verified(hook: Webhook, taken: Taken) -> Any:
    return Verifier(hook.secret).verify(taken.body, taken.headers)


def test_a_webhook_is_told_of_nothing_before_it_has_echoed_its_challenge(ada: User, host: Host) -> None:
    host.answer = lambda taken: (200, {}, taken.body)
    hook = webhooks.add(user=ada, url=URL)
    new_game("ada", "ben", ruleset="toy")
    round_of_hooks()
    assert host.types() == ["ping"], "what repeats whatever it is sent has not agreed"
    for _ in range(5):
        later()
    assert host.types() == ["ping"] * 4, "a host that may be somebody else's is not asked for long"
    hook.refresh_from_db()
    assert hook.state == "waiting"
    host.answer = lambda taken: (200, {}, json.dumps({"challenge": taken.json["data"]["challenge"]}).encode())
    webhooks.check_again(user=ada, number=hook.pk)
    round_of_hooks()
    hook.refresh_from_db()
    assert hook.state == "active"


def test_every_message_is_signed_as_the_standard_says(ada: User, host: Host) -> None:
    hook = active(ada, host)
    game = new_game("ada", "ben", ruleset="toy", pace="daily")
    round_of_hooks()
    assert host.types() == ["game.started", "decision.opened"]
    for taken in host.taken:
        result = verified(hook, taken)
        now = fresh(game)
        assert now.deadline_at is not None
        assert result["data"] == {
            "game": game.pk, "version": now.version, "phase_serial": 1, "seat": 0,
            "deadline": as_the_api_writes(now.deadline_at),
        }  # fmt: skip
        assert result["timestamp"].endswith("Z")
    assert len({taken.headers["webhook-id"] for taken in host.taken}) == 2
    forged = Taken("/", host.taken[0].headers, host.taken[0].body.replace(b'"seat":0', b'"seat":1'))
    with pytest.raises(WebhookVerificationError):
        verified(hook, forged)


def as_the_guide_checks() -> Any:
    """The function that docs/api/README.md shows."""
    guide = (ROOT / "docs" / "api" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```py\n(import base64.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    assert found
    names: dict[str, Any] = {}
    exec(found[1], names)
    return names["is_from_the_site"]


def test_both_secrets_sign_for_a_day(ada: User, host: Host) -> None:
    hook = active(ada, host)
    changed = webhooks.change_secret(user=ada, number=hook.pk)
    assert changed.secret != hook.secret
    webhooks.check_again(user=ada, number=hook.pk)
    round_of_hooks()
    (taken,) = host.taken
    assert verified(hook, taken) == verified(changed, taken)
    checks = as_the_guide_checks()
    assert checks(hook.secret, taken.headers, taken.body)
    assert checks(changed.secret, taken.headers, taken.body)
    assert not checks(hook.secret, taken.headers, taken.body + b" ")
    assert not checks(hook.secret, taken.headers | {"webhook-timestamp": "1"}, taken.body)
    Webhook.objects.update(rotated_at=Now() - DAY)
    webhooks.check_again(user=ada, number=hook.pk)
    round_of_hooks()
    verified(changed, host.taken[-1])
    with pytest.raises(WebhookVerificationError):
        verified(hook, host.taken[-1])


def test_both_are_told_that_a_seat_is_lent_and_that_it_is_its_player_s_again(ada: User, host: Host) -> None:
    game = new_game("ada", "ben", ruleset="toy", pace="daily")
    active(ada, host, types=["seat.lent", "seat.returned"])
    carla = person("carla")
    active(carla, host, types=["seat.lent", "decision.opened"])
    who: Any = {"game_id": game.pk, "moderator": moderator("lena"), "seen": seen(game), "reason": "Ill."}
    by_two(Intervention.SET_PROXY, **who, seat_number=0, username="carla", days=7)
    round_of_hooks()
    assert sorted(host.types()) == ["decision.opened", "seat.lent", "seat.lent"]
    assert {json.loads(taken.body)["data"]["phase_serial"] for taken in host.taken} == {1}
    stand_ins.give_back(game_id=game.pk, user=carla)
    round_of_hooks()
    assert host.types()[3:] == ["seat.returned"]


def test_a_whole_game_is_told_once_in_its_order(ada: User, host: Host) -> None:
    active(ada, host)
    game = play_on(new_game("ada", "ben", ruleset="toy"))
    round_of_hooks()
    assert host.types()[0] == "game.started"
    assert host.types()[-1] == "game.finished"
    assert {"phase.closed"} <= set(host.types())
    assert all(taken.json["data"]["game"] == game.pk for taken in host.taken)
    sent = len(host.taken)
    round_of_hooks()
    assert len(host.taken) == sent


def test_only_what_was_chosen_is_told(ada: User, host: Host) -> None:
    active(ada, host, types=["phase.closed"])
    game = new_game("ada", "ben", ruleset="toy")
    everybody_ready(game)
    round_of_hooks()
    assert set(host.types()) == {"phase.closed"}
    with pytest.raises(Refused, match="no type"):
        webhooks.add(user=ada, url=URL + "2", types=["chat"])


def test_what_has_been_decided_is_no_longer_asked(ada: User, host: Host) -> None:
    active(ada, host, types=["decision.opened"])
    game = new_game("ada", "ben", ruleset="toy", pace="daily")
    notices.write_notices()
    clock_runs_out(game)
    webhook_sending.send_due()
    assert not host.taken
    assert Delivery.objects.get(type="decision.opened").how == "cancelled"


def test_a_reminder_waits_for_its_time_and_for_nothing_that_was_sent(ada: User, host: Host) -> None:
    User.objects.filter(pk=ada.pk).update(quiet_from=0, quiet_until=0)
    active(ada, host, types=["decision.reminder"])
    game = new_game("ada", "ben", ruleset="toy", pace="daily")
    round_of_hooks()
    assert not host.taken
    later()
    assert not host.taken, "its time is looked at again"
    deadline = fresh(game).deadline_at
    assert deadline is not None
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() + timedelta(hours=1))
    later()
    assert host.types() == ["decision.reminder"]
    reminder = Delivery.objects.get(type="decision.reminder")
    webhooks.send_again(user=ada, number=reminder.webhook_id, delivery=reminder.public_number)
    send(game, 0, {"kind": "bid", "coins": 1})
    later()
    assert host.types() == ["decision.reminder"]


def test_a_game_on_hold_is_told(ada: User, host: Host) -> None:
    active(ada, host, types=["game.held"])
    game = new_game("ada", "ben", ruleset="toy")
    for _ in range(failures.ATTEMPTS):
        failures.note_failure(game_id=game.pk, error=ValueError("a secret of the rules"))
    round_of_hooks()
    (taken,) = host.taken
    assert taken.type == "game.held"
    assert b"secret" not in taken.body


def test_attempts_follow_the_schedule_and_end(ada: User, host: Host) -> None:
    hook = active(ada, host)
    host.answer = fails
    new_game("ada", "ben", ruleset="toy")
    Delivery.objects.exclude(type="ping").delete()
    notices.write_notices()
    Delivery.objects.filter(type="decision.opened").delete()
    waits = []
    for _ in range(10):
        webhook_sending.send_due()
        rows = Delivery.objects.exclude(type="ping").get()
        assert rows.tried_at is not None
        waits.append((rows.due_at - rows.tried_at) / timedelta(seconds=1))
        Delivery.objects.filter(pk=rows.pk).update(due_at=Now())
    steps = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]
    assert all(0.89 * step <= wait <= 1.11 * step for step, wait in zip(steps, waits, strict=False)), waits
    assert len({taken.headers["webhook-id"] for taken in host.taken}) == 1, "the same message under the same name"
    assert len({taken.body for taken in host.taken}) == 1
    assert (len(host.taken), rows.how, rows.status, rows.attempts) == (10, "failed", 500, 10)
    assert "nobody" not in str(vars(rows)), "an answer’s body is not kept"
    hook.refresh_from_db()
    assert hook.failing_since is not None
    assert (hook.failing_since.second, hook.failing_since.microsecond) == (0, 0), "how long a name took is not told"


def test_retry_after_is_honoured_up_to_a_day(ada: User, host: Host) -> None:
    active(ada, host, types=["game.started"])
    host.answer = lambda taken: (429, {"Retry-After": "3600"}, b"")
    new_game("ada", "ben", ruleset="toy")
    round_of_hooks()
    rows = Delivery.objects.get(type="game.started")
    assert rows.tried_at is not None
    assert timedelta(minutes=59) < rows.due_at - rows.tried_at < timedelta(minutes=61)
    host.answer = lambda taken: (503, {"Retry-After": "99999999"}, b"")
    later()
    rows.refresh_from_db()
    assert rows.due_at - rows.tried_at < 1.1 * DAY


@pytest.mark.parametrize("is_taken", [True, False])
def test_what_becomes_of_a_message_changes_no_other_webhook(ada: User, host: Host, is_taken: bool) -> None:
    active(ada, host, types=["game.started"])
    other = Webhook.objects.filter(pk=active(person("cid"), host).pk)
    since = Now() - timedelta(hours=1) if is_taken else None
    other.update(busy_until=Now() + timedelta(hours=1), failing_since=since)
    before = other.values().get()
    host.answer = lambda taken: (200 if is_taken else 500, {}, b"")
    new_game("ada", "ben", ruleset="toy")
    round_of_hooks()
    assert host.types() == ["game.started"]
    assert other.values().get() == before


def test_410_disables_a_webhook_and_its_owner_is_told(ada: User, host: Host, mailoutbox: Any) -> None:
    hook = active(ada, host)
    host.answer = lambda taken: (410, {}, b"")
    new_game("ada", "ben", ruleset="toy")
    round_of_hooks()
    assert len(host.taken) == 1, "nothing more is sent"
    hook.refresh_from_db()
    assert (hook.state, hook.why) == ("disabled", "Its address answered “410 Gone”.")
    assert not webhooks.open_deliveries(hook).exists()
    lines = [mail for mail in mailoutbox if mail.subject == "One of your webhooks is disabled"]
    assert len(lines) == 1
    assert URL in lines[0].body
    host.answer = lambda taken: (200, {}, taken.json["data"].get("challenge", "").encode())
    webhooks.check_again(user=ada, number=hook.pk)
    round_of_hooks()
    hook.refresh_from_db()
    assert (hook.state, hook.why, hook.failing_since) == ("active", "", None)


def test_three_days_of_failure_disable_a_webhook(ada: User, host: Host, mailoutbox: Any) -> None:
    hook = active(ada, host)
    host.answer = fails
    new_game("ada", "ben", ruleset="toy")
    round_of_hooks()
    Webhook.objects.update(failing_since=Now() - 3 * DAY + timedelta(minutes=1))
    later()
    hook.refresh_from_db()
    assert hook.state == "active"
    Webhook.objects.update(failing_since=Now() - 3 * DAY)
    later()
    hook.refresh_from_db()
    assert hook.state == "disabled"
    assert [mail.subject for mail in mailoutbox].count("One of your webhooks is disabled") == 1


def test_the_last_hundred_messages_are_kept_and_sent_again(ada: User, host: Host) -> None:
    hook = active(ada, host)
    for _ in range(105):
        webhooks.ping(webhook=hook)
    while webhook_sending.send_due():  # a round lasts so many seconds
        pass
    assert hook.deliveries.count() == 100
    last = hook.deliveries.first()
    assert last is not None
    webhooks.send_again(user=ada, number=hook.pk, delivery=last.public_number)
    before = len(host.taken)
    webhook_sending.send_due()
    assert host.taken[-1].headers["webhook-id"] == f"msg_{last.name.hex}"
    assert len(host.taken) == before + 1


def test_what_was_sent_of_a_game_goes_when_it_is_put_away_and_what_is_still_tried_when_it_ends(
    ada: User, host: Host
) -> None:
    taken, slow = active(ada, host), active(ada, host, f"{URL}&slow=1", types=["game.finished"])
    game, other = new_game("ada", "ben", ruleset="toy"), new_game("ada", "ben", ruleset="toy")
    round_of_hooks()
    host.answer = lambda sent: (500, {}, b"") if "slow" in sent.path else echo(sent)
    play_on(game)
    round_of_hooks()
    assert taken.deliveries.filter(game=game).count() > 3
    assert archive.archive_game(game_id=game.pk)
    assert not taken.deliveries.filter(game=game).exists()
    assert taken.deliveries.filter(game=other).exists(), "the other game goes on"
    assert [each.how for each in slow.deliveries.filter(game=game)] == ["waiting"]
    host.answer = echo
    later()
    assert host.types()[-1] == "game.finished"
    assert not slow.deliveries.filter(game=game).exists()
    assert slow.deliveries.filter(type="ping").exists()


def test_a_slow_webhook_is_sent_one_message_at_a_time(ada: User, host: Host) -> None:
    hook = active(ada, host)
    webhooks.ping(webhook=hook)
    Webhook.objects.update(busy_until=Now() + timedelta(seconds=30))
    webhook_sending.send_due()
    assert not host.taken
    Webhook.objects.update(busy_until=Now() - timedelta(seconds=1))
    webhook_sending.send_due()
    assert host.types() == ["ping"]


def test_nobody_has_more_than_five_and_a_guest_none(ada: User, settings: Any) -> None:
    for number in range(5):
        webhooks.add(user=ada, url=f"{URL}{number}")
    with pytest.raises(Refused, match="5 webhooks, the maximum"):
        webhooks.add(user=ada, url=f"{URL}6")
    guest = User.objects.create(username="A guest", is_guest=True)
    with pytest.raises(Refused, match="account"):
        webhooks.add(user=guest, url=URL)
    webhooks.remove(user=ada, number=webhooks.webhooks_of(ada)[0].pk)
    with pytest.raises(Refused, match="already"):
        webhooks.add(user=ada, url=f"{URL}3")


def test_a_closed_account_is_told_nothing(ada: User, host: Host) -> None:
    active(ada, host)
    new_game("ada", "ben", ruleset="toy")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    round_of_hooks()
    assert not host.taken


def test_nobody_who_is_banned_is_told_until_it_ends(ada: User, host: Host) -> None:
    active(ada, host)
    ban: dict[str, Any] = {"person": ada, "moderator": moderator("Lena"), "kind": "ban", "days": 3, "reason": "cheats"}
    game = new_game("ada", "ben", ruleset="toy")
    sanctions.impose(**ban)
    round_of_hooks()
    assert not host.taken
    sanctions.lift(
        person=Sanction.objects.get().user,
        number=Sanction.objects.get().pk,
        moderator=moderator("Max"),
        reason="a mistake",
    )
    everybody_ready(game)
    round_of_hooks()
    assert "phase.closed" in host.types()


def test_other_peoples_webhooks_are_not_there(ada: User, host: Host) -> None:
    hook = active(ada, host)
    mallory, his = person("mallory"), Program("mallory")
    last = hook.deliveries.first()
    assert last is not None
    for path in (f"me/webhooks/{hook.pk}", f"me/webhooks/{hook.pk}/deliveries"):
        assert his.get(path).status_code == 404
    for path in ("secret", "check", f"deliveries/{last.pk}"):
        assert his.post(f"me/webhooks/{hook.pk}/{path}").status_code == 404
    assert his.delete(f"me/webhooks/{hook.pk}").status_code == 404
    client = Client()
    client.force_login(mallory)
    assert client.get(f"/accounts/webhooks/{hook.pk}/").status_code == 404
    client.post(f"/accounts/webhooks/{hook.pk}/remove/")
    assert client.post(f"/accounts/webhooks/{hook.pk}/types/", {"types": ["game.started"]}).status_code == 404
    assert Webhook.objects.filter(pk=hook.pk).exists()


def test_the_api_makes_checks_and_removes_webhooks(ada: User, host: Host) -> None:
    program = Program("ada")
    refused = program.post("me/webhooks", {"url": "https://127.0.0.1/"})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "#/url")
    made = program.post("me/webhooks", {"url": URL, "types": ["game.started"]})
    assert made.status_code == 201
    assert len(base64.b64decode(made.json()["secret"].removeprefix("whsec_"))) == 32
    where = f"me/webhooks/{made.json()['id']}"
    assert made["Location"] == f"/api/v1/{where}"
    assert program.get(where).json()["secret"] is None
    assert made.json()["secret"] not in program.get("me/webhooks").content.decode()
    round_of_hooks()
    assert program.get(where).json()["state"] == "active"
    (sent,) = program.get(f"{where}/deliveries").json()["items"]
    assert (sent["type"], sent["state"], sent["status"], sent["attempts"]) == ("ping", "sent", 200, 1)
    answer = program.post(f"{where}/check").json()
    assert answer["next_attempt"] > sent["made_at"]
    assert program.post(f"{where}/deliveries/{sent['id']}").json()["state"] == "waiting"
    assert program.post(f"{where}/secret").json()["secret"] != made.json()["secret"]
    assert program.delete(where).status_code == 204
    assert program.get("me/webhooks").json() == {"items": [], "types": [*TYPES], "most": 5}


def test_the_page_shows_the_secret_once(client: Client, ada: User, host: Host, mailoutbox: Any) -> None:
    client.force_login(ada)
    where = "/accounts/webhooks/"
    assert client.get(where + "new/").status_code == 302, "the password first"
    client.post("/accounts/reauthenticate/", {"password": "correct horse battery"})
    refused = client.post(where + "new/", {"url": "http://example.org/", "types": ["game.started"]})
    assert refused.status_code == 422
    assert "must begin with https://" in refused.content.decode()
    made = client.post(where + "new/", {"url": URL, "types": [*TYPES]})
    hook = Webhook.objects.get()
    assert hook.types == []
    assert hook.secret in made.content.decode()
    assert "no-store" in made["Cache-Control"]
    round_of_hooks()
    page = client.get(f"{where}{hook.pk}/").content.decode()
    assert "<h2>State</h2>\n<p>Active</p>" in page
    assert "HTTP 200" in page
    assert hook.secret not in page + client.get(where).content.decode()
    assert mailoutbox[0].subject == "A new webhook for your account"
    assert hook.secret not in mailoutbox[0].body
    refused = client.post(f"{where}{hook.pk}/types/", {})
    assert (refused.status_code, Webhook.objects.get().types) == (422, [])
    assert "Choose at least one." in refused.content.decode()
    assert client.post(f"{where}{hook.pk}/types/", {"types": ["game.started"]}).status_code == 302
    assert Webhook.objects.get().types == ["game.started"]
    assert client.get(f"{where}{hook.pk}/").content.decode().count(" checked") == 1, "only what it is told of"
    changed = client.post(f"{where}{hook.pk}/secret/").content.decode()
    assert Webhook.objects.get().secret in changed
    last = hook.deliveries.first()
    assert last is not None
    client.post(f"{where}{hook.pk}/{last.pk}/again/")
    client.post(f"{where}{hook.pk}/check/")
    client.post(f"{where}{hook.pk}/remove/")
    assert not Webhook.objects.exists()


def test_the_task_gives_a_sign_of_life(ada: User, host: Host) -> None:
    webhooks.add(user=ada, url=URL)
    tasks.send_due_hooks()
    assert host.types() == ["ping"]
    assert Heartbeat.objects.filter(name=Job.HOOKS).exists()


def test_the_page_of_notifications_says_what_each_webhook_is_told(client: Client, ada: User, host: Host) -> None:
    client.force_login(ada)
    assert "Each webhook has its own list of messages" in client.get("/notifications/").content.decode()
    active(ada, host)
    active(ada, host, url=f"{URL}&some", types=["game.finished"])
    page = client.get("/notifications/").content.decode()
    assert re.search(r"take\?from=sectors</a>\s+\(active\):\s+everything", page)
    assert re.search(r"&amp;some</a>\s+\([^)]*\):\s+One of your games is over\s*</li>", page)
