"""What every registered ruleset owes the kernel and the site, shown on whole games of random legal play."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from accounts.languages import override_language
from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.engine.events import PhaseOpened, calling_you
from game.engine.flow import Mode, Phase
from game.engine.ledger import BANK, MAY_BE_NEGATIVE, OUTSIDE
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.rulesets.registry import RULESETS
from tests.rulesets.games import CLOCK, OTHERWISE, PLAYED, RULES, TABLES, Game, Step, balances, games_of, played, repeat

each_table = pytest.mark.parametrize(("key", "seats", "variant"), TABLES)
each_ruleset = pytest.mark.parametrize("key", RULES)
REVIEWED = [(key, seats) for key, module in PLAYED.items() for seats in module.REVIEWED]
each_reviewed = pytest.mark.parametrize(("key", "seats"), REVIEWED)


def sampled(game: Game) -> list[Step]:
    """Every fifth step, others in other games: all phases together, as a test below makes sure."""
    return game.steps[(game.seats + len(game.steps)) % 5 :: 5]


def same(rules: Ruleset, one: AnyPosition, two: AnyPosition) -> bool:
    """Whether two positions are the same to the last byte."""
    encode = rules.codec.encode
    parts = (
        (one.state, two.state),
        (one.pending, two.pending),
        (one.cursor, two.cursor),
        (sorted(one.ready), sorted(two.ready)),
    )
    return all(encode(a) == encode(b) for a, b in parts)


def test_every_registered_ruleset_is_played_here() -> None:
    assert set(RULESETS) <= set(RULES)
    assert {key: rules.key for key, rules in RULES.items()} == {key: key for key in RULES}


@each_table
def test_a_game_of_random_play_comes_to_its_end(key: str, seats: int, variant: int) -> None:
    game = played(key, seats, variant)
    assert game.last.is_over
    assert game.rules.end_reason(game.last.state)
    standings = game.rules.standings(game.last.state)
    assert sorted(standing.seat for standing in standings) == list(range(seats))
    assert [s.place for s in standings] == [1 + sum(o.place < s.place for o in standings) for s in standings]
    inside = [standing for standing in standings if standing.seat not in game.last.state.out]
    assert all(s.place <= o.place for s in inside for o in inside if s.score > o.score)


@each_table
def test_money_is_conserved_at_every_step(key: str, seats: int, variant: int) -> None:
    """Every account's change is the signed sum of what was written down, and only bank and outside go below 0."""
    game = played(key, seats, variant)
    for step in game.all():
        step.after.state.ledger.assert_sound()
        held, now = balances(step.before.state.ledger, step.transfers), step.after.state.ledger.cash
        assert {account: amount for account, amount in held.items() if amount} == {
            account: amount for account, amount in now.items() if amount
        }
        assert not [account for account, amount in now.items() if amount < 0 and account not in MAY_BE_NEGATIVE]


@each_table
def test_outside_and_bank_move_for_the_listed_reasons_only(key: str, seats: int, variant: int) -> None:
    """As the ruleset's `money` says."""
    game = played(key, seats, variant)
    money = game.rules.money
    for step, transfer in [(each, transfer) for each in game.all() for transfer in each.transfers]:
        assert transfer.amount > 0 or step.is_taken_back
        assert transfer.payer != OUTSIDE or transfer.why in money.sources
        assert transfer.payee != OUTSIDE or transfer.why in money.sinks
        assert transfer.payer != BANK or transfer.why in money.bank_pays
        assert transfer.payee != BANK or transfer.why in money.bank_gets


@each_table
def test_the_banks_change_is_the_signed_sum_of_the_listed_events(key: str, seats: int, variant: int) -> None:
    """Every payment for a listed reason goes through the bank."""
    money = RULES[key].money
    for step in played(key, seats, variant).steps:
        gets = sum(transfer.amount for transfer in step.transfers if transfer.why in money.bank_gets)
        pays = sum(transfer.amount for transfer in step.transfers if transfer.why in money.bank_pays)
        assert step.after.state.ledger.balance(BANK) - step.before.state.ledger.balance(BANK) == gets - pays


@each_table
def test_the_same_actions_give_the_same_game_stored_and_loaded_at_every_step(
    key: str, seats: int, variant: int
) -> None:
    """Replay and crash-and-resume at once."""
    game = played(key, seats, variant)
    position = game.first.after
    for step in game.steps:
        out = repeat(game, position, step.actions)
        assert same(game.rules, out.position, step.after)
        assert out.events == step.events
        assert out.transfers == step.transfers
        position = out.position


@each_table
def test_events_and_actions_come_back_from_storage(key: str, seats: int, variant: int) -> None:
    game = played(key, seats, variant)
    codec = game.rules.codec
    for step in game.all():
        assert codec.decode_events(codec.encode_events(step.events)) == step.events
        for action in (action for action in step.actions if action is not CLOCK):
            assert codec.unpack_action(codec.pack(action)) == action


@each_table
def test_what_may_be_taken_back_may_be_foreseen_and_nothing_else(key: str, seats: int, variant: int) -> None:
    """The state is the same to the last byte as once it is done; a draw cannot be probed."""
    game = played(key, seats, variant)
    encode = game.rules.codec.encode
    for step in game.steps:
        phase = referee.phase_of(game.rules, step.before)
        action = step.actions[0] if step.actions else CLOCK
        if phase is None or phase.mode is not Mode.TURNS or not action.is_public or action is CLOCK:
            continue
        before = encode(step.before.state)
        foreseen = referee.foresee(game.rules, step.before, action)
        assert encode(step.before.state) == before
        done = referee.accept_all(game.rules, step.before, [action], game.chance).position
        if foreseen is None:
            assert done.earlier == ()
        else:
            assert done.earlier
            assert encode(foreseen.state) == encode(done.state)
            for seat in range(seats):
                game.rules.view(foreseen, seat)


@each_table
def test_nothing_happens_in_place(key: str, seats: int, variant: int) -> None:
    """A refused or crashed step leaves the position as it was: bytes taken now are those of the next step's
    beginning."""
    game = played(key, seats, variant)
    for step in sampled(game):
        before = game.rules.codec.encode(step.before.state)
        repeat(game, step.before, step.actions)
        referee.close(game.rules, step.before, game.chance)
        assert game.rules.codec.encode(step.before.state) == before


@each_table
def test_close_never_refuses_at_any_point_with_whatever_inputs(key: str, seats: int, variant: int) -> None:
    """Nothing sealed, and the inputs of a whole table that cannot all be served."""
    game = played(key, seats, variant)
    for step in sampled(game):
        assert referee.close(game.rules, step.before, game.chance).position.cursor.serial > step.before.cursor.serial
        crowded = step.before
        for salt in range(3):
            crowded = _sealed(game, crowded, salt)
        assert referee.close(game.rules, crowded, game.chance).position.cursor.serial > crowded.cursor.serial


def _sealed(game: Game, position: AnyPosition, salt: int) -> AnyPosition:
    """Random inputs of every seat with a choice, nobody ready."""
    serial = position.cursor.serial
    for seat in sorted(referee.with_a_choice(game.rules, position)):
        chance = Chance(f"crowd {salt}").at(branch=seat, serial=serial)
        offers = referee.offers(game.rules, position, seat)
        for request in game.rules.bots["random"](game.rules.view(position, seat), lambda offers=offers: offers, chance):
            action = game.rules.parse(request, seat)
            try:
                now = referee.apply(game.rules, position, action, game.chance).position
            except Refused:
                continue
            if now.cursor.serial != serial:
                return position
            position = now
    return position


@each_table
def test_no_view_shows_what_others_have_sealed(key: str, seats: int, variant: int) -> None:
    """Two positions that differ only in others' sealed inputs look alike to the last byte."""
    game = played(key, seats, variant)
    for step in sampled(game):
        phase = referee.phase_of(game.rules, step.before)
        if phase is None or phase.mode is not Mode.SEALED:
            continue
        one, two = (_sealed(game, step.before, salt) for salt in (11, 12))
        for viewer in (*range(seats), None):
            rows = [
                game.rules.view(position, viewer)
                for position in _alike_but_for_others(step.before, one, two, viewer, phase)
            ]
            assert game.rules.codec.encode(rows[0]) == game.rules.codec.encode(rows[1])


def _alike_but_for_others(
    bare: AnyPosition, one: AnyPosition, two: AnyPosition, viewer: int | None, phase: Phase
) -> list[AnyPosition]:
    """Both with the viewer's inputs of `one`, and inputs of those others who sealed something in both for this
    phase."""
    both = [
        s
        for s in one.pending
        if s != viewer and s in two.pending and _is_submitted(one, s, phase) and _is_submitted(two, s, phase)
    ]
    mine = {viewer: one.pending[viewer]} if viewer in one.pending else {}
    return [
        msgspec.structs.replace(bare, pending={**{s: told.pending[s] for s in both}, **mine}) for told in (one, two)
    ]


def _is_submitted(position: AnyPosition, seat: int, phase: Phase) -> bool:
    return any(phase.answered_by(action, position.state) for action in position.pending[seat].values())


@each_table
def test_no_view_or_offer_shows_what_is_hidden(key: str, seats: int, variant: int) -> None:
    """Two positions that differ only in what is hidden from a viewer look alike to them, to the last byte.

    What is hidden each ruleset's `hidden.py` says; where it says that nothing is, it gives back the position itself.
    Else some must differ: positions in which nothing is hidden would prove nothing."""
    game, met = played(key, seats, variant), 0
    encode = game.rules.codec.encode
    for step in sampled(game):
        position, view_of = step.before, game.rules.viewer(step.before)
        before = encode([position.state, position.pending])
        for viewer in (*range(seats), None):
            other = OTHERWISE[key](position, viewer)
            met += other is position or encode([other.state, other.pending]) != before
            assert encode(view_of(viewer)) == encode(game.rules.view(other, viewer))
            if viewer is not None:
                assert referee.offers(game.rules, position, viewer) == referee.offers(game.rules, other, viewer)
    assert met


@each_table
def test_what_is_private_only_the_own_line_fills(key: str, seats: int, variant: int) -> None:
    game = played(key, seats, variant)
    for step in sampled(game):
        views = [*map(game.rules.viewer(step.before), (*range(seats), None))]
        for name in type(views[0].players[0]).private:
            empty = views[-1].player(0)
            assert all(getattr(player, name) == getattr(empty, name) for player in views[-1].players)
            for view in views[:-1]:
                others = [player for player in view.players if not player.is_you]
                assert all(getattr(player, name) == getattr(empty, name) for player in others)


@each_table
def test_events_name_seats_of_the_table_and_read_as_sentences(key: str, seats: int, variant: int) -> None:
    names = [f"<{seat}>" for seat in range(seats)].__getitem__
    for event in (event for step in played(key, seats, variant).all() for event in step.events):
        assert set(event.audience or ()) <= set(range(seats))
        assert event.audience is None or event.audience
        assert set(event.seats()) <= set(range(seats))
        sentence = event.sentence(names)
        assert len(sentence) > 5
        assert "{" not in sentence + event.figure(names)
        assert event.tone in {"", "good", "bad", "neutral"}
        assert 0 <= event.weight <= 100


@each_table
def test_no_event_names_its_reader(key: str, seats: int, variant: int) -> None:
    """What is about the reader is a sentence of its own, not one with “you” in the place of the name."""
    names = [f"<{seat}>" for seat in range(seats)].__getitem__
    events = [event for step in played(key, seats, variant).all() for event in step.events]
    for language in ("en", "de"):
        with override_language(language):
            for event, seat in product(events, range(seats)):
                sentence = event.sentence_for(seat, names)
                assert names(seat) not in sentence
                assert "{" not in sentence
                assert sentence[0] == sentence[0].upper()
                if language == "de" and seat in event.seats() and names(seat) in event.sentence(names):
                    assert sentence != event.sentence(calling_you(seat, names))


@each_table
def test_serials_never_repeat_and_only_phases_of_the_flow_open(key: str, seats: int, variant: int) -> None:
    game = played(key, seats, variant)
    opened = [event for step in game.all() for event in step.events if isinstance(event, PhaseOpened)]
    assert [event.serial for event in opened] == list(range(1, len(opened) + 1))
    turns = [event.turn for event in opened]
    assert turns == sorted(turns)


@each_table
def test_who_is_waited_for_has_something_to_choose(key: str, seats: int, variant: int) -> None:
    """A seat without a real choice is ready by itself; who has one, or may act ahead, is offered something that is not
    refused."""
    game = played(key, seats, variant)
    for step in sampled(game):
        phase = referee.phase_of(game.rules, step.before)
        ahead = referee.beside(game.rules, step.before) if phase else frozenset()
        for seat in range(seats):
            offers = referee.offers(game.rules, step.before, seat)
            may_act = seat in ahead or seat in referee.with_a_choice(game.rules, step.before)
            assert any(not offer.refused for offer in offers) == may_act


@each_ruleset
def test_who_is_out_of_the_game_is_never_asked_again(key: str) -> None:
    """Everybody sees who is out, also in a phase that asks in secret."""
    for game in games_of(key):
        gone: set[int] = set()
        for step in game.all():
            out = set(step.after.state.out)
            assert gone <= out
            gone = out
            if step.after.is_over:
                continue
            assert not out & referee.with_a_choice(game.rules, step.after)
            assert not out & referee.beside(game.rules, step.after)
            view_of = game.rules.viewer(step.after)
            for viewer in (*sorted(out), None):
                players = view_of(viewer).players
                assert {player.seat for player in players if player.state == "out"} == out
                assert viewer is None or not referee.offers(game.rules, step.after, viewer)


@each_ruleset
def test_options_are_for_the_numbers_of_players_that_the_ruleset_says(key: str) -> None:
    rules = RULES[key]
    for options in PLAYED[key].VARIANTS:
        possible = rules.seats_with(options)
        assert possible
        assert set(possible) <= set(rules.seats)
        for seats in (*rules.seats, min(rules.seats) - 1, max(rules.seats) + 1):
            if seats in possible:
                referee.start(rules, options, seats, Chance("seats"))
                continue
            with pytest.raises(Refused) as refused:
                referee.start(rules, options, seats, Chance("seats"))
            assert (refused.value.code, refused.value.field) == ("wrong_seats", "seats")


@each_ruleset
def test_the_sample_knows_every_phase_with_decisions(key: str) -> None:
    phases = {
        row.phase.name
        for game in games_of(key)
        for row in game.rules.flow(game.options).rows
        if row.phase.mode is not Mode.AUTOMATIC
    }
    met = {referee.phase_of(game.rules, step.before) for game in games_of(key) for step in sampled(game)}
    assert {phase.name for phase in met if phase} == phases


@each_reviewed
def test_a_game_with_reviews_is_the_same_game(key: str, seats: int) -> None:
    """Reviews only take time; every automatic phase then waits once."""
    game = played(key, seats, 0, reviews=True)
    assert game.last.is_over
    automatic = {row.phase.name for row in game.rules.flow(game.options).rows if row.phase.mode is Mode.AUTOMATIC}
    met = [referee.phase_of(game.rules, step.before) for step in game.steps]
    waited = [phase.name for phase in met if phase and phase.name in automatic]
    opened = [event.phase for step in game.all() for event in step.events if isinstance(event, PhaseOpened)]
    assert waited == [name for name in opened if name in automatic]
    for step in game.all():
        step.after.state.ledger.assert_sound()
