"""When people play and are away: declared ahead from a bank, copied into their games, and deadlines follow."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game.clock import play_times, sweep
from game.deadlines.due import Grid, playable_hours
from game.deadlines.paces import CUSTOM, DECISION, HOUR
from game.delivery.notice_sending import send_due_notices
from game.engine.actions import Refused
from game.lobby import lobby
from game.outbox import notices
from game.play import clocks, moves
from game.seats import takeover
from game.store import availability
from game.store.availability import PlayTimes, Vacation, spans_of
from game.store.game import Game, Pace
from game.store.log import Kind, Notice
from game.store.seat_models import Tenure
from tests.delivery.test_notices import ALWAYS_AWAKE, mails_to, page_of, text_of
from tests.scenes import person as mailed_person
from tests.scenes import run_out, table
from tests.servers import Mailbox
from tests.tables import READY, everybody_ready, fresh, new_game, person, send, signed_in

pytestmark = [pytest.mark.django_db]
DAY = timedelta(days=1)
A_MOMENT = timedelta(seconds=20)
NIGHTS = frozenset(day * 24 + hour for day in range(7) for hour in range(4))


def today(user: User) -> date:
    return timezone.now().astimezone(ZoneInfo(user.timezone)).date()


def away(name: str, after: int = 1, days: int = 3) -> Vacation:
    """A vacation that begins in so many days."""
    user = person(name)
    first = today(user) + after * DAY
    return play_times.declare_vacation(user=user, first=first, last=first + (days - 1) * DAY)


def playable(*names: str, hours: int = 8, days: int = 5) -> Game:
    """A game that counts playable hours."""
    timing = {"lengths": {DECISION: hours * HOUR}, "cap": days * 86400}
    host, *guests = map(person, names)
    game = lobby.create_game(host=host, name="Ours", seats=len(names), pace=CUSTOM, timing=timing)
    for guest in guests:
        lobby.join_game(game_id=game.pk, user=guest)
    lobby.start_game(game_id=game.pk, user=host)
    return fresh(game)


# --- vacation


def test_deadlines_wait_for_who_is_on_vacation() -> None:
    game = new_game("ada", "bob", pace="relaxed")
    one = away("bob", after=1, days=4)
    now = fresh(game)
    assert now.deadline_at - game.deadline_at == one.ends_at - one.begins_at == 4 * DAY
    first, last = one.begins_at.date(), one.begins_at.date() + 3 * DAY
    result = now.log.get(kind=Kind.PAUSE)
    assert (result.note, result.seat) == (f"bob is on vacation from {first} to {last}. Deadlines wait.", 1)


def test_nobody_waits_for_somebody_on_vacation_who_is_ready() -> None:
    game = new_game("ada", "bob", pace="relaxed")
    away("bob", days=4)
    send(game, 1, READY)
    assert fresh(game).deadline_at == game.deadline_at
    send(game, 1, {"kind": "ready", "on": False})
    assert fresh(game).deadline_at == game.deadline_at + 4 * DAY


def test_the_next_phase_and_a_new_game_know_it_too() -> None:
    game = new_game("ada", "bob", pace="relaxed")
    away("bob", days=2)
    later = everybody_ready(game)
    assert abs(later.deadline_at - later.now - 5 * DAY) < A_MOMENT
    begun = new_game("cid", "bob", pace="relaxed")
    assert abs(begun.deadline_at - begun.now - 5 * DAY) < A_MOMENT


def test_quick_games_wait_for_nobody() -> None:
    game = new_game("ada", "bob")
    away("bob")
    assert (fresh(game).deadline_at, fresh(game).availability) == (game.deadline_at, {})


def test_who_is_back_early_is_waited_for_no_longer() -> None:
    game = new_game("ada", "bob", pace="relaxed")
    one = away("bob", days=4)
    bob = person("bob")
    play_times.end_vacation(user=bob, number=one.pk)
    assert fresh(game).deadline_at == game.deadline_at
    assert not Vacation.objects.exists()
    begun = Vacation.objects.create(user=bob, begins_at=Now() - DAY, ends_at=Now() + DAY)
    play_times.end_vacation(user=bob, number=begun.pk)
    play_times.end_vacation(user=bob, number=begun.pk)
    begun.refresh_from_db()
    assert abs(begun.ends_at - timezone.now()) < A_MOMENT


def days_pass(game: Game, days: int) -> Game:
    """The open phase, its clock and all vacations have begun so many days earlier."""
    at, back = fresh(game), days * DAY
    values_by_key = {
        number: {
            **values_by_key,
            "away": [[(ends - back).isoformat() for ends in span] for span in spans_of(values_by_key)],
        }
        for number, values_by_key in at.availability.items()
    }
    clock = {name: value for name, value in at.clock.items() if name != "start"}
    times = {"clock_since": at.clock_since - back, "deadline_at": at.deadline_at - back}
    Game.objects.filter(pk=game.pk).update(availability=values_by_key, clock=clock, **times)
    Vacation.objects.update(begins_at=F("begins_at") - back, ends_at=F("ends_at") - back)
    return fresh(game)


def opened_with(game: Game, vacation: Vacation, length: timedelta) -> None:
    """The open phase begins as somebody's vacation does."""
    deadline = vacation.ends_at + length
    Game.objects.filter(pk=game.pk).update(clock_since=vacation.begins_at, clock={}, deadline_at=deadline)


def test_who_is_back_in_the_middle_of_a_vacation_has_what_was_left_when_it_began() -> None:
    game = new_game("ada", "bob", "cid", pace="daily")
    one = away("bob", days=6)
    opened_with(game, one, DAY)
    before = days_pass(game, 4)
    assert before.deadline_at - before.now > 3 * DAY
    play_times.end_vacation(user=person("bob"), number=one.pk)
    now = fresh(game)
    assert abs(now.deadline_at - now.now - DAY) < A_MOMENT
    assert "0" not in now.availability
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial
    assert not Tenure.objects.filter(missed__gt=0).exists()


def test_a_vacation_that_is_over_still_counts_when_somebody_else_declares_one() -> None:
    game = new_game("eve", "fay", "gus", pace="relaxed")
    opened_with(game, away("eve", days=2), 3 * DAY)
    before = days_pass(game, 4)
    assert before.availability["0"]["away"], "Eve's is over"
    away("fay", after=30, days=1)
    now = fresh(game)
    assert now.availability["1"]["away"]
    assert now.deadline_at == before.deadline_at
    assert now.now < now.deadline_at


def test_a_vacation_that_is_over_still_counts_when_a_seat_changes_hands() -> None:
    game = new_game("eve", "fay", "gus", pace="relaxed")
    opened_with(game, away("eve", days=2), 3 * DAY)
    before = days_pass(game, 4)
    takeover.resign(game_id=game.pk, user=person("fay"))
    assert fresh(game).deadline_at == before.deadline_at


def test_nobody_finds_the_phase_closing_when_who_was_waited_for_is_ready() -> None:
    game = new_game("eve", "fay", "gus", pace="relaxed")
    opened_with(game, away("eve", days=6), 3 * DAY)
    days_pass(game, 4)
    send(game, 0, READY)
    now = fresh(game)
    assert abs(now.deadline_at - now.now - timedelta(hours=18)) < A_MOMENT
    send(game, 0, {"kind": "ready", "on": False})
    send(game, 0, READY)
    now = fresh(game)
    assert abs(now.deadline_at - now.now - timedelta(hours=18)) < A_MOMENT


def test_a_vacation_that_is_over_is_forgotten_with_its_phase() -> None:
    game = new_game("eve", "fay", pace="relaxed")
    opened_with(game, away("eve", days=2), 3 * DAY)
    days_pass(game, 4)
    later = everybody_ready(game)
    assert abs(later.deadline_at - later.now - 3 * DAY) < A_MOMENT
    away("fay", after=30, days=1)
    assert "0" not in fresh(game).availability


def test_a_vacation_goes_with_its_person() -> None:
    game = new_game("ada", "bob", "cid", pace="relaxed")
    away("bob", days=4)
    takeover.resign(game_id=game.pk, user=person("bob"))
    assert abs(fresh(game).deadline_at - game.deadline_at) < A_MOMENT


@pytest.mark.parametrize(
    ("after", "days", "why"),
    [
        (0, 3, "tomorrow at the earliest"),
        (-5, 3, "tomorrow at the earliest"),
        (400, 3, "within a year"),
        (2, 0, "no earlier than it begins"),
        (2, 15, "up to 14 days; this one has 15"),
    ],
)
def test_a_vacation_is_declared_ahead_and_limited(after: int, days: int, why: str) -> None:
    with pytest.raises(Refused, match=why):
        away("bob", after, days)
    assert not Vacation.objects.exists()


def test_the_bank_of_a_year_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2027, 3, 1, 12, tzinfo=ZoneInfo("UTC")))
    away("bob", 1, 14)
    with pytest.raises(Refused, match="already have a vacation"):
        away("bob", 10, 3)
    away("bob", 30, 10)
    with pytest.raises(Refused, match="4 of 28 days of vacation left in 2027; this one has 5"):
        away("bob", 60, 5)
    assert play_times.vacation_days_left(person("bob"), 2028) == 28
    away("bob", 330, 14)


@pytest.mark.parametrize(
    ("first", "days"),
    [
        (date(2027, 10, 25), 14),  # over the last Sunday of October, when a day has 25 hours
        (date(2027, 3, 20), 14),  # and over that of March, when one has 23
        (date(2027, 3, 28), 1),
        (date(2027, 10, 31), 1),
        (date(2027, 6, 1), 14),
    ],
)
def test_a_change_of_clocks_costs_no_day_of_the_bank(monkeypatch: pytest.MonkeyPatch, first: date, days: int) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2027, 1, 2, 12, tzinfo=ZoneInfo("UTC")))
    bob = person("bob")
    bob.timezone = "Europe/Berlin"
    bob.save(update_fields=["timezone"])
    play_times.declare_vacation(user=bob, first=first, last=first + (days - 1) * DAY)
    assert play_times.vacation_days_left(bob, 2027) == 28 - days
    bob.timezone = "Asia/Tokyo"
    assert play_times.vacation_days_left(bob, 2027) == 28 - days, "whoever moves on has spent no more"


@pytest.mark.parametrize(
    ("days", "minutes", "spent"),
    [
        (0, 1, 1), (0, 50, 1), (0, 60, 1), (0, 23 * 60, 1), (1, 0, 1), (1, 30, 1), (1, 60, 1), (1, 61, 2),
        (2, 0, 2), (2, 50, 3), (2, 3 * 60, 3), (13, 23 * 60, 14), (14, 0, 14), (14, 60, 14),
    ],
)  # fmt: skip
def test_a_day_of_vacation_that_has_begun_counts(days: int, minutes: int, spent: int) -> None:
    """Only the whole extra hour of a change of clocks, half of one on Lord Howe Island, is no day."""
    bob = person("bob")
    begins = datetime(2027, 6, 1, tzinfo=ZoneInfo("UTC"))
    Vacation.objects.create(user=bob, begins_at=begins, ends_at=begins + days * DAY + timedelta(minutes=minutes))
    assert play_times.vacation_days_left(bob, 2027) == 28 - spent


def test_what_is_missed_on_vacation_is_excused_but_two_in_a_row_bring_the_caretaker() -> None:
    """Two vacations one after the other are longer than a phase waits for somebody: the others go on."""
    game = new_game("ada", "bob", pace="relaxed")
    long_away(game)
    for missed in (1, 2):
        run_out(game)
        counted = {one.number: (one.missed, one.excused) for one in Tenure.objects.filter(game=game)}
        assert counted == {0: (missed, 0), 1: (0, missed)}
    assert {seat.number: seat.keeper for seat in game.seats.all()} == {0: "away", 1: "away"}


def test_what_is_missed_before_a_vacation_is_missed() -> None:
    game = new_game("ada", "bob", pace="relaxed")
    away("bob", after=2, days=14)
    run_out(game)
    assert [(one.missed, one.excused) for one in Tenure.objects.filter(game=game)] == [(1, 0)] * 2


def long_away(game: Game) -> None:
    """Bob's second vacation in a row has lasted for a day."""
    for after in (1, 15):
        away("bob", after=after, days=14)
    for one in Vacation.objects.all():
        one.begins_at, one.ends_at = one.begins_at - 16 * DAY, one.ends_at - 16 * DAY
        one.save()
    locked = moves.lock(game.pk)
    assert locked is not None
    availability.copy_to(locked)
    locked.save(update_fields=["availability"])


# --- playable hours


def test_a_phase_lasts_until_everybody_has_had_their_hours() -> None:
    ada, bob = person("ada"), person("bob")
    ada.timezone = "Europe/Berlin"
    ada.save(update_fields=["timezone"])
    play_times.choose_hours(user=bob, hours=NIGHTS)
    game = playable("ada", "bob")
    end = game.deadline_at
    assert playable_hours(Grid("UTC", NIGHTS), game.clock_since, end) == timedelta(hours=8)
    assert playable_hours(Grid("Europe/Berlin", availability.WAKING), game.clock_since, end) >= timedelta(hours=8)


def test_only_those_who_are_not_ready_are_waited_for() -> None:
    play_times.choose_hours(user=person("bob"), hours=NIGHTS)
    game = playable("ada", "bob")
    send(game, 1, READY)
    now = fresh(game)
    assert playable_hours(Grid("UTC", availability.WAKING), now.clock_since, now.deadline_at) == timedelta(hours=8)
    assert now.deadline_at < game.deadline_at


def test_a_cap_ends_what_somebody_has_no_hours_for() -> None:
    monday = frozenset(range(7))
    play_times.choose_hours(user=person("bob"), hours=monday)
    game = playable("ada", "bob", hours=12, days=1)
    assert game.deadline_at - game.clock_since <= DAY


def test_new_hours_move_the_deadline_at_once() -> None:
    game = playable("ada", "bob")
    play_times.choose_hours(user=person("bob"), hours=NIGHTS)
    now = fresh(game)
    assert now.availability["1"]["week"] == PlayTimes.objects.get().week
    assert now.deadline_at == clocks.end_of(now, clocks.length_of(now))
    assert playable_hours(Grid("UTC", NIGHTS), now.clock_since, now.deadline_at) >= timedelta(hours=8)


def test_wider_hours_bring_the_deadline_of_an_open_phase_no_closer() -> None:
    play_times.choose_hours(user=person("bob"), hours=NIGHTS)
    game = playable("ada", "bob")
    play_times.choose_hours(user=person("bob"), hours=range(168))
    now = fresh(game)
    assert now.availability != game.availability
    assert now.deadline_at == game.deadline_at


@pytest.mark.parametrize("hours", [set(), {1, 2, 3}, {200, *range(10)}])
def test_a_week_has_some_hours(hours: set[int]) -> None:
    with pytest.raises(Refused):
        play_times.choose_hours(user=person("bob"), hours=hours)
    assert not PlayTimes.objects.exists()


# --- the page


def test_the_page_keeps_a_preset_and_a_week(client: Client) -> None:
    client = signed_in("ada")
    page = client.get("/accounts/times/").content.decode()
    assert page.count('name="block"') == 42
    assert client.post("/accounts/times/", {"preset": "evenings"}).status_code == 302
    assert availability.week_hours(person("ada")) >= {16, 17, 5 * 24 + 8}
    assert client.post("/accounts/times/", {"block": ["0", "41"]}).status_code == 302
    assert availability.week_hours(person("ada")) == {0, 1, 2, 3, 164, 165, 166, 167}
    assert 'value="41"' in client.get("/accounts/times/").content.decode()


def test_another_time_zone_moves_the_hours_and_with_them_the_deadline() -> None:
    game, client = playable("ada", "bob"), signed_in("ada")
    night = {(timezone.now().hour + hour) % 24 for hour in (1, 2, 3)}
    sent = {"language": "en", "timezone": "Asia/Tokyo", "theme": "auto"}
    play_times.choose_hours(user=person("ada"), hours=[day * 24 + hour for day in range(7) for hour in night])
    before = fresh(game)
    assert before.availability["0"]["zone"] == "UTC"
    assert client.post("/accounts/preferences/", sent).status_code == 302
    after = fresh(game)
    assert after.availability["0"]["zone"] == "Asia/Tokyo"
    assert after.deadline_at != before.deadline_at
    assert client.post("/accounts/preferences/", sent).status_code == 302
    assert fresh(game).version == after.version, "the same zone again changes nothing"


def test_other_time_zones_count_like_other_hours(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"times": 3}
    game, client = playable("ada", "bob"), signed_in("ada")
    play_times.choose_hours(user=person("ada"), hours=range(24))
    sent = {"language": "en", "theme": "auto"}
    for zone, status in (("Asia/Tokyo", 302), ("Europe/Berlin", 302), ("Asia/Tokyo", 429)):
        assert client.post("/accounts/preferences/", sent | {"timezone": zone}).status_code == status
    assert fresh(game).availability["0"]["zone"] == person("ada").timezone == "Europe/Berlin"
    assert client.post("/accounts/preferences/", sent | {"timezone": "Europe/Berlin"}).status_code == 302


@pytest.mark.parametrize("sent", [{}, {"preset": "never"}, {"block": ["42"]}, {"block": ["x", "1"]}, {"block": ["1"]}])
def test_what_is_no_week_is_refused_with_the_reason(sent: dict[str, Any]) -> None:
    answer = signed_in("ada").post("/accounts/times/", sent)
    assert answer.status_code == 422
    assert not PlayTimes.objects.exists()


def test_a_vacation_is_declared_and_removed_on_the_page() -> None:
    client, first = signed_in("ada"), today(person("ada")) + 2 * DAY
    game = new_game("ada", "bob", pace="daily")
    sent = {"first": first.isoformat(), "last": (first + DAY).isoformat()}
    assert client.post("/accounts/vacation/", sent).status_code == 302
    page = client.get("/accounts/times/").content.decode()
    assert "Remove</button>" in page
    assert "ada is on vacation from" in signed_in("bob").get(game.get_absolute_url()).content.decode()
    assert client.post("/accounts/vacation/", sent).status_code == 422
    assert client.post("/accounts/vacation/", {"first": "soon", "last": ""}).status_code == 422
    number = Vacation.objects.get().pk
    assert signed_in("bob").post(f"/accounts/vacation/{number}/end/").status_code == 302
    assert Vacation.objects.exists(), "another player's vacation is theirs"
    assert client.post(f"/accounts/vacation/{number}/end/").status_code == 302
    assert not Vacation.objects.exists()
    assert Client().get("/accounts/times/").status_code == 302
    assert Client().post("/accounts/vacation/", sent).status_code == 302


# --- who is told of it


def test_the_waiting_room_shows_vacations_to_people_with_an_account() -> None:
    one = away("bob", after=3, days=2)
    over = Vacation.objects.create(user=person("bob"), begins_at=Now() - 3 * DAY, ends_at=Now() - DAY)
    game = lobby.create_game(host=person("ada"), name="Ours", seats=3, pace="daily")
    lobby.join_game(game_id=game.pk, user=person("bob"))
    page = signed_in("cid").get(game.get_absolute_url()).content.decode()
    assert page.count("On vacation from") == 1
    assert one.begins_at.isoformat(timespec="seconds") in page
    assert over.pk != one.pk
    assert "Deadlines of this game will wait for players on vacation." in page
    assert "On vacation" not in Client().get(game.get_absolute_url()).content.decode()
    quick = lobby.create_game(host=person("bob"), name="Quick", seats=2, pace="demo")
    assert "On vacation" not in signed_in("cid").get(quick.get_absolute_url()).content.decode(), "it waits for nobody"


def test_a_mail_about_a_decision_tells_of_vacations(mailbox: Mailbox) -> None:
    ada, bob, cid = (mailed_person(name, **ALWAYS_AWAKE) for name in ("Ada", "Bob", "Cid"))
    game = table(ada, bob, cid, bots=0)
    Vacation.objects.create(user=cid, begins_at=Now() - DAY, ends_at=Now() + timedelta(hours=1))
    play_times.declare_vacation(user=bob, first=today(bob) + DAY, last=today(bob) + 3 * DAY)
    first = today(bob) + DAY
    send(game, 2, READY)
    send_due_notices()
    said = f"on vacation from {first:%A} {first.day} {first:%B}, 00:00 until "
    for message in mails_to(mailbox, ada):
        for words in (text_of(message), page_of(message)):
            assert f"Bob is {said}" in words
            assert "Cid is on vacation from" in words
            assert words.count("The deadline was moved for it.") == 1, "nobody waits for Cid, who is ready"
    assert f"You are {said}" in text_of(mails_to(mailbox, bob)[0])
    send(game, 1, READY)
    assert clocks.waits_for(fresh(game)) == frozenset()


def test_who_was_reminded_is_told_with_each_move_of_the_deadline(mailbox: Mailbox) -> None:
    ada, ben = (mailed_person(name, **ALWAYS_AWAKE) for name in ("Ada", "Ben"))
    game = table(ada, ben, pace=Pace.RELAXED)
    notices.write_notices()
    Notice.objects.filter(game=game).exclude(kind="reminder", user=ada).delete()
    Notice.objects.filter(game=game).update(handed_at=timezone.now(), sent_at=timezone.now())
    away("Ben", days=4)
    send_due_notices()
    send(game, 1, READY)
    send_due_notices()
    later, earlier = mails_to(mailbox, ada)
    for message in (later, earlier):
        assert "The deadline has moved since we reminded you." in text_of(message)
    assert later["Message-ID"] != earlier["Message-ID"]
