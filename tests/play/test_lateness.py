"""What arrives after the deadline and before the sweep: refused plainly, kept as a draft, and counted if the deadline
moves."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test import Client

from accounts.languages import override_language
from game.clock import sweep
from game.engine.actions import Refused
from game.play import drafts, moves
from game.play.late import TooLate
from game.play.receipts import own_of
from game.store.game import Game, Seat
from game.store.log import Draft, Kind
from game.store.log_notes import Sentence
from tests.scenes import until_it_waits
from tests.tables import READY, everybody_ready, everything, fresh, new_game, person, send, was_away

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]

BID, PASS = {"kind": "bid_influence", "points": 20}, {"kind": "pass"}
WITHDRAWAL = {"kind": "withdraw", "of": "bid_influence"}
MOVED = timedelta(minutes=10)


def bid(points: int) -> dict[str, Any]:
    return {**BID, "points": points}


def let_it_pass(game: Game, length: timedelta = timedelta(seconds=30)) -> None:
    """The deadline passes, and nobody sweeps."""
    Game.objects.filter(pk=game.pk).update(deadline_at=fresh(game).now - length)


def outage_moves_the_deadline(game: Game) -> None:
    """Nobody had swept for ten minutes: the deadline moves by as much."""
    was_away(game, MOVED)
    sweep.sweep()
    after = fresh(game)
    assert after.phase_serial == game.phase_serial
    assert after.deadline_at is not None
    assert after.deadline_at > after.now


def runs_out(game: Game) -> Game:
    """The deadline passes and the sweep comes."""
    time.sleep(0.002)  # what was saved a moment ago was saved before it
    let_it_pass(game, timedelta())
    sweep.sweep()
    return fresh(game)


def save(game: Game, seat: int, *requests: dict[str, Any], token: str = "") -> None:
    at = Seat.objects.get(game=game, number=seat)
    drafts.save_draft(seat=at, serial=game.phase_serial, requests=list(requests), token=token)


def bids(game: Game) -> dict[int, int]:
    return dict(fresh(game).load_position().state.bids)


@pytest.mark.parametrize("pace", ["live", "demo", "daily"])
@pytest.mark.parametrize(
    "request_", [BID, PASS, READY, {"kind": "ready", "on": False}, WITHDRAWAL], ids=lambda r: str(r["kind"])
)
def test_nothing_is_taken_after_the_deadline(pace: str, request_: dict[str, Any]) -> None:
    game = new_game("ada", "bob", pace=pace)
    send(game, 0, bid(7))
    let_it_pass(game)
    before = everything(game)
    with pytest.raises(TooLate):
        send(game, 0, request_, serial=game.phase_serial)
    assert everything(game) == before


def test_a_late_ready_does_not_close_the_phase() -> None:
    game = new_game("ada", "bob")
    send(game, 1, READY)
    let_it_pass(game)
    with pytest.raises(TooLate):
        send(game, 0, READY)
    assert fresh(game).phase_serial == game.phase_serial


def refusal(game: Game, *requests: dict[str, Any]) -> str:
    with pytest.raises(TooLate) as late:
        send(game, 0, *requests)
    return str(late.value)


def test_a_late_submission_is_told_the_deadline_and_what_counts() -> None:
    game = new_game("ada", "bob")
    let_it_pass(game)
    deadline = fresh(game).deadline_at
    assert deadline
    reason = refusal(game, BID)
    assert f"{deadline:%H:%M:%S}" in reason
    assert "30 seconds" in reason or "31 seconds" in reason
    assert "you bid 0" in reason
    assert "draft" in reason


def test_how_late_it_was_is_told_in_the_language_of_the_reader() -> None:
    game = new_game("ada", "bob")
    let_it_pass(game, timedelta(minutes=5))
    with override_language("de"):
        text = refusal(game, BID)
    assert "5 Minuten" in text
    assert "minutes" not in text


def test_what_counts_is_the_draft_that_was_in_time_or_what_was_submitted() -> None:
    game = new_game("ada", "bob")
    save(game, 0, bid(9))
    let_it_pass(game, timedelta(milliseconds=1))
    Draft.objects.update(saved_at=Now() - timedelta(minutes=1))
    assert "Your draft" in refusal(game, BID)
    Game.objects.filter(pk=game.pk).update(deadline_at=fresh(game).now + MOVED)
    send(game, 0, bid(7))
    let_it_pass(game)
    assert "What you had submitted counts" in refusal(game, BID)
    assert "kept as a draft" not in refusal(game, READY), "to be ready is nothing to keep"


def test_what_is_wrong_with_a_late_submission_is_said_first_and_nothing_is_kept() -> None:
    game = new_game("ada", "bob")
    let_it_pass(game)
    with pytest.raises(Refused, match="50 influence points"):
        send(game, 0, bid(51))
    assert not Draft.objects.exists()


def test_at_the_closing_a_late_submission_does_not_count_and_the_draft_in_time_does() -> None:
    game = new_game("ada", "bob", "cid")
    save(game, 0, bid(9))
    let_it_pass(game, timedelta())
    time.sleep(0.005)
    for seat in (0, 1):
        with pytest.raises(TooLate):
            send(game, seat, bid(45))
    with pytest.raises(TooLate):
        save(game, 0, bid(44))
    sweep.sweep()
    assert bids(game) == {0: 9, 1: 0, 2: 0}


def test_a_late_submission_counts_once_an_outage_has_moved_the_deadline() -> None:
    game = new_game("ada", "bob", "cid")
    save(game, 0, bid(9))
    send(game, 1, bid(10))
    send(game, 2, bid(11))
    let_it_pass(game)
    Draft.objects.update(saved_at=Now() - timedelta(minutes=1))
    for seat in (0, 1):
        with pytest.raises(TooLate):
            send(game, seat, bid(45), READY)
    with pytest.raises(TooLate):
        send(game, 2, WITHDRAWAL)
    outage_moves_the_deadline(game)
    runs_out(game)
    assert bids(game) == {0: 45, 1: 45, 2: 0}
    assert {entry.seat for entry in game.log.filter(kind=Kind.DRAFT)} == {0, 1, 2}


def test_what_is_submitted_after_the_deadline_moved_counts_more_than_what_was_too_late() -> None:
    game = new_game("ada", "bob")
    send(game, 0, bid(10))
    let_it_pass(game)
    for seat in (0, 1):
        with pytest.raises(TooLate):
            send(game, seat, bid(45))
    outage_moves_the_deadline(game)
    send(game, 0, bid(11))
    save(game, 1, bid(12))
    runs_out(game)
    assert bids(game) == {0: 11, 1: 12}


def test_a_draft_that_missed_two_deadlines_leaves_the_one_that_missed_the_first() -> None:
    game = new_game("ada", "bob")
    let_it_pass(game)
    with pytest.raises(TooLate):
        save(game, 0, bid(30))
    outage_moves_the_deadline(game)
    let_it_pass(game, timedelta())
    time.sleep(0.005)
    with pytest.raises(TooLate):
        save(game, 0, bid(31))
    sweep.sweep()
    assert bids(game)[0] == 30


def test_late_drafts_do_not_pile_up() -> None:
    game = new_game("ada", "bob")
    save(game, 0, bid(1))
    let_it_pass(game)
    Draft.objects.update(saved_at=Now() - timedelta(minutes=1))
    for points in range(2, 6):
        with pytest.raises(TooLate):
            save(game, 0, bid(points))
        with pytest.raises(TooLate):
            send(game, 0, bid(points))
    rows = Draft.objects.order_by("saved_at", "pk").values_list("content", "is_sent")
    assert list(rows) == [([bid(1)], False), ([bid(5)], False), ([bid(5)], True)]


def test_a_late_discard_leaves_the_draft_that_counts() -> None:
    game = new_game("ada", "bob")
    save(game, 0, bid(9))
    let_it_pass(game, timedelta())
    time.sleep(0.005)
    with pytest.raises(TooLate, match="Your draft"):
        drafts.discard_draft(seat=Seat.objects.get(game=game, number=0), serial=game.phase_serial)
    sweep.sweep()
    assert bids(game)[0] == 9


def test_the_page_shows_the_draft_that_counts() -> None:
    game = new_game("ada", "bob")
    save(game, 0, bid(9))
    let_it_pass(game)
    Draft.objects.update(saved_at=Now() - timedelta(minutes=1))
    with pytest.raises(TooLate):
        save(game, 0, bid(30))
    seat = Seat.objects.get(game=game, number=0)
    for shown, has_sent in ((bid(9), False), (bid(9), True)):
        draft, _ = own_of(game=fresh(game), seat=seat, has_sent=has_sent)  # type: ignore[arg-type]
        assert draft is not None
        assert draft.content == [shown]
    outage_moves_the_deadline(game)
    draft, _ = own_of(game=fresh(game), seat=seat, has_sent=True)  # type: ignore[arg-type]
    assert draft is not None
    assert draft.content == [bid(30)]


def test_a_repetition_of_what_was_in_time_is_answered_as_such() -> None:
    game = new_game("ada", "bob")
    send(game, 0, BID, token="t1", serial=game.phase_serial)
    let_it_pass(game)
    assert send(game, 0, BID, token="t1", serial=game.phase_serial).is_repeat


def test_a_game_without_a_deadline_takes_everything() -> None:
    game = new_game("ada", "bob")
    save(game, 1, bid(3))
    Game.objects.filter(pk=game.pk).update(deadline_at=None)
    send(game, 0, BID)
    save(game, 1, bid(4))
    moves.resolve_now(game_id=game.pk, user_id=None, note=Sentence.CLOSED_EARLY(moderator="Lena", reason="By hand."))
    assert bids(game) == {0: 20, 1: 4}


def test_a_page_says_that_it_was_too_late(client: Client) -> None:
    game = new_game("ada", "bob")
    client.force_login(person("ada"))
    form = {"serial": game.phase_serial, "token": "t", "touched": "yes", "points": "31"}
    let_it_pass(game)
    for address, extra in (
        ("actions", {"do": "submit"}),
        ("drafts", {}),
        ("actions", {"do": "ready"}),
        ("actions", {"do": "discard"}),
    ):
        answer = client.post(f"/games/{game.pk}/{address}/", form | extra)
        assert answer.status_code == 422
        assert "after the deadline" in answer.content.decode()
    assert not everybody_is_touched(game)


def everybody_is_touched(game: Game) -> bool:
    return "untouched" not in fresh(game).seat_states


# --- the time of arrival is that of the statement that takes the lock


def in_a_thread(work: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    lines: list[Any] = []

    def run() -> None:
        try:
            lines.append(work())
        except Refused as refused:
            lines.append(refused)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, lines


@pytest.mark.django_db(transaction=True)
def test_a5_a_transaction_that_began_in_time_does_not_make_a_late_submission_early() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(deadline_at=fresh(game).now + timedelta(seconds=0.2))
    with transaction.atomic():
        fresh(game)
        time.sleep(0.3)
        with pytest.raises(TooLate):
            send(game, 0, BID)


@pytest.mark.django_db(transaction=True)
def test_a_submission_that_waited_for_the_lock_arrived_when_it_asked_for_it() -> None:
    """SQLite has one lock for all, and a statement runs when it has that: there it arrives when it no longer waits."""
    game = new_game("ada", "bob")
    with transaction.atomic():
        moves.lock(game.pk)
        thread, told = in_a_thread(lambda: send(game, 0, BID))
        until_it_waits(thread)
        # The row is kept until a deadline has passed that comes after the question for it.
        Game.objects.filter(pk=game.pk).update(deadline_at=fresh(game).now + timedelta(seconds=0.2))
        time.sleep(0.3)
    thread.join()
    assert isinstance(told[0], moves.Receipt if connection.vendor == "postgresql" else TooLate)
    closed_at = fresh(game).deadline_at
    assert closed_at is not None
    assert closed_at < fresh(game).now


def test_everybody_ready_in_time_still_closes_early() -> None:
    assert everybody_ready(new_game("ada", "bob")).phase_name == "stock_orders"
