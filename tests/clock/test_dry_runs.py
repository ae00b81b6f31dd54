"""Some minutes before a deadline its resolution is tried: nothing changes, and the staff hear of one that fails."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import OperationalError
from django.db.models import F
from django.db.models.functions import Now

from accounts import emails
from game.clock import dry_runs
from game.rulesets.registry import RULESETS
from game.store.game import Game, Status
from game.store.heartbeats import DryRun
from tests.faults.endless import closing
from tests.scenes import moderator
from tests.tables import clock_runs_out, everything, fresh, new_game, send

pytestmark = [pytest.mark.django_db]
BID = {"kind": "bid_influence", "points": 7}


def breaks(play: Any) -> None:
    raise ZeroDivisionError("of nobody's concern but the staff's")


@pytest.fixture
def lena() -> None:
    user = moderator("Lena")
    user.email = "lena@example.org"
    user.save()


def near_its_deadline(game: Game, **left: float) -> Game:
    """Its phase began yesterday and ends so soon."""
    since = Now() - timedelta(days=1)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() + timedelta(**left), clock_since=since)
    return fresh(game)


def sent() -> list[str]:
    emails.send_queued()
    return [f"{message.subject}\n{message.body}" for message in mail.outbox]


def test_a_sound_game_is_tried_once_and_nothing_changes(lena: None) -> None:
    game = near_its_deadline(new_game("ada", "bob", bots=1, pace="daily"), minutes=5)
    send(game, 0, BID)
    before = everything(game)
    assert dry_runs.try_due_closings() == 1
    assert everything(game) == before
    assert dry_runs.try_due_closings() == 0
    assert not DryRun.objects.get(game=game).has_failed
    assert not sent()
    after = clock_runs_out(game)
    assert after.phase_serial > game.phase_serial
    near_its_deadline(after, minutes=5)
    assert dry_runs.try_due_closings() == 1, "the next phase is tried as well"


@pytest.mark.usefixtures("judged")
@pytest.mark.breaks
def test_one_that_fails_is_told_to_the_staff_alone_and_without_its_reason(
    lena: None, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    monkeypatch.setitem(RULESETS, "sectors", closing(breaks))
    game = near_its_deadline(new_game("ada", "bob", pace="daily"), minutes=5)
    sound = near_its_deadline(new_game("ada", "bob", ruleset="toy", pace="daily"), minutes=6)
    before = everything(game)
    assert dry_runs.try_due_closings() == 2
    assert [line["event"] for line in logged] == ["rehearsal_failed"]
    assert everything(game) == before
    now = fresh(game)
    assert (now.status, now.attempts) == (Status.RUNNING, 0)
    (letter,) = [text for text in sent() if "At risk" in text]
    assert "nobody's concern" not in letter
    assert f"/game/{game.pk}/" in letter
    assert DryRun.objects.get(game=game).has_failed
    assert not DryRun.objects.get(game=sound).has_failed
    dry_runs.try_due_closings()
    assert len([text for text in sent() if "At risk" in text]) == 1


@pytest.mark.usefixtures("judged")
@pytest.mark.breaks
def test_one_that_fails_is_tried_again_after_some_minutes_until_it_is_mended(
    lena: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    near_its_deadline(new_game("ada", "bob", pace="daily"), minutes=5)
    with monkeypatch.context() as patch:
        patch.setitem(RULESETS, "sectors", closing(breaks))
        assert dry_runs.try_due_closings() == 1
        assert dry_runs.try_due_closings() == 0, "not at each tick"
        some_minutes_pass()
        assert dry_runs.try_due_closings() == 1
        assert DryRun.objects.get().has_failed
    some_minutes_pass()
    assert dry_runs.try_due_closings() == 1
    assert not DryRun.objects.get().has_failed
    some_minutes_pass()
    assert dry_runs.try_due_closings() == 0
    assert len([text for text in sent() if "At risk" in text]) == 1, "once, however often it failed"


def some_minutes_pass() -> None:
    DryRun.objects.update(at=F("at") - dry_runs.RETRY_AFTER)


def test_a_deadline_that_moves_is_tried_again_with_what_was_given_since(lena: None) -> None:
    game = near_its_deadline(new_game("ada", "bob", bots=1, pace="daily"), minutes=5)
    assert dry_runs.try_due_closings() == 1
    near_its_deadline(game, days=2)
    assert dry_runs.try_due_closings() == 0
    near_its_deadline(game, minutes=6)
    assert dry_runs.try_due_closings() == 1


def test_a_game_that_cannot_even_be_taken_in_hand_stops_no_other_dry_run(lena: None) -> None:
    lost = near_its_deadline(new_game("ada", "bob", pace="daily"), minutes=5)
    sound = near_its_deadline(new_game("ada", "bob", ruleset="toy", pace="daily"), minutes=6)
    Game.objects.filter(pk=lost.pk).update(ruleset="removed")
    assert dry_runs.try_due_closings() == 2
    assert [DryRun.objects.get(game=game).has_failed for game in (lost, sound)] == [True, False]
    assert len([text for text in sent() if "At risk" in text]) == 1


def loses_its_connection(play: Any) -> None:
    raise OperationalError("the connection is lost")


@pytest.mark.usefixtures("judged")
@pytest.mark.breaks
def test_one_that_the_database_interrupted_is_tried_again_at_once(lena: None, monkeypatch: pytest.MonkeyPatch) -> None:
    near_its_deadline(new_game("ada", "bob", pace="daily"), minutes=5)
    with monkeypatch.context() as patch:
        patch.setitem(RULESETS, "sectors", closing(loses_its_connection))
        assert dry_runs.try_due_closings() == 1
    assert dry_runs.try_due_closings() == 1
    assert dry_runs.try_due_closings() == 0
    assert not sent()


@pytest.mark.parametrize("left", [{"minutes": 30}, {"seconds": -1}])
def test_it_is_neither_too_early_nor_too_late(left: dict[str, float]) -> None:
    near_its_deadline(new_game("ada", "bob", pace="daily"), **left)
    assert dry_runs.try_due_closings() == 0


def test_a_quick_game_is_not_tried() -> None:
    game = near_its_deadline(new_game("ada", "bob", pace="daily"), minutes=5)
    Game.objects.filter(pk=game.pk).update(clock_since=F("deadline_at") - timedelta(minutes=20))
    assert dry_runs.try_due_closings() == 0
