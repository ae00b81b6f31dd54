"""A game is locked against other changes of it, and not against rows that name it: whoever writes a notice, and another
who tells the same person of a moved deadline, would else wait for each other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from game.play import moves
from game.store.game import Game
from game.store.log import Notice
from tests.tables import new_game

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("lock", [moves.lock, lambda number: Game.objects.free().get(pk=number)], ids=["lock", "free"])
def test_a_notice_is_written_while_its_game_is_locked(lock: Callable[[int], Game]) -> None:
    game = new_game("Ada", "Bo", pace="daily")
    with transaction.atomic(), ThreadPoolExecutor(1) as other:
        lock(game.pk)
        other.submit(write_notice, game).result(60)
    assert game.notices.filter(kind=Notice.Kind.MENTION).count() == 1


def write_notice(game: Game) -> None:
    """In another connection, which does not wait for locks."""
    seat = game.seats.get(number=0)
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '3s'")
            Notice.objects.create(
                game=game, seat=seat, user=seat.user, kind=Notice.Kind.MENTION, serial=1, due_at=Now()
            )
    finally:
        connection.close()
