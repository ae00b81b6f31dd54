"""A game that a later version of the site has moved: the old processes beside it leave it alone, and say so."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db.models.functions import Now
from django.test import Client

from accounts import emails
from game.bots import playing
from game.clock import sweep
from game.moderation import interventions
from game.store.game import Game, Status
from tests.scenes import moderator, seen
from tests.tables import everything, fresh, new_game, person, sweep_again

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def game() -> Game:
    return stored_by_later_rules(new_game("ada", "bob", bots=1))


def stored_by_later_rules(game: Game) -> Game:
    """As rules of the next shape would store it, checksums and all."""
    position = game.load_position()
    game.schema += 1
    game.store_position(position)
    game.save()
    return fresh(game)


def read_again(game: Game) -> None:
    """This process has become one of the later version."""
    game = fresh(game)
    game.schema -= 1
    game.inputs = game.rules.codec.pack({}, game._covered_columns())
    game.save()


def ada() -> Client:
    client = Client()
    client.force_login(person("ada"))
    return client


def test_its_page_says_that_the_site_is_being_updated(game: Game) -> None:
    answer = ada().get(f"/games/{game.pk}/")
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "no-store" in answer["Cache-Control"]
    assert "Nothing is lost" in answer.content.decode()
    assert ada().get("/games/").status_code == 200


def test_a_submission_is_not_taken_and_nothing_changes(game: Game) -> None:
    before = everything(game)
    form = {"do": "submit", "serial": str(game.phase_serial), "points": "7", "token": "one form"}
    assert ada().post(f"/games/{game.pk}/actions/", form).status_code == 503
    assert everything(game) == before
    assert fresh(game).status == Status.RUNNING


@pytest.mark.usefixtures("judged")
def test_its_deadline_is_left_to_the_later_version_and_no_attempt_is_counted(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    sweep.sweep()
    now = fresh(game)
    assert (now.status, now.attempts, now.phase_serial) == (Status.RUNNING, 0, game.phase_serial)
    assert now.not_before is not None
    assert not playing.play_bots(game_id=game.pk)
    read_again(game)
    sweep_again()
    assert fresh(game).phase_serial > game.phase_serial


def test_where_no_later_process_comes_it_is_held_and_the_staff_told(game: Game, settings: Any) -> None:
    lena = moderator("Lena")
    lena.email = "lena@example.org"
    lena.save()
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() - timedelta(minutes=5))
    sweep.sweep()
    now = fresh(game)
    assert (now.status, now.attempts) == (Status.HELD, 0)
    assert "later version" in now.held_reason
    emails.send_queued()
    assert ["lena@example.org"] in [message.to for message in mail.outbox]
    read_again(game)
    interventions.retry(game_id=game.pk, moderator=lena, reason="updated", seen=seen(game))
    assert fresh(game).status == Status.RUNNING
    sweep.sweep()
    assert fresh(game).phase_serial > game.phase_serial


@pytest.fixture
def corrected() -> Game:
    """A game that later rules have moved, stored in the shape of today."""
    game = new_game("ada", "bob", bots=1)
    Game.objects.filter(pk=game.pk).update(ruleset_version=game.rules.version + 1)
    return fresh(game)


def test_a_game_of_later_rules_is_shown_and_not_moved_by_earlier_ones(corrected: Game) -> None:
    """Else its rules would change to and fro while a site is updated."""
    form = {"do": "submit", "serial": str(corrected.phase_serial), "points": "7", "token": "one form"}
    before = everything(corrected)
    assert ada().get(f"/games/{corrected.pk}/").status_code == 200
    assert ada().post(f"/games/{corrected.pk}/actions/", form).status_code == 503
    Game.objects.filter(pk=corrected.pk).update(deadline_at=Now())
    sweep.sweep()
    now = fresh(corrected)
    assert (now.status, now.attempts, everything(now)[:4]) == (Status.RUNNING, 0, before[:4])
    Game.objects.filter(pk=corrected.pk).update(ruleset_version=now.rules.version)
    sweep_again()
    assert fresh(corrected).phase_serial > corrected.phase_serial
