"""What follows from a change of a game: the conditions in the table of the door."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from game.play import door
from game.store.game import Game, Status

AT = datetime(2026, 11, 18, 9, tzinfo=UTC)
RUNNING, PAUSED, HELD, FINISHED = Status.RUNNING, Status.PAUSED, Status.HELD, Status.FINISHED
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], set[str]]] = {
    "a name": ({"status": RUNNING}, {"name": "Old"}, set()),
    "a line of the log": ({"status": RUNNING}, {"version": 1, "entries": 1}, {"new_version"}),
    "paused": ({"status": PAUSED}, {"status": RUNNING, "deadline_at": AT}, {"stopped_or_resumed"}),
    "resumed, and a bot waits": (
        {"status": RUNNING, "bots_due": True},
        {"status": PAUSED, "paused_left": timedelta(hours=1)},
        {"stopped_or_resumed", "bots_asked"},
    ),
    "nobody is left": ({"status": PAUSED}, {"status": RUNNING, "deserted_at": None}, set()),
    "on hold": ({"status": HELD}, {"status": PAUSED}, {"stopped_or_resumed", "newly_held"}),
    "rewound from a hold": ({"status": RUNNING}, {"status": HELD, "phase_serial": 3, "deadline_at": None}, set()),
    "over": ({"status": FINISHED}, {"status": RUNNING, "phase_serial": 3}, {"result_new"}),
    "rewound from the end": ({"status": RUNNING}, {"status": FINISHED, "phase_serial": 3}, {"result_new"}),
    "started": ({"status": RUNNING}, {"status": Status.WAITING, "phase_serial": 0}, set()),
    "a phase closes": ({"status": RUNNING}, {"phase_serial": 3, "deadline_at": AT}, set()),
    "a later deadline": ({"status": RUNNING}, {"deadline_at": AT}, {"deadline_moved"}),
    "a later deadline in a pause": ({"status": PAUSED}, {"paused_left": timedelta(hours=1)}, {"deadline_moved"}),
    "a bot's turn": ({"status": RUNNING, "bots_due": True}, {"moved_at": AT}, {"bots_asked"}),
}


@pytest.mark.parametrize("case", CASES)
def test_what_follows(case: str) -> None:
    columns, former, expected = CASES[case]
    due = {is_due.__name__ for is_due, _ in door.CONSEQUENCES if is_due(Game(**columns), former)}
    assert {name.split("_", 2)[2] for name in due} == expected
