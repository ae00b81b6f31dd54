"""Compiled queries answer as the ORM's own, with other values and other numbers of them."""

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from game.infra.compiled import CompiledQuery
from game.store.game import Game, Seat
from game.store.log import Draft
from game.store.seat_models import Tenure
from tests.tables import new_game

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

found = CompiledQuery(
    lambda game, numbers: Seat.objects.filter(game=game, number__in=numbers).order_by("-number").values_list("number")
)
counted = CompiledQuery(
    lambda game, numbers: Tenure.objects.filter(game=game, number__in=numbers), decisions=F("decisions") + 2
)
saved = CompiledQuery(
    lambda seat, serial: Draft.objects.in_time().filter(seat=seat, serial=serial).values_list("content", "saved_at")
)


def test_each_call_asks_for_its_own_values_and_each_length_of_a_list_has_its_statement() -> None:
    first, second = new_game("ada", "bob", "cora"), new_game("ada", "bob")
    assert found.rows(first.pk, [0, 2]) == [(2,), (0,)]
    assert found.rows(first.pk, {1}) == [(1,)]
    assert found.rows(second.pk, [0, 1, 2]) == [(1,), (0,)]
    assert found.rows(second.pk, [5]) == []


def test_a_change_concerns_these_rows_alone() -> None:
    game, other = new_game("ada", "bob", "cora"), new_game("ada", "bob")
    assert counted.change(game.pk, [0, 2]) == 2
    assert counted.change(game.pk, [2]) == 1
    assert list(game.tenures.order_by("number").values_list("decisions", flat=True)) == [2, 0, 4]
    assert set(other.tenures.values_list("decisions", flat=True)) == {0}


def test_objects_have_their_annotations_and_related_rows() -> None:
    game = new_game("ada", "bob")
    seats = CompiledQuery(
        lambda names: Seat.objects.select_related("user").annotate(twice=F("number") * 2).filter(number__in=names)
    )
    by_name = CompiledQuery(lambda name: User.objects.filter(username=name))
    with CaptureQueriesContext(connection) as asked:
        assert {(seat.user.username, seat.twice) for seat in seats.all([0, 1])} == {("ada", 0), ("bob", 2)}
        assert by_name.first("bob").username == "bob"
    assert len(asked) == 2
    assert by_name.first("dora") is by_name.first("%s") is None
    games = CompiledQuery(lambda key: Game.objects.filter(pk=key))
    assert games.first(game.pk) == game
    assert games.first(2**70) is None


def test_values_come_as_the_orm_gives_them() -> None:
    game = new_game("ada", "bob")
    seat = game.seats.get(number=0)
    draft = Draft.objects.create(seat=seat, serial=3, content=[{"kind": "ready", "of": None}])
    draft.refresh_from_db()
    with CaptureQueriesContext(connection) as asked:
        assert saved.rows(seat.pk, 3) == [(draft.content, draft.saved_at)]
    assert len(asked) == 1
    assert saved.rows(seat.pk, 4) == []
