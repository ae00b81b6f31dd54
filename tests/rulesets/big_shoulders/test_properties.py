"""What holds in every game of City of the Big Shoulders, on random play of any kind."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.engine import referee
from game.engine.actions import Ready, Refused
from game.engine.chance import Chance
from game.engine.events import read_events
from game.engine.position import AnyPosition
from game.engine.random_bot import random_request
from game.rulesets.big_shoulders import events as told
from game.rulesets.big_shoulders.company_events import OperationBegun
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS as RULES
from tests.rulesets.big_shoulders.properties import assert_sound
from tests.rulesets.games import TABLES, played

OURS = [(seats, variant) for key, seats, variant in TABLES if key == "big_shoulders"]
each_table = pytest.mark.parametrize(("seats", "variant"), OURS)


@each_table
def test_every_position_of_a_game_is_sound(seats: int, variant: int) -> None:
    """70 cubes, ten shares a company, workers, a market of 0 to 12, and no debts."""
    for step in played("big_shoulders", seats, variant).all():
        assert_sound(step.after.state)


@each_table
def test_each_reason_of_money_goes_one_way(seats: int, variant: int) -> None:
    ways: dict[str, set[tuple[str, str]]] = {}
    for step in played("big_shoulders", seats, variant).all():
        for transfer in step.transfers:
            ways.setdefault(transfer.why, set()).add((_kind(transfer.payer), _kind(transfer.payee)))
    assert {why: way for why, way in ways.items() if len(way) > 1} == {}
    inside = {"start": {("cash", "treasury")}, "purchase": {("cash", "treasury")}, "fee": {("treasury", "cash")}}
    listed = {*RULES.money.sources, *RULES.money.bank_pays, *RULES.money.bank_gets}
    assert {why: way for why, way in ways.items() if why not in listed}.items() <= inside.items()


def _kind(account: str) -> str:
    return account.split(":", maxsplit=1)[0]


@each_table
def test_a_hand_is_told_to_its_owner_alone(seats: int, variant: int) -> None:
    """BS 10."""
    for step in played("big_shoulders", seats, variant).all():
        for viewer in (None, *range(seats)):
            for event in read_events(step.events, viewer):
                assert not isinstance(event, told.HandSeen) or event.seat == viewer


@each_table
def test_every_started_company_operates_once_a_decade(seats: int, variant: int) -> None:
    """B-47, B-49: in the order of the track at the beginning of the phase."""
    game = played("big_shoulders", seats, variant)
    operated: dict[int, list[str]] = {}
    for step in game.all():
        for event in step.events:
            if isinstance(event, OperationBegun):
                operated.setdefault(step.after.state.turn if step.after.is_over else step.before.state.turn, []).append(
                    event.company
                )
    assert set(operated) == {1, 2, 3, 4, 5}
    for companies in operated.values():
        assert len(companies) == len(set(companies))
    assert sorted(operated[5]) == sorted(game.last.state.companies)


@each_table
def test_nobody_loses_by_buying_and_nobody_gains_by_selling(seats: int, variant: int) -> None:
    """BS 4: a purchase is neutral, a sale never raises the seller's wealth; with the basic rules."""
    game = played("big_shoulders", seats, variant)
    for step in game.steps:
        kinds = [event for event in step.events if isinstance(event, told.CertificateBought | told.CertificatesSold)]
        phase = referee.phase_of(RULES, step.before)
        if game.options.advanced or len(kinds) != 1 or phase is None or phase.name != "stock" or step.is_taken_back:
            continue
        if any(isinstance(event, told.FullyOwned) for event in step.events):
            continue
        (event,) = kinds
        before, after = step.before.state.worth(event.seat), step.after.state.worth(event.seat)
        assert before == after if isinstance(event, told.CertificateBought) else before >= after


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(2, 4),
    st.booleans(),
    st.booleans(),
    st.integers(0, 10**6),
    st.lists(st.integers(0, 999), min_size=40, max_size=160),
)
def test_any_play_keeps_the_position_sound(
    seats: int, advanced: bool, passive: bool, secret: int, choices: list[int]
) -> None:
    """Any offered action with any of its values."""
    options = RULES.parse_options({"advanced": advanced, "price_protection_passive": passive})
    chance = Chance(str(secret))
    position = referee.start(RULES, options, seats, chance).position
    for choice in choices:
        if position.is_over:
            return
        position = any_action(position, choice, chance)
        assert_sound(position.state)


def any_action(position: AnyPosition, choice: int, chance: Chance) -> AnyPosition:
    """One request of a seat that is waited for; what numbers together cannot pay is played for it."""
    seat = min(referee.waiting_on(RULES, position))
    offers = [offer for offer in referee.offers(RULES, position, seat) if not offer.refused]
    request = random_request(offers[choice % len(offers)], Chance(str(choice)))
    try:
        position = referee.apply(RULES, position, RULES.parse(request, seat), chance).position
    except Refused:
        assert request["kind"] in ("buy_cubes", "place", "stock_order")
        return referee.close(RULES, position, chance).position
    phase = referee.phase_of(RULES, position)
    if phase is not None and Ready in phase.takes and seat in referee.waiting_on(RULES, position):
        position = referee.apply(RULES, position, Ready(actor=seat), chance).position
    return position
