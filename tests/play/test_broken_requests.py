"""Where the rules break on what somebody asks, that one is answered, the staff learn of it, and the game goes on: only
a closing that breaks holds a game."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from game.boards.decision import Question
from game.boards.registry import BOARDS, board_of
from game.boards.sectors.decisions.bid import Bid
from game.boards.shapes import Ticket
from game.bots import playing
from game.play import failures
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.actions import BidInfluence
from game.rulesets.sectors.state import SectorsState
from game.store.case_models import Case
from game.store.game import Game, Status
from game.store.log import Draft
from tests.api.clients import Program
from tests.pages.panels import Controls
from tests.tables import clock_runs_out, everything, fresh, new_game, person, send

pytestmark = pytest.mark.django_db(transaction=True)
UNLUCKY = 13
BID = {"kind": "bid_influence", "points": UNLUCKY}
OFTEN = failures.ATTEMPTS + 1


class Patient(Program):
    """A program that takes our mistakes as they come."""

    def _checked(self, response: Any) -> Any:
        return response


class Breaking(BidInfluence, frozen=True, kw_only=True, tag="bid_influence"):
    """A bid whose check has a fault."""

    def check(self, state: SectorsState) -> None:
        super().check(state)
        state.companies[f"no company for {1 // (self.points - UNLUCKY)}"] if self.points == UNLUCKY else None


@pytest.fixture(autouse=True)
def faulty(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    settings.LIMITED = False
    known = {**RULESETS["sectors"].actions, "bid_influence": Breaking}
    rules = dataclasses.replace(RULESETS["sectors"], actions=known)
    monkeypatch.setitem(RULESETS, "sectors", rules)
    monkeypatch.setitem(BOARDS, "sectors", dataclasses.replace(BOARDS["sectors"], rules=rules))
    board_of.cache_clear()
    yield
    board_of.cache_clear()


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


def is_reported_once(game: Game) -> bool:
    """The staff have one case, which says nothing of what is sealed; the game has not heard of it."""
    now, cases = fresh(game), Case.objects.filter(game=game)
    assert (now.status, now.attempts) == (Status.RUNNING, 0)
    assert [(case.source, case.evidence["error"]) for case in cases] == [("broken", "ZeroDivisionError")]
    return True


def post(game: Game, address: str, **values: str) -> Callable[[bool], Any]:
    """A form of the page, by htmx or without."""

    def send_form(is_htmx: bool) -> Any:
        client = Client()
        client.force_login(person("ada"))
        sent = Controls(client.get(f"/games/{game.pk}/").content.decode()).sent
        more = {"HTTP_HX_REQUEST": "true"} if is_htmx else {}
        return client.post(f"/games/{game.pk}/{address}/", {**sent, **values}, **more)

    return send_form


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("address", ["actions", "drafts"])
def test_a_form_on_which_the_rules_break_is_refused_as_often_as_it_is_sent(game: Game, address: str) -> None:
    before = everything(game)
    ask = post(game, address, do="submit", points=str(UNLUCKY), touched="1")
    for number in range(OFTEN):
        answer = ask(number % 2 == 0)
        assert answer.status_code == 422
        assert "so nothing was submitted. The moderators know." in answer.content.decode()
    assert everything(game) == before
    assert not Draft.objects.exists()
    assert is_reported_once(game)


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_program_on_whose_move_the_rules_break_learns_that_it_is_our_mistake(
    game: Game, dry_run: bool, logged: list[Any]
) -> None:
    program, before = Patient("ada"), everything(game)
    for _ in range(OFTEN):
        answer = program.move(game.pk, BID, dry_run=dry_run)
        assert answer.status_code == 500
        assert answer.json()["type"].endswith("/problems/error")
        assert [each["code"] for each in answer.json()["errors"]] == ["rules_failed"]
    assert [line["game"] for line in logged if line["event"] == "request_failed"] == [game.pk] * OFTEN
    assert everything(game) == before
    assert is_reported_once(game)


def test_a_submission_that_does_not_end_counts_nothing_either(game: Game, settings: Any, monkeypatch: Any) -> None:
    settings.RULES_SECONDS = 0.2

    def for_ever(*_: Any) -> Any:
        while True:
            pass

    monkeypatch.setattr(Breaking, "check", for_ever)
    answer = Patient("ada").move(game.pk, BID)
    assert answer.status_code == 500
    assert (fresh(game).attempts, Case.objects.get().evidence["error"]) == (0, "OverBudget")


def test_a_draft_on_which_the_rules_break_is_passed_over_at_the_deadline(game: Game) -> None:
    Draft.objects.create(seat=game.seats.get(number=0), serial=game.phase_serial, content=[BID])
    later = clock_runs_out(game)
    assert later.phase_serial > game.phase_serial
    assert is_reported_once(game)


def test_a_submission_after_the_deadline_on_which_the_rules_break_is_refused_all_the_same(game: Game) -> None:
    Game.objects.update(deadline_at=Now())
    assert Patient("ada").move(game.pk, BID).status_code == 500
    assert not Draft.objects.exists()
    assert is_reported_once(game)


def test_a_bot_on_whose_request_the_rules_break_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("ada", bots=1)
    rules = RULESETS["sectors"]
    asking = dict.fromkeys(rules.bots, lambda *_: [BID])
    monkeypatch.setitem(RULESETS, "sectors", dataclasses.replace(rules, bots=asking))
    assert playing.play_bots(game_id=game.pk)
    assert fresh(game).seat_states == ["untouched", "ready"]
    assert is_reported_once(game)


def test_a_preview_that_breaks_leaves_the_form_out_and_says_so(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = Bid.ticket

    def breaks(decision: Bid, question: Question) -> Ticket:
        if question.filled.get("points") == "14":
            raise ZeroDivisionError
        return ticket(decision, question)

    monkeypatch.setattr(Bid, "ticket", breaks)
    answer = post(game, "drafts", points="14", touched="1")(True)
    assert answer.status_code == 200
    assert "The moderators know." in answer.content.decode()
    assert is_reported_once(game)


def test_a_closing_that_breaks_goes_on_counting(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the last word came from a seat."""
    monkeypatch.setattr("game.engine.referee.close", lambda *_: 1 // 0)
    send(game, 0, {"kind": "ready"})
    answer = Patient("bob").move(game.pk, {"kind": "ready"})
    assert answer.status_code == 409
    assert fresh(game).attempts == 1
    assert not Case.objects.exists()
