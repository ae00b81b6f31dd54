"""The first turns of a newcomer's first game of Sectors: who keeps what the forms propose has something to decide in
every turn, is paid and gains."""

from collections import Counter
from typing import Any

import pytest

from game.boards.decision import Filled, Question
from game.boards.registry import board_of
from game.engine import referee
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from game.engine.ruleset import Bot
from game.engine.selfplay import step
from game.lobby.guests import FIRST_SEATS
from game.rulesets.sectors.events.operations import DividendPaid
from game.rulesets.sectors.ruleset import SECTORS as RULES
from game.store.game import Pace
from tests.pages.panels import places_at

BOARD = board_of("sectors")
OPTIONS = RULES.parse_options({**BOARD.options.at_pace(Pace.DEMO), **BOARD.options.first_options})
TURNS = 3
LEAST_PART = 0.8  # of the games


class Newcomer:
    """Keeps the company and the shares that a ticket proposes, pays all revenue out, and votes for the cheapest action
    that brings demand closest to supply; counts its choices by turn."""

    def __init__(self, position: AnyPosition) -> None:
        self.position = position
        self.choices = Counter[int]()

    def __call__(self, view: Any, offered: Any, chance: Chance) -> list[dict[str, Any]]:
        offers = [o for o in referee.offers(RULES, self.position, 0, explained=True) if not o.refused]
        match view.phase.name:
            case "influence_bid" | "stock_orders":
                return self._keep_proposal(view, offers)
            case "revenue_vote":
                self.choices[view.turn] += 1
                votes = [offer.fixed["company"] for offer in offers if offer.kind == "vote_revenue"]
                return [{"kind": "vote_revenue", "company": company, "choice": "full"} for company in votes]
            case "company_vote":
                return self._vote(view, offers)
        return []

    def _keep_proposal(self, view: Any, offers: list[Any]) -> list[dict[str, Any]]:
        decision, seats = BOARD.decision_of(view), places_at([f"Player {seat}" for seat in range(FIRST_SEATS)], 0)
        requests = decision.read(decision.with_defaults(Question(view, offers, seats, Filled())), offers)
        order = requests[0]
        if order["kind"] == "market_order":
            company = view.company(order["company"])
            price = company.ipo_price if order["location"] == "ipo" else company.price
            owned = company.holdings.get(0, 0) + order["quantity"]
            if price * order["quantity"] > view.player(0).cash or owned > company.cap:
                return []
            self.choices[view.turn] += 1
        return requests

    def _vote(self, view: Any, offers: list[Any]) -> list[dict[str, Any]]:
        lines = [line for o in offers if o.fixed.get("company") == view.acting for line in o.details if line.next]
        lines = [line for line in lines if not line.refused]
        if not lines:
            return []
        self.choices[view.turn] += len(lines) > 1
        best = min(lines, key=lambda line: (line.next.throughput, line.cost))
        return [{"kind": "vote_actions", "company": view.acting, "actions": [best.key]}]


def begins_well(secret: str) -> bool:
    """True if the newcomer has gained and was paid by the end of turn 2, and had a choice in each turn."""
    chance, worths, paid = Chance(secret), dict[int, int](), Counter[int]()
    position = referee.start(RULES, OPTIONS, FIRST_SEATS, chance).position
    newcomer = Newcomer(position)
    bots: list[Bot] = [newcomer, *[RULES.bots["house"]] * (FIRST_SEATS - 1)]
    while position.state.turn <= TURNS:
        turn, newcomer.position = position.state.turn, position
        outcome = step(RULES, position, bots, chance)[1]
        paid[turn] += sum(
            event.amount for event in outcome.events if isinstance(event, DividendPaid) and not event.seat
        )
        position = outcome.position
        worths.setdefault(position.state.turn, RULES.view(position, 0).player(0).score)
    return (
        worths[3] > worths[1] and paid[1] + paid[2] > 0 and all(newcomer.choices[turn] for turn in range(1, TURNS + 1))
    )


@pytest.mark.parametrize("games", [10, pytest.param(120, marks=pytest.mark.trial)])
def test_who_keeps_what_is_proposed_begins_well(games: int) -> None:
    """97 of 100 do. In turn 1 nobody can gain: a new company has no demand. (S 1.1, S 6.3)"""
    good = sum(begins_well(f"first/{number}") for number in range(games))
    assert good >= LEAST_PART * games
