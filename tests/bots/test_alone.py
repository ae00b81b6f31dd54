"""One person against bots: nobody is kept waiting, so no decision has a deadline; a second person brings the clock
back."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from game.clock import sweep
from game.delivery import notice_sending
from game.engine.actions import Refused
from game.lobby import lobby
from game.lobby.game_words import pace_words
from game.lobby.host_choices import NEEDS_A_CLOCK
from game.moderation import interventions
from game.outbox import reminders
from game.play import leases
from game.store.game import Game, Pace
from game.store.moderation_models import Intervention
from tests.scenes import by_two, seen, table
from tests.scenes import moderator as new_moderator
from tests.scenes import person as confirmed
from tests.servers import Mailbox
from tests.tables import READY, at_phase, clock_runs_out, fresh, new_game, person, send

pytestmark = pytest.mark.django_db
with_a_clock = pytest.mark.parametrize("pace", [pace for pace in Pace.values if pace != Pace.NO_CLOCK])


@with_a_clock
def test_one_person_against_bots_has_no_deadline(pace: str) -> None:
    game = new_game("ada", bots=2, pace=pace)
    assert game.deadline_at is None
    assert reminders.remind_at(game, person("ada")) is None


@with_a_clock
def test_two_people_have_a_deadline(pace: str) -> None:
    assert new_game("ada", "bob", bots=1, pace=pace).deadline_at is not None


def test_a_game_without_a_clock_is_for_one_person() -> None:
    ada, bob = person("ada"), person("bob")
    game = lobby.create_game(host=ada, name="Calm", seats=3, bots=2, pace=Pace.NO_CLOCK)
    lobby.remove_seat(game_id=game.pk, user=ada, number=2)
    with pytest.raises(Refused, match=NEEDS_A_CLOCK):
        lobby.join_game(game_id=game.pk, user=bob)
    with pytest.raises(Refused, match="has no deadlines"):
        lobby.keep_clock(game_id=game.pk, user=ada)
    with pytest.raises(Refused, match=NEEDS_A_CLOCK):
        lobby.create_game(host=ada, name="Crowd", seats=3, bots=1, pace=Pace.NO_CLOCK)
    lobby.add_bot(game_id=game.pk, user=ada)
    lobby.start_game(game_id=game.pk, user=ada)
    assert fresh(game).deadline_at is None
    assert (pace_words(fresh(game)), fresh(game).is_slow) == ("no deadline, alone against bots", False)


def test_a_result_is_still_shown_for_its_seconds() -> None:
    """Nothing is decided while it is shown, so nothing can be missed."""
    game = at_phase(new_game("ada", bots=1, pace="live"), "influence_resolve")
    assert game.deadline_at is not None


def test_the_bots_act_without_a_clock_and_then_the_person_closes_the_phase() -> None:
    game = new_game("ada", bots=3)
    Game.objects.filter(pk=game.pk).update(moved_at=Now() - leases.LOST_AFTER * 2)  # the call to the bots was lost
    sweep.play_forgotten_bots()
    assert fresh(game).waiting_seats == [0]
    send(game, 0, READY)
    assert fresh(game).phase_serial > game.phase_serial
    assert fresh(game).deadline_at is None


def test_a_second_person_brings_the_clock_back() -> None:
    game, lena, bob = new_game("ada", bots=1), new_moderator("Lena"), person("bob")
    why: dict[str, Any] = {"moderator": lena, "seen": seen(game), "reason": "Bob takes over."}
    by_two(Intervention.HAND_SEAT_TO_USER, game_id=game.pk, seat_number=1, username=bob.username, **why)
    assert fresh(game).deadline_at is not None
    send(game, 0, READY)
    send(game, 1, READY)
    assert fresh(game).deadline_at is not None


def test_a_pause_neither_loses_nor_brings_a_clock() -> None:
    game, moderator = new_game("ada", bots=1), new_moderator("Lena")
    interventions.pause(game_id=game.pk, moderator=moderator, seen=seen(game), reason="Lunch.")
    interventions.resume(game_id=game.pk, moderator=moderator, seen=seen(game), reason="Lunch is over.")
    assert fresh(game).is_running
    assert fresh(game).deadline_at is None


def test_board_and_lobby_say_that_there_is_no_deadline(client: Client) -> None:
    game = new_game("ada", bots=2)
    client.force_login(person("ada"))
    board, lobby = (client.get(url).content.decode() for url in (game.get_absolute_url(), "/games/"))
    assert "No deadline: nothing happens without you." in board
    assert "Take your time" not in board
    assert "If you do nothing" not in board
    assert "No deadline" in lobby
    assert "Nearest deadline" not in lobby
    assert "No deadline: one person plays against bots." in Client().get(game.get_absolute_url()).content.decode()


def test_while_only_bots_decide_the_board_says_no_more_than_that_there_is_no_deadline(client: Client) -> None:
    game = new_game("ada", bots=1)
    send(game, 0, READY)
    client.force_login(person("ada"))
    board = client.get(game.get_absolute_url()).content.decode()
    assert "No deadline in this game." in board
    assert "nothing happens without you" not in board


def test_a_board_with_a_clock_does_not(client: Client) -> None:
    game = new_game("ada", "bob")
    client.force_login(person("ada"))
    assert "No deadline" not in client.get(game.get_absolute_url()).content.decode()


def test_a_mail_names_no_deadline_where_there_is_none(mailbox: Mailbox) -> None:
    table(confirmed("Ada"))
    assert notice_sending.send_due_notices() == 1
    words = mailbox.messages[0].get_body(("plain",)).get_content()
    assert "No deadline: the bots wait for you." in words
    assert "by :" not in mailbox.messages[0]["Subject"]
    for untrue in ("If you do nothing", "left when we sent this", "Deadline:  ("):
        assert untrue not in words


def alone(client: Client, **more: str) -> Game:
    """A game of one person and bots, made by the form and begun."""
    form = {"game": "sectors", "preset": "short", "pace": "demo", "name": "Alone", "seats": "3", "bots": "2", **more}
    answer = client.post("/games/new/", form)
    assert answer.status_code == 302
    client.post(f"{answer['Location']}start/")
    return Game.objects.on_the_clock().get(name="Alone")


def test_a_host_who_wants_a_clock_has_one(client: Client) -> None:
    client.force_login(person("ada"))
    game = alone(client, keeps_clock="on")
    assert game.is_running
    assert game.deadline_at is not None
    assert game.deadline_at - game.now <= timedelta(minutes=3)
    assert "No deadline" not in client.get(game.get_absolute_url()).content.decode()
    assert "no deadline" not in pace_words(game)
    later = clock_runs_out(game)
    assert later.phase_serial > game.phase_serial, "the deadline closes the phase"


def test_without_the_wish_the_form_makes_a_game_without_a_clock(client: Client) -> None:
    client.force_login(person("ada"))
    game = alone(client)
    assert (game.keeps_clock, game.deadline_at) == (False, None)
    assert "Keep deadlines when you play bots alone" in client.get("/games/new/").content.decode()


def test_only_the_host_asks_for_a_clock_and_only_before_the_start() -> None:
    game = new_game("ada", bots=1)
    with pytest.raises(Refused, match="already started"):
        lobby.keep_clock(game_id=game.pk, user=person("ada"))
    waiting = lobby.create_game(host=person("ada"), name="Waiting", seats=2, bots=1)
    with pytest.raises(Refused, match="Only the host"):
        lobby.keep_clock(game_id=waiting.pk, user=person("bob"))
