"""The only loop: sealing, replacing, withdrawing, passing, being ready, votes ahead, open phases and reviews."""

from __future__ import annotations

import msgspec
import pytest

from game.engine import referee
from game.engine.actions import Pass, Ready, Refused, Withdraw
from game.engine.events import InputAheadDropped
from game.engine.ledger import LedgerError, cash_of
from game.engine.position import AnyPosition
from game.engine.progress import seat_states
from tests.engine.toy import CHANCE, FLOW, TOY, Answer, Give, Given, Say, begin, names, with_state


def asks(position: AnyPosition, *actions: object) -> AnyPosition:
    return referee.apply_all(TOY, position, actions, CHANCE).position


def at_numbers() -> AnyPosition:
    return begin().position


def at_question() -> AnyPosition:
    position = at_numbers()
    for _ in range(2):
        position = referee.close(TOY, position, CHANCE).position
    return position


def at_gifts() -> AnyPosition:
    return referee.close(TOY, with_state(at_numbers(), passes=1, asks=[]), CHANCE).position


def heard(position: AnyPosition) -> list[str]:
    return referee.close(TOY, position, CHANCE).position.state.heard


def test_a_sealed_input_waits_beside_the_state_until_the_phase_closes() -> None:
    before = at_numbers()
    after = asks(before, Say(actor=1, number=4))
    assert after.state is before.state
    assert after.pending == {1: {"say": Say(actor=1, number=4)}}
    assert heard(after) == ["dawn", "1:4", "counted"]


def test_a_later_input_replaces_the_earlier_one_and_a_pass_takes_all_back() -> None:
    """Revise."""
    position = asks(at_numbers(), Say(actor=0, number=4), Say(actor=0, number=5))
    assert heard(position) == ["dawn", "0:5", "counted"]
    position = asks(position, Pass(actor=0))
    assert heard(position) == ["dawn", "counted"]
    assert seat_states(position, FLOW)[0] == "submitted"
    position = asks(position, Say(actor=0, number=6))
    assert list(position.pending[0]) == ["say"]


def test_an_input_can_be_withdrawn_and_nothing_cannot() -> None:
    """Revise."""
    position = asks(at_numbers(), Say(actor=0, number=4), Withdraw(actor=0, of="say"))
    assert heard(position) == ["dawn", "counted"]
    assert seat_states(position, FLOW)[0] == "untouched"
    with pytest.raises(Refused, match="submitted nothing"):
        asks(position, Withdraw(actor=0, of="say"))


def test_a_withdrawal_names_what_it_takes_back_and_nothing_else_goes() -> None:
    position = asks(at_numbers(), Say(actor=0, number=4))
    for name in ("", "give", "pass", "say "):
        with pytest.raises(Refused, match="submitted nothing"):
            asks(position, Withdraw(actor=0, of=name))


def test_submitting_closes_nothing_and_the_last_ready_closes() -> None:
    position = asks(at_numbers(), Say(actor=0, number=4), Say(actor=1, number=5), Ready(actor=0))
    assert position.cursor == at_numbers().cursor
    assert referee.waiting_on(TOY, position) == {1}
    assert seat_states(position, FLOW)[0] == "ready"
    out = referee.apply(TOY, position, Ready(actor=1), CHANCE)
    assert names(out) == ["counting", "numbers"]
    assert out.position.ready == frozenset()
    assert not out.position.pending


def test_ready_can_be_taken_back() -> None:
    position = asks(at_numbers(), Ready(actor=0), Ready(actor=0, on=False))
    assert referee.waiting_on(TOY, position) == {0, 1}


def test_what_the_rules_refuse_leaves_the_position_alone() -> None:
    position = asks(at_numbers(), Say(actor=0, number=4))
    with pytest.raises(Refused, match=r"Numbers end at 9\. \(Rule T 1\)"):
        asks(position, Say(actor=1, number=1), Say(actor=0, number=10))
    assert position.pending == {0: {"say": Say(actor=0, number=4)}}


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Say(actor=2, number=1), "no seat 2 in this game of 2"),
        (Say(actor=-1, number=1), "no seat -1"),
        (Give(actor=0, amount=1), "Gift is not possible in phase 1, Numbers"),
    ],
)
def test_a_stranger_and_an_action_of_another_phase_are_refused(action: object, words: str) -> None:
    with pytest.raises(Refused, match=words):
        asks(at_numbers(), action)


def test_an_answer_given_ahead_is_heard_when_its_question_comes() -> None:
    """Votes: it waits through the automatic phases between the questions."""
    position = asks(at_question(), Answer(actor=0, to="b"), Answer(actor=0, to="c"), Answer(actor=1, to="a"))
    position = referee.close(TOY, position, CHANCE).position
    assert position.state.asking == "b"
    assert position.pending == {0: {"b": Answer(actor=0, to="b"), "c": Answer(actor=0, to="c")}}
    for _ in range(2):
        position = referee.close(TOY, position, CHANCE).position
    assert position.state.heard[-3:] == ["a(1>a)", "b(0>b)", "c(0>c)"]
    assert not position.pending


def test_an_answer_given_ahead_may_carry_its_own_ready_mark() -> None:
    """Votes: only for its own question, and only when that one opens."""
    ahead = [Answer(actor=seat, to=to, ready=True) for seat, to in ((0, "b"), (1, "b"), (1, "c"))]
    position = asks(at_question(), *ahead)
    assert referee.waiting_on(TOY, position) == {0, 1}
    position = referee.close(TOY, position, CHANCE).position
    assert position.state.asking == "c"
    assert position.state.heard[-1] == "b(0>b,1>b)"
    assert position.ready == {1}


def test_an_answer_ahead_is_not_a_submission_here_and_a_pass_leaves_it() -> None:
    position = asks(at_question(), Answer(actor=0, to="b"))
    assert seat_states(position, FLOW)[0] == "untouched"
    position = asks(position, Answer(actor=0, to="a"), Pass(actor=0))
    assert set(position.pending[0]) == {"b", "pass"}


def test_inputs_do_not_outlive_their_round_and_their_seat_alone_is_told() -> None:
    """A vote for a question that never comes is forgotten."""
    position = asks(at_question(), Answer(actor=0, to="z"), Answer(actor=1, to="b"))
    lines: list[InputAheadDropped] = []
    for _ in range(3):
        assert position.pending
        assert not lines
        out = referee.close(TOY, position, CHANCE)
        position, lines = out.position, [event for event in out.events if isinstance(event, InputAheadDropped)]
    assert FLOW.rows[position.cursor.row].phase.name == "gifts"
    assert not position.pending
    words = "What you had submitted in advance no longer counts: The phase it was for was not played."
    assert [(event.audience, event.sentence(str)) for event in lines] == [((0,), words)]


def test_an_open_action_takes_effect_at_once_on_a_copy_and_is_public() -> None:
    """S 6.12."""
    before = at_gifts()
    out = referee.apply(TOY, before, Give(actor=0, amount=4), CHANCE)
    assert out.position.state.ledger.cash == {**before.state.ledger.cash, cash_of(0): 6, "bank": 4}
    assert before.state.ledger.balance(cash_of(0)) == 10
    assert out.events == [Given(seat=0, amount=4)]
    assert [transfer.why for transfer in out.transfers] == ["gift"]
    with pytest.raises(Refused):
        asks(out.position, Give(actor=0, amount=7))


def test_an_open_phase_ends_when_nobody_has_a_choice_left() -> None:
    position = asks(at_gifts(), Give(actor=0, amount=10))
    with pytest.raises(Refused, match="no decision"):
        asks(position, Ready(actor=0))
    out = referee.apply(TOY, position, Give(actor=1, amount=10), CHANCE)
    assert names(out) == ["end_turn", "dawn", "numbers"]
    assert out.events[0] == Given(seat=1, amount=10)


def test_a_review_waits_for_everybody_and_takes_ready_only() -> None:
    """A19."""
    out = begin(reviews=True)
    assert names(out) == ["dawn"]
    assert referee.with_a_choice(TOY, out.position) == {0, 1}
    assert referee.offers(TOY, out.position, 0) == []
    with pytest.raises(Refused, match="Nothing is decided"):
        asks(out.position, Pass(actor=0))
    out = referee.apply_all(TOY, out.position, [Ready(actor=0), Ready(actor=1)], CHANCE)
    assert names(out) == ["numbers"]


def test_a_vote_ahead_does_not_make_its_seat_ready_for_a_review() -> None:
    """Votes, A19."""
    position = msgspec.structs.replace(at_question(), reviews=True)
    position = asks(position, Answer(actor=0, to="b", ready=True))
    position = referee.close(TOY, position, CHANCE).position
    assert (FLOW.rows[position.cursor.row].phase.name, position.ready) == ("next_question", frozenset())
    position = referee.close(TOY, position, CHANCE).position
    assert (position.state.asking, position.ready) == ("b", {0})


def test_a_game_that_is_over_takes_nothing_and_waits_for_nobody() -> None:
    """S 4.5."""
    position = at_numbers()
    while not position.is_over:
        position = referee.close(TOY, position, CHANCE).position
    with pytest.raises(Refused, match="over"):
        asks(position, Ready(actor=0))
    assert referee.close(TOY, position, CHANCE).position is position
    assert referee.waiting_on(TOY, position) == referee.with_a_choice(TOY, position) == frozenset()
    assert referee.phase_of(TOY, position) is None
    assert seat_states(position, FLOW)[0] == "none"


def test_a_ledger_that_is_off_stops_the_game_at_once() -> None:
    position = with_state(at_gifts(), broken=True)
    with pytest.raises(LedgerError, match="off by 1"):
        referee.close(TOY, position, CHANCE)


def test_seats_are_within_the_rulesets_range() -> None:
    """A2."""
    for seats in (1, 4):
        with pytest.raises(Refused, match="2 to 3 players, not for"):
            referee.start(TOY, 0, seats, CHANCE)


def test_requests_are_decoded_strictly_and_the_actor_is_stamped() -> None:
    """S 5.1."""
    assert TOY.parse({"kind": "say", "number": 3}, 1) == Say(actor=1, number=3)


@pytest.mark.parametrize(
    "raw",
    [
        {"kind": "say", "number": 3, "actor": 0},
        {"kind": "say", "number": "3"},
        {"kind": "say", "number": 3, "more": 1},
        {"kind": "say"},
        {"kind": "shout"},
        {"kind": ["say"]},
        {},
    ],
)
def test_a_request_that_is_not_one_is_refused(raw: dict[str, object]) -> None:
    """S 5.1."""
    with pytest.raises(Refused):
        TOY.parse(raw, 1)
