"""Twins: two courses of the same table that differ in what one seat has under seal, and in how often it changed that.
What anybody else is told meanwhile, by whatever way, is the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from game.delivery import notice_sending, webhooks
from game.outbox import notices
from game.outbox.models import Delivery, Webhook
from game.play import drafts
from game.store.game import Game, Seat
from game.store.log import Notice
from tests.attacks.laying import lay
from tests.attacks.secrets import SEALED, Request, kinds_by_position
from tests.scenes import let_time_pass, person, table
from tests.tables import fresh, send

pytestmark = pytest.mark.django_db
OWN = 0
Told = dict[str, Any]


@pytest.fixture
def people() -> list[User]:
    """Three at a table, each of whom a webhook is told of everything too."""
    found = [person(name) for name in ("ada", "ben", "cid")]
    for user in found:
        hook = webhooks.add(user=user, url=f"https://{user.username}.example.org/")
        Webhook.objects.filter(pk=hook.pk).update(state=Webhook.State.ACTIVE)
    Delivery.objects.all().delete()
    return found


KEYS = re.compile(r"/(?:mail/unsubscribe|look)/\S+")
"""Links of a mail hold when they were signed."""


def once(game: Game, one: Request, other: Request) -> None:
    if one:
        send(game, OWN, one)


def again_and_again(game: Game, one: Request, other: Request) -> None:
    seat = Seat.objects.get(game=game, number=OWN)
    drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[other])
    for request in (one, other, one, other):
        if request:
            send(game, OWN, request)
        drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[request] if request else [])


@pytest.mark.parametrize(("ruleset", "kinds"), kinds_by_position())
def test_a26_hints_and_messages_do_not_tell_what_was_sealed_nor_how_often(
    people: list[User],
    ruleset: str,
    kinds: list[str],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    mailoutbox: Any,
) -> None:
    """Nor which of these kinds it was."""
    game = lay(table(*people, bots=0, ruleset=ruleset), SEALED[ruleset][kinds[0]].at())
    hints: list[tuple[str, str, int]] = []
    monkeypatch.setattr("game.live.announce._send", lambda *sent, version, **_: hints.append((*sent, version)))

    def told(course: Callable[..., None], kind: str) -> Told:
        """What everybody but the seat is told, and by which ways, until the last reminder is due."""
        hints.clear()
        before, row = len(mailoutbox), SEALED[ruleset][kind]
        with transaction.atomic():
            with django_capture_on_commit_callbacks(execute=True):
                course(fresh(game), row.one, row.other)
            notices.write_notices()
            for _ in range(3):
                let_time_pass(game, timedelta(hours=7))
                notice_sending.send_due_notices()
            mails = [
                (mail.to, mail.subject, KEYS.sub("", mail.body))
                for mail in mailoutbox[before:]
                if mail.to != [people[OWN].email]
            ]
            rows = Delivery.objects.exclude(webhook__user=people[OWN]).order_by("webhook__user__username", "type", "pk")
            waiting = Notice.objects.exclude(user=people[OWN]).order_by("user__username", "kind", "pk")
            found = {
                "hints": [hint for hint in hints if hint[0] != f"game.{game.pk}.seat.{OWN}"],
                "mails": sorted(mails),
                "deliveries": list(rows.values_list("webhook__user__username", "type", "serial", "version")),
                "notices": list(waiting.values_list("user__username", "kind", "serial", "channel")),
                "version": fresh(game).version,
            }
            transaction.set_rollback(True)
        return found

    calm: dict[bool, Told] = {}
    for kind in kinds:
        is_sent = bool(SEALED[ruleset][kind].one)
        if is_sent not in calm:
            calm[is_sent] = told(once, kind)
        assert told(again_and_again, kind) == calm[is_sent], kind
    for is_sent, what in calm.items():
        assert what["mails"]
        assert what["notices"]
        assert bool(what["hints"]) is is_sent, "that somebody has submitted is public"
