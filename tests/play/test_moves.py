"""The one door: what it takes, what it refuses, and that a refusal changes nothing."""

import threading
from typing import Any

import msgspec
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, connection
from django.db.models.functions import Now
from django.utils import timezone

from game.bots import playing
from game.engine.actions import Refused
from game.play import drafts, moves
from game.play.transactions import GameTransaction
from game.store.game import Game, Seat, Status
from game.store.log import Draft, Kind, LoggedAction
from game.store.log_notes import Sentence
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table
from tests.tables import (
    READY,
    at_phase,
    clock_runs_out,
    confirmed,
    everybody_ready,
    everything,
    fresh,
    new_game,
    person,
    send,
    steps_to_the_end,
)

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

BID, PASS = {"kind": "bid_influence", "points": 20}, {"kind": "pass"}


def test_a_sealed_action_is_stored_and_bumps_only_what_it_may() -> None:
    game = new_game("ada", "bob")
    send(game, 0, BID)
    first, ada = fresh(game), Seat.objects.get(game=game, number=0)
    assert first.version == game.version + 1  # rivals see that she has submitted
    send(game, 0, {**BID, "points": 30})
    again = fresh(game)
    assert again.version == first.version  # a revision is news to nobody but her
    assert Seat.objects.get(pk=ada.pk).version == ada.version + 1
    assert Seat.objects.get(game=game, number=1).version == 0
    assert [held.points for held in again.load_position().pending[0].values()] == [30]


def test_the_last_ready_closes_the_phase_and_everything_is_logged() -> None:
    game = new_game("ada", "bob")
    send(game, 0, BID, READY)
    receipt = send(game, 1, READY)
    after = fresh(game)
    assert receipt.closed
    assert after.phase_name == "stock_orders"
    assert [entry.kind for entry in after.log.all()] == [Kind.START, *[Kind.SUBMIT] * 3]
    assert after.log.last().read_snapshot().cursor.serial == after.phase_serial
    assert after.deadline_at is not None


BAD = {
    "an unknown company": {"company": "NOPE"},
    "quantity 0": {"quantity": 0},
    "quantity -1": {"quantity": -1},
    "quantity 10**9": {"quantity": 10**9},
    "quantity 1.5": {"quantity": 1.5},
    "quantity NaN": {"quantity": float("nan")},
    "quantity as text": {"quantity": "3"},
    "an extra field": {"gift": 1},
    "an actor": {"actor": 1},
    "no kind": {"kind": None},
    "an unknown kind": {"kind": "steal"},
    "a list as kind": {"kind": ["market_order"]},
    "an action of another phase": {"kind": "vote_revenue", "choice": "full"},
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_words_and_changes_nothing(change: dict[str, Any]) -> None:
    game = at_phase(new_game("ada", "bob"), "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    order = {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2}
    before = everything(game)
    with pytest.raises(Refused) as refused:
        send(game, 0, {**order, **change})
    assert len(str(refused.value)) > 20
    assert everything(game) == before


def test_of_several_requests_all_count_or_none() -> None:
    game = new_game("ada", "bob")
    before = everything(game)
    with pytest.raises(Refused):
        send(game, 0, BID, {"kind": "bid_influence", "points": 51})
    assert everything(game) == before


def test_a_move_of_which_one_part_cannot_be_written_leaves_the_old_version() -> None:
    """Its writes are sent together: here the log already has an entry of the number that the second of them brings."""
    game = new_game("ada", "bob")
    strange = LoggedAction(
        game=game,
        number=game.entries + 1,
        version=game.version,
        kind=Kind.SUBMIT,
        branch=0,
        serial=0,
        turn=0,
        at=game.now,
    )
    strange.save()
    before = everything(game)
    with pytest.raises(IntegrityError):
        send(game, 0, BID)
    assert everything(game) == before
    strange.delete()
    send(game, 0, BID)
    assert fresh(game).entries == game.entries + 1


def test_a_form_of_a_closed_phase_is_refused_kindly() -> None:
    game = new_game("ada", "bob")
    old = game.phase_serial
    everybody_ready(game)
    with pytest.raises(moves.PhaseClosed, match="has closed"):
        send(game, 0, BID, serial=old)


def test_a_seat_that_does_not_exist_and_a_game_that_does_not() -> None:
    game = new_game("ada", "bob")
    with pytest.raises(Refused, match="no seat 7"):
        send(game, 7, BID)
    with pytest.raises(Refused, match="no such game"):
        moves.submit(game_id=0, seat_number=0, requests=[BID])


@pytest.mark.parametrize("count", [0, 41])
def test_a_submission_is_neither_empty_nor_endless(count: int) -> None:
    with pytest.raises(Refused, match="1 to 40"):
        send(new_game("ada", "bob"), 0, *[BID] * count)


def test_a_repeated_submission_is_answered_without_effect() -> None:
    game = new_game("ada", "bob")
    first = send(game, 0, BID, token="t1", serial=game.phase_serial)
    before = everything(game)
    again = send(game, 0, BID, token="t1", serial=game.phase_serial)
    assert again.is_repeat
    assert again.version == first.version
    assert everything(game) == before


def test_a_repeat_is_recognised_after_its_phase_has_closed() -> None:
    game = new_game("ada", "bob")
    send(game, 1, READY)
    send(game, 0, BID, READY, token="t1", serial=game.phase_serial)
    assert send(game, 0, BID, READY, token="t1", serial=game.phase_serial).is_repeat


def test_the_same_token_and_body_in_the_next_phase_is_sent_and_no_repetition() -> None:
    game = new_game("ada", "bob")
    send(game, 0, PASS, token="t1", serial=game.phase_serial)
    later = everybody_ready(game)
    assert not send(game, 0, PASS, token="t1", serial=later.phase_serial).is_repeat
    assert fresh(game).load_position().pending[0]
    for opened in (game, later):
        assert send(game, 0, PASS, token="t1", serial=opened.phase_serial).is_repeat


def test_a_token_without_its_phase_is_a_mistake_of_ours() -> None:
    game = new_game("ada", "bob")
    with pytest.raises(ValueError, match="phase"):
        send(game, 0, BID, token="t1")


def test_the_same_token_with_other_requests_is_refused() -> None:
    game = new_game("ada", "bob")
    send(game, 0, BID, token="t1", serial=game.phase_serial)
    before = everything(game)
    with pytest.raises(Refused, match="other entries"):
        send(game, 0, {**BID, "points": 1}, token="t1", serial=game.phase_serial)
    assert everything(game) == before
    assert send(game, 1, BID, token="t1", serial=game.phase_serial).is_repeat is False  # tokens are each seat's own


def needing_ada() -> Game:
    """Ada holds the only share of an insolvent company, and one of another that votes later: with the gift nobody is
    waited for."""
    table = (
        Table()
        .company("ACME", status="insolvent", treasury=0)
        .holdings("ACME", ada=1)
        .company("BETA")
        .holdings("BETA", ada=2)
    )
    return lay(table.at("contributions", acting="ACME"))


GIFT = {"kind": "contribute", "cash": 10, "shares": 1}


def test_ready_behind_the_action_that_closed_the_phase_is_dropped_and_the_action_counts() -> None:
    game = needing_ada()
    receipt = send(game, 0, GIFT, READY, token="t1", serial=game.phase_serial)
    after = fresh(game)
    assert receipt.closed
    assert after.phase_serial > game.phase_serial
    assert "Contributed" in [type(event).__name__ for entry in after.log.all() for event in entry.read_all_events()]
    assert not after.load_position().ready, "the word was for the phase that closed"
    assert send(game, 0, GIFT, READY, token="t1", serial=game.phase_serial).is_repeat


def test_a_decision_behind_the_one_that_closed_the_phase_is_refused_with_all_before_it() -> None:
    game = needing_ada()
    before = everything(game)
    with pytest.raises(Refused, match="closed the phase"):
        send(game, 0, GIFT, {"kind": "vote_actions", "company": "BETA", "actions": ["veto"]}, READY)
    assert everything(game) == before


def test_nothing_can_be_sent_to_a_game_that_stands_still() -> None:
    game = new_game("ada", "bob")
    for status, words in ((Status.PAUSED, "paused"), (Status.HELD, "on hold"), (Status.FINISHED, "over")):
        Game.objects.filter(pk=game.pk).update(status=status, deadline_at=None)
        with pytest.raises(Refused, match=words):
            send(game, 0, BID)


def test_at_the_deadline_the_draft_of_somebody_absent_is_sent() -> None:
    game = new_game("ada", "bob", "cyd")
    drafts.save_draft(
        seat=Seat.objects.get(game=game, number=0), serial=game.phase_serial, requests=[{**BID, "points": 45}]
    )
    bob = Seat.objects.get(game=game, number=1)
    with pytest.raises(Refused, match="50 influence points"):
        drafts.save_draft(seat=bob, serial=game.phase_serial, requests=[{**BID, "points": 99}])
    # What was valid when it was saved may not be any more.
    Draft.objects.create(seat=bob, serial=game.phase_serial, content=[{**BID, "points": 99}], saved_at=timezone.now())
    send(game, 2, BID)
    clock_runs_out(game)
    kinds = [(entry.kind, entry.seat) for entry in game.log.order_by("number")]
    assert kinds == [
        ("start", None),
        ("submit", 2),
        ("draft", 0),
        ("close", None),
    ]  # an invalid draft counts for nothing
    assert fresh(game).load_position().state.bids == {0: 45, 1: 0, 2: 20}


def test_what_was_sent_counts_more_than_a_draft() -> None:
    game = new_game("ada", "bob")
    drafts.save_draft(
        seat=Seat.objects.get(game=game, number=0), serial=game.phase_serial, requests=[{**BID, "points": 45}]
    )
    send(game, 0, BID)
    clock_runs_out(game)
    assert fresh(game).load_position().state.bids == {0: 20, 1: 0}


def test_a_draft_of_a_closed_phase_is_not_kept() -> None:
    game = new_game("ada", "bob")
    everybody_ready(game)
    with pytest.raises(Refused, match="closed"):
        drafts.save_draft(seat=Seat.objects.get(game=game, number=0), serial=game.phase_serial, requests=[BID])


@pytest.mark.parametrize(
    ("status", "why"), [(Status.PAUSED, "This game is paused"), (Status.FINISHED, "This game is over")]
)
def test_whoever_saves_a_draft_of_a_game_that_stands_still_is_told_why(status: Status, why: str) -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(status=status, deadline_at=None)
    with pytest.raises(Refused, match=why):
        drafts.save_draft(seat=Seat.objects.get(game=game, number=0), serial=game.phase_serial, requests=[BID])
    ada = confirmed(person("ada"))
    form = {"token": "t", "serial": str(game.phase_serial - 1), "phase": game.phase_name, "do": "discard"}
    for where in ("drafts", "actions"):
        answer = ada.post(f"/games/{game.pk}/{where}/", form)
        assert (answer.status_code, why in answer.content.decode()) == (422, True), where


def test_hints_carry_numbers_and_rivals_hear_nothing_of_a_revision(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr("game.live.announce._send", lambda group, kind, **hint: sent.append((group, hint["version"])))
    game = new_game("ada", "bob")
    with django_capture_on_commit_callbacks(execute=True):
        send(game, 0, BID)
    with django_capture_on_commit_callbacks(execute=True):
        send(game, 0, {**BID, "points": 3})
    assert sent == [(f"game.{game.pk}", game.version + 1), (f"game.{game.pk}.seat.0", game.version + 1)]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ZeroDivisionError("a bug that quotes an order"), "ZeroDivisionError in the rules."),
        (SoftTimeLimitExceeded(), "The worker's limit of 45 seconds was reached while the rules were running."),
    ],
)
def test_an_exception_in_a_closing_is_a_plain_refusal_and_holds_the_game_at_the_fifth(
    monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    game = new_game("ada", "bob")
    send(game, 0, BID, READY)

    def broken(*args: object, **more: object) -> None:
        raise error

    monkeypatch.setattr("game.engine.referee.close", broken)
    for _ in range(5):
        with pytest.raises(Refused, match="on hold"):
            send(game, 1, READY)
    held = fresh(game)
    assert (held.status, held.deadline_at, held.held_reason) == (Status.HELD, None, reason)
    assert held.paused_left is not None
    assert held.load_position().pending[0]
    assert "on hold" in held.log.last().note


def test_a_rewind_opens_a_new_branch_and_a_new_serial() -> None:
    game = at_phase(new_game("ada", "bob", bots=1), "stock_orders")
    entry = LoggedAction.objects.get(game=game, opened_serial=1)
    moves.rewind(game_id=game.pk, number=entry.number, user_id=None, note=Sentence.COPY_GOES_BACK())
    after = fresh(game)
    assert (after.phase_name, after.branch, after.phase_serial) == ("influence_bid", 1, game.phase_serial + 1)
    assert after.version > game.version
    at_phase(after, "stock_orders")


@pytest.mark.parametrize(("people", "machines"), [(2, 0), (2, 6)])
def test_a_resolution_asks_the_database_seven_times_at_most(settings: Any, people: int, machines: int) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game = new_game(*"ab"[:people], bots=machines, max_turns=3)
    worst = 0
    while fresh(game).is_running:
        asked: list[str] = []

        def count(execute: Any, sql: str, params: Any, many: bool, context: Any, asked: list[str] = asked) -> Any:
            asked.append(sql)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(count):
            moved = playing.play_bots(game_id=game.pk)
        if not moved:
            waiting = fresh(game).waiting_seats[0]
            asked.clear()
            with connection.execute_wrapper(count):
                send(game, waiting, READY)
        worst = max(
            worst, len([sql for sql in asked if not sql.startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT"))])
        )
    assert worst <= 7


@pytest.mark.usefixtures("judged")
@pytest.mark.django_db(transaction=True)
def test_of_two_who_close_at_once_one_resolves() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    closed: list[bool] = []

    def close() -> None:
        closed.append(moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial))
        connection.close()

    threads = [threading.Thread(target=close) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(closed) == [False, False, False, True]
    assert fresh(game).log.filter(kind=Kind.CLOSE).count() == 1


def test_every_stored_phase_start_is_what_the_log_leads_to(settings: Any) -> None:
    from game.store.replay import replay_game

    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game("ada", bots=3, max_turns=2)
    for _ in steps_to_the_end(game):
        pass
    checks = list(replay_game(game=fresh(game)))
    assert len(checks) > 8
    assert all(check.is_equal for check in checks)


def test_a_position_survives_its_storage() -> None:
    game = at_phase(new_game("ada", bots=2), "stock_orders")
    change, codec = GameTransaction(fresh(game)), game.rules.codec
    assert codec.encode(change.position.state) == codec.encode(codec.copy(change.position.state))
    assert msgspec.structs.asdict(change.position)["cursor"].serial == game.phase_serial
