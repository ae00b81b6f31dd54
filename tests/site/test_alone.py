"""One person against bots: nobody is kept waiting, so no decision has a deadline; a second person brings the clock
back."""

from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from game.models import Game, Pace
from game.services import bots, moderation, notices, outbox, sweep
from tests.servers import Mailbox
from tests.site.tables import moderator as new_moderator
from tests.site.tables import person as confirmed
from tests.site.tables import seen, table
from tests.tables import READY, at_phase, fresh, new_game, person, send

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("pace", Pace.values)
def test_one_person_against_bots_has_no_deadline(pace: str) -> None:
    game = new_game("ada", bots=2, pace=pace)
    assert game.deadline_at is None
    assert outbox.remind_at(game) is None


@pytest.mark.parametrize("pace", Pace.values)
def test_two_people_have_a_deadline(pace: str) -> None:
    assert new_game("ada", "bob", bots=1, pace=pace).deadline_at is not None


def test_a_result_is_still_shown_for_its_seconds() -> None:
    """Nothing is decided while it is shown, so nothing can be missed."""
    game = at_phase(new_game("ada", bots=1, pace="live"), "influence_resolve")
    assert game.deadline_at is not None


def test_the_bots_act_without_a_clock_and_then_the_person_closes_the_phase() -> None:
    game = new_game("ada", bots=3)
    Game.objects.filter(pk=game.pk).update(moved_at=Now() - bots.LOST_AFTER * 2)  # the call to the bots was lost
    sweep.sweep()
    assert fresh(game).waiting_seats == [0]
    send(game, 0, READY)
    assert fresh(game).phase_serial > game.phase_serial
    assert fresh(game).deadline_at is None


def test_a_second_person_brings_the_clock_back() -> None:
    game, lena, bob = new_game("ada", bots=1), new_moderator("Lena"), person("bob")
    why: dict[str, Any] = {"moderator": lena, "seen": seen(game), "reason": "Bob takes over."}
    moderation.hand_seat_to_user(game_id=game.pk, seat_number=1, username=bob.username, **why)
    assert fresh(game).deadline_at is not None
    send(game, 0, READY)
    send(game, 1, READY)
    assert fresh(game).deadline_at is not None


def test_a_pause_neither_loses_nor_brings_a_clock() -> None:
    game, moderator = new_game("ada", bots=1), new_moderator("Lena")
    moderation.pause(game_id=game.pk, moderator=moderator, seen=seen(game), reason="Lunch.")
    moderation.resume(game_id=game.pk, moderator=moderator, seen=seen(game), reason="Lunch is over.")
    assert fresh(game).is_running
    assert fresh(game).deadline_at is None


def test_board_and_lobby_say_that_there_is_no_deadline(client: Client) -> None:
    game = new_game("ada", bots=2)
    client.force_login(person("ada"))
    board, lobby = (client.get(url).content.decode() for url in (game.get_absolute_url(), "/games/"))
    assert "No deadline: the bots wait for you." in board
    assert "nothing happens without you" in board
    assert "If you do nothing" not in board
    assert "No deadline" in lobby
    assert "Nearest deadline" not in lobby
    assert "No deadline: one person plays against bots." in Client().get(game.get_absolute_url()).content.decode()


def test_a_board_with_a_clock_does_not(client: Client) -> None:
    game = new_game("ada", "bob")
    client.force_login(person("ada"))
    assert "No deadline" not in client.get(game.get_absolute_url()).content.decode()


def test_a_mail_names_no_deadline_where_there_is_none(mailbox: Mailbox) -> None:
    table(confirmed("Ada"))
    assert notices.send_due_notices() == 1
    words = mailbox.messages[0].get_body(("plain",)).get_content()
    assert "No deadline: the bots wait for you." in words
    assert "by :" not in mailbox.messages[0]["Subject"]
    for untrue in ("If you do nothing", "left when we sent this", "Deadline:  ("):
        assert untrue not in words
