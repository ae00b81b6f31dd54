"""What holds in every game of Stock Market Tycoon, on random play of any kind."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.engine import names, referee
from game.engine.actions import Ready, Refused
from game.engine.chance import Chance
from game.engine.events import PhaseOpened, read_events
from game.engine.offers import Range
from game.engine.position import AnyPosition
from game.engine.random_bot import random_request
from game.rulesets.stock_market_tycoon import events as told
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON as RULES
from tests.rulesets.games import TABLES, played
from tests.rulesets.stock_market_tycoon.hidden import views_differ
from tests.rulesets.stock_market_tycoon.properties import assert_sound

OURS = [(seats, variant) for key, seats, variant in TABLES if key == "stock_market_tycoon"]
each_table = pytest.mark.parametrize(("seats", "variant"), OURS)


@each_table
def test_every_position_of_a_game_is_sound(seats: int, variant: int) -> None:
    for step in played("stock_market_tycoon", seats, variant).all():
        assert_sound(step.after.state)


@each_table
def test_every_player_has_three_turns_a_year(seats: int, variant: int) -> None:
    """ST 3: unless bankrupt."""
    game = played("stock_market_tycoon", seats, variant)
    turns: Counter[tuple[int, int | None]] = Counter()
    for event in (event for step in game.all() for event in step.events):
        if isinstance(event, PhaseOpened) and event.phase == "trade":
            turns[event.turn, event.seat] += 1
    if game.options.trade_mode == "batch":  # the turns of those without a list name nobody
        return
    bankrupts = game.last.state.bankrupts
    for year in range(1, game.last.state.turn + 1):
        assert (
            all(turns[year, seat] == 3 for seat in range(seats) if seat not in bankrupts)
            or game.last.state.end != "years"
        )


@each_table
def test_each_reason_of_money_goes_one_way(seats: int, variant: int) -> None:
    """T-26."""
    ways: dict[str, set[tuple[str, str]]] = {}
    for step in played("stock_market_tycoon", seats, variant).all():
        for transfer in step.transfers:
            ways.setdefault(transfer.why, set()).add((_kind(transfer.payer), _kind(transfer.payee)))
    assert {why: way for why, way in ways.items() if len(way) > 1} == {}
    assert set(ways) <= {
        *RULES.money.sources,
        *RULES.money.sinks,
        *RULES.money.bank_pays,
        *RULES.money.bank_gets,
        "buyback",
        "buyback returned",
        "tender",
    }


def _kind(account: str) -> str:
    return account.split(":", maxsplit=1)[0]


@each_table
def test_nobody_sees_another_hand_or_a_withheld_card(seats: int, variant: int) -> None:
    """ST 7: two positions that differ only there look alike to the last byte."""
    for step in played("stock_market_tycoon", seats, variant).steps[::3]:
        for viewer in (None, *range(0, seats, 2)):
            assert not views_differ(step.before, viewer)


@each_table
def test_a_hand_is_told_to_its_owner_alone(seats: int, variant: int) -> None:
    """ST 7, T-27: special cards that are not played, withheld cards and refusals are told to nobody."""
    for step in played("stock_market_tycoon", seats, variant).all():
        for viewer in (None, *range(seats)):
            for event in read_events(step.events, viewer):
                assert not isinstance(event, told.HandSeen) or event.seat == viewer
                if isinstance(event, told.CardsRevealed):
                    assert all("+" in card or "-" in card for card in event.cards)
                    assert not any(card.startswith("currency") for card in event.cards)


@each_table
def test_the_log_tells_no_effect_of_nothing(seats: int, variant: int) -> None:
    """T-27."""
    for event in (event for step in played("stock_market_tycoon", seats, variant).all() for event in step.events):
        match event:
            case told.PriceMoved() | told.ShareSuspended():
                assert event.was != event.price
            case told.CurrencyMoved() | told.DividendPaid() | told.OptionsPaid():
                assert event.amount
            case told.ShortsSettled():
                assert event.gain
            case told.SharesTendered() | told.SharesSold() | told.SharesBought() | told.RightsTaken():
                assert event.shares > 0


@each_table
def test_an_offer_ends_where_the_rules_do(seats: int, variant: int) -> None:
    """The most that a form lets ask is allowed, and a step more is refused; a buyback's two numbers bind each other.
    What lasts for the whole game names a limit of its own, beyond what is there today."""
    for step in played("stock_market_tycoon", seats, variant).steps[::3]:
        for seat in referee.waiting_on(RULES, step.before):
            for offer in referee.offers(RULES, step.before, seat):
                ranges = [field for field in offer.fields if isinstance(field, Range)]
                if offer.refused or len(ranges) != 1 or RULES.actions[offer.kind].is_lasting:
                    continue
                most, low = ranges[0], random_request(offer, Chance("offer"))
                names.check(RULES.parse(low | {most.name: most.high}, seat), step.before.state)
                with pytest.raises(Refused):
                    names.check(RULES.parse(low | {most.name: most.high + most.step}, seat), step.before.state)
                if most.low > 1:
                    with pytest.raises(Refused):
                        names.check(RULES.parse(low | {most.name: most.low - most.step}, seat), step.before.state)


MODES = st.sampled_from(["trader", "investor", "strategist"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    MODES,
    st.integers(2, 4),
    st.booleans(),
    st.integers(0, 10**6),
    st.lists(st.integers(0, 999), min_size=20, max_size=80),
)
def test_any_play_keeps_the_position_sound(mode: str, seats: int, free: bool, secret: int, choices: list[int]) -> None:
    """Any offered action with any of its values, by the rich who win offices and the poor who fall into debt."""
    cash = (30_000, 600_000, 6_000_000)[secret % 3]
    chosen = {"mode": mode, "years": 3, "rights_follow_free": free, "director_keeps_card": free, "starting_cash": cash}
    options = RULES.parse_options(chosen)
    chance = Chance(str(secret))
    position = referee.start(RULES, options, seats, chance).position
    for choice in choices:
        if position.is_over:
            return
        position = any_action(position, choice, chance)
        assert_sound(position.state)


def any_action(position: AnyPosition, choice: int, chance: Chance) -> AnyPosition:
    """One request of a seat that is waited for, half of the trades as large as they can be; then it is ready."""
    seat = min(referee.waiting_on(RULES, position))
    offers = [offer for offer in referee.offers(RULES, position, seat) if not offer.refused]
    request = random_request(offers[choice % len(offers)], Chance(str(choice)))
    if request["kind"] in ("buy", "sell_short", "buy_option") and choice % 2:
        request["shares"] = offers[choice % len(offers)].fields[-1].high  # type: ignore[union-attr]
    try:
        position = referee.apply(RULES, position, RULES.parse(request, seat), chance).position
    except Refused:
        if request["kind"] != "announce_buyback":  # its numbers are possible one by one only
            raise
        return referee.close(RULES, position, chance).position
    phase = referee.phase_of(RULES, position)
    if phase is not None and Ready in phase.takes and seat in referee.waiting_on(RULES, position):
        position = referee.apply(RULES, position, Ready(actor=seat), chance).position
    return position
