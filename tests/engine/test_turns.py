"""Games in which seats act one after another: steps, passing the turn, undo, standing inputs and absence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from game.engine import leaving, referee
from game.engine.actions import Action, Pass, Ready, Refused, Undo
from game.engine.ahead import TODAY
from game.engine.chance import Chance, ScriptedChance
from game.engine.events import (
    ActionTakenBack,
    DecisionMissed,
    InputAheadDoubted,
    PhaseOpened,
    StandingInputDropped,
)
from game.engine.flow import Flow, Mode, Phase
from game.engine.ledger import BANK, cash_of
from game.engine.offers import Offer
from game.engine.play import Outcome, Play
from game.engine.position import AnyPosition
from game.engine.progress import seat_states
from game.engine.requests import request_of
from game.engine.ruleset import Ruleset
from game.engine.selfplay import play_out
from game.engine.stored import Stored, restore
from game.engine.view import rail_at
from tests.engine.toy import TOY as OLD_TOY
from tests.engine.toy import Give
from tests.engine.toy import begin as begin_old
from tests.toy.actions import Bid, Draw, Exchange, Place, Plan, Stop
from tests.toy.events import CardExchanged, VotedOut, WentBroke
from tests.toy.flow import BIDDING, END, EXCHANGE, TAKE_TURN, TURNS
from tests.toy.ruleset import TOY
from tests.toy.state import Options, ToyState

CHANCE = ScriptedChance("toy", {"hand": [[20, 3, 7, *range(1, 3), *range(4, 7), *range(8, 20)]]})


def at_turns(edition: int = 1) -> AnyPosition:
    """Two seats; seat 0 holds 20, 3 and 7 and is first."""
    chance = ScriptedChance("toy", {"hand": [[20, 3, 7, *range(1, 3), *range(4, 7), *range(8, 20)]]})
    position = referee.start(TOY, Options(edition=edition), 2, chance).position
    return asks(position, Bid(actor=0, coins=2), Ready(actor=0), Ready(actor=1)).position


def asks(position: AnyPosition, *actions: Action) -> Outcome[object]:
    return referee.apply_all(TOY, position, actions, Chance("toy"))


def test_each_action_of_a_turn_draws_anew() -> None:
    """Chance is keyed by the step: two draws in one phase used to be the same."""
    position = at_turns()
    whole = asks(position, Draw(actor=0), Draw(actor=0)).position.state.hands[0]
    assert len(set(whole)) == 5
    again = asks(asks(position, Draw(actor=0)).position, Draw(actor=0)).position.state.hands[0]
    assert whole == again


def test_a_turn_is_a_phase_that_says_whose_it_is_and_counts_its_steps() -> None:
    position = at_turns()
    assert position.cursor.step == 0
    out = asks(position, Place(actor=0, card=3, cell="A1"))
    assert (out.position.cursor.serial, out.position.cursor.step) == (position.cursor.serial, 1)
    out = asks(out.position, Place(actor=0, card=7, cell="A2"))
    assert out.position.cursor.serial == position.cursor.serial + 1
    assert out.position.cursor.step == 0
    assert [event.seat for event in out.events if isinstance(event, PhaseOpened)] == [1]


def test_the_turn_passes_with_its_last_action_and_nothing_comes_after_it() -> None:
    """Eligibility is asked after every action: an action after the end of a turn used to be accepted."""
    position = at_turns()
    with pytest.raises(Refused, match=r"It is not your turn in phase 2, Turn\. \(Rule T phase 2\)"):
        asks(position, Stop(actor=0), Draw(actor=0))
    assert referee.waiting_on(TOY, position) == {0}
    assert referee.waiting_on(TOY, asks(position, Stop(actor=0)).position) == {1}


@pytest.mark.parametrize("action", [Ready(actor=0), Pass(actor=0)])
def test_a_turn_ends_by_an_action_of_the_game_and_not_by_ready_or_pass(action: Action) -> None:
    with pytest.raises(Refused, match="is not possible in phase 2"):
        asks(at_turns(), action)


def test_an_open_phase_takes_ready_and_no_pass() -> None:
    """A pass in the open used to do nothing, silently."""
    position = begin_old().position
    while not isinstance(position.cursor.row, int) or referee.phase_of(OLD_TOY, position).name != "gifts":
        position = referee.close(OLD_TOY, position, CHANCE).position
    with pytest.raises(Refused, match="Pass is not possible in phase 5, Gifts"):
        referee.apply(OLD_TOY, position, Pass(actor=0), CHANCE)
    given = referee.apply_all(OLD_TOY, position, [Give(actor=0, amount=10), Ready(actor=0)], CHANCE).position
    assert referee.waiting_on(OLD_TOY, given) == {1}


def test_who_is_not_asked_cannot_act() -> None:
    with pytest.raises(Refused, match="It is not your turn"):
        asks(at_turns(), Draw(actor=1))


def test_an_action_is_taken_back_one_by_one_and_the_step_goes_on_growing() -> None:
    position = at_turns()
    placed = asks(position, Place(actor=0, card=3, cell="A1")).position
    out = asks(placed, Undo(actor=0))
    assert out.position.state == position.state
    assert out.position.cursor.step == 2
    assert [event.step for event in out.events if isinstance(event, ActionTakenBack)] == [0]
    with pytest.raises(Refused, match="nothing to take back"):
        asks(out.position, Undo(actor=0))


def test_all_actions_of_a_turn_are_taken_back_at_once() -> None:
    """With their money; what was done before a draw stays."""
    position = at_turns()
    position.state.actions_left = 4
    placed = asks(position, Place(actor=0, card=20, cell="B2", wager=2)).position
    assert not TOY.view(placed, 0).can_undo_all
    now = asks(placed, Place(actor=0, card=3, cell="A1")).position
    assert TOY.view(now, 0).can_undo_all
    assert not TOY.view(now, 1).can_undo_all
    out = asks(now, Undo(actor=0, all=True))
    assert out.position.state == position.state
    assert [(one.payer, one.amount) for one in out.transfers] == [(cash_of(0), -2), (BANK, -4)]
    assert [event.step for event in out.events if isinstance(event, ActionTakenBack)] == [1, 0]
    assert out.position.cursor.step == 3
    drawn = asks(placed, Draw(actor=0)).position
    later = asks(drawn, Place(actor=0, card=3, cell="A1")).position
    assert asks(later, Undo(actor=0, all=True)).position.state == drawn.state
    with pytest.raises(Refused, match="nothing to take back"):
        asks(out.position, Undo(actor=0, all=True))


def test_nothing_before_a_draw_can_be_taken_back() -> None:
    drawn = asks(at_turns(), Draw(actor=0)).position
    with pytest.raises(Refused, match=r"Rule T 3"):
        asks(drawn, Undo(actor=0))


def test_a_placement_is_foreseen_and_a_draw_is_not() -> None:
    position = at_turns()
    foreseen = referee.foresee(TOY, position, Place(actor=0, card=20, cell="B2", wager=2))
    assert foreseen is not None
    assert (foreseen.state.board, position.state.board) == ({"B2": (0, 20)}, {})
    assert foreseen.state.coins(0) - position.state.coins(0) == 2
    assert referee.foresee(TOY, position, Draw(actor=0)) is None
    assert referee.foresee(TOY, position, Place(actor=1, card=later_card(position), cell="A1")) is None
    with pytest.raises(Refused, match="You do not hold the 5"):
        referee.foresee(TOY, position, Place(actor=0, card=5, cell="A1"))


def test_what_an_action_refuses_while_it_is_carried_out_is_refused_when_it_is_checked() -> None:
    """A composite action checks its parts one after another."""
    position = at_turns(2)
    whole = [Place(actor=0, card=20, cell="A1"), Place(actor=0, card=3, cell="A1")]
    with pytest.raises(Refused, match="A1 holds the 20 already"):
        referee.check(with_recipe(), position, Recipe(actor=0, steps=whole))


class Recipe(Action, frozen=True, kw_only=True, tag="recipe"):
    """Steps that are done whole or not at all."""

    steps: list[Place]
    is_public: ClassVar[bool] = True

    def carry_out(self, play: Play[ToyState]) -> None:
        for step in self.steps:
            step.check(play.state)
            step.carry_out(play)


def with_recipe() -> Ruleset:
    turn = replace(TAKE_TURN, actions=(*TAKE_TURN.actions, Recipe))
    flow = Flow(BIDDING, replace(TURNS, phases=(turn,)), EXCHANGE, END)
    return replace(TOY, flow=lambda options: flow)


def test_another_seat_takes_nothing_back() -> None:
    placed = asks(at_turns(), Place(actor=0, card=3, cell="A1")).position
    with pytest.raises(Refused, match="nothing to take back"):
        asks(placed, Undo(actor=1))


def test_what_can_be_taken_back_is_stored_and_read_again() -> None:
    placed = asks(at_turns(), Place(actor=0, card=3, cell="A1")).position
    assert TOY.codec.unpack_earlier(TOY.codec.pack_earlier(placed.earlier)) == placed.earlier
    assert TOY.codec.pack_earlier(()) == b""


def later_card(position: AnyPosition) -> int:
    return int(position.state.hands[1][0])


def test_a_standing_input_is_carried_out_when_its_seat_is_asked() -> None:
    position = at_turns()
    card = later_card(position)
    left = asks(position, Place(actor=1, card=card, cell="C3")).position
    assert left.state.board == {}
    assert referee.waiting_on(TOY, left) == {0}
    after = asks(left, Stop(actor=0)).position
    assert after.state.board == {"C3": (1, card)}
    assert after.pending.get(1) == {}
    assert referee.waiting_on(TOY, after) == {1}


def test_a_standing_input_that_became_impossible_is_dropped_and_its_seat_alone_learns_why() -> None:
    position = at_turns()
    left = asks(position, Place(actor=1, card=later_card(position), cell="A1")).position
    out = asks(left, Place(actor=0, card=3, cell="A1"), Stop(actor=0))
    assert out.position.pending.get(1) == {}
    dropped = [event for event in out.events if isinstance(event, StandingInputDropped)]
    assert [(event.audience, event.sentence(str)) for event in dropped] == [
        ((1,), "What you had saved for this turn was not done: A1 holds the 3 already.")
    ]


def stored_of(position: AnyPosition) -> Stored:
    codec = TOY.codec
    state, inputs = codec.encode(position.state), codec.encode(position.pending)
    return Stored(
        state,
        inputs,
        position.cursor,
        sorted(position.ready),
        earlier=codec.pack_earlier(position.earlier),
        reviews=False,
    )


def test_a_standing_input_that_was_carried_out_can_be_taken_back_also_after_it_was_stored() -> None:
    """It is there already at the start of the turn, so the snapshot of that start keeps what can be taken back."""
    position = at_turns()
    left = asks(position, Place(actor=1, card=later_card(position), cell="C3")).position
    at_start = asks(left, Stop(actor=0)).position
    stored = stored_of(at_start)
    out = asks(restore(TOY, stored), Undo(actor=1))
    assert out.position.state.board == {}
    assert [event.was_standing for event in out.events if isinstance(event, ActionTakenBack)] == [True]


def test_an_input_for_a_later_phase_is_sealed_in_ones_own_turn_and_does_not_move_it_on() -> None:
    position = at_turns(2)
    sealed = asks(position, Exchange(actor=0, card=3)).position
    assert (sealed.cursor, sealed.state) == (position.cursor, position.state)
    turn_of_1 = referee.close(TOY, sealed, CHANCE).position
    told = referee.close(TOY, turn_of_1, CHANCE).events
    assert [(event.audience, event.card) for event in told if isinstance(event, CardExchanged)] == [((0,), 3)]


def test_a_bot_that_seals_the_same_again_does_not_hold_up_its_turn() -> None:
    """It draws the same at the same step."""

    def keen(view: Any, offered: Any, chance: Chance) -> list[dict[str, Any]]:
        return [{"kind": offer.kind, "card": offer.fields[0].values[0][0]} for offer in offered() if _is_low(offer)]

    outcome = play_out(TOY, Options(edition=2), [keen, keen], Chance("keen"))
    assert outcome.position.is_over


def _is_low(offer: Offer) -> bool:
    return offer.kind == "exchange" and not offer.refused


def test_a_plan_given_in_ones_own_turn_goes_on_in_later_ones() -> None:
    position = at_turns(2)
    plan = Plan(
        actor=0,
        entries=[
            Place(actor=0, card=20, cell="A1"),
            Place(actor=0, card=3, cell="A2"),
            Place(actor=0, card=7, cell="A3"),
        ],
    )
    now = asks(position, plan).position
    assert now.state.board == {"A1": (0, 20), "A2": (0, 3)}
    assert now.pending[0] == {"plan": Plan(actor=0, entries=[Place(actor=0, card=7, cell="A3")])}
    while "A3" not in now.state.board:
        now = referee.close(TOY, now, CHANCE).position
    assert now.pending[0] == {}


def test_a_plan_holds_whole_actions_of_its_own_seat() -> None:
    position = at_turns(2)
    fields = {"kind": "plan", "entries": [{"kind": "place", "card": 20, "cell": "A1"}, {"kind": "stop"}]}
    plan = TOY.parse(fields, 0)
    assert plan == Plan(actor=0, entries=[Place(actor=0, card=20, cell="A1"), Stop(actor=0)])
    assert request_of(plan) == fields
    done = asks(position, plan).position
    assert done.state.board == {"A1": (0, 20)}
    assert done.cursor.serial == position.cursor.serial, "no card is left to place: the plan has ended"
    for field, entry in (("actor", {"kind": "stop", "actor": 1}), ("x", {"kind": "stop", "x": 1})):
        with pytest.raises(Refused) as refused:
            TOY.parse({"kind": "plan", "entries": [entry]}, 0)
        assert (refused.value.code, field) in {("unknown_field", "actor"), ("unreadable", "x"), ("wrong_value", "x")}


def test_a_plan_that_does_not_fit_is_left_alone_and_its_seat_is_asked_and_told_why() -> None:
    """Nobody else learns that there is a plan."""
    position = at_turns(2)
    mine = position.state.hands[1][0]
    planned = asks(position, Plan(actor=1, entries=[Place(actor=1, card=mine, cell="A1")])).position
    taken = asks(planned, Place(actor=0, card=3, cell="A1")).position
    out = asks(taken, Stop(actor=0))
    assert [
        (event.audience, event.kind, event.why) for event in out.events if isinstance(event, InputAheadDoubted)
    ] == [((1,), "plan", "None of these cards can be placed now.")]
    assert referee.waiting_on(TOY, out.position) == {1}
    assert out.position.pending[1] == planned.pending[1]
    assert seat_states(out.position, TOY.flow_of(out.position)) == ["none", "untouched"], "as if there were none"
    missed = referee.close(TOY, out.position, CHANCE)
    assert [event.seat for event in missed.events if isinstance(event, DecisionMissed)] == [1]


def test_a_plan_that_did_not_fit_leaves_the_turn_to_its_seat_once_that_acts() -> None:
    """And a later turn is the plan's again; under the rules of before it came in between."""
    before = at_turns(2)
    taken = [Place(actor=0, card=3, cell="A1"), Stop(actor=0)]
    turn_of_1 = asks(before, *taken).position
    drawn = set(asks(turn_of_1, Draw(actor=1)).position.state.hands[1]) - set(turn_of_1.state.hands[1])
    entries = [(before.state.hands[1][0], "A1"), (drawn.pop(), "A2")]
    plan = Plan(actor=1, entries=[Place(actor=1, card=card, cell=cell) for card, cell in entries])
    planned = asks(asks(before, plan).position, *taken).position
    acted = asks(planned, Draw(actor=1)).position
    assert (list(acted.state.board), list(acted.pending[1])) == (["A1"], ["plan"])
    assert asks(acted, Stop(actor=1)).position.pending[1]["plan"].rests_in == planned.cursor.serial
    carried = referee.apply(replace(TOY, promises=TODAY), planned, Draw(actor=1), Chance("toy")).position
    assert list(carried.state.board) == ["A1", "A2"]


def test_taking_back_what_a_plan_did_ends_the_plan() -> None:
    """It would do the same again at once."""
    position = at_turns(2)
    plan = Plan(actor=0, entries=[Place(actor=0, card=20, cell="A1"), Place(actor=0, card=3, cell="A2")])
    now = referee.accept_all(TOY, position, [plan], CHANCE).position
    assert now.pending[0] == {"plan": Plan(actor=0, entries=[Place(actor=0, card=3, cell="A2")])}
    assert TOY.codec.unpack_earlier(TOY.codec.pack_earlier(now.earlier)) == now.earlier
    back = referee.accept_all(TOY, now, [Undo(actor=0)], CHANCE).position
    assert (back.state, back.pending[0]) == (position.state, {})


def test_a_seat_that_is_out_of_the_game_is_passed_over() -> None:
    """Its turn comes and goes, and where all are out nobody is asked."""
    position = asks(asks(at_turns(2), Stop(actor=0)).position, Stop(actor=1)).position
    assert referee.phase_of(TOY, position) == EXCHANGE
    position.state.ledger.cash[cash_of(1)] = 0
    position.state.ledger.cash[BANK] += 10
    bidding = referee.close(TOY, position, CHANCE)
    assert [event.seat for event in bidding.events if isinstance(event, WentBroke)] == [1]
    flow = TOY.flow_of(bidding.position)
    assert seat_states(bidding.position, flow) == ["untouched", "out"]
    turns = asks(bidding.position, Ready(actor=0)).position
    assert referee.waiting_on(TOY, turns) == {0}
    with pytest.raises(Refused, match="It is not your turn"):
        asks(turns, Plan(actor=1, entries=[Stop(actor=1)]))


def test_who_is_voted_out_goes_when_the_phase_is_over() -> None:
    """Not in the turn that is played, which may still be taken back; then coins, inputs and turns are gone."""
    turn = at_turns()
    later = Place(actor=1, card=turn.state.hands[1][0], cell="C3")
    placed = asks(turn, later, Place(actor=0, card=3, cell="A1")).position
    voted = leaving.voted_out(placed, 1)
    assert (voted.state.leaving, voted.state.out, voted.pending) == ((1,), (), {})
    assert asks(voted, Undo(actor=0)).position.state.leaving == (1,)
    out = asks(voted, Stop(actor=0))
    state = out.position.state
    assert [event.seat for event in out.events if isinstance(event, VotedOut)] == [1]
    assert (state.leaving, state.out, state.coins(1)) == ((), (1,), 0)
    assert [event.phase for event in out.events if isinstance(event, PhaseOpened)] == ["end_round", "bidding"]
    assert referee.waiting_on(TOY, out.position) == {0}


def test_who_was_voted_out_is_not_placed_as_one_who_resigned() -> None:
    resigned = leaving.resigned(leaving.resigned(at_turns(), 1), 0)
    assert leaving.voted_out(resigned, 1).state.left == (0,)


def test_after_a_change_of_shape_nothing_of_before_can_be_taken_back() -> None:
    """What could be is stored in the shape of before."""
    placed = asks(at_turns(), Place(actor=0, card=3, cell="A1")).position
    newer = replace(TOY, schema=2, upgrades={1: lambda plain: plain})
    stored = stored_of(placed)
    assert restore(TOY, stored).earlier
    assert restore(newer, stored).earlier == ()
    assert restore(newer, stored).state == placed.state


def test_the_rail_shows_rounds_in_the_order_of_play() -> None:
    """A round that surrounds another one is met twice."""
    view = TOY.view(at_turns(), None)
    assert [(group.title, [phase.title for phase in group.phases], group.state) for group in view.rail] == [
        ("Turn", ["Bidding"], "done"),
        ("Turns", ["Turn"], "now"),
        ("Turn", ["End of round"], "todo"),
    ]


def test_a_phase_outside_every_round_is_on_the_rail_under_its_own_name() -> None:
    rail = rail_at(Flow(Phase("1", "alone", "Alone", Mode.SEALED, "vote")), 0, frozenset())
    assert [(group.title, group.state) for group in rail] == [("Alone", "now")]


def test_only_what_may_stand_is_left_for_later() -> None:
    with pytest.raises(Refused, match="It is not your turn"):
        asks(at_turns(), Stop(actor=1))


def test_at_the_deadline_the_rules_act_for_an_absent_seat() -> None:
    position = at_turns()
    after = referee.close(TOY, position, CHANCE).position
    assert referee.waiting_on(TOY, after) == {1}
    assert after.cursor.serial == position.cursor.serial + 1


def test_what_comes_next_follows_from_what_was_done_for_an_absent_seat() -> None:
    """The last turn of a round is over at its deadline, and no empty turn comes after it."""
    last = at_turns()
    for _ in range(last.state.seats - 1):
        last = referee.close(TOY, last, CHANCE).position
    opened = [event.phase for event in referee.close(TOY, last, CHANCE).events if isinstance(event, PhaseOpened)]
    assert opened == ["end_round", "bidding"]


@pytest.mark.parametrize("bot", ["house", "random"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_play_a_game_of_turns_to_its_end(bot: str, seats: int) -> None:
    outcome = play_out(TOY, Options(), [TOY.bots[bot]] * seats, Chance(f"{bot} {seats}"))
    assert outcome.position.is_over
    assert TOY.end_reason(outcome.position.state) == "rounds"
    outcome.position.state.ledger.assert_sound()


def test_a_view_shows_the_own_hand_alone() -> None:
    """Two positions that differ only in what others hold look alike to the last byte."""
    position = at_turns()
    encode = TOY.codec.encode
    state = TOY.codec.copy(position.state)
    state.hands[1], state.deck[:3] = state.deck[:3], state.hands[1]
    other = type(position)(state, position.cursor)
    assert encode(TOY.view(position, 0)) == encode(TOY.view(other, 0))
    assert encode(TOY.view(position, None)) == encode(TOY.view(other, None))
    assert encode(TOY.view(position, 1)) != encode(TOY.view(other, 1))
