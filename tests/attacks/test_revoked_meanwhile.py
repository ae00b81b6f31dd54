"""A token that its owner revokes while a request of its program is under way makes, changes and removes no webhook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts import api_tokens
from game.delivery import webhooks
from game.outbox.models import Webhook
from tests.api.clients import Program
from tests.attacks.meanwhile import answer_while
from tests.tables import person

pytestmark = pytest.mark.django_db
ANY = ""  # what every statement contains
URL = "https://hooks.example.org/"
Send = Callable[[Program, int], Any]
ACTS: dict[str, Send] = {
    "made": lambda program, _: program.post("me/webhooks", {"url": URL + "other"}),
    "made once": lambda program, _: program.post("me/webhooks", {"url": URL + "other"}, **{"Idempotency-Key": "k"}),
    "changed": lambda program, hook: program.patch(f"me/webhooks/{hook}", {"types": ["turn"]}, **{"If-Match": "*"}),
    "given a secret": lambda program, hook: program.post(f"me/webhooks/{hook}/secret"),
    "removed": lambda program, hook: program.delete(f"me/webhooks/{hook}"),
}


@pytest.mark.parametrize("act", ACTS)
def test_a36_a_token_that_is_revoked_meanwhile_does_nothing_to_webhooks(settings: Any, act: str) -> None:
    settings.LIMITED = False
    program, ada = Program("ada"), person("ada")
    hook = webhooks.add(user=ada, url=URL).pk
    after_revoking: list[Any] = []
    in_the_end: list[Any] = []

    def rows() -> list[Any]:
        return list(Webhook.objects.order_by("pk").values())

    def revoke() -> None:
        api_tokens.revoke(user=ada, number=program.token.pk)
        after_revoking[:] = rows()

    def act_and_look() -> None:
        ACTS[act](program, hook)
        in_the_end[:] = rows()

    number = 1
    while following := answer_while(act_and_look, number, revoke, ANY, is_outside=True)[1]:
        assert in_the_end == after_revoking, number
        number = following
    assert number > 2
