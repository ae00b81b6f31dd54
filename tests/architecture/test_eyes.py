"""Who sees what of a game is decided in `game.store.eyes` alone: nobody else asks the rules or the log what a seat
sees,
makes such a seat, or finds one for a reader."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tests.architecture.test_house_rules import product, tree
from tests.servers import ROOT

EYES = "game/store/eyes.py"
PURE = ("game/engine/", "game/rulesets/", "game/boards/", "game/env/")
"""There a seat is a number in the rules and belongs to no reader."""
PAGES = (
    "game/table/",
    "game/history/",
    "game/lobby/",
    "game/chat/page.py",
    "game/people/p",
    "game/store/pending.py",
    "game/api/",
    "game/live/",
)
WITHOUT_READER = {
    "game/play/transactions.py": "a bot of the site plays by what its seat sees, and no person is shown it",
    "game/moderation/break_glass.py": "two members of staff read every seat, on the record (decision 45)",
}
LISTS = {
    "game/api/facts/games.py": "games in which a person plays or played: names, not what is seen of a game",
    "game/lobby/front_page.py": "how many people play",
    "game/lobby/browse_queries.py": "which games they can still join",
    "game/lobby/free_seats.py": "which games they have never played in",
    "game/lobby/invitations.py": "with whom they have played",
    "game/lobby/lobby_queries.py": "the list of their games, those they gave up apart",
    "game/store/pending.py": "how many of their games wait for them",
    "game/people/personal_data.py": "their own file",
    "game/people/profiles.py": "the games on the page of a person",
    "game/table/one_device.py": "on which seat at one device the account is, whose browser is then asked for its word",
    "game/lobby/copies.py": "whether they sit where their own copy waits",
    "game/lobby/guests.py": "the games of a guest, which an account takes over",
    "game/lobby/inviting.py": "whether who is invited sits there already",
    "game/lobby/lessons.py": "the lesson that they have begun",
    "game/lobby/lobby.py": "whether they sit there already, under the lock",
    "game/lobby/rematch.py": "whether they played the game whose rematch it is",
    "game/lobby/waiting_games.py": "whether they sit in the waiting room that they opened",
    "game/live/access.py": "all seats of many people at once, of which `game.store.eyes` chooses",
}
"""Who looks for the seats of a person otherwise, and for what."""


def calls(prefixes: tuple[str, ...] = ("",)) -> Iterator[tuple[str, ast.Call, str]]:
    """Every call outside the rules: its file, and its name without what it is asked of."""
    for path in product():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(PURE) or not name.startswith(prefixes):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call):
                asked = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                yield name, node, asked


def files(is_meant: Callable[[ast.Call, str], bool], prefixes: tuple[str, ...] = ("",)) -> set[str]:
    return {name for name, node, asked in calls(prefixes) if is_meant(node, asked)}


def is_for_a_seat(node: ast.Call) -> bool:
    """Of a view: a stranger's, which names nobody, may be asked for anywhere."""
    whose = [*node.args[1:], *(word.value for word in node.keywords if word.arg == "seat")]
    return bool(whose) and not any(isinstance(each, ast.Constant) and each.value is None for each in whose)


def test_only_one_module_asks_what_a_seat_sees() -> None:
    def shows(node: ast.Call, asked: str) -> bool:
        is_of_rules = isinstance(node.func, ast.Attribute) and "rules" in ast.unparse(node.func.value)
        return asked in {"read_events", "revealed", "viewer"} or (
            asked == "view" and is_of_rules and is_for_a_seat(node)
        )

    # A function that is passed on is asked too.
    passed_on = {
        path.relative_to(ROOT).as_posix()
        for path in product()
        if not path.relative_to(ROOT).as_posix().startswith(PURE)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr == "viewer"
    }
    assert files(shows) | passed_on == {EYES, *WITHOUT_READER}


def test_only_one_module_makes_the_seat_as_which_somebody_sees_a_game() -> None:
    """Whoever is handed one knows that it was found there: the type checker compares the types, so none is made of a
    number elsewhere."""
    assert files(lambda node, asked: asked == "Eyes") == {EYES}
    assert files(lambda node, asked: asked == "cast" and "Eyes" in ast.unparse(node)) == set()


def test_pages_sockets_and_the_api_look_for_the_seats_of_a_person_in_lists_alone() -> None:
    def finds(node: ast.Call, asked: str) -> bool:
        is_of_seats = any(each in ast.unparse(node.func) for each in ("Seat.objects", ".seats."))
        names = {word.arg or "" for word in node.keywords}
        return is_of_seats and any(name.split("__")[0] in {"user", "user_id"} for name in names)

    assert files(finds, PAGES) == set(LISTS)
