"""The oracle itself: it finds what it looks for, and nothing in a game that was played as it should be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from game.delivery import webhooks
from game.outbox.models import Webhook
from game.store.game import Game
from game.store.log import LoggedAction
from tests.faults import canaries, oracle, witness
from tests.hooks import URL
from tests.tables import READY, at_phase, clock_runs_out, everybody_ready, fresh, new_game, person, send

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]


@pytest.fixture(autouse=True)
def witnessed() -> Iterator[None]:
    witness.watch()
    yield
    witness.forget()


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


def found(said: str = "") -> list[str]:
    return list(oracle.verdict(said))


def test_nothing_is_wrong_with_deadlines_that_were_kept_and_phases_that_all_were_ready_for(game: Game) -> None:
    clock_runs_out(at_phase(game, "stock_orders"))
    everybody_ready(game)
    assert LoggedAction.objects.filter(kind="close").exists()
    assert found("Game 1 went on. A bid was submitted, somebody is ready.") == []


def test_a_deadline_that_is_kept_early_is_found(game: Game) -> None:
    """The log claims that the deadline had come; the database knows better."""
    Game.objects.update(deadline_at=Now() + timedelta(hours=1))
    everybody_ready(game)
    LoggedAction.objects.filter(serial=game.phase_serial).exclude(opened_serial=None).update(kind="close")
    assert f"game {game.pk}: phase {game.phase_serial} closed before its deadline" in witness.faults()


def test_a_deadline_that_is_kept_twice_is_found(game: Game) -> None:
    serial = game.phase_serial
    clock_runs_out(game)
    Game.objects.update(phase_serial=serial)
    Game.objects.update(phase_serial=F("phase_serial") + 1)
    assert f"game {game.pk}: phase {serial} closed twice" in witness.faults()


def test_a_deadline_that_is_passed_over_is_found(game: Game) -> None:
    other = new_game("ada", "bob")
    clock_runs_out(other)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() - timedelta(seconds=2 * witness.LATEST))
    assert found() == [f"game {game.pk}: its deadline was passed over"]


def test_a_closing_that_nobody_saw_is_found(game: Game) -> None:
    clock_runs_out(game)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM witness")
    assert found() == [f"game {game.pk}: nobody saw it close"]


@pytest.fixture
def seeds(game: Game) -> dict[str, Any]:
    """Something of each kind that must be in no log."""
    session = SessionStore()
    session.create()
    send(game, 0, {"kind": "bid_influence", "points": 7})
    webhooks.add(user=person("ada"), url=URL)
    now = fresh(game)
    action = LoggedAction.objects.filter(kind="submit").get()
    return {
        "the seed of a game": [now.secret],
        "a sealed order": [
            repr(action.read_action()),
            json.dumps({"kind": "bid_influence", "points": 7}),
            repr(bytes(action.action or b"")),
            bytes(action.action or b"").hex(),
            repr(bytes(now.inputs)),
        ],
        "a hand": [repr(now.load_position().state)],
        "a session": [str(session.session_key)],
        "a key": [settings.SECRET_KEY, Webhook.objects.get().secret],
        "a password's hash": [person("ada").password],
    }


def test_each_kind_of_secret_is_found_in_a_log(seeds: dict[str, Any]) -> None:
    assert set(seeds) == set(canaries.secrets())
    for what, texts in seeds.items():
        for text in texts:
            for line in (f"lost: {text}", json.dumps({"event": "lost", "exception": text})):
                assert f"a log or a mail holds {what}" in found(line), text


def test_a_submission_that_was_acknowledged_and_is_not_kept_is_found(game: Game) -> None:
    oracle.ACKNOWLEDGED.clear()
    send(game, 0, READY)
    assert list(oracle.forgotten()) == []
    LoggedAction.objects.filter(game=game, seat=0).delete()
    assert list(oracle.forgotten()) == [f"game {game.pk}: a submission that was acknowledged is not in its log"]


def test_a_game_that_goes_on_while_the_others_are_judged_is_judged_as_it_is_then(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(attempts=1)
    later = new_game("cid", "dan")
    verdict = oracle.faults()
    assert next(verdict) == f"game {game.pk}: 1 {oracle.ATTEMPTS}"
    send(later, 0, READY)
    assert list(verdict) == []
