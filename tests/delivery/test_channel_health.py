"""The desk of the site shows how the providers of mail and push are."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from game.admin.site_desk import figures
from game.store.log import Channel, Notice
from tests.scenes import moderator
from tests.tables import new_game


@pytest.mark.django_db
def test_the_site_desk_shows_what_each_channel_took_refused_and_holds(client: Client) -> None:
    game, now = new_game("ada", "bob", pace="daily"), timezone.now()
    seat = game.seats.get(number=0)
    Notice.objects.all().delete()
    about: dict[str, Any] = {"game": game, "seat": seat, "user": seat.user, "kind": "turn"}
    for serial, more in enumerate(
        (
            {"sent_at": now - timedelta(hours=2)},
            {"attempts": 1, "trouble": "550 no"},
            {"channel": Channel.PUSH, "cancelled_at": now, "attempts": 1, "trouble": "410"},
        ),
        start=900,
    ):
        Notice.objects.create(**about, serial=serial, due_at=now - timedelta(hours=3), **more)
    found = {row["channel"]: row for row in figures()["channels"]}
    mail, push = found[Channel.MAIL], found[Channel.PUSH]
    assert (mail["accepted"], mail["refused"], mail["waiting"]) == (now - timedelta(hours=2), 1, 1)
    assert mail["oldest"] == now - timedelta(hours=3)
    assert (push["accepted"], push["refused"], push["waiting"], push["oldest"]) == (None, 1, 0, None)
    client.force_login(moderator("Lena", is_superuser=True))
    assert "What is sent, by channel" in client.get(reverse("admin:game_sitestate_changelist")).content.decode()
