"""Twins: for every kind of secret of every ruleset, two tables that differ in it alone. Each page, part, download and
answer of the API is the same to everybody else, byte for byte and with the same tags."""

from __future__ import annotations

import pytest

from game.rulesets.registry import RULESETS
from tests.api.clients import ROOT
from tests.attacks.laying import lay, store, undone
from tests.attacks.readers import Answers, Reader, paths_about
from tests.attacks.secrets import HIDDEN, OWNER, RIVAL, SEALED, SEATS, sealed_by
from tests.attacks.walk import differences
from tests.rulesets.games import OTHERWISE, RULES
from tests.tables import fresh, new_game, send

pytestmark = pytest.mark.django_db
NAMES = ("ada", "bob", "cid")[:SEATS]
STRANGER = ""
SEALED_ROWS = [pytest.param(key, kind, id=f"{key}-{kind}") for key, kinds in SEALED.items() for kind in kinds]
HIDDEN_ROWS = [pytest.param(key, what, id=f"{key}-{what}") for key, kinds in HIDDEN.items() for what in kinds]


def test_every_ruleset_has_its_rows_and_every_action_that_it_seals_one() -> None:
    assert set(RULESETS) <= set(RULES)
    on_the_site = {key: rules for key, rules in RULES.items() if key in RULESETS}
    assert set(HIDDEN) == set(SEALED) == set(on_the_site)
    assert {key: sealed_by(rules) for key, rules in on_the_site.items()} == {
        key: set(kinds) for key, kinds in SEALED.items()
    }


@pytest.mark.parametrize(("key", "kind"), SEALED_ROWS)
def test_a26_nobody_else_can_tell_what_a_seat_has_sealed(key: str, kind: str) -> None:
    row = SEALED[key][kind]
    game = lay(new_game(*NAMES, ruleset=key), row.at())
    paths = paths_about(game, NAMES[OWNER])
    public = [path for path in paths if path.endswith((f"/games/{game.pk}/", "/position", "/log", "/log/"))]
    readers = {NAMES[RIVAL]: Reader(NAMES[RIVAL], paths), STRANGER: Reader(STRANGER, public)}
    readers[NAMES[OWNER]] = Reader(NAMES[OWNER], [f"{ROOT}games/{game.pk}/position"])
    seen: list[dict[str, Answers]] = []
    for request in (row.one, row.other):
        with undone():
            if request:
                send(fresh(game), OWNER, request)
            seen.append({name: reader.see() for name, reader in readers.items()})
    one, other = seen
    for name in (STRANGER, NAMES[RIVAL]):
        assert differences(one[name], other[name]) == [], name
    assert differences(one[NAMES[OWNER]], other[NAMES[OWNER]]), "its owner is shown it"


@pytest.mark.parametrize(("key", "what"), HIDDEN_ROWS)
def test_a26_nobody_can_tell_what_is_hidden_from_them(key: str, what: str) -> None:
    """Hands, what will be drawn, what is shown later: stored otherwise, and every answer is the same."""
    row = HIDDEN[key][what]
    game = lay(new_game(*NAMES, ruleset=key), row.at())
    for name, viewer in ((STRANGER, None), (NAMES[RIVAL], RIVAL)):
        reader = Reader(name, paths_about(game, NAMES[OWNER]))
        before = reader.see()
        position = fresh(game).load_position()
        other = OTHERWISE[key](position, viewer)
        changed = {part for part in row.parts if getattr(position.state, part) != getattr(other.state, part)}
        assert changed == row.parts
        with undone():
            store(game, other)
            assert differences(before, reader.see()) == [], name
