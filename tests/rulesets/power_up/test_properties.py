"""PU 10: what holds in every game, on random play of any kind."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.engine import referee
from game.engine.actions import Action, Undo
from game.engine.chance import Chance
from game.engine.events import PhaseOpened, read_events
from game.engine.position import AnyPosition
from game.engine.random_bot import random_request
from game.rulesets.power_up import events as told
from game.rulesets.power_up.actions import PlayTile
from game.rulesets.power_up.forecast import NEUTRAL, foresee
from game.rulesets.power_up.options import Options
from game.rulesets.power_up.ruleset import POWER_UP
from game.rulesets.power_up.state import PowerUpState, table_of
from tests.rulesets.games import TABLES, played
from tests.rulesets.power_up.hidden import views_differ
from tests.rulesets.power_up.properties import assert_sound

OURS = [(seats, variant) for key, seats, variant in TABLES if key == "power_up"]
each_table = pytest.mark.parametrize(("seats", "variant"), OURS)
PLAYED = (told.TileIsolated, told.FoundingFailed, told.CompanyFounded, told.CompanyExpanded, told.MergerBegun)
encode = POWER_UP.codec.encode


@each_table
def test_every_position_of_a_game_is_sound(seats: int, variant: int) -> None:
    for step in played("power_up", seats, variant).all():
        assert_sound(step.after.state)


@each_table
def test_every_turn_plays_a_tile_and_no_game_too_many(seats: int, variant: int) -> None:
    """PU 3, P-3: at most 100 less a start tile per player, however often one is taken back."""
    game = played("power_up", seats, variant)
    last = game.last.state
    assert len(last.board) - seats <= 100 - seats
    tiles: Counter[int] = Counter()
    for step in game.steps:
        own = step.before.state
        if step.before.cursor.serial != step.after.cursor.serial:
            played_in = own.tile_played or any(isinstance(event, PLAYED) for event in step.events)
            tiles[own.turn] += played_in
    assert set(tiles) >= set(range(1, last.turn)), "a turn without a tile"
    assert all(tiles[turn] == 1 for turn in range(1, last.turn))


@each_table
def test_turns_go_round_in_order(seats: int, variant: int) -> None:
    game = played("power_up", seats, variant)
    opened = [event.seat for step in game.all() for event in step.events if isinstance(event, PhaseOpened)]
    assert opened.pop() is None  # the final sale
    order = game.last.state.order
    assert opened == [order[turn % seats] for turn in range(len(opened))]


@each_table
def test_a_forecast_is_what_comes_true(seats: int, variant: int) -> None:
    """What the board and the bot are told before a tile is played is what happens."""
    for step in played("power_up", seats, variant).steps:
        (action,) = step.actions
        if isinstance(action, PlayTile) and not step.after.is_over:
            assert_foreseen(step.before.state, step.after.state, action)


def assert_foreseen(before: PowerUpState, after: PowerUpState, action: PlayTile) -> None:
    ahead = foresee(table_of(before), action.tile)
    if not ahead.results:
        assert after.board[action.tile] == NEUTRAL
        return
    result = ahead.result(action.found or action.survivor)
    assert {after.board[tile] for tile in ahead.tiles} == {result.company}
    assert (after.sizes()[result.company], after.price(result.company)) == (result.size, result.price)
    paid = Counter[int]()
    for gone in result.acquisitions:
        assert gone.company not in after.sizes()
        for payout in gone.payouts:
            paid[-1 if payout.seat is None else payout.seat] += payout.total
    for seat in range(before.seats):
        assert after.cash(seat) - before.cash(seat) == paid[seat]


@each_table
def test_nobody_sees_another_hand_or_the_bag(seats: int, variant: int) -> None:
    """PU 7: two positions that differ only there look alike to the last byte, as long as the game goes on."""
    for step in played("power_up", seats, variant).steps[::3]:
        for viewer in (None, *range(seats)):
            assert not views_differ(step.before, viewer)


@each_table
def test_an_event_names_a_tile_only_when_it_is_on_the_board(seats: int, variant: int) -> None:
    """PU 7: of a draw, others learn the number."""
    for step in played("power_up", seats, variant).all():
        if step.is_taken_back:
            continue
        for viewer in (None, *range(seats)):
            state = step.after.state
            others = {tile for seat in range(seats) if seat != viewer for tile in state.hands[seat]} | set(state.bag)
            for event in read_events(step.events, viewer):
                keys = {getattr(event, "tile", ""), *getattr(event, "tiles", ())}
                assert not keys & others or isinstance(event, told.TilesSeen)
                assert not isinstance(event, told.TilesSeen) or event.seat == viewer


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(2, 4), st.booleans(), st.integers(0, 10**6), st.lists(st.integers(0, 999), min_size=5, max_size=60))
def test_any_play_keeps_the_position_sound(seats: int, doe: bool, secret: int, choices: list[int]) -> None:
    """Any offered action with any of its values; what is refused is not offered."""
    chance = Chance(str(secret))
    position = referee.start(POWER_UP, Options(doe=doe), seats, chance).position
    for choice in choices:
        if position.is_over:
            return
        position = any_action(position, choice, chance)
        assert_sound(position.state)


def any_action(position: AnyPosition, choice: int, chance: Chance) -> AnyPosition:
    seat = min(referee.waiting_on(POWER_UP, position))
    offers = [offer for offer in referee.offers(POWER_UP, position, seat) if not offer.refused]
    request = random_request(offers[choice % len(offers)], Chance(str(choice)))
    return referee.apply(POWER_UP, position, POWER_UP.parse(request, seat), chance).position


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(2, 4), st.booleans(), st.integers(0, 10**6), st.integers(0, 80), st.integers(1, 4))
def test_what_is_taken_back_never_was(seats: int, doe: bool, secret: int, before: int, most: int) -> None:
    """P-18: after every action taken back, state and views are those of the moment before it, but for the step."""
    chance = Chance(str(secret))
    position = referee.start(POWER_UP, Options(doe=doe), seats, chance).position
    for choice in range(before):
        if not position.is_over:
            position = any_action(position, secret + choice * 7, chance)
    past = [position]
    for choice in range(most):
        if past[-1].is_over:
            break
        after = any_action(past[-1], secret + choice, chance)
        past = [*past, after] if after.earlier else [after]
    while len(past) > 1:
        now = past.pop()
        seat = now.earlier[-1].seat
        back = referee.apply(POWER_UP, now, Undo(actor=seat), chance).position
        assert encode(back.state) == encode(past[-1].state)
        assert back.cursor.step == now.cursor.step + 1
        for viewer in (None, *range(seats)):
            assert shown(back, viewer) == shown(past[-1], viewer)
        past[-1] = back


def shown(position: AnyPosition, viewer: int | None) -> dict[str, Any]:
    """A view without the number of the step."""
    view = POWER_UP.view(position, viewer)
    return {name: getattr(view, name) for name in view.__struct_fields__ if name != "phase"}


def test_the_list_of_actions_is_the_reference_s() -> None:
    """PU 3."""
    tags = {tag for tag, kind in POWER_UP.actions.items() if issubclass(kind, Action) and kind.is_public}
    assert tags == {"draw", "play_tile", "buy", "end_turn"}
