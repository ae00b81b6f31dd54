"""Absence: what counts as missed, the caretaker who steps in so that nobody waits, coming back, and games in which
nobody is left. (P-14, P-15)"""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from accounts.models import User
from game.bots import playing
from game.deadlines.reliability_model import weight_of
from game.delivery.notice_sending import send_due_notices
from game.engine.actions import Refused
from game.moderation import interventions, rewind, seat_acts
from game.outbox import preferences
from game.outbox.models import NotificationPreference, Topic
from game.play import attendance, drafts, moves
from game.store import replay
from game.store.game import Game, Seat, Status
from game.store.log import Channel, LoggedAction, Notice
from game.store.seat_models import Tenure
from tests.scenes import moderator, person, play_on, rewind_by_two, run_out, seen, table
from tests.servers import Mailbox
from tests.tables import READY, come_back, fresh, send, was_away
from tests.toy_scenes import bid, page_of, words_of

pytestmark = [pytest.mark.django_db]
BID = {"kind": "bid_influence", "points": 7}
BACK = "/games/{}/seat/back/"


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return table(person("Ada"), person("Ben"), bots=1, max_turns=2)


def bots_act(game: Game) -> Game:
    while playing.play_bots(game_id=game.pk):
        pass
    return fresh(game)


def tenure(game: Game, seat: int) -> Tenure:
    return Tenure.objects.get(game=game, number=seat, ended_at=None)


def keeper(game: Game, seat: int) -> str:
    stored = Seat.objects.get(game=game, number=seat).keeper
    assert fresh(game).keepers.get(str(seat), "") == stored, "the game row has a true copy"
    return stored


def ada_decides(game: Game) -> None:
    """Bots act, and Ada is ready wherever she is waited for, until only Ben is."""
    while (now := bots_act(game)).is_running and 0 in now.waiting_seats and now.seat_states[0] != "ready":
        send(now, 0, READY)
        if fresh(game).phase_serial == now.phase_serial:
            return


def ben_misses(game: Game, times: int = 1) -> Game:
    """Deadlines at which Ada had decided and Ben had done nothing."""
    for _ in range(times):
        to_ben(game)
        run_out(game)
    return fresh(game)


def to_ben(game: Game) -> None:
    """To the next decision that is Ben's alone."""
    ada_decides(game)
    while 1 not in fresh(game).waiting_seats:
        assert fresh(game).is_running
        assert not keeper(game, 1)
        ada_decides(game)


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def notes(game: Game) -> list[str]:
    return list(LoggedAction.objects.filter(game=game, kind="keeper").order_by("number").values_list("note", flat=True))


def test_one_missed_decision_changes_nothing(game: Game) -> None:
    ben_misses(game)
    assert keeper(game, 1) == ""
    assert (tenure(game, 1).missed, tenure(game, 1).in_a_row, tenure(game, 1).decisions) == (1, 1, 0)
    assert (tenure(game, 0).missed, tenure(game, 0).decisions) == (0, 1)
    today, decided, missed = fresh(game).now.date(), tenure(game, 0), tenure(game, 1)
    assert (decided.made_weight, decided.missed_weight, decided.missed_on) == (weight_of(today), 0, None)
    assert (missed.made_weight, missed.missed_weight, missed.missed_on) == (0, weight_of(today), today)


def test_from_the_second_in_a_row_the_caretaker_decides_and_nobody_waits(game: Game) -> None:
    ben_misses(game, 2)
    assert keeper(game, 1) == "away"
    assert notes(game) == ["Ben missed two decisions in a row. The caretaker plays this seat until Ben is back."]
    opened = bots_act(game)
    assert opened.seat_states[1] in {"ready", "none"}, "the caretaker has passed at once"
    while 0 not in opened.waiting_seats:
        run_out(game)
        opened = bots_act(game)
    assert opened.waiting_seats == [0]
    send(game, 0, READY)
    assert fresh(game).phase_serial > opened.phase_serial, "the phase closes as soon as Ada is ready"


def test_the_host_is_told_where_no_email_reaches_whoever_is_away(game: Game) -> None:
    """Why is Ben's own; nobody else is told, nor the host while Ben is here or has his emails."""
    ben, words = User.objects.get(username="Ben"), "No emails about this game reach"

    def is_told(reader: str) -> bool:
        return words in client_of(reader).get(f"/games/{game.pk}/").content.decode()

    preferences.stop(user_id=ben.pk, topics=[Topic.TURN], channel=Channel.MAIL, game_id=None)
    assert not is_told("Ada")
    ben_misses(game, 2)
    assert [is_told(name) for name in ("Ada", "Ben")] == [True, False]
    NotificationPreference.objects.filter(user=ben).delete()
    assert not is_told("Ada")


def test_a_decision_between_two_misses_starts_the_count_afresh(game: Game) -> None:
    """T-28."""
    ben_misses(game)
    to_ben(game)
    send(game, 1, READY)
    ben_misses(game)
    assert keeper(game, 1) == ""
    assert (tenure(game, 1).missed, tenure(game, 1).in_a_row, tenure(game, 1).decisions) == (2, 1, 1)


@pytest.mark.parametrize("what", ["sealed", "draft", "withdrawn"])
def test_whoever_began_to_decide_has_missed_nothing(game: Game, what: str) -> None:
    serial = fresh(game).phase_serial
    if what == "draft":
        drafts.save_draft(seat=game.seats.get(number=1), serial=serial, requests=[BID])
    else:
        send(game, 1, BID)
    if what == "withdrawn":
        send(game, 1, {"kind": "withdraw", "of": "bid_influence"})
    bots_act(game)
    run_out(game)
    assert (tenure(game, 1).missed, tenure(game, 1).decisions) == (0, 1)
    assert tenure(game, 0).missed == 1, "Ada did nothing"


def test_who_is_not_asked_misses_nothing(game: Game) -> None:
    """Only a real choice counts: in phases that ask the other alone the clock runs out for nobody."""
    for _ in range(6):
        now = bots_act(game)
        kinds = {seat for seat in now.waiting_seats if not now.is_played_for(seat)}
        before = {seat: tenure(game, seat).missed for seat in (0, 1)}
        run_out(game)
        after = {seat: tenure(game, seat).missed for seat in (0, 1)}
        assert {seat for seat in (0, 1) if after[seat] > before[seat]} == kinds
        come_back(fresh(game))


@pytest.mark.parametrize("length", [timedelta(hours=1), timedelta(hours=5)])
def test_an_outage_that_took_much_of_a_phase_or_of_its_end_excuses(game: Game, length: timedelta) -> None:
    for _ in range(3):
        to_ben(game)
        Game.objects.filter(pk=game.pk).update(deadline_at=Now())
        was_away(game, length)
        assert (deadline := fresh(game).deadline_at) is not None
        assert deadline > fresh(game).now, "the time was given back"
        run_out(game)
    found = tenure(game, 1)
    assert (found.missed, found.in_a_row, found.excused) == (0, 0, 3)
    assert (found.missed_weight, found.missed_on) == (0, None)
    assert keeper(game, 1) == ""


def test_a_restart_of_two_minutes_each_night_excuses_nobody(game: Game) -> None:
    """It has been given back in time, and whoever never comes is still replaced by the caretaker."""
    for _ in range(2):
        to_ben(game)
        was_away(game, timedelta(minutes=2))
        assert LoggedAction.objects.filter(game=game, kind="clock", serial=fresh(game).phase_serial).exists()
        run_out(game)
    found = tenure(game, 1)
    assert (found.missed, found.in_a_row, found.excused) == (2, 2, 0)
    assert keeper(game, 1) == "away"


def test_an_excused_miss_weighs_nothing_any_more(game: Game) -> None:
    """The last one is taken off with what it weighed; of an earlier one the day is not known, and an average goes."""
    lena, at = moderator("Lena"), weight_of(date(2026, 11, 1))
    later = weight_of(date(2026, 11, 20))
    counted = {"missed": 3, "missed_weight": 2 * at + later, "missed_on": date(2026, 11, 20)}
    Tenure.objects.filter(game=game, number=1).update(**counted)
    for left, weight in ((2, 2 * at), (1, at), (0, 0)):
        seat_acts.excuse_miss(game_id=game.pk, moderator=lena, reason="ill", seen=seen(game), seat_number=1)
        found = tenure(game, 1)
        assert (found.missed, found.missed_weight, found.missed_on) == (left, pytest.approx(weight), None)


def test_what_a_moderator_closed_early_was_missed_by_nobody(game: Game) -> None:
    lena = moderator("Lena")
    for _ in range(3):
        bots_act(game)
        interventions.resolve_now(game_id=game.pk, moderator=lena, seen=seen(game), reason="in a hurry")
    assert {(each.missed, each.decisions) for each in Tenure.objects.filter(game=game)} == {(0, 0)}


def test_nothing_is_sent_or_saved_for_a_seat_until_it_is_taken_back(game: Game) -> None:
    ben_misses(game, 2)
    with pytest.raises(Refused, match="The caretaker plays this seat for you"):
        send(game, 1, READY)
    with pytest.raises(Refused, match="this draft was not saved"):
        drafts.save_draft(seat=game.seats.get(number=1), serial=fresh(game).phase_serial, requests=[])


def test_the_owner_takes_the_seat_back_with_a_button(game: Game) -> None:
    ben_misses(game, 2)
    ben = client_of("Ben")
    page = ben.get(f"/games/{game.pk}/").content.decode()
    assert "take your seat back" in page
    assert BACK.format(game.pk) in page
    assert "Take your seat back" not in client_of("Ada").get(f"/games/{game.pk}/").content.decode()
    for _ in range(2):
        assert ben.post(BACK.format(game.pk)).status_code == 302, "a double click changes nothing"
    assert keeper(game, 1) == ""
    assert notes(game)[1:] == ["Ben is back and decides again."]
    assert "You decide again, from your next decision on." in ben.get(f"/games/{game.pk}/").content.decode()
    to_ben(game)
    send(game, 1, READY)
    assert tenure(game, 1).in_a_row == 0


def test_everybody_sees_a_calm_mark_on_the_seat(game: Game) -> None:
    ben_misses(game, 2)
    for client in (client_of("Ada"), Client()):
        page = client.get(f"/games/{game.pk}/").content.decode()
        assert '<small class="kept" title="The caretaker plays this seat">away</small>' in page
        assert 'class="who-away"' in page


def test_strangers_take_no_seat_back(game: Game) -> None:
    ben_misses(game, 2)
    person("Carla")
    answer = client_of("Carla").post(BACK.format(game.pk))
    assert answer.status_code == 409
    assert "You have no seat in this game." in answer.content.decode()
    assert Client().post(BACK.format(game.pk)).status_code == 302, "to sign in"
    assert client_of("Ben").get(BACK.format(game.pk)).status_code == 405
    assert keeper(game, 1) == "away"


def test_the_owner_gets_one_email_and_is_asked_no_more(game: Game, mailbox: Mailbox) -> None:
    ben_misses(game, 2)
    send_due_notices()
    mails = [mail for mail in mailbox.messages if "ben@example.org" in mail["To"]]
    lines = [mail for mail in mails if "the caretaker plays your seat" in mail["Subject"]]
    assert len(lines) == 1
    assert "Take your seat back" in lines[0].get_payload()[0].get_payload(decode=True).decode()
    mailbox.messages.clear()
    for _ in range(3):
        ada_decides(game)
        run_out(game)
        attendance.reclaim_seat(game_id=game.pk, user=User.objects.get(username="Ada"))
        send_due_notices()
    requests = [mail["Subject"] for mail in mailbox.messages if "ben@example.org" in mail["To"]]
    assert all("is over" in subject for subject in requests)


def test_a_notice_of_the_caretaker_is_not_sent_to_somebody_who_is_back(game: Game, mailbox: Mailbox) -> None:
    ben_misses(game, 2)
    attendance.reclaim_seat(game_id=game.pk, user=User.objects.get(username="Ben"))
    send_due_notices()
    assert Notice.objects.get(kind="away").cancelled_at is not None


def test_when_everybody_is_away_the_game_pauses_and_is_not_played_on(game: Game) -> None:
    """P-15."""
    while fresh(game).is_running:
        bots_act(game)
        run_out(game)
    paused = fresh(game)
    assert (paused.status, paused.deadline_at, keeper(game, 0), keeper(game, 1)) == (
        Status.PAUSED,
        None,
        "away",
        "away",
    )
    assert notes(game)[-1] == "Away: Ada, Ben. The game is paused until somebody is back."
    assert not playing.play_bots(game_id=game.pk)
    assert not moves.close_phase(game_id=game.pk, expected_serial=paused.phase_serial)
    assert fresh(game).entries == paused.entries
    assert "no player is present" in page_of(game, Client())
    assert client_of("Ada").post(BACK.format(game.pk)).status_code == 302
    back = fresh(game)
    assert (back.status, back.deserted_at, keeper(game, 0), keeper(game, 1)) == (Status.RUNNING, None, "", "away")
    assert back.deadline_at is not None, "with the time that was left"
    assert notes(game)[-1] == "Ada is back and decides again. The game goes on."
    assert bots_act(game).is_running


def test_who_comes_back_to_a_game_that_waits_for_them_is_asked_and_reminded(game: Game, mailbox: Mailbox) -> None:
    while fresh(game).is_running:
        bots_act(game)
        run_out(game)
    send_due_notices()
    mailbox.messages.clear()
    attendance.reclaim_seat(game_id=game.pk, user=User.objects.get(username="Ada"))
    back = fresh(game)
    assert (back.waiting_seats[0], back.seat_states[0]) == (0, "untouched")
    rows = Notice.objects.filter(game=game, user__username="Ada", serial=back.phase_serial)
    assert sorted(rows.exclude(kind="away").values_list("kind", flat=True)) == ["reminder", "turn"]
    assert send_due_notices() == 1
    (mail,) = [mail for mail in mailbox.messages if mail["To"] == "ada@example.org"]
    assert " by " in mail["Subject"]
    assert rows.get(kind="turn").sent_at is not None


def test_a_moderator_does_not_let_a_game_go_on_that_nobody_plays(game: Game) -> None:
    while fresh(game).is_running:
        bots_act(game)
        run_out(game)
    with pytest.raises(Refused, match="No player of this game is present"):
        interventions.resume(game_id=game.pk, moderator=moderator("Lena"), seen=seen(game), reason="why not")


def test_a_rewind_leaves_a_game_paused_that_nobody_plays(game: Game) -> None:
    while fresh(game).is_running:
        bots_act(game)
        run_out(game)
    moment = rewind.moments_of(fresh(game))[-1]
    rewind_by_two(game_id=game.pk, moderator=moderator("Lena"), seen=seen(game), reason="a slip", number=moment.number)
    assert (fresh(game).status, fresh(game).deserted_at is not None) == (Status.PAUSED, True)
    come_back(game)
    assert fresh(game).is_running
    assert fresh(game).deadline_at is not None


def test_what_the_caretaker_did_is_replayed_like_everything_else(game: Game) -> None:
    ben_misses(game, 2)
    assert play_on(game).status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=fresh(game)))
    assert all(seat.place for seat in game.seats.all())


@pytest.fixture
def turns() -> Game:
    game = table(person("Ada"), person("Ben"), bots=0, ruleset="toy")
    for seat in (0, 1):
        send(game, seat, bid(0), READY)
    return fresh(game)


def play_turn(game: Game, seat: int) -> None:
    while fresh(game).waiting_seats == [seat]:
        send(game, seat, {"kind": "stop"})


def test_in_a_game_of_turns_a_turn_that_was_begun_is_not_missed(turns: Game) -> None:
    seat = turns.waiting_seats[0]
    send(turns, seat, {"kind": "draw"})
    run_out(turns)
    assert tenure(turns, seat).missed == 0


def test_in_a_game_of_turns_the_caretaker_plays_whole_turns_at_once(turns: Game) -> None:
    """And a player who comes back has the next turn. (P-14)"""
    missed = 0
    while keeper(turns, 1) == "":
        now = fresh(turns)
        if now.waiting_seats == [1] or now.phase_name == "bidding":
            if 0 in now.waiting_seats:
                send(turns, 0, READY)
            run_out(turns)
            missed += 1
        else:
            play_turn(turns, 0)
    assert missed == 2
    play_turn(turns, 0)
    while fresh(turns).is_running:
        now = bots_act(turns)
        assert 1 not in now.waiting_seats, "nobody waits for Ben"
        if now.is_running and 0 in now.waiting_seats:
            send(turns, 0, {"kind": "stop"} if now.phase_name == "take_turn" else READY)
    assert fresh(turns).status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=fresh(turns)))


def test_the_page_of_the_toy_tells_of_the_caretaker_too(turns: Game) -> None:
    Seat.objects.filter(game=turns, number=1).update(keeper="away")
    Game.objects.filter(pk=turns.pk).update(keepers={"1": "away"})
    ben = words_of(page_of(turns, client_of("Ben")))
    assert "The caretaker plays for you – take your seat back." in ben
    assert "it decides nothing, and the rules' default applies" in ben
    assert "Take your seat back" in ben


def test_alone_against_bots_nobody_is_counted() -> None:
    game = table(person("Ada"), bots=1, ruleset="toy")
    assert fresh(game).is_solo
    send(game, 0, READY)
    assert tenure(game, 0).decisions == 0
