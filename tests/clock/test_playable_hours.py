"""What playable hours and vacations make of an outage, and what a table learns of its hours before the start."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from game.clock import outages, play_times
from game.deadlines.paces import CUSTOM, DECISION, HOUR
from game.lobby import lobby
from game.play import clocks
from game.store.heartbeats import Outage
from tests.clock.test_play_times import NIGHTS, away, playable, signed_in
from tests.tables import fresh, new_game, person

pytestmark = [pytest.mark.django_db]


def test_an_outage_gives_back_hours_of_those_in_which_people_play() -> None:
    """Away from morning to night, the site leaves nobody with a deadline at five: what was lost is there tomorrow."""
    game = playable("ada", "bob")
    game.now = datetime(2026, 11, 18, 14, tzinfo=UTC)
    clocks.restart_clock(game)
    assert game.deadline_at == datetime(2026, 11, 18, 22, tzinfo=UTC)
    game.save()
    began, ended = (datetime(2026, 11, 18, *at, tzinfo=UTC) for at in ((15, 0), (22, 30)))
    Outage.objects.create(began_at=began, ended_at=ended)
    assert outages.settle()
    now = fresh(game)
    assert now.deadline_at == datetime(2026, 11, 19, 14, 30, tzinfo=UTC)
    assert "The site was down for 8 hours: the deadline moved by 16 hours." in now.log.last().note


def test_an_outage_at_night_takes_nobodys_hours() -> None:
    game = playable("ada", "bob")
    game.now = datetime(2026, 11, 18, 20, tzinfo=UTC)
    clocks.restart_clock(game)
    game.save()
    night = datetime(2026, 11, 19, 1, tzinfo=UTC)
    Outage.objects.create(began_at=night, ended_at=night + timedelta(hours=3))
    assert outages.settle()
    assert fresh(game).deadline_at == game.deadline_at == datetime(2026, 11, 19, 13, tzinfo=UTC)
    assert "The deadline stays the same." in fresh(game).log.last().note


def test_what_an_outage_gave_back_is_not_taken_by_a_vacation() -> None:
    """Half a day of the phase is left to Bob when his vacation begins; it is there when he is back."""
    game = new_game("ada", "bob", pace="daily")
    one = away("bob", after=2, days=3)
    begins = one.begins_at
    game = fresh(game)
    game.now, game.clock = begins - timedelta(hours=30), {}
    clocks.restart_clock(game)
    assert game.deadline_at == begins - timedelta(hours=6)
    game.save()
    Outage.objects.create(began_at=begins - timedelta(hours=29), ended_at=begins - timedelta(hours=11))
    assert outages.settle()
    assert fresh(game).deadline_at == one.ends_at + timedelta(hours=12)


def test_the_waiting_room_says_how_long_a_decision_lasts_in_the_hours_of_those_who_sit_there() -> None:
    """Ada plays from 8 to 23 in London, Bob from midnight to 4: whoever joins sees what their hours come to."""
    timing = {"lengths": {DECISION: 8 * HOUR}, "cap": 5 * 86400}
    game = lobby.create_game(host=person("ada"), name="Ours", seats=3, pace=CUSTOM, timing=timing)
    page = signed_in("cid").get(game.get_absolute_url()).content.decode()
    assert "By the playable hours of these players, each decision lasts 8 to 17 hours." in page
    play_times.choose_hours(user=person("bob"), hours=NIGHTS)
    lobby.join_game(game_id=game.pk, user=person("bob"))
    page = signed_in("cid").get(game.get_absolute_url()).content.decode()
    assert "each decision lasts 28 to 48 hours." in page
    assert "these players" not in Client().get(game.get_absolute_url()).content.decode(), "strangers see no hours"
    daily = lobby.create_game(host=person("bob"), name="Daily", seats=2, pace="daily")
    assert "decision lasts" not in signed_in("cid").get(daily.get_absolute_url()).content.decode()
