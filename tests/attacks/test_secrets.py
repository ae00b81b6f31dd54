"""Twins: for every kind of secret of every ruleset, two tables that differ in it alone. Each page, part, download and
answer of the API is the same to everybody else, byte for byte and with the same tags."""

from __future__ import annotations

import pytest

from game.rulesets.registry import RULESETS
from game.store.game import Game
from tests.api.clients import ROOT
from tests.attacks.laying import lay, store, undone
from tests.attacks.readers import Answers, Reader, paths_about
from tests.attacks.secrets import HIDDEN, OWNER, RIVAL, SEALED, SEATS, kinds_by_position, sealed_by
from tests.attacks.walk import differences
from tests.rulesets.games import OTHERWISE, RULES
from tests.tables import fresh, new_game, send

pytestmark = pytest.mark.django_db
NAMES = ("ada", "bob", "cid")[:SEATS]
STRANGER = ""
HIDDEN_ROWS = [pytest.param(key, what, id=f"{key}-{what}") for key, kinds in HIDDEN.items() for what in kinds]


def test_every_ruleset_has_its_rows_and_every_action_that_it_seals_one() -> None:
    assert set(RULESETS) <= set(RULES)
    on_the_site = {key: rules for key, rules in RULES.items() if key in RULESETS}
    assert set(HIDDEN) == set(SEALED) == set(on_the_site)
    assert {key: sealed_by(rules) for key, rules in on_the_site.items()} == {
        key: set(kinds) for key, kinds in SEALED.items()
    }


@pytest.mark.parametrize(("key", "kinds"), kinds_by_position())
def test_a26_nobody_else_can_tell_what_a_seat_has_sealed(key: str, kinds: list[str]) -> None:
    """Not which of these kinds either. That something was sent is public, but for kinds whose other way is silence."""
    game = lay(new_game(*NAMES, ruleset=key), SEALED[key][kinds[0]].at())
    table = Onlookers(game)
    first: dict[bool, dict[str, Answers]] = {}
    for kind in kinds:
        row, own = SEALED[key][kind], []
        for request in (row.one, row.other):
            with undone():
                if request:
                    send(fresh(game), OWNER, request)
                own.append(table.own.see())
                seen = table.see()
            before = first.setdefault(bool(row.one), seen)
            for name in before:
                assert differences(before[name], seen[name]) == [], (name, kind)
        assert differences(*own), (kind, "its owner is shown it")


class Onlookers:
    """Who looks at a table: a rival at everything, a stranger at what is shown of a position, and its owner."""

    def __init__(self, game: Game) -> None:
        paths = paths_about(game, NAMES[OWNER])
        public = [path for path in paths if path.endswith((f"/games/{game.pk}/", "/position", "/log", "/log/"))]
        self.own = Reader(NAMES[OWNER], [f"{ROOT}games/{game.pk}/position"])
        self.others = {NAMES[RIVAL]: Reader(NAMES[RIVAL], paths), STRANGER: Reader(STRANGER, public)}

    def see(self) -> dict[str, Answers]:
        return {name: reader.see() for name, reader in self.others.items()}


@pytest.mark.parametrize(("key", "what"), HIDDEN_ROWS)
def test_a26_nobody_can_tell_what_is_hidden_from_them(key: str, what: str) -> None:
    """Hands, what will be drawn, what is shown later: stored otherwise, and every answer is the same."""
    row = HIDDEN[key][what]
    game = lay(new_game(*NAMES, ruleset=key), row.at())
    for name, viewer in ((STRANGER, None), (NAMES[RIVAL], RIVAL)):
        reader = Reader(name, paths_about(game, NAMES[OWNER]))
        with undone():
            before = reader.see()
        position = fresh(game).load_position()
        other = OTHERWISE[key](position, viewer)
        changed = {part for part in row.parts if getattr(position.state, part) != getattr(other.state, part)}
        assert changed == row.parts
        with undone():
            store(game, other)
            assert differences(before, reader.see()) == [], name
