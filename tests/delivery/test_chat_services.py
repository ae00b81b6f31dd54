"""Discord, Slack and Telegram take messages in the shapes that they document, from receivers that answer as they do."""

import json
from typing import Any

import pytest

from accounts.models import User
from game.delivery import webhooks
from game.delivery.chat_services import service_of
from game.outbox.models import Delivery, Webhook
from game.store.game import Game
from tests.hooks import Host, Taken, hook_host, reach_to, round_of_hooks
from tests.scenes import person, ready, run_out, table

pytestmark = [pytest.mark.django_db]
DISCORD = "https://discord.com/api/webhooks/123456789012345678/AbC-dEf_123"
SLACK = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"
TELEGRAM = "https://api.telegram.org/bot123456:ABC-DEF1234ghIkl/sendMessage?chat_id=-100200300"


def discord(taken: Taken) -> Any:
    """400 for a message without `content`, 204 without a body for one that it takes."""
    is_good = 0 < len(taken.json.get("content", "")) <= 2000
    return (204, {}, b"") if is_good else (400, {}, b'{"message": "Cannot send an empty message", "code": 50006}')


def slack(taken: Taken) -> Any:
    """200 `ok`, or 400 with a word for the error."""
    return (200, {}, b"ok") if taken.json.get("text") else (400, {}, b"no_text")


def telegram(taken: Taken) -> Any:
    """`ok` in JSON, with the message or with a description of the error."""
    if taken.json.get("chat_id") and taken.json.get("text"):
        return 200, {}, json.dumps({"ok": True, "result": {"message_id": 7}}, separators=(",", ":")).encode()
    return 400, {}, b'{"ok":false,"error_code":400,"description":"Bad Request: chat_id is empty"}'


SERVICES = [
    (DISCORD, "discord.com", discord, "content"),
    (SLACK, "hooks.slack.com", slack, "text"),
    (TELEGRAM, "api.telegram.org", telegram, "text"),
]


@pytest.fixture
def ada() -> User:
    return person("Ada", timezone="Europe/Berlin")


@pytest.mark.parametrize(("url", "name", "answer", "field"), SERVICES)
def test_a_service_gets_what_it_documents_and_its_answer_is_consent(
    settings: Any, ada: User, url: str, name: str, answer: Any, field: str
) -> None:
    with hook_host(name, Host(answer=answer)) as host:
        settings.OUTGOING = reach_to(host.port)
        hook = webhooks.add(user=ada, url=url)
        round_of_hooks()
        assert Webhook.objects.get(pk=hook.pk).state == Webhook.State.ACTIVE
        assert "Ada" in host.taken[0].json[field]
        host.taken.clear()
        game = table(ada, person("Ben"), name="Rates & <!channel> @everyone")
        round_of_hooks()
        texts = [taken.json[field] for taken in host.taken]
    result = next(text for text in texts if "Bid influence points" in text)
    assert "(until " in result
    assert result.endswith(f"http://testserver{game.get_absolute_url()}")
    assert "<!channel>" not in result or name != "hooks.slack.com", "nobody is called"
    assert not Delivery.objects.filter(webhook=hook, sent_at=None).exclude(type="decision.reminder").exists()


def test_discord_calls_nobody_and_telegram_is_told_the_chat(settings: Any, ada: User) -> None:
    with hook_host("discord.com", Host(answer=discord)) as host:
        settings.OUTGOING = reach_to(host.port)
        webhooks.add(user=ada, url=DISCORD)
        round_of_hooks()
        assert host.taken[0].json["allowed_mentions"] == {"parse": []}
    with hook_host("api.telegram.org", Host(answer=telegram)) as host:
        settings.OUTGOING = reach_to(host.port)
        webhooks.add(user=ada, url=TELEGRAM)
        round_of_hooks()
        assert host.taken[0].json["chat_id"] == "-100200300"


def test_a_service_that_refuses_is_not_active(settings: Any, ada: User) -> None:
    with hook_host("api.telegram.org", Host(answer=telegram)) as host:
        settings.OUTGOING = reach_to(host.port)
        hook = webhooks.add(user=ada, url=TELEGRAM.partition("?")[0])
        round_of_hooks()
    assert Webhook.objects.get(pk=hook.pk).state == Webhook.State.WAITING


def test_what_a_seat_may_not_see_is_in_no_message(settings: Any, ada: User) -> None:
    ben = person("Ben")
    with hook_host("discord.com", Host(answer=discord)) as host:
        settings.OUTGOING = reach_to(host.port)
        webhooks.add(user=ada, url=DISCORD)
        game = table(ada, ben, name="Secret table")
        Game.objects.filter(pk=game.pk).update(is_open=False)
        round_of_hooks()
        ready(game, 0, 1)
        run_out(game)
        round_of_hooks()
        assert all("Ben" not in taken.json["content"] for taken in host.taken)


@pytest.mark.parametrize(
    "url",
    [
        "https://discord.com/api/users/1/x",
        "https://discord.com.example.org/api/webhooks/1/x",
        "https://hooks.slack.com/x",
        "https://api.telegram.org/bot1:x/getUpdates",
        "https://hooks.example.org/take",
    ],
)
def test_other_addresses_get_our_own_messages(url: str) -> None:
    assert service_of(url) is None
