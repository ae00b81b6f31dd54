"""Games are taken up in batches, each by one worker; one that fails is tried again after longer and longer pauses."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from accounts.emails import send_queued
from accounts.models import User
from game.clock import sweep
from game.play import failures, leases, moves
from game.store.game import Game, Status
from game.store.log import Kind, LoggedAction
from game.store.log_notes import Sentence
from tests.scenes import moderator
from tests.tables import READY, fresh, new_game, send, sweep_again

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def due(**more: Any) -> Game:
    """A game whose deadline has just passed."""
    game = new_game("ada", "bob", **more)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    return fresh(game)


def seconds_to_wait(game: Game) -> float:
    now = fresh(game)
    assert now.not_before
    return (now.not_before - now.now).total_seconds()


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that cannot close a phase."""

    def bug(*args: object, **more: object) -> None:
        raise KeyError("a sealed bid of 17")

    monkeypatch.setattr("game.play.transactions.referee.close", bug)


def test_two_workers_share_out_what_is_due_and_none_tries_what_the_other_has(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {due().pk for _ in range(5)}
    monkeypatch.setattr(leases, "BATCH_SIZE", 3)
    first, second = leases.claim_games(leases.due_games()), leases.claim_games(leases.due_games())
    assert (len(first), len(second), leases.claim_games(leases.due_games())) == (3, 2, [])
    assert {claim.game_id for claim in [*first, *second]} == games


def test_the_attempt_is_counted_and_leased_before_the_first_game_is_tried() -> None:
    game = due()
    [claim] = leases.claim_games(leases.due_games())
    assert (claim.attempts, fresh(game).attempts) == (1, 1)
    assert seconds_to_wait(game) == pytest.approx(leases.lease_length().total_seconds(), abs=5)
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial


def test_the_games_of_a_worker_that_died_are_taken_up_when_its_lease_is_over() -> None:
    game = due()
    leases.claim_games(leases.due_games())
    Game.objects.update(not_before=Now())
    sweep.sweep()
    after = fresh(game)
    assert (after.phase_serial, after.attempts, after.not_before) == (game.phase_serial + 2, 0, None)


def test_a_batch_that_was_given_back_is_uncounted_and_free_at_once() -> None:
    game = due()
    leases.release(leases.claim_games(leases.due_games()))
    assert (fresh(game).attempts, fresh(game).not_before) == (0, None)


def test_what_waits_behind_a_slow_game_goes_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, waiting = due(), due()
    monkeypatch.setattr(sweep, "BATCH_SECONDS", 0.0)
    sweep._work_off(leases.claim_games(leases.due_games()), sweep.close_due)
    assert [claim.game_id for claim in leases.claim_games(leases.due_games())] == [slow.pk, waiting.pk]


@pytest.mark.usefixtures("judged")
def test_more_than_a_batch_is_closed_by_one_sweep_and_the_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [due() for _ in range(5)]
    for number, game in enumerate(games):  # the last that was made was due first
        Game.objects.filter(pk=game.pk).update(deadline_at=Now() - timedelta(seconds=number))
    monkeypatch.setattr(leases, "BATCH_SIZE", 2)
    sweep.sweep()
    closed = list(LoggedAction.objects.filter(kind=Kind.CLOSE).order_by("pk").values_list("game_id", flat=True))
    one, two, three, four, five = (game.pk for game in games)
    assert [set(closed[:2]), set(closed[2:4]), closed[4:]] == [{five, four}, {three, two}, [one]]


def test_a_submission_that_closes_a_phase_ends_its_lease() -> None:
    game = new_game("ada", "bob")
    Game.objects.update(attempts=1, not_before=Now() + timedelta(seconds=15))
    send(game, 0, READY)
    assert (fresh(game).attempts, fresh(game).not_before) == (0, None)


@pytest.mark.usefixtures("judged")
@pytest.mark.breaks
@pytest.mark.usefixtures("broken")
def test_a_game_that_fails_waits_longer_each_time_and_then_is_held() -> None:
    game = due()
    for attempt, pause in enumerate((1, 10, 60, 600), start=1):
        sweep_again()
        assert (fresh(game).status, fresh(game).attempts) == (Status.RUNNING, attempt)
        assert seconds_to_wait(game) == pytest.approx(pause, abs=0.9)
        if pause > 1:
            sweep.sweep()
            assert fresh(game).attempts == attempt
    sweep_again()
    assert (fresh(game).status, fresh(game).attempts) == (Status.HELD, failures.ATTEMPTS)


@pytest.mark.usefixtures("broken")
def test_the_staff_who_can_restart_it_are_mailed_once_and_read_no_reason(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    able, other = moderator("lena"), moderator("otto", "pause")
    game = due()
    Game.objects.update(attempts=failures.ATTEMPTS - 1)
    sweep_again()
    assert fresh(game).status == Status.HELD
    send_queued()
    [letter] = mail.outbox
    assert letter.to == [able.email] != [other.email]
    assert "The table" in letter.subject
    assert f"/game/game/{game.pk}/change/" in letter.body
    assert "17" not in letter.body.replace(str(game.pk), "")
    sweep_again()
    assert send_queued() == 0


def test_where_nobody_has_the_power_the_whole_staff_is_mailed_and_others_never(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    otto = moderator("otto", "pause")
    assert not User.objects.get(pk=otto.pk).is_superuser
    game = due()
    Game.objects.update(attempts=failures.ATTEMPTS)
    sweep.sweep()
    assert fresh(game).status == Status.HELD
    send_queued()
    assert [letter.to for letter in mail.outbox] == [[otto.email]]


@pytest.mark.usefixtures("judged")
def test_a_claim_of_an_earlier_phase_closes_nothing() -> None:
    game = due()
    [claim] = leases.claim_games(leases.due_games())
    moves.resolve_now(game_id=game.pk, user_id=None, note=Sentence.CLOSED_EARLY(moderator="Lena", reason="By hand."))
    resolved = fresh(game)
    sweep.close_due(claim)
    assert fresh(game).phase_serial == resolved.phase_serial > game.phase_serial


def test_games_that_are_due_together_share_their_statements() -> None:
    """One of their own each: the game's row."""
    due()
    sweep.sweep()  # what is built once
    counts = []
    for number in (2, 5):
        games = [due() for _ in range(number)]
        with CaptureQueriesContext(connection) as asked:
            sweep.sweep()
        assert all(fresh(game).phase_serial > game.phase_serial for game in games)
        counts.append(len([query for query in asked.captured_queries if not query["sql"].startswith("BEGIN")]))
    assert counts[1] - counts[0] <= 3


def test_a_game_that_breaks_among_others_is_counted_alone_and_they_are_closed() -> None:
    first, broken, last = due(), due(), due()
    Game.objects.filter(pk=broken.pk).update(state=b"not a position")
    sweep.sweep()
    for sound in (first, last):
        assert fresh(sound).phase_serial > sound.phase_serial
        assert fresh(sound).attempts == 0
        assert sound.log.filter(kind="close").count() == 1
    assert fresh(broken).phase_serial == broken.phase_serial
    assert not broken.log.filter(kind="close").exists()
