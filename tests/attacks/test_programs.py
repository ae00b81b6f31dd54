"""Programs and hosts that do not mean well: bots of somebody who is banned, bodies that no reader stands."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts import api_tokens
from game.bots import accounts
from game.bots.accounts import Declared
from game.delivery import webhook_sending, webhooks
from game.lobby import lobby
from game.moderation import sanctions
from game.outbox.models import Delivery, Webhook
from game.rulesets.registry import RULESETS
from game.seats import takeover
from tests.api.clients import Program
from tests.hooks import URL, hook_host, reach_to
from tests.scenes import moderator, person
from tests.tables import fresh, new_game

pytestmark = pytest.mark.django_db
DEEP = b'{"challenge":' + b"[" * 20_000 + b"]" * 20_000 + b"}"
BODIES = (b'{"endpoint":"\xff","keys":{"p256dh":"\xff","auth":"a"}}', DEEP, b'{"endpoint":"https://a.example/\\u0000"}')


@pytest.mark.parametrize("path", ["allow_push", "stop_push"])
@pytest.mark.parametrize("body", BODIES, ids=["no text", "deep", "zero byte"])
def test_a7_what_a_browser_says_of_itself_is_refused_where_it_cannot_be_read(path: str, body: bytes) -> None:
    client = Client()
    client.force_login(person("ada"))
    answer = client.post(reverse(path), body, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["detail"]


@pytest.mark.parametrize("reply", [b'{"challenge":"\xff"}', DEEP], ids=["no text", "deep"])
def test_a30_a_host_whose_answer_cannot_be_read_holds_up_nobody_else(settings: Any, reply: bytes) -> None:
    """The round goes on to everybody else's messages."""
    with hook_host() as host:
        settings.OUTGOING = reach_to(host.port)
        bad = webhooks.add(user=person("mallory"), url=URL)
        good = webhooks.add(user=person("ada"), url=URL + "&of=ada")
        host.answer = lambda taken: (
            200,
            {},
            taken.json["data"]["challenge"].encode() if "ada" in taken.path else reply,
        )
        webhook_sending.send_due()
    assert dict(Webhook.objects.values_list("pk", "state"))[good.pk] == Webhook.State.ACTIVE
    assert dict(Webhook.objects.values_list("pk", "state"))[bad.pk] != Webhook.State.ACTIVE
    assert Delivery.objects.get(webhook=bad).attempts == 1


def test_a30_nobody_has_a_stranger_s_host_asked_without_end(settings: Any) -> None:
    """On the page and over the API, of all webhooks that have not echoed, by asking or by sending a message again."""
    settings.LIMITED, settings.LIMITS = True, {"challenge": 3}
    cache.clear()
    ada, client, program = person("ada"), Client(), Program("ada")
    client.force_login(ada)
    hooks = [webhooks.add(user=ada, url=f"{URL}&number={number}") for number in range(3)]
    pings = [hook.deliveries.get() for hook in hooks]
    assert client.post(reverse("check_webhook", args=[hooks[0].pk])).status_code == 302
    assert program.post(f"me/webhooks/{hooks[1].pk}/check").status_code == 202
    assert program.post(f"me/webhooks/{hooks[2].pk}/deliveries/{pings[2].public_number}").status_code == 202
    Delivery.objects.update(attempts=4, failed_at=Now())
    for answer in (
        client.post(reverse("check_webhook", args=[hooks[0].pk])),
        client.post(reverse("send_delivery_again", args=[hooks[0].pk, pings[0].public_number])),
        program.post(f"me/webhooks/{hooks[1].pk}/check"),
        program.post(f"me/webhooks/{hooks[2].pk}/deliveries/{pings[2].public_number}"),
    ):
        assert (answer.status_code, 0 < int(answer["Retry-After"]) <= 3600) == (429, True)
        page = answer.content.decode()
        assert "messages sent again to webhooks that are not active or fail is 3 an hour" in page
        assert "Try again in" in page
    assert {(each.attempts, each.how) for each in Delivery.objects.all()} == {(4, "failed")}
    Webhook.objects.filter(pk=hooks[0].pk).update(state=Webhook.State.ACTIVE)
    again = f"me/webhooks/{hooks[0].pk}/deliveries/{pings[0].public_number}"
    assert client.post(reverse("check_webhook", args=[hooks[0].pk])).status_code == 302, "it has agreed"
    assert program.post(again).status_code == 202
    Webhook.objects.filter(pk=hooks[0].pk).update(failing_since=Now())
    assert program.post(again).json()["limit"] == "challenge", "it may have become a stranger's"
    assert client.post(reverse("check_webhook", args=[hooks[0].pk])).status_code == 429


@pytest.mark.parametrize("kind", ["ban", "no_join"])
def test_a4_nobody_plays_on_through_their_bots_while_a_moderator_keeps_them_from_it(kind: str, settings: Any) -> None:
    settings.LIMITED = False
    carla, ada = person("carla"), person("ada")
    everything = Declared(list(RULESETS), ["live", "demo", "daily"], 2, 8, 2)
    bot = accounts.make_bot(owner=carla, name="Deep", declared=everything)
    _, text = api_tokens.issue(user=bot.user, owner=carla, name="it", scopes=["read", "play", "manage"], days=30)
    program = Program()
    program.headers["Authorization"] = f"Bearer {text}"
    game = lobby.create_game(host=ada, name="Bots", seats=3, ruleset="toy", pace="demo")
    lobby.change_game(game_id=game.pk, user=ada, takes_bots=True)
    sanctions.impose(person=carla, moderator=moderator("Lena"), kind=kind, reason="threats", days=7)
    assert program.post(f"games/{game.pk}/seats", {}).status_code in {401, 422}
    assert fresh(game).seats.count() == 1
    assert program.get("me").status_code == (401 if kind == "ban" else 200)


@pytest.mark.parametrize("points", [7, 8], ids=["the same", "another"])
def test_a6_a_key_answers_nobody_with_what_another_person_sent_for_the_seat(points: int, settings: Any) -> None:
    """What they had sealed is void: neither does it stand for the new player's bid, nor do they learn what it was."""
    settings.LIMITED = False
    game, key = new_game("ada", "ben", pace="daily"), {"Idempotency-Key": "bid-1"}
    sent: dict[str, Any] = {"phase_serial": 1, "actions": [{"kind": "bid_influence", "points": 7}]}
    assert Program("ben").post(f"games/{game.pk}/moves", sent, **key).json()["replayed"] is False
    takeover.resign(game_id=game.pk, user=game.seats.get(number=1).user)
    takeover.take_seat(game_id=game.pk, user=person("dora"), number=1)
    sent["actions"][0]["points"] = points
    answers = [Program("dora").post(f"games/{game.pk}/moves", sent, **key).json() for _ in range(2)]
    assert [answer["replayed"] for answer in answers] == [False, True]
    sealed = fresh(game).load_position().pending[1]
    assert [action.points for action in sealed.values()] == [points]


def test_a14_who_guesses_at_tokens_and_addresses_is_stopped_and_nobody_whose_token_is_good(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"anon": 3}
    cache.clear()
    ada = Program("ada")
    guesses = [Program(Authorization=f"Bearer sat_guess{number}").get("me") for number in range(2)]
    assert [each.status_code for each in guesses] == [401, 401]
    assert guesses[0]["RateLimit-Policy"] == '"anon";q=3;w=60'
    assert [Program().get(path).status_code for path in ("me", "nowhere")] == [401, 429]
    for stopped in (
        Program(Authorization="Bearer sat_guess9").get("me"),
        Program().get("nowhere"),
        Program().get("me"),
    ):
        result = stopped.json()
        assert (stopped.status_code, result["limit"], result["most"]) == (429, "anon", 3)
        assert 0 < result["retry_after"] <= 60
        assert stopped["Retry-After"] == str(result["retry_after"])
        assert "requests without a valid token from your network is 3" in result["detail"]
    assert [ada.get("me").status_code, ada.get("nowhere").status_code] == [200, 404]
    elsewhere = Client().get("/api/v1/me", headers={"Authorization": "Bearer sat_x"}, REMOTE_ADDR="198.51.100.9")
    assert elsewhere.status_code == 401


@pytest.mark.parametrize("another", [{"path": "me?format=xml"}, {"path": "me", "Accept": "text/csv"}], ids=str)
@pytest.mark.parametrize("whoever", ["an owner", "a stranger"])
def test_a14_who_asks_for_another_form_than_json_counts_too(another: Any, whoever: str, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"anon": 2, "read": 2}
    cache.clear()
    program = Program("ada") if whoever == "an owner" else Program()
    answers = [program.get(**another) for _ in range(3)]
    refused = 406 if "Accept" in another else 422 if whoever == "an owner" else 401
    assert [each.status_code for each in answers] == [refused] * 2 + [429]
    assert {each["Content-Type"] for each in answers} == {"application/problem+json"}


def test_a14_what_a_token_may_not_do_counts_for_its_owner(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"write": 2, "read": 2}
    cache.clear()
    game, ada = new_game("ada", "bob"), Program("ada", scopes=["read"])
    requests = [ada.post(f"games/{game.pk}/pause", {"hours": 2}) for _ in range(3)]
    assert [each.status_code for each in requests] == [403, 403, 429]
    assert [ada.put("me", {}).status_code for _ in range(3)] == [405, 405, 429], "nor in a way that there is not"
    assert Program("bob").get("me").status_code == 200
