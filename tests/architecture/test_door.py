"""Only `game.play` and `game.store` write a game, a seat or an entry of its log: others go through the door."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.servers import ROOT

DOOR = ("play", "store", "migrations")
BELOW = ("outbox/notices.py",)
"""Rooms below the door: the outbox marks the log entries for which it has written notices."""
WRITES = {"save", "asave", "update", "create", "get_or_create", "update_or_create", "bulk_create", "bulk_update"}
ROWS = re.compile(
    r"\b(?:Game|Seat|LoggedAction)(?:\.objects|\.from_db|\()|\.(?:seats|log|log_entries)\.(?!exception\b)"
)
SINGLE = re.compile(r"(?:\w+\.)*(?:game|seat|own_seat|source|copy|locked|entry)")
BY_HAND = re.compile(r"(?:insert|update)\((?:Game|Seat|LoggedAction),")


def written(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls in a module that write one of these rows, judged by names. This includes calls on a query set that the
    same function built from one of them."""
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        names: set[str] = set()
        for node in sorted(ast.walk(function), key=lambda each: getattr(each, "lineno", 0)):
            if isinstance(node, ast.Assign) and ROWS.search(ast.unparse(node.value)) and _is_queryset(node.value):
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            if isinstance(node, ast.Call) and _writes(node, names):
                yield node


def _is_queryset(value: ast.expr) -> bool:
    """True unless values are computed from the rows, as by `list(…)` or `{…}`."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)


def _writes(call: ast.Call, names: set[str]) -> bool:
    if BY_HAND.match(ast.unparse(call)):
        return True
    if not isinstance(call.func, ast.Attribute):
        return False
    whose = ast.unparse(call.func.value)
    if call.func.attr == "write_changes":
        return True
    is_row = SINGLE.fullmatch(whose) or ROWS.search(whose) or whose.split(".")[0] in names
    return call.func.attr in WRITES and bool(is_row)


def modules() -> list[Path]:
    paths = sorted((ROOT / "game").rglob("*.py"))
    names = {path: path.relative_to(ROOT / "game") for path in paths}
    return [path for path, name in names.items() if name.parts[0] not in DOOR and name.as_posix() not in BELOW]


def test_nobody_but_the_door_writes_a_game_a_seat_or_its_log() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)[:80]}"
        for path in modules()
        for call in written(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_the_door_s_own_writes_would_be_found_elsewhere() -> None:
    kinds = {
        "play/authority.py": {"create", "update"},
        "play/door.py": {"save", "write_changes"},
        "play/leases.py": {"update"},
        "store/packed_log.py": {"bulk_create", "bulk_update", "update", "write_changes"},
    }
    for name, expected in kinds.items():
        calls = written(ast.parse((ROOT / "game" / name).read_text(encoding="utf-8")))
        assert {call.func.attr for call in calls if isinstance(call.func, ast.Attribute)} >= expected, name
    calls = written(ast.parse((ROOT / "game" / "play" / "door.py").read_text(encoding="utf-8")))
    assert {ast.unparse(call.func) for call in calls} >= {"insert", "row.write_changes"}


def test_what_follows_from_a_change_is_not_left_out_within_the_room() -> None:
    """Of a step, `follow_up` comes after its log and standings."""
    paths = sorted((ROOT / "game" / "play").glob("*.py"))
    writers = {path.name for path in paths if ".write_changes(" in path.read_text(encoding="utf-8")}
    assert writers == {"door.py", "transactions.py"}
