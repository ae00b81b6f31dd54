"""The board's rows: rebuilt they are what is stored, after every step, and they hold nothing that is sealed."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from game.boards.sheets import ContractRow, HoldingRow, Point, Rows
from game.bots import playing as bots
from game.play import moves
from game.store import board_rows, replay
from game.store.board_rows import Company, Contract, Holding, Order, history_of
from game.store.game import Game
from game.store.log import LoggedAction
from game.store.log_notes import Sentence
from tests.tables import (
    READY,
    at_phase,
    clock_runs_out,
    everybody_ready,
    fresh,
    new_game,
    send,
    steps_to_the_end,
    stored_rows,
)

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def assert_rebuilt_equals_stored(game: Any) -> None:
    now = fresh(game)
    stored, course = stored_rows(now), now.course
    replay.rebuild_projections(game_id=game.pk)
    assert stored_rows(now) == stored
    assert fresh(game).course == course


@pytest.mark.parametrize(("people", "bots"), [(1, 1), (1, 4), (2, 6)])
def test_rebuilt_equals_stored_after_every_step(settings: Any, people: int, bots: int) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game = new_game(*("ada", "bob")[:people], bots=bots, max_turns=3)
    assert_rebuilt_equals_stored(game)
    for _ in steps_to_the_end(game):
        assert_rebuilt_equals_stored(game)
    assert fresh(game).turn == 3


def test_rebuilt_equals_stored_after_a_rewind() -> None:
    game = at_phase(new_game("ada", bots=3), "revenue_vote")
    entry = LoggedAction.objects.filter(game=game, opened_serial__isnull=False).order_by("number")[1]
    moves.rewind(game_id=game.pk, number=entry.number, user_id=None, note=Sentence.COPY_GOES_BACK())
    assert_rebuilt_equals_stored(game)
    at_phase(fresh(game), "revenue_vote")
    assert_rebuilt_equals_stored(game)


def test_the_rows_say_what_the_view_says() -> None:
    game = at_phase(new_game("ada", bots=4), "revenue_vote")
    view = game.rules.view(game.load_position(), None)
    assert {row.key: (row.price, row.treasury) for row in Company.objects.filter(game=game)} == {
        company.ticker: (company.price, company.treasury) for company in view.companies
    }
    held = Holding.objects.filter(game=game, shares__gt=0)
    assert {(row.company, row.seat): row.shares for row in held} == {
        (company.ticker, seat): shares for company in view.companies for seat, shares in company.holdings.items()
    }


def test_a_sealed_order_is_in_no_row() -> None:
    game = at_phase(new_game("ada", "bob"), "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    before = stored_rows(game)
    send(game, 0, {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2}, READY)
    assert stored_rows(game) == before
    send(game, 1, READY)
    queryset = Order.objects.get(game=game)
    assert (queryset.seat, queryset.kind, queryset.quantity) == (0, "market", 2)


def test_the_course_of_prices_has_a_point_for_the_start_and_each_turn(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game("ada", bots=3, max_turns=2)
    for _ in steps_to_the_end(game):
        pass
    course = fresh(game).course
    assert [point["turn"] for point in course] == [0, 1, 2]
    assert all(len(point["worth"]) == 4 for point in course)


def test_a_finished_game_has_its_standings_on_the_seats(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (1,)}
    game = new_game("ada", bots=2, max_turns=1)
    for _ in steps_to_the_end(game):
        pass
    done = fresh(game)
    assert done.finished_at is not None
    assert done.deadline_at is None
    assert {seat.number: seat.score for seat in done.seats.all()} == {
        row.seat: row.score for row in done.rules.standings(done.load_position().state)
    }
    assert everybody_ready(done).version == done.version


def test_a_game_without_a_board_has_its_course_and_no_rows() -> None:
    game = new_game("ada", bots=2, ruleset="toy")
    assert [point["turn"] for point in game.course] == [0]
    while (now := fresh(game)).status != "finished":
        now = fresh(game) if bots.play_bots(game_id=game.pk) else clock_runs_out(game)
        assert_rebuilt_equals_stored(now)
        assert now.course[-1]["worth"] == [player.score for player in now.rules.view(now.load_position(), None).players]
    assert [(point["turn"], point["prices"]) for point in fresh(game).course] == [(0, {}), (1, {}), (2, {})]
    assert [label for label in history_of(fresh(game)).labels if label] == ["Start", "1", "2"]
    assert not any(stored_rows(game).values())
    assert {row.number: row.score for row in game.seats.all()} == dict(enumerate(fresh(game).course[-1]["worth"]))


def test_the_command_rebuilds_games_of_every_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    games = [new_game("ada", bots=2), new_game("bob", bots=1, ruleset="toy")]
    stored = [(stored_rows(game), fresh(game).course) for game in games]
    Company.objects.all().delete()
    Game.objects.update(course=[])
    call_command("rebuild_projections")
    assert capsys.readouterr().out.split("\n")[:2] == [f"game {game.pk}: rebuilt" for game in games]
    assert [(stored_rows(game), fresh(game).course) for game in games] == stored
    with pytest.raises(CommandError, match="There is no game 99 that has started"):
        call_command("rebuild_projections", "99")


def test_a_hand_that_a_board_lists_no_more_is_empty_and_a_contract_is_gone() -> None:
    game = new_game("ada", bots=1)
    before = Rows(
        holdings=(HoldingRow("ACME", 0, 3), HoldingRow("ACME", 1, 2)), contracts=(ContractRow(7, "ACME", 2, owner=1),)
    )
    after = Rows(holdings=(HoldingRow("ACME", 1, 2),))
    for rows in (before, after):
        seen = board_rows.PublicPosition(board_rows.tables_of(rows), Point({}, (0, 0)), 1)
        board_rows.project(
            game, game.load_position(), game.load_position(), bytes(game.state), see=lambda _, seen=seen: seen
        )
    held = Holding.objects.filter(game=game, company="ACME").order_by("seat")
    assert list(held.values_list("seat", "shares")) == [(0, 0), (1, 2)]
    assert Contract.objects.filter(game=game).values_list("number", "owner", "is_gone").get() == (7, 1, True)
