"""The ready-made statements of a move: what one of them breaks undoes all of them."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from game.models import Heart, Heartbeat
from game.models.statements import insert, together, update

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

FIELDS = ("id", "name", "beat_at")


def test_statements_sent_together_are_all_carried_out() -> None:
    first, later = timezone.now(), timezone.now()
    with transaction.atomic(), together():
        insert(Heartbeat, FIELDS, [[1, Heart.BOTS, first], [2, Heart.MAIL, first]])
        update(Heartbeat, 2, ("beat_at",), [later])
    assert dict(Heartbeat.objects.values_list("id", "beat_at")) == {1: first, 2: later}


def test_one_that_breaks_undoes_the_others_and_the_connection_goes_on() -> None:
    with pytest.raises(IntegrityError):
        _insert_together(1, 1, 2)
    assert not Heartbeat.objects.exists()


def _insert_together(*keys: int) -> None:
    with transaction.atomic(), together():
        for key in keys:
            insert(Heartbeat, FIELDS, [[key, f"work {key}", timezone.now()]])
