"""While players can read only, deadlines stand still for everybody, and nothing but an admin ends that."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game.clock import outages, sweep
from game.moderation import site_desk
from game.site import features
from game.site.models import SiteState
from game.store.game import Game
from game.store.heartbeats import Outage
from game.store.seat_models import Tenure
from tests.scenes import moderator, person, table
from tests.tables import fresh, silent_for

pytestmark = [pytest.mark.django_db]
WHY = "a new database"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"))


def read_only(*, is_it: bool) -> None:
    """Players can read only from now on, or not any more."""
    text = {"english": "Maintenance.", "german": "Wartung.", "until": None}
    root = User.objects.filter(username="Lena").first() or moderator("Lena")
    site_desk.set_banner(moderator=root, reason=WHY, is_read_only=is_it, **text)
    site_desk.refresh()


def since(hours: int) -> None:
    """Deadlines have stood still for so long."""
    SiteState.objects.update(stopped_since=timezone.now() - timedelta(hours=hours))


def left(game: Game) -> timedelta:
    """How far the deadline is away."""
    found = fresh(game)
    assert found.deadline_at is not None
    return found.deadline_at - found.now


def test_nobody_misses_a_decision_while_players_can_only_read(game: Game) -> None:
    read_only(is_it=True)
    since(hours=5)
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(clock_since=now - timedelta(hours=25), deadline_at=now - timedelta(hours=1))
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial
    read_only(is_it=False)
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial
    assert abs(left(game) - timedelta(hours=4)) < MINUTE
    assert not Tenure.objects.filter(game=game, missed__gt=0).exists()


def test_deadlines_run_again_when_neither_stops_them_and_were_away_once(game: Game) -> None:
    root, before = moderator("Lena"), left(game)
    site_desk.stop_resolving(moderator=root, reason=WHY, is_stopped=True)
    read_only(is_it=True)
    since(hours=5)
    Game.objects.filter(pk=game.pk).update(clock_since=timezone.now() - timedelta(hours=20))
    site_desk.stop_resolving(moderator=root, reason=WHY, is_stopped=False)
    assert site_desk.state().stopped_since is not None
    assert not Outage.objects.exists()
    read_only(is_it=False)
    assert site_desk.state().stopped_since is None
    assert outages.settle()
    assert abs(left(game) - before - timedelta(hours=5)) < MINUTE


def test_processes_that_rest_during_maintenance_are_no_second_outage(game: Game) -> None:
    """Read-only for five hours, in which all processes were away for three; then for an hour more."""
    before = left(game)
    Game.objects.filter(pk=game.pk).update(clock_since=timezone.now() - timedelta(hours=20))
    read_only(is_it=True)
    since(hours=5)
    silent_for(timedelta(hours=3))
    sweep.sweep()
    assert not Outage.objects.exists()
    silent_for(timedelta(hours=1))
    read_only(is_it=False)
    sweep.sweep()
    assert Outage.objects.count() == 1
    assert abs(left(game) - before - timedelta(hours=5)) < MINUTE


def test_what_was_away_before_maintenance_counts_to_its_begin(game: Game) -> None:
    before = left(game)
    Game.objects.filter(pk=game.pk).update(clock_since=timezone.now() - timedelta(hours=20))
    read_only(is_it=True)
    since(hours=2)
    silent_for(timedelta(hours=3))
    sweep.sweep()
    assert abs(left(game) - before - timedelta(hours=1)) < MINUTE
    read_only(is_it=False)
    sweep.sweep()
    assert abs(left(game) - before - timedelta(hours=3)) < MINUTE


def test_maintenance_does_not_end_because_the_cache_is_empty(game: Game, django_assert_num_queries: Any) -> None:
    """As when Redis is away, or nobody has swept for two minutes: a process reads the row once a second."""
    SiteState.objects.create(
        pk=SiteState.ONLY, is_read_only=True, stopped_since=timezone.now(), features_off=[features.API]
    )
    cache.clear()
    ada, serial = Client(), fresh(game).phase_serial
    ada.force_login(User.objects.get(username="Ada"))
    refused = ada.post(f"/games/{game.pk}/actions/", {"serial": serial, "do": "ready", "token": "x"})
    assert refused.status_code == 503
    assert fresh(game).seat_states[0] != "ready"
    features.forget_row()
    with django_assert_num_queries(1):
        assert [site_desk.is_read_only() for _ in range(2)] == [True, True]
        assert features.was_recently_off(features.API)
        assert not features.is_off(features.CHAT)
    site_desk.refresh()
    with django_assert_num_queries(0):
        assert site_desk.is_read_only()


def test_an_entry_that_says_nothing_is_set_is_one(game: Game, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert not site_desk.is_read_only()
        assert not features.is_off(features.API)


def test_an_absence_around_maintenance_counts_from_its_beginning_to_its_end(game: Game) -> None:
    """Nobody closed phases for seven hours, and in the fifth of them an admin let players only read for an hour."""
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(clock_since=now - timedelta(hours=20), deadline_at=now - timedelta(hours=4))
    silent_for(timedelta(hours=7))
    Outage.objects.create(began_at=now - timedelta(hours=3), ended_at=now - timedelta(hours=2))
    sweep.sweep()
    assert abs(left(game) - timedelta(hours=3)) < MINUTE
    assert [round((each.ended_at - each.began_at).total_seconds() / 3600) for each in by_time()] == [4, 1, 2]


def by_time() -> list[Outage]:
    return list(Outage.objects.order_by("began_at"))
