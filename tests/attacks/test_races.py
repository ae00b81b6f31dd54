"""Races against the deadline: the same submission from several connections at once, hundreds of times, around the
instant at which it passes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from random import Random
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from game.boards.registry import board_of
from game.bots import accounts
from game.clock import play_times
from game.lobby import lessons, lobby
from game.people.account_deletion import delete_account
from game.play import moves
from game.play.late import TooLate
from game.store.availability import PlayTimes, Vacation
from game.store.game import Game, Seat
from game.store.log import LoggedAction
from game.store.moderation_models import Intervention
from tests.scenes import by_two, close_by_two, meanwhile, moderator, seen, somebody_waits_for_us
from tests.tables import fresh, new_game, person, send

pytestmark = pytest.mark.django_db(transaction=True)
TRIAL = pytest.mark.trial
SEAT, LEFT = 0, timedelta(milliseconds=8)
LESSON = {"ruleset": "sectors", "key": board_of("sectors").lessons[0].key}
Told = moves.Receipt | TooLate | moves.PhaseClosed


class Connections:
    """Threads with a connection each, let loose together; whoever has a number waits for some milliseconds first."""

    def __init__(self, pool: ThreadPoolExecutor, number: int, seed: int) -> None:
        self.pool, self.number, self.random, self.barrier = pool, number, Random(seed), Barrier(number)

    def race(self, *works: Any) -> list[Any]:
        assert len(works) == self.number
        waits = [self.random.uniform(0, 2 * LEFT.total_seconds()) for _ in works]
        return list(self.pool.map(self._run, works, waits))

    def _run(self, work: Any, wait: float) -> Any:
        self.barrier.wait(60)
        time.sleep(wait)
        try:
            return work()
        except (TooLate, moves.PhaseClosed) as late:
            return late

    def hang_up(self) -> None:
        """Each thread closes its own."""

        def close() -> None:
            connection.close()

        self.race(*[close] * self.number)


def bid(game: Game, coins: int, token: str) -> moves.Receipt:
    request = {"kind": "bid", "coins": coins}
    return send(game, SEAT, request, token=token, serial=game.phase_serial)


def deadline_comes(game: Game, left: timedelta) -> datetime:
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() + left)
    found = Game.objects.values_list("deadline_at", flat=True).get(pk=game.pk)
    assert found is not None
    return found


@pytest.mark.parametrize("races", [60, pytest.param(1_000, marks=TRIAL)])
def test_a5_of_a_pair_sent_at_the_deadline_one_counts_if_it_was_in_time_and_both_are_told_the_truth(races: int) -> None:
    """The same form from two connections, many times around a deadline that the database's clock keeps: the record says
    what the answers say, and nothing in it is later than the deadline."""
    game = new_game("ada", "ben", ruleset="toy")
    result: Counter[str] = Counter()
    with ThreadPoolExecutor(2) as pool:
        pair = Connections(pool, 2, seed=5)
        for number in range(races):
            # Every tenth is in time and every tenth too late, however busy this machine is.
            left = {0: timedelta(minutes=1), 5: -LEFT}.get(number % 10, LEFT)
            deadline = deadline_comes(game, left)
            one, other = pair.race(*[lambda: bid(game, 1 + number % 4, f"race {number}")] * 2)  # noqa: B023
            result[outcome(game, number, deadline, (one, other))] += 1
        pair.hang_up()
    assert sum(result.values()) == races
    assert result["in time"] >= races // 10 <= result["too late"], result
    assert result["one of each"] <= races // 4, result


def outcome(game: Game, number: int, deadline: datetime, answers: tuple[Told, ...]) -> str:
    """What became of a pair, after looking whether the record agrees with both answers."""
    entries = list(LoggedAction.objects.filter(game=game, token=f"race {number}"))
    receipts = [answer for answer in answers if isinstance(answer, moves.Receipt)]
    late = [answer for answer in answers if isinstance(answer, TooLate)]
    assert len(receipts) + len(late) == 2
    assert all(answer.at > deadline == answer.deadline for answer in late)
    if not entries:
        assert len(late) == 2, "what is answered as taken is in the record"
        return "too late"
    assert len(entries) == 1, "it counts once"
    assert [receipt.is_repeat for receipt in receipts].count(False) == 1
    assert {receipt.version for receipt in receipts} == {entries[0].version}
    assert entries[0].at <= deadline
    assert fresh(game).load_position().pending[SEAT]["bid"].coins == 1 + number % 4
    # Whoever came too late, yet had the game first, was answered before the other was taken.
    return "one of each" if late else "in time"


@pytest.mark.parametrize("races", [10, pytest.param(40, marks=TRIAL)])
def test_a5_a_pair_that_races_the_closing_of_its_phase_counts_before_it_or_not_at_all(races: int) -> None:
    """Two send, a third closes the phase: the bid is paid exactly if it was answered as taken."""
    result: Counter[bool] = Counter()
    with ThreadPoolExecutor(3) as pool:
        three = Connections(pool, 3, seed=6)
        for number in range(races):
            game = new_game(f"ada{number}", f"ben{number}", ruleset="toy")
            left = {0: timedelta(minutes=1), 5: -LEFT}.get(number % 10, LEFT)
            deadline_comes(game, left)
            before = game.load_position().state.coins(SEAT)
            *answers, _ = three.race(
                *[lambda: bid(game, 3, "race")] * 2,  # noqa: B023
                lambda: moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial),  # noqa: B023
            )
            if left > LEFT:
                deadline_comes(game, timedelta())
            time.sleep(2 * LEFT.total_seconds())  # whatever was in time by now has been, and what was late is a draft
            moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial)
            is_counted = any(isinstance(answer, moves.Receipt) for answer in answers)
            after = fresh(game)
            assert after.phase_serial > game.phase_serial
            assert before - after.load_position().state.coins(SEAT) == 3 * is_counted
            result[after.log.filter(token="race").exists()] += 1
        three.hang_up()
    assert set(result) == {True, False}, result


def bot_of(name: str) -> User:
    """A bot of somebody."""
    declared = accounts.Declared(["toy"], ["demo"], 2, 8, 1)
    return accounts.make_bot(owner=person(name), name="Deep", declared=declared).user


def test_a22_two_games_that_open_at_once_are_counted_one_after_the_other(settings: Any) -> None:
    settings.LIMITS, ada = {"open_tables": 1}, person("ada")
    games = [lobby.create_game(host=ada, name="By invitation", seats=3, is_open=False) for _ in range(2)]
    first, second = (partial(lobby.change_game, game_id=game.pk, user=ada, is_open=True) for game in games)
    assert meanwhile(first, second) == "too_many_open_games"
    assert Game.objects.filter(host=ada, is_open=True).count() == 1


def test_a22_a_bot_that_joins_two_games_at_once_sits_in_as_many_as_it_declares() -> None:
    bot = bot_of("carla")
    games = [lobby.create_game(host=person(host), name="Bots", seats=2, ruleset="toy", pace="demo")
             for host in ("ada", "ben")]  # fmt: skip
    for game in games:
        lobby.change_game(game_id=game.pk, user=game.host, takes_bots=True)
    first, second = (partial(lobby.join_game, game_id=game.pk, user=bot) for game in games)
    assert meanwhile(first, second) == "too_many_games"
    assert Seat.objects.filter(user=bot).count() == 1


def test_whoever_closes_an_account_waits_for_its_games_and_keeps_nobody_waiting_meanwhile() -> None:
    """Who sits down locks the game and then the person: in another order the two would wait for each other."""
    game, ben = new_game("ada", "ben", ruleset="toy"), person("ben")
    close = partial(close_by_two, user_id=ben.pk, moderator=moderator("Lena"), reason="threats in chat")
    assert_waits_for(game, ben, close)
    assert not User.objects.get(pk=ben.pk).is_active
    assert fresh(game).seats.get(number=1).user is None


def test_a36_no_bot_of_a_closed_account_sits_where_it_sat_down_meanwhile() -> None:
    deep, ben = bot_of("ben"), person("ben")
    game = lobby.create_game(host=person("ada"), name="Bots", seats=3, ruleset="toy", pace="demo")
    lobby.change_game(game_id=game.pk, user=game.host, takes_bots=True)
    join = partial(lobby.join_game, game_id=game.pk, user=deep)
    close = partial(close_by_two, user_id=ben.pk, moderator=moderator("Lena"), reason="threats in chat")
    assert meanwhile(join, close) == "done"
    assert not User.objects.get(pk=deep.pk).is_active
    assert not Seat.objects.filter(user=deep).exists()


def test_a36_a_closed_account_makes_no_bot_meanwhile() -> None:
    ben = person("ben")
    close = partial(close_by_two, user_id=ben.pk, moderator=moderator("Lena"), reason="threats in chat")
    assert meanwhile(close, partial(bot_of, "ben")) == "barred"
    assert not User.objects.filter(username="Deep").exists()


def sits_down(what: str, game: Game) -> Callable[[], object]:
    """How ben comes to a seat."""
    lena = moderator("Lena")
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": lena, "reason": "Eve left", "seat_number": 1}
    fields |= {"username": "ben", "seen": seen(game)}
    moderator("Second")
    works: dict[str, Callable[[], object]] = {
        "a lesson": partial(lessons.begin_lesson, user=person("ben"), **LESSON),
        "the seat of another": partial(by_two, Intervention.HAND_SEAT_TO_USER, **fields),
        "a seat for its player": partial(by_two, Intervention.SET_PROXY, days=3, **fields),
    }
    return works[what]


@pytest.mark.parametrize("what", ["a lesson", "the seat of another", "a seat for its player"])
@pytest.mark.parametrize("is_first", [True, False])
def test_a36_no_closed_account_comes_to_a_seat_meanwhile(what: str, is_first: bool) -> None:
    ben, game = person("ben"), new_game("ada", "eve", ruleset="toy")
    sit = sits_down(what, game)
    close = partial(close_by_two, user_id=ben.pk, moderator=moderator("Mia"), reason="threats in chat")
    first, second = (sit, close) if is_first else (close, sit)
    assert meanwhile(first, second) == ("done" if is_first else "no_such_account" if "seat" in what else "barred")
    assert not User.objects.get(pk=ben.pk).is_active
    assert not Seat.objects.filter(user=ben).exists()


def test_whoever_deletes_an_account_waits_for_its_games_before_the_bots_of_it_go() -> None:
    deep = bot_of("ben")
    game = new_game("ada", "ben", ruleset="toy")
    assert_waits_for(game, deep, partial(delete_account, user=person("ben")))
    assert not User.objects.filter(username__in=("ben", "Deep")).exists()
    assert fresh(game).seats.get(number=1).user is None


@pytest.mark.parametrize("what", ["hours", "a vacation", "the end of one", "a lesson"])
def test_whoever_says_when_they_play_waits_for_their_games_too(what: str) -> None:
    ada = person("ada")
    game = new_game("ada", "ben", ruleset="toy") if what != "a lesson" else lessons.begin_lesson(user=ada, **LESSON)
    day = timezone.now().date() + timedelta(days=3)
    play_times.choose_hours(user=ada, hours=range(100))
    vacation = play_times.declare_vacation(user=ada, first=day, last=day)
    later = day + timedelta(days=3)
    works: dict[str, Callable[[], object]] = {
        "hours": partial(play_times.choose_hours, user=ada, hours=range(120)),
        "a vacation": partial(play_times.declare_vacation, user=ada, first=later, last=later),
        "the end of one": partial(play_times.end_vacation, user=ada, number=vacation.pk),
        "a lesson": partial(lessons.begin_lesson, user=ada, **LESSON),
    }
    own_rows = {"hours": PlayTimes.objects.filter(user=ada), "the end of one": Vacation.objects.filter(user=ada)}
    assert_waits_for(game, ada, works[what], own_rows.get(what))


def assert_waits_for(game: Game, somebody: User, work: Callable[[], object], rows: QuerySet[Any] | None = None) -> None:
    """It waits for whoever has the game, and until then leaves the row of this person, and such rows of theirs, to
    others."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            moves.lock(game.pk)
            done = pool.submit(run)
            ends = time.monotonic() + 240
            while not somebody_waits_for_us():
                assert time.monotonic() < ends, "it does not wait for the game"
                time.sleep(0.05)
            User.objects.select_for_update(no_key=True, nowait=True).get(pk=somebody.pk)
            assert rows is None or list(rows.select_for_update(nowait=True))
        done.result(60)
