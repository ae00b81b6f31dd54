"""What every ruleset owes to whoever sends requests: names that do not exist are refused with their field, whatever
the phase, and no request breaks the rules. The requests are made of the types of the actions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

import pytest
from msgspec import inspect

from game.engine import names, referee
from game.engine.actions import Action, Refused, Withdraw
from game.engine.names import Named
from game.engine.requests import filled_in, request_of
from game.engine.ruleset import Ruleset
from tests.rulesets.asking import NEVER, fields_of, kinds_of, known, names_of, parts_of, request, tag_of, value_of
from tests.rulesets.games import CLOCK, RULES, TABLES, Game, Step, games_of, played

each_table = pytest.mark.parametrize(("key", "seats", "variant"), TABLES)
each_ruleset = pytest.mark.parametrize("key", RULES)
NOTED = 5  # steps of a game of which the names of one are noted
Book = dict[tuple[Named, int], set[Any]]
EVERY = 41  # steps of a game of which one is looked at; others in games of other sizes


@each_table
def test_what_does_not_exist_is_refused_with_its_field(key: str, seats: int, variant: int) -> None:
    """Names that nothing bears, that something bore earlier in this game, and names of other kinds, nested too."""
    game = played(key, seats, variant)
    for step, seat, before in moments(game):
        for kind in game.rules.actions.values():
            for raw, field in misnamed(game.rules, kind, step.before.state, seat, before):
                with pytest.raises(Refused) as refused:
                    names.check(game.rules.parse(raw, seat), step.before.state)
                assert refused.value.field == field, raw
                with pytest.raises(Refused):
                    referee.check(game.rules, step.before, game.rules.parse(raw, seat))


@each_table
def test_what_exists_is_carried_out_or_refused(key: str, seats: int, variant: int) -> None:
    """Also in phases that do not take it: drafts are checked there."""
    game = played(key, seats, variant)
    for step, seat, _ in moments(game):
        encoded = game.rules.codec.encode(step.before.state)
        for kind in game.rules.actions.values():
            for raw in asked_of(kind, step.before.state, seat):
                action = game.rules.parse(raw, seat)
                with suppress(Refused):
                    names.check(action, step.before.state)
                with suppress(Refused):
                    referee.apply(game.rules, step.before, action, game.chance)
        assert game.rules.codec.encode(step.before.state) == encoded


@each_ruleset
def test_every_kind_of_name_is_met_and_those_that_come_and_go_have_gone(key: str) -> None:
    """Else the tests above would show nothing of it."""
    met: Book = defaultdict(set)
    gone: set[Named] = set()
    for game in games_of(key):
        for step, seat, before in moments(game):
            for kind in kinds_of(game.rules):
                now = set(known(kind, step.before.state, seat))
                met[kind, 0] |= now
                gone |= {kind} if before[kind, seat] - now else set()
    assert {kind.code for kind, _ in met} == {kind.code for kind in kinds_of(RULES[key]) if met[kind, 0]}
    assert {kind.code for kind in gone} == GONE.get(key, set())


GONE = {"sectors": {"no_such_headline", "no_such_tranche", "not_on_sale", "no_such_contract", "no_such_short"}}
"""What is there at one time and not at another."""


@each_ruleset
def test_every_text_in_a_request_is_a_name_or_one_of_a_list(key: str) -> None:
    """What is withdrawn is looked up among the seat's own inputs, by the referee."""
    for kind in RULES[key].actions.values():
        texts = [
            of for of in fields_of(kind).values() if any(isinstance(part, inspect.StrType) for part in parts_of(of))
        ]
        assert not texts or kind is Withdraw


@each_ruleset
def test_no_request_has_a_field_that_the_rules_fill(key: str) -> None:
    for kind in RULES[key].actions.values():
        good = request(kind, lambda named, of: value_of(of.type, nothing), instead={})
        for name in filled_in(kind):
            with pytest.raises(Refused) as refused:
                RULES[key].parse(good | {name: 1}, 0)
            assert refused.value.code == ("unknown_action" if name == "actor" else "unknown_field")


@each_table
def test_the_rules_fill_only_what_no_request_has(key: str, seats: int, variant: int) -> None:
    """What a sealed input notes beside what was asked comes from the rules alone, and it is asked again without."""
    game = played(key, seats, variant)
    for step in game.steps:
        for action in (each for each in step.actions if each is not CLOCK):
            with suppress(Refused):
                names.check(action, step.before.state)
                sealed = action.with_facts(step.before.state)
                assert request_of(sealed) == request_of(action)
                assert not set(request_of(sealed)) & filled_in(type(action))
                assert game.rules.parse(request_of(sealed), action.actor) == action


def nothing(kind: Named, of: inspect.Type) -> Any:
    raise AssertionError("a name is made of no names")


def moments(game: Game) -> Iterator[tuple[Step, int, Book]]:
    """Some moments of a game, each with one seat and the names that there have been."""
    book: Book = defaultdict(set)
    for number, step in enumerate(game.steps):
        for seat in range(game.seats if number % NOTED == 0 else 0):
            for kind in kinds_of(game.rules):
                book[kind, seat] |= set(known(kind, step.before.state, seat))
        if number % EVERY == game.seats % EVERY:
            yield step, number // EVERY % game.seats, book


def asked_of(kind: type[Action], state: Any, seat: int) -> Iterator[dict[str, Any]]:
    """Two requests of a kind whose names exist; where none does, there is no such request."""
    for last in (0, -1):
        with suppress(IndexError):
            yield request(kind, lambda named, of, at=last: known(named, state, seat)[at], instead={})


def misnamed(
    rules: Ruleset, kind: type[Action], state: Any, seat: int, before: Book
) -> Iterator[tuple[dict[str, Any], str]]:
    """Requests of a kind with one field whose names are wrong, and that field."""
    for field, of in fields_of(kind).items():
        for named in names_of(of):
            for name in wrong_names(rules, named, state, seat, before):

                def pick(kind: Named, _: Any, *, name: Any = name, named: Named = named) -> Any:
                    return name if kind is named else known(kind, state, seat)[0]

                with suppress(IndexError, TypeError):  # no list and no table can be the key of a table
                    bad = value_of(of, pick)
                    if bad is not None:  # what may be left out
                        yield others(kind, field, state, seat) | {"kind": tag_of(kind), field: bad}, field


def others(kind: type[Action], but: str, state: Any, seat: int) -> dict[str, Any]:
    """The other fields of a request, as far as they have names that exist or none."""
    found = {}
    for name, of in fields_of(kind).items():
        if name != but:
            with suppress(IndexError):
                found[name] = value_of(of, lambda named, _: known(named, state, seat)[0])
    return found


def wrong_names(rules: Ruleset, named: Named, state: Any, seat: int, before: Book) -> Collection[Any]:
    """What is no name of a kind now."""
    now = known(named, state, seat)
    other = [name for kind in kinds_of(rules) if kind is not named for name in known(kind, state, seat)[:1]]
    return [
        name for name in (*NEVER, *sorted(before[named, seat])[:4], *other) if name not in now or isinstance(name, bool)
    ]
