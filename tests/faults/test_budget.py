"""A game that loops or eats memory stops itself, not the site: it is rolled back, counted and held, and the others go
on."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client

from game.bots import playing
from game.clock import sweep
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import interventions
from game.play import failures, leases
from game.rulesets.registry import RULESETS
from game.store.game import Game, Status
from game.store.rule_limits import Budget, OverBudget
from tests.faults.endless import ENDLESS
from tests.servers import PATIENCE, ROOT
from tests.tables import READY, everything, fresh, new_game, person, send, sweep_again

pytestmark = [pytest.mark.django_db(transaction=True)]
SECONDS = 0.4


@pytest.fixture(autouse=True)
def repaired(judged: None) -> Iterator[None]:
    """When a test is over the rules are put right and every game has time again: nothing else is wrong with it."""
    yield
    Game.objects.update(ruleset="sectors", attempts=0, deadline_at=F("deadline_at") + timedelta(hours=1))


@pytest.fixture(autouse=True)
def small_budget(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RULES_SECONDS, settings.RULES_MEGABYTES = SECONDS, 60
    for key, rules in ENDLESS.items():
        monkeypatch.setitem(RULESETS, key, rules)


def due(ruleset: str = "sectors", *people: str, **more: Any) -> Game:
    """A game in its first phase, whose deadline has passed; these rules close it."""
    game = new_game(*(people or ("ada", "bob")), **more)
    Game.objects.filter(pk=game.pk).update(ruleset=ruleset, rules_sum=b"", deadline_at=Now())
    return fresh(game)


@pytest.mark.parametrize("ruleset", ENDLESS)
def test_a_closing_that_does_not_end_is_rolled_back_counted_and_held(ruleset: str) -> None:
    game = due(ruleset)
    before = everything(game)
    for attempt in range(1, failures.ATTEMPTS):
        sweep_again()
        assert fresh(game).attempts == attempt
        assert everything(game) == before
    sweep_again()
    held = fresh(game)
    assert (held.status, held.attempts, held.phase_serial) == (Status.HELD, failures.ATTEMPTS, game.phase_serial)
    assert held.held_reason.startswith("WorkloadError" if ruleset == "tells" else "OverBudget: The rules ")
    assert ("memory" in held.held_reason) == (ruleset == "eats")
    assert (bytes(held.state), bytes(held.inputs), held.entries) == (
        bytes(game.state),
        bytes(game.inputs),
        game.entries + 1,
    )


def test_the_last_word_that_closes_without_end_is_refused_and_counted() -> None:
    game = new_game("ada", "bob")
    Game.objects.update(ruleset="loops", rules_sum=b"")
    send(game, 0, READY)
    before = everything(game)
    with pytest.raises(Refused, match="on hold after an error on our side"):
        send(game, 1, READY)
    assert everything(game) == before
    assert fresh(game).attempts == 1


def test_a_moderator_who_closes_without_end_is_refused_and_it_is_counted() -> None:
    game, lena = due("loops"), person("lena")
    lena.is_staff = lena.is_superuser = True
    lena.save()
    with pytest.raises(Refused, match="nothing was changed"):
        interventions.resolve_now(game_id=game.pk, moderator=lena, reason="why not", seen=interventions.seen_of(game))
    assert fresh(game).attempts == 1


def for_ever(*_: Any) -> Any:
    for _number in count():
        pass


def broken(monkeypatch: pytest.MonkeyPatch, **parts: Any) -> str:
    """Sectors with a part that does not end."""
    rules = dataclasses.replace(RULESETS["sectors"], key="broken", **parts)
    monkeypatch.setitem(RULESETS, "broken", rules)
    return "broken"


def test_bots_that_do_not_end_pass_each_for_itself(monkeypatch: pytest.MonkeyPatch, logged: list[Any]) -> None:
    game = new_game("ada", bots=2)
    Game.objects.update(ruleset=broken(monkeypatch, bots={"house": for_ever, "random": for_ever}), rules_sum=b"")
    assert playing.play_bots(game_id=game.pk)
    after = fresh(game)
    assert after.seat_states[1:] == ["ready", "ready"]
    assert after.attempts == 0
    assert [line["seat"] for line in logged if line["event"] == "bot_broke"] == [1, 2]


def test_bots_whose_last_word_closes_without_end_are_counted_and_the_game_is_held() -> None:
    game = new_game("ada", bots=1)
    send(game, 0, READY)
    Game.objects.update(ruleset="loops", rules_sum=b"", moved_at=Now() - 2 * leases.LOST_AFTER)
    for attempt in range(1, failures.ATTEMPTS + 1):
        Game.objects.update(not_before=None)
        sweep.play_forgotten_bots()
        assert fresh(game).attempts == attempt
    assert fresh(game).status == Status.HELD


def test_bots_that_take_their_process_along_each_time_are_counted_before() -> None:
    """The process cannot note it any more: what the sweep commits beforehand is all that is left."""
    game = new_game("ada", bots=1)
    Game.objects.update(moved_at=Now() - 2 * leases.LOST_AFTER, attempts=failures.ATTEMPTS)
    sweep.play_forgotten_bots()
    assert fresh(game).status == Status.HELD


@pytest.mark.parametrize("part", ["setup", "deal"])
def test_a_game_that_cannot_be_dealt_does_not_begin(
    part: str, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    ada = person("ada")
    game = lobby.create_game(
        host=ada, name="The table", seats=2, bots=1, ruleset=broken(monkeypatch, **{part: for_ever})
    )
    with pytest.raises(Refused, match="could not start"):
        lobby.start_game(game_id=game.pk, user=ada)
    assert fresh(game).status == Status.WAITING
    assert not fresh(game).has_position
    assert [line["game"] for line in logged if line["event"] == "start_failed"] == [game.pk]


def test_a_page_whose_view_does_not_end_is_an_answer_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("ada", "bob")
    Game.objects.update(ruleset=broken(monkeypatch, viewer=for_ever), rules_sum=b"")
    client = Client(raise_request_exception=False)
    client.force_login(person("ada"))
    assert client.get(game.get_absolute_url()).status_code == 500
    assert client.get("/").status_code == 200


def test_games_that_have_failed_are_swept_after_the_others() -> None:
    failed, sound = due(), due()
    Game.objects.filter(pk=failed.pk).update(attempts=1)
    assert [claim.game_id for claim in leases.claim_games(leases.due_games())] == [sound.pk]
    assert [claim.game_id for claim in leases.claim_games(leases.due_games())] == [failed.pk]


@pytest.fixture
def elsewhere() -> Iterator[Callable[[Game], None]]:
    """Another process's connection, which locks a game's row and keeps it until the test has ended."""
    if connection.vendor == "sqlite":
        yield lambda game: None  # one lock for the whole file: nobody can be ahead of others
        return
    where = connection.get_connection_params()
    known = {name: where[name] for name in ("host", "port", "user", "dbname") if where.get(name)}
    with psycopg.connect(**known) as other:
        yield lambda game: other.execute("SELECT 1 FROM game_game WHERE id = %s FOR UPDATE", [game.pk]) and None
        other.rollback()


def test_a_sweep_never_waits_for_a_game_that_somebody_resolves(elsewhere: Callable[[Game], None]) -> None:
    locked, forgotten, ended, sound = due(), new_game("ada", bots=1), due(), due()
    Game.objects.filter(pk=locked.pk).update(attempts=failures.ATTEMPTS + 1)
    Game.objects.filter(pk=forgotten.pk).update(moved_at=Now() - 2 * leases.LOST_AFTER)
    Game.objects.filter(pk=ended.pk).update(status=Status.FINISHED, deadline_at=None, finished_at=Now())
    for game in (locked, forgotten, ended):
        elsewhere(game)
    sweeper = threading.Thread(target=sweep_and_close, daemon=True)
    sweeper.start()
    sweeper.join(PATIENCE)
    assert not sweeper.is_alive()
    assert fresh(sound).phase_serial > sound.phase_serial
    if connection.vendor != "sqlite":
        assert fresh(locked).attempts == failures.ATTEMPTS + 1
        assert fresh(ended).attempts == 0
        assert fresh(forgotten).bots_due


def sweep_and_close() -> None:
    try:
        sweep.sweep()
        sweep.play_forgotten_bots()
        sweep.archive_finished()
    finally:
        connection.close()


def work(seconds: float) -> int:
    """So much work of this thread."""
    end, done = time.thread_time() + seconds, 0
    while time.thread_time() < end:
        done += 1
    return done


def test_time_is_counted_as_work_and_over_all_calls_of_a_step() -> None:
    budget = Budget()
    budget.run(time.sleep, 3 * SECONDS)
    budget.run(work, SECONDS * 0.9)
    with pytest.raises(OverBudget, match=r"0\.4 seconds"):
        budget.run(work, SECONDS * 0.9)
    with pytest.raises(OverBudget):
        budget.run(int)


def test_work_of_others_takes_nothing_from_a_budget() -> None:
    others = [threading.Thread(target=work, args=(2 * SECONDS,)) for _ in range(2)]
    for other in others:
        other.start()
    Budget().run(work, SECONDS / 2)
    for other in others:
        other.join()


def test_a_stop_never_reaches_what_comes_after_the_rules(settings: Any) -> None:
    """Work that ends at the very moment at which it is stopped, many times in two threads at once."""
    settings.RULES_SECONDS = 0.05
    ended: list[str] = []
    threads = [threading.Thread(target=on_the_brink, args=(ended,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ended) == 2 * BRINKS
    assert set(ended) <= {"done", "stopped"}


BRINKS = 20


def on_the_brink(ended: list[str]) -> None:
    for number in range(BRINKS):
        try:
            Budget().run(work, 0.06 + number * 0.006)
            how = "done"
        except OverBudget:
            how = "stopped"
        try:
            work(0.01)
        except BaseException:
            how = "hit"
        ended.append(how)


STOPPED_THEN_PROFILED = """
import sys
from game.store.rule_limits import Budget, OverBudget

def for_ever():
    while True:
        pass

def once():
    return 1

try:
    Budget(share=0.01).run(for_ever)
except OverBudget:
    print("stopped")
sys.setprofile(lambda *_: None)
for _ in range(100):
    once()
sys.setprofile(None)
print("goes on")
"""


def test_after_a_stop_nothing_is_looked_for_any_more() -> None:
    """Seen by a profiler, whose functions are not left while Python 3.11 looks for an exception."""
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_THEN_PROFILED], cwd=ROOT, capture_output=True, text=True, check=True,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}, timeout=PATIENCE,
    )  # fmt: skip
    assert done.stdout.split("\n")[:2] == ["stopped", "goes on"]
