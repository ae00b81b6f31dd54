"""In a phase that does not show who is asked, no mail, push, webhook or count shows it to anybody else."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from game.outbox import notices
from game.outbox.models import Delivery, Webhook
from game.store.game import Game
from game.store.log import Notice
from tests.attacks.laying import lay
from tests.attacks.secrets import exchanging
from tests.scenes import TIME_LEFT, moderator
from tests.tables import new_game, person, send
from tests.toy_scenes import words_of

pytestmark = [pytest.mark.django_db]
EXCHANGE = {"kind": "exchange", "card": 1}


@pytest.fixture
def game() -> Game:
    """Ada, Ben and Cid are asked in secret, each has a webhook, and nothing was sent yet."""
    game = lay(new_game("ada", "ben", "cid", ruleset="toy", pace="daily", edition=2), exchanging())
    for name in ("ada", "ben", "cid"):
        url = f"https://example.org/{name}"
        Webhook.objects.create(user=person(name), url=url, secret="s" * 32, state=Webhook.State.ACTIVE)
    for seat in game.seats.all():
        notices.notify_decision(game=game, seat=seat)
    notices.write_notices()
    return game


Sent = tuple[list[tuple[int, str, bool, datetime]], list[tuple[str, datetime]]]


def sent_to(game: Game, seat: int) -> Sent:
    """What is queued for a seat: kind, whether it is sent before its time, and when."""
    mails = Notice.objects.filter(game=game, seat__number=seat).order_by("pk")
    hooks = Delivery.objects.filter(game=game, webhook__user__seats__game=game, webhook__user__seats__number=seat)
    return (
        list(mails.values_list("serial", "kind", "is_pressing", "due_at")),
        list(hooks.order_by("pk").values_list("type", "due_at")),
    )


def test_the_last_who_is_waited_for_in_secret_is_not_hurried(game: Game) -> None:
    before = {seat: sent_to(game, seat) for seat in range(3)}
    assert all(mails and hooks for mails, hooks in before.values())
    send(game, 0, EXCHANGE)
    send(game, 1, {"kind": "exchange", "card": 2})
    notices.write_notices()
    assert {seat: sent_to(game, seat) for seat in range(3)} == before


def test_in_the_open_the_last_who_is_waited_for_is_hurried(ready_but_one: Callable[[], Game]) -> None:
    game = ready_but_one()
    assert [pressing for _, kind, pressing, _ in sent_to(game, 2)[0] if kind == "turn"] == [True]


@pytest.fixture
def ready_but_one() -> Callable[[], Game]:
    def begin() -> Game:
        game = new_game("ada", "ben", "cid", pace="daily")
        notices.write_notices()
        for seat in (0, 1):
            send(game, seat, {"kind": "ready"})
        return game

    return begin


def test_no_moderator_counts_or_lists_who_is_asked_in_secret(game: Game) -> None:
    client = Client()
    client.force_login(moderator("Lena"))
    pages = [reverse("admin:game_game_change", args=[game.pk]), reverse("admin:game_notice_changelist")]

    def read(page: str) -> str:
        return words_of(TIME_LEFT.sub("", client.get(page).content.decode()))

    before = [read(page) for page in pages]
    Notice.objects.filter(game=game, seat__number=1, kind__in=Notice.ASKING).delete()
    assert [read(page) for page in pages] == before
