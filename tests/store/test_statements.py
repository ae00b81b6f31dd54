"""The ready-made statements of a move: what one of them breaks undoes all of them."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from game.infra import statements
from game.infra.statements import insert, update, write_batch
from game.store.game import Game
from game.store.heartbeats import Heartbeat, Job

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

FIELDS = ("id", "name", "beat_at")


def test_writes_of_a_batch_are_all_carried_out() -> None:
    first, later = timezone.now(), timezone.now()
    with transaction.atomic(), write_batch():
        insert(Heartbeat, FIELDS, [[1, Job.BOTS, first], [2, Job.MAIL, first]])
        update(Heartbeat, 2, ("beat_at",), [later])
    assert dict(Heartbeat.objects.values_list("id", "beat_at")) == {1: first, 2: later}


def test_changes_of_many_rows_are_each_rows_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes, texts, lists, moments and nothing, in more statements than one."""
    monkeypatch.setattr(statements, "MOST_VALUES", 12)
    games = [Game.objects.create(name=f"50 % of {number}", seats_wanted=2) for number in range(5)]
    others = Game.objects.create(name="another", seats_wanted=2)
    fields, at = ("state", "phase_name", "trail", "moved_at", "phase_row"), timezone.now()
    with transaction.atomic(), write_batch():
        for number, game in enumerate(games):
            even = number % 2 == 0
            row = (bytes([0, 255, number]), f"%s '{number}'", [number], at if even else None, None if even else number)
            update(Game, game.pk, fields, row)
    for number, game in enumerate(games):
        found = Game.objects.values_list(*fields).get(pk=game.pk)
        even = number % 2 == 0
        wanted = (bytes([0, 255, number]), f"%s '{number}'", [number], at if even else None, None if even else number)
        assert (bytes(found[0]), *found[1:]) == wanted
    assert Game.objects.values_list("name", "phase_name").get(pk=others.pk) == ("another", "")


def test_one_that_breaks_undoes_the_others_and_the_connection_goes_on() -> None:
    with pytest.raises(IntegrityError):
        _insert_together(1, 1, 2)
    assert not Heartbeat.objects.exists()


def _insert_together(*keys: int) -> None:
    with transaction.atomic(), write_batch():
        for key in keys:
            insert(Heartbeat, FIELDS, [[key, f"work {key}", timezone.now()]])
