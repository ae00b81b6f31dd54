"""A host's own clock: how long phases last, when they close, or how many playable hours they take."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from game.clock import extensions, outages, play_times, sweep
from game.deadlines.paces import CUSTOM, DAY, DECISION, HOUR, VOTES, Timing, is_slow, length_words
from game.engine.actions import Refused
from game.lobby import create_page, host_choices, lobby
from game.lobby.forms import CreateGameForm
from game.lobby.game_words import pace_words
from game.moderation import interventions, site_desk
from game.play import clocks
from game.store import availability
from game.store.availability import Vacation
from game.store.game import Game, Status
from game.store.heartbeats import Outage
from tests.lobby.test_lobby_games import filled, shown, signed_in
from tests.scenes import moderator, seen
from tests.tables import READY, fresh, person, send, silent_for

pytestmark = [pytest.mark.django_db]
BERLIN = "Europe/Berlin"
EVERY_WEEKDAY = {"fixed": {"zone": BERLIN, "days": [0, 1, 2, 3, 4], "minute": 1200}, "lengths": {DECISION: 6 * HOUR}}


def begun(timing: dict[str, Any], ruleset: str = "sectors") -> Game:
    """A game of two at a custom pace."""
    game = lobby.create_game(host=person("ada"), name="Ours", seats=2, pace=CUSTOM, timing=timing, ruleset=ruleset)
    lobby.join_game(game_id=game.pk, user=person("bob"))
    lobby.start_game(game_id=game.pk, user=person("ada"))
    return fresh(game)


def created(client: Client, **chosen: str) -> Game:
    """A game made by the form of a custom pace."""
    sent = filled("sectors", pace=CUSTOM, preset="standard", **chosen)
    assert signed_in(client).post("/games/new/", sent).status_code == 302
    return Game.objects.get(name="Ours")


def test_decisions_and_votes_have_lengths_of_their_own(client: Client) -> None:
    game = created(client, decision_length=str(12 * HOUR), vote_length=str(4 * HOUR))
    assert pace_words(game) == "Custom, 12 hours per phase, 4 hours for votes"
    timing = game.timing
    game.delete()
    begun_game = begun(timing)
    assert begun_game.deadline_at is not None
    assert abs(begun_game.deadline_at - begun_game.now - timedelta(hours=12)) < timedelta(minutes=1)
    rows = begun_game.rules.flow(begun_game.read_options()).rows
    begun_game.phase_row = next(row.index for row in rows if row.phase.name == "company_vote")
    assert clocks.length_of(begun_game) == timedelta(hours=4)


def test_without_a_choice_of_their_own_votes_last_as_long_as_decisions(client: Client) -> None:
    game = created(client, decision_length=str(2 * DAY))
    assert (pace_words(game), game.timing) == ("Custom, 2 days per phase", {"lengths": {DECISION: 2 * DAY}})


def test_every_weekday_at_eight(client: Client) -> None:
    ada = person("ada")
    ada.timezone = BERLIN
    ada.save(update_fields=["timezone"])
    game = created(client, clock_by="fixed", days="weekdays", at="20:00", least=str(6 * HOUR))
    assert game.timing["fixed"] == EVERY_WEEKDAY["fixed"]
    assert pace_words(game) == "Custom, every weekday at 20:00 (Europe/Berlin)"


def test_a_phase_closes_at_a_fixed_time() -> None:
    game = begun(EVERY_WEEKDAY)
    assert game.deadline_at is not None
    here = game.deadline_at.astimezone(ZoneInfo(BERLIN))
    assert (here.hour, here.minute, here.weekday() < 5) == (20, 0, True)
    assert timedelta(hours=6) <= game.deadline_at - game.clock_since <= timedelta(days=3, hours=7)
    assert game.is_slow


def at(game: Game, moment: datetime) -> Game:
    """The game as if it were this moment."""
    found = fresh(game)
    found.now = moment
    return found


def closing_daily(closes: datetime) -> Game:
    """A game whose phases end every day at this time, after six hours at least."""
    minute = closes.hour * 60 + closes.minute
    return begun({"fixed": {"zone": "UTC", "days": [*range(7)], "minute": minute}, "lengths": {DECISION: 6 * HOUR}})


@pytest.mark.parametrize("status", [Status.PAUSED, Status.HELD])
def test_a_stop_over_a_fixed_time_lasts_to_the_next(status: Status) -> None:
    """Stopped two hours before it, and let go on five hours later."""
    closes = timezone.now().astimezone(UTC).replace(second=0, microsecond=0) - timedelta(hours=3)
    game = closing_daily(closes)
    opened = at(game, closes - timedelta(days=1))
    clocks.restart_clock(opened)
    opened.save()
    assert fresh(game).deadline_at == closes
    stopped = at(game, closes - timedelta(hours=2))
    clocks.stop_clock(game=stopped, status=status)
    stopped.save()
    go_on = interventions.resume if status == Status.PAUSED else interventions.retry
    go_on(game_id=game.pk, moderator=moderator("Lena"), reason="mended", seen=seen(game))
    now = fresh(game)
    assert now.deadline_at == clocks.end_of(now, clocks.length_of(now)) == closes + timedelta(days=1)
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial


@pytest.mark.parametrize(("left", "away", "days"), [(5 * 60, 10, 0), (5 * 60, 90, 1), (40, 10, 1)])
def test_a_short_stop_long_before_a_fixed_time_costs_no_day(left: int, away: int, days: int) -> None:
    """So many minutes before it the game was stopped, for so many; whoever had little left keeps most of it."""
    now = timezone.now().astimezone(UTC).replace(second=0, microsecond=0)
    closes = now + timedelta(minutes=left - away)
    game = closing_daily(closes)
    opened = at(game, closes - timedelta(days=1))
    clocks.restart_clock(opened)
    opened.save()
    stopped = at(game, now - timedelta(minutes=away))
    clocks.stop_clock(game=stopped, status=Status.PAUSED)
    stopped.save()
    interventions.resume(game_id=game.pk, moderator=moderator("Lena"), reason="looked", seen=seen(game))
    assert fresh(game).deadline_at == closes + timedelta(days=days)


def test_a_fixed_time_waits_for_who_is_on_vacation() -> None:
    closes = timezone.now().astimezone(UTC).replace(second=0, microsecond=0) + timedelta(hours=1)
    game = closing_daily(closes)
    assert game.deadline_at == closes + timedelta(days=1)
    first = game.now.date() + timedelta(days=1)
    play_times.declare_vacation(user=person("bob"), first=first, last=first + timedelta(days=2))
    assert fresh(game).deadline_at == game.deadline_at + timedelta(days=3)
    assert clocks.waits_for(fresh(game)) == {1}


@pytest.mark.parametrize("away", [0, 5])
def test_whoever_is_ready_on_vacation_lets_the_others_close_at_the_next_fixed_time(away: int) -> None:
    """Not an hour later in the middle of their night, and not as late as an outage of so many hours had moved it."""
    closes = timezone.now().astimezone(UTC).replace(second=0, microsecond=0) + timedelta(hours=5)
    game = closing_daily(closes)
    opened = at(game, closes - timedelta(days=3, hours=20))
    begins = opened.now + timedelta(hours=12)
    Vacation.objects.create(user=person("bob"), begins_at=begins, ends_at=begins + timedelta(days=10))
    availability.copy_to(opened)
    clocks.restart_clock(opened)
    opened.save()
    assert opened.deadline_at == closes + timedelta(days=7)
    if away:
        began = opened.now + timedelta(hours=6)
        Outage.objects.create(began_at=began, ended_at=began + timedelta(hours=away))
        assert outages.settle()
        assert fresh(game).deadline_at == closes + timedelta(days=8)
    send(game, 1, READY)
    assert fresh(game).deadline_at == closes


def closing_in(time: timedelta) -> tuple[Game, datetime]:
    """A game whose phases end every day at the time that is so far away, and the end of the open one: that time."""
    closes = timezone.now().astimezone(UTC).replace(second=0, microsecond=0) + time
    game = closing_daily(closes)
    opened = at(game, closes - timedelta(hours=20))
    clocks.restart_clock(opened)
    opened.save()
    assert fresh(game).deadline_at == closes
    return fresh(game), closes


def test_more_time_at_fixed_times_is_told_as_the_time_to_which_it_goes(client: Client) -> None:
    game, closes = closing_in(timedelta(hours=5))
    ada = person("ada")
    ada.timezone = BERLIN
    ada.save(update_fields=["timezone"])
    client.force_login(ada)
    later = (closes + timedelta(days=1)).astimezone(ZoneInfo(BERLIN))
    page = client.get(game.get_absolute_url()).content.decode()
    (button,) = re.findall(r"Take more time, until <time datetime=\"([^\"]+)\"", page)
    assert datetime.fromisoformat(button) == later
    assert "3 hours more" not in page
    assert client.post(f"/games/{game.pk}/extend/{game.phase_serial}/").status_code == 302
    assert fresh(game).deadline_at == later
    line = f"You need more time: this phase is extended until {later:%A} {later.day} {later:%B}, {later:%H:%M}."
    page = client.get(game.get_absolute_url()).content.decode()
    assert line in page
    assert "Take more time" not in page


def test_more_time_that_reaches_no_later_fixed_time_is_refused_and_spends_nothing(client: Client) -> None:
    game, closes = closing_in(timedelta(hours=5))
    extensions.extend(game_id=game.pk, user=person("ada"), serial=game.phase_serial)
    before = fresh(game)
    client.force_login(person("bob"))
    assert "Take more time" not in client.get(game.get_absolute_url()).content.decode()
    with pytest.raises(Refused) as refused:
        extensions.extend(game_id=game.pk, user=person("bob"), serial=game.phase_serial)
    assert refused.value.code == "nothing_changes"
    later = closes + timedelta(days=1)
    assert str(refused.value) == (
        f"Phases of this game close every day at {closes.hour}:{closes.minute:02} (UTC). 3 hours more would change "
        f"nothing: this phase would still close on {later:%A} {later.day} {later:%B}, {later:%H:%M}."
    )
    after = fresh(game)
    assert (after.deadline_at, after.clock, after.entries) == (before.deadline_at, before.clock, before.entries)


def test_staff_move_a_deadline_from_one_fixed_time_to_a_later_one(client: Client) -> None:
    game, closes = closing_in(timedelta(hours=5))
    lena = moderator("lena")
    client.force_login(lena)
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": lena, "reason": "A holiday."}
    page = client.get(f"/admin/game/game/{game.pk}/extend/").content.decode()
    assert f"Phases of this game close every day at {closes.hour}:{closes.minute:02} (UTC)" in page
    for days in (1, 2):
        interventions.extend_deadline(**fields, seen=seen(game), minutes=60)
        assert fresh(game).deadline_at == closes + timedelta(days=days), "to the next of them each time"
    page = signed_in(Client(), "ada").get(game.get_absolute_url()).content.decode()
    until = closes + timedelta(days=2)
    assert f"extended this phase until {until:%A} {until.day} {until:%B}, {until:%H:%M}: A holiday." in page
    assert not extensions.is_extended_fully(fresh(game)), "players have asked for nothing yet"
    extensions.extend(game_id=game.pk, user=fresh(game).seats.get(number=0).user, serial=fresh(game).phase_serial)
    assert fresh(game).deadline_at == closes + timedelta(days=3), "and can still take time"
    site_desk.shift_deadlines(moderator=lena, reason="A storm.", hours=25)
    assert fresh(game).deadline_at == closes + timedelta(days=5)
    now = fresh(game)
    assert not clocks.follow(now, clocks.Because.GONE), "whoever goes takes nothing back"
    assert now.deadline_at == closes + timedelta(days=5)


def test_staff_give_a_paused_phase_time_to_a_fixed_time() -> None:
    game, closes = closing_in(timedelta(hours=5))
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": moderator("lena"), "reason": "A holiday."}
    interventions.pause(**fields, seen=seen(game))
    interventions.extend_deadline(**fields, seen=seen(game), minutes=60)
    interventions.resume(**fields, seen=seen(game))
    assert fresh(game).deadline_at == closes + timedelta(days=1)


@pytest.mark.parametrize(("left", "away", "days"), [(6, 0.5, 0), (0.2, 1.5, 1), (6, 5, 1), (-2, 5, 1), (1, 29, 1)])
def test_an_outage_moves_a_phase_to_a_fixed_time_and_not_into_the_night(left: float, away: float, days: int) -> None:
    """So many hours are left until the fixed time when the site is back, after it was away for so many."""
    game, closes = closing_in(timedelta(hours=left))
    silent_for(timedelta(hours=away))
    sweep.sweep()
    now = fresh(game)
    assert now.phase_serial == game.phase_serial
    assert now.deadline_at == closes + timedelta(days=days)
    assert now.deadline_at == clocks.end_of(now, clocks.length_of(now))
    assert ("moved by 24 hours" if days else "The deadline stays the same.") in now.log.last().note


@pytest.mark.parametrize(("left", "away", "later"), [(1, 2, 1), (12, 30, 18), (-10, 40, 50)])
def test_an_outage_shortly_before_a_fixed_time_costs_minutes_and_no_day(left: int, away: int, later: int) -> None:
    """The site is back so many minutes before it: everybody has as many as it was away, and the phase ends then."""
    game, closes = closing_in(timedelta(minutes=left))
    silent_for(timedelta(minutes=away))
    sweep.sweep()
    now = fresh(game)
    assert now.phase_serial == game.phase_serial
    assert abs(now.deadline_at - closes - timedelta(minutes=later)) < timedelta(minutes=1)
    held = now.deadline_at
    for because in clocks.Because:
        clocks.follow(now, because)
        assert now.deadline_at == held
    clocks.give(now, timedelta(hours=1))
    assert now.deadline_at == closes + timedelta(days=1)


def test_so_late_that_an_hour_would_not_do_the_phase_lasts_to_the_next_fixed_time() -> None:
    game, closes = closing_in(timedelta(minutes=-50))
    silent_for(timedelta(minutes=55))
    sweep.sweep()
    assert fresh(game).deadline_at == closes + timedelta(days=1)


def test_a_short_pause_after_an_outage_still_ends_at_the_fixed_time() -> None:
    """The outage took too much, so that the phase lasts to the next; five minutes more change nothing."""
    game, closes = closing_in(timedelta(minutes=10))
    silent_for(timedelta(hours=3))
    sweep.sweep()
    assert fresh(game).deadline_at == closes + timedelta(days=1)
    now = fresh(game).now
    stopped = at(game, now - timedelta(minutes=5))
    clocks.stop_clock(game=stopped, status=Status.PAUSED)
    stopped.save()
    interventions.resume(game_id=game.pk, moderator=moderator("Lena"), reason="looked", seen=seen(game))
    assert fresh(game).deadline_at == closes + timedelta(days=1)


def test_two_short_outages_count_together_and_at_once() -> None:
    """Each of forty minutes; whoever gets ready later moves nothing any more."""
    game, closes = closing_in(timedelta(hours=6))
    now = game.now
    for hours, deadline in ((4, closes), (2, closes + timedelta(days=1))):
        began = now - timedelta(hours=hours)
        Outage.objects.create(began_at=began, ended_at=began + timedelta(minutes=40))
        assert outages.settle()
        assert fresh(game).deadline_at == deadline
    after = fresh(game)
    assert "moved by 24 hours" in after.log.last().note
    assert not clocks.follow(after, clocks.Because.TIMES)


@pytest.mark.parametrize("minutes", [30, 60])
def test_a_held_phase_that_is_paused_is_given_time_all_the_same(minutes: int) -> None:
    """Held at the next fixed time, as somebody who is on vacation is back early; half an hour counts as well."""
    game, closes = closing_in(timedelta(hours=5))
    held = fresh(game)
    held.clock = {**held.clock, "start": held.clock_since.isoformat(), "kept": (closes + timedelta(days=1)).isoformat()}
    held.deadline_at = clocks.end_of(held, clocks.length_of(held))
    held.save()
    assert held.deadline_at == closes + timedelta(days=1)
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": moderator("lena"), "reason": "A holiday."}
    interventions.pause(**fields, seen=seen(game))
    interventions.extend_deadline(**fields, seen=seen(game), minutes=minutes)
    interventions.resume(**fields, seen=seen(game))
    assert fresh(game).deadline_at == closes + timedelta(days=2)


def test_what_staff_give_in_a_pause_moves_a_phase_each_time_and_beside_what_players_took() -> None:
    game, closes = closing_in(timedelta(hours=5))
    extensions.extend(game_id=game.pk, user=person("ada"), serial=game.phase_serial)
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": moderator("lena"), "reason": "A holiday."}
    interventions.pause(**fields, seen=seen(game))
    for _ in range(2):
        interventions.extend_deadline(**fields, seen=seen(game), minutes=60)
    interventions.resume(**fields, seen=seen(game))
    assert fresh(game).deadline_at == closes + timedelta(days=3)


@pytest.mark.parametrize("acts", [("pause", "time"), ("time", "pause")])
def test_over_a_weekend_a_given_time_is_one_more_closing_whatever_stands_still(acts: tuple[str, str]) -> None:
    """A phase that would end on Friday lasts to Monday for five hours of pause, and to Tuesday for an hour given."""
    friday = datetime(2026, 11, 20, 20, tzinfo=UTC)
    timing = {"fixed": {"zone": "UTC", "days": [0, 1, 2, 3, 4], "minute": 20 * 60}, "lengths": {DECISION: 6 * HOUR}}
    game = at(begun(timing), friday - timedelta(hours=10))
    clocks.restart_clock(game)
    assert game.deadline_at == friday
    for act, days in zip(acts, (3, 4), strict=True):
        game.now += timedelta(hours=1)
        if act == "time":
            clocks.give(game, timedelta(hours=1))
        else:
            clocks.stop_clock(game=game, status=Status.PAUSED)
            game.now += timedelta(hours=5)
            clocks.start_clock(game=game)
        assert game.deadline_at == friday + timedelta(days=days)


def test_what_a_short_absence_added_is_gone_with_the_next_time() -> None:
    game, closes = closing_in(timedelta(minutes=1))
    began = closes - timedelta(seconds=70)
    Outage.objects.create(began_at=began, ended_at=began + timedelta(seconds=50))
    assert outages.settle()
    late = fresh(game)
    assert late.deadline_at == closes + timedelta(seconds=50)
    clocks.give(late, timedelta(hours=24))
    assert late.deadline_at == closes + timedelta(days=1)


def test_results_take_no_time_at_fixed_times_either() -> None:
    """Review phases pass at once where people are not watching: nothing waits for the next evening."""
    game = begun(EVERY_WEEKDAY)
    result = next(row.phase for row in game.rules.flow(game.read_options()).rows if row.phase.clock == "review")
    assert result.mode.value == "automatic"
    game.phase_row = next(row.index for row in game.rules.flow(game.read_options()).rows if row.phase is result)
    clocks.restart_clock(game)
    assert game.deadline_at == game.now


def test_playable_hours_are_told_with_their_cap(client: Client) -> None:
    game = created(client, clock_by="hours", hours="8", cap=str(3 * DAY))
    assert pace_words(game) == "Custom, 8 playable hours per phase, within 3 days"


@pytest.mark.parametrize(
    "timing",
    [
        {"lengths": {DECISION: 5}},
        {"lengths": {DECISION: 400 * DAY}},
        {"lengths": {DECISION: "long"}},
        {"lengths": {"a\x00": DAY}},
        {"fixed": {"zone": BERLIN, "days": [], "minute": 0}},
        {"fixed": {"zone": BERLIN, "days": [9], "minute": 0}},
        {"fixed": {"zone": "Mars/Olympus", "days": [1], "minute": 0}},
        {"cap": -3},
        {"moon": "full"},
    ],
)
def test_a_clock_that_means_nothing_is_refused(timing: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        lobby.create_game(host=person("ada"), name="Ours", seats=2, pace=CUSTOM, timing=timing)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "chosen",
    [{"decision_length": "7"}, {"clock_by": "moon"}, {"clock_by": "fixed", "at": "noon"}, {"hours": "x"}],
)
def test_a_form_with_a_clock_that_is_on_no_menu_is_sent_back(client: Client, chosen: dict[str, str]) -> None:
    signed_in(client)
    assert client.post("/games/new/", filled("sectors", pace=CUSTOM, **chosen)).status_code == 422
    query = "&".join(f"{name}={value}" for name, value in filled("sectors", pace=CUSTOM, **chosen).items())
    assert client.get(f"/games/new/?{query}").status_code == 200


def plan_of(**chosen: str) -> dict[str, str]:
    """What the form says about time at a custom pace."""
    sent = filled("sectors", pace=CUSTOM, preset="standard", **chosen)
    return dict(create_page.plan_of(CreateGameForm("sectors", sent, zone=BERLIN)).rows)


def test_the_plan_goes_through_the_phases_of_a_custom_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 46 phases half, or of 65 three quarters: as weekdays at 20:00 they take 64 and 91 days whole."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2026, 11, 9, 12, tzinfo=UTC))
    assert plan_of(clock_by="fixed", days="weekdays", at="20:00")["Takes about"] == "5 to 10 weeks"
    assert plan_of(clock_by="fixed", days="all", at="20:00")["Takes about"] == "3 to 7 weeks"
    assert plan_of(clock_by="fixed", days="5", at="20:00")["Takes about"] == "23 to 49 weeks"
    assert plan_of(decision_length=str(12 * HOUR))["Takes about"] == "2 to 4 weeks"
    assert plan_of(decision_length=str(12 * HOUR))["Decisions each"] == "3 to 4 a day"


def test_a_rematch_keeps_the_clock() -> None:
    timing = {"lengths": {DECISION: 2 * HOUR}}
    game = begun(timing, "toy")
    assert host_choices.read_timing(game.pace, game.timing) == Timing({DECISION: 2 * HOUR})
    assert host_choices.read_timing("daily", {"lengths": {VOTES[0]: 12 * HOUR}}) == Timing(), "half days are the past's"


@pytest.mark.parametrize(
    ("timing", "is_it"),
    [
        (Timing({DECISION: 10 * 60}), False),
        (Timing({DECISION: HOUR}), True),
        (Timing({DECISION: 900}, cap=HOUR), True),
    ],
)
def test_people_are_mailed_where_decisions_take_an_hour(timing: Timing, is_it: bool) -> None:
    assert is_slow(CUSTOM, timing) is is_it
    assert [pace for pace in ("live", "demo", "evening", "daily", "relaxed", "none") if is_slow(pace)] == [
        "daily",
        "relaxed",
    ]


def test_lengths_are_told_in_their_largest_unit() -> None:
    lines = [length_words(seconds) for seconds in (300, HOUR, 5400, 12 * HOUR, DAY, 3 * DAY)]
    assert lines == ["5 minutes", "1 hour", "90 minutes", "12 hours", "1 day", "3 days"]


def test_the_form_folds_the_clock_until_custom_is_chosen(client: Client) -> None:
    page = shown(signed_in(client), "/games/new/")
    assert page.count('name="clock_by"') == 3
    assert 'class="own-clock"' in page
    assert 'name="vote_length"' in page
    assert 'name="vote_length"' not in shown(client, "/games/new/?game=toy")
