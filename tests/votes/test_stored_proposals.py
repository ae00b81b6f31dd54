"""Proposals of the release before: three columns became one."""

from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from game.store.proposals import ProposalKind, VoteTopic, open_proposal, open_proposals, stored_proposal
from tests.tables import fresh, new_game

pytestmark = pytest.mark.django_db
before = import_module("game.migrations.0012_proposals")
UNTIL = datetime(2126, 11, 29, 12, tzinfo=UTC)
AT = UNTIL - timedelta(days=1)
TIMES = {"at": AT.isoformat(), "until": UNTIL.isoformat()}


def converted(**columns: Any) -> Any:
    """A running game whose row had these columns."""
    game = fresh(new_game("ada", "bob"))
    game.proposals = before.proposals_of(SimpleNamespace(**{"ending": {}, "pause": {}, "rewinding": {}, **columns}))
    return game


def test_an_ending_and_a_pause_of_before_are_open() -> None:
    game = converted(
        ending={"number": 4, "by": 1, "agreed": [1], **TIMES},
        pause={"made": 2, "proposal": {"number": 2, "by": 0, "to": "go on", "agreed": [0], "until": TIMES["until"]}},
    )
    assert set(open_proposals(game)) == {VoteTopic.ENDING, VoteTopic.PAUSE}
    ending, pause = (open_proposal(game, topic) for topic in (VoteTopic.ENDING, VoteTopic.PAUSE))
    assert ending is not None
    assert pause is not None
    assert (ending.number, ending.kind, ending.by, ending.agreed, ending.at) == (4, ProposalKind.ENDING, 1, (1,), AT)
    assert (pause.number, pause.kind, pause.declined, pause.at) == (2, ProposalKind.GOING_ON, (), UNTIL)


def test_a_leaver_and_a_rewind_of_before_keep_their_facts() -> None:
    game = converted(
        ending={"number": 1, "by": 0, "agreed": [0], "seat": 1, "name": "bob", **TIMES},
        rewinding={
            "number": 7, "moderator": "Lena", "reason": "a rule", "serial": 1, "turn": 1, "phase": "1",
            "agreed": [0], **TIMES,
        },
    )  # fmt: skip
    leaver, rewind = (stored_proposal(game, topic) for topic in (VoteTopic.ENDING, VoteTopic.REWIND))
    assert leaver is not None
    assert rewind is not None
    assert (leaver.kind, leaver.facts) == (ProposalKind.VOTING_OUT, {"seat": 1, "name": "bob"})
    assert open_proposal(game, VoteTopic.ENDING) is None, "bob has not left"
    assert (rewind.number, rewind.by, rewind.facts["reason"]) == (7, None, "a rule")
