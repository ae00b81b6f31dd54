"""Equal tags: whatever a seat revises that is its own, nobody else is answered with another tag, nor other bytes."""

from collections.abc import Iterator
from typing import Any

import pytest

from game.play import drafts
from game.rulesets.registry import RULESETS
from game.store.game import Game, Seat
from tests.api.clients import Program, action_of
from tests.attacks.laying import lay, undone
from tests.attacks.secrets import SEALED, Sealed, kinds_by_position
from tests.scenes import person, table
from tests.tables import fresh, new_game, send

pytestmark = [pytest.mark.django_db]
PARTS = (
    "",
    "/position",
    "/position?include=offers",
    "/offers",
    "/log",
    "/history",
    "/stream",
    "/chat",
    "/draft",
    "/notes",
)
BESIDE = ("games", "me/decisions", "me/stream")
Told = dict[str, tuple[int, str | None, bytes]]


def sealed_kinds() -> list[Any]:
    """Of each ruleset a position where one thing or another is sealed, and one where one thing or nothing is: what a
    seat revises is counted alike for all of them. That no answer tells which it is, tags included, is shown for each
    kind in `tests/attacks/test_secrets.py`."""
    found: dict[Any, Any] = {}
    for row in sorted(kinds_by_position(), key=lambda row: len(row.values[1])):
        key, kinds = row.values
        found.setdefault((key, all(SEALED[key][kind].one for kind in kinds)), row)
    return [*found.values()]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def told(game: Game, *readers: Program) -> list[Told]:
    """What each is answered, with its tag, where there is one."""
    paths = [*(f"games/{game.pk}{part}" for part in PARTS), *BESIDE]
    return [{path: _told(reader.get(path)) for path in paths} for reader in readers]


def _told(answer: Any) -> tuple[int, str | None, bytes]:
    return answer.status_code, answer.headers.get("ETag"), answer.content


@pytest.mark.parametrize(("ruleset", "kinds"), sealed_kinds())
def test_a_sealed_revision_changes_no_tag_for_anyone_else(ruleset: str, kinds: list[str]) -> None:
    """Nor does it matter to them which of these kinds is sealed."""
    people = [person(name) for name in ("ada", "ben", "cid")]
    game = fresh(lay(table(*people, bots=0, ruleset=ruleset), SEALED[ruleset][kinds[0]].at()))
    others, own = [Program(), Program("ben"), Program("cid"), Program("mallory")], Program("ada")
    before: dict[bool, list[Told]] = {}
    for kind in kinds:
        with undone():
            row = SEALED[ruleset][kind]
            if row.one:
                send(game, 0, row.one)
            if bool(row.one) not in before:
                before[bool(row.one)] = told(game, *others)
            tags = [own_tag(game, own)]
            for _ in revisions(game, row):
                assert told(game, *others) == before[bool(row.one)], kind
                tags.append(own_tag(game, own))
            assert tags[0] not in tags[1:], "the owner's own tag is another"


def revisions(game: Game, row: Sealed) -> Iterator[None]:
    """After the first revision, and after two more, which lead to the same."""
    seat = Seat.objects.get(game=game, number=0)
    for number, request in enumerate((row.other, row.one, row.other)):
        if request:
            send(game, 0, request)
        drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[request] if request else [])
        if number != 1:
            yield


def own_tag(game: Game, own: Program) -> str | None:
    return own.get(f"games/{game.pk}/position").headers.get("ETag")


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_draft_and_notes_change_no_tag_for_anyone_else(ruleset: str) -> None:
    """Where nothing is sealed, as in games played in turns, these are what one has for oneself."""
    names = ("ada", "ben")
    game = new_game(*names, ruleset=ruleset)
    owner = names[game.waiting_seats[0]]
    own, others = Program(owner), [Program(), *(Program(name) for name in ({*names} - {owner})), Program("mallory")]
    offer = next(each for each in own.get(f"games/{game.pk}/offers").json()["offers"] if not each["refused"])
    before = told(game, *others)
    for least in (True, False):
        draft = {"phase_serial": game.phase_serial, "actions": [action_of(offer, least=least)]}
        assert own.put(f"games/{game.pk}/draft", draft).status_code == 200
        notes = own.get(f"games/{game.pk}/notes").json()
        assert own.put(f"games/{game.pk}/notes", {**notes, "text": f"{least}"}).status_code == 200
        assert told(game, *others) == before
    assert own.get(f"games/{game.pk}/draft").json()["actions"]
