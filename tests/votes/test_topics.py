"""What a topic of votes is, is said once: everything that asks about it follows from that."""

from __future__ import annotations

import json

from game.outbox.notice_kinds import QUESTIONS
from game.store.proposals import TOPICS_OF_TIME, ProposalKind, VoteTopic
from game.votes.voting import VOTES
from tests.servers import ROOT


def test_every_topic_has_its_row_and_its_notice() -> None:
    assert {*VOTES} == {*VoteTopic} == {*QUESTIONS}
    assert {*VoteTopic} >= TOPICS_OF_TIME


def test_every_kind_of_proposal_is_of_one_topic() -> None:
    kinds = [kind for vote in VOTES.values() for kind in vote.outcomes]
    assert sorted(kinds) == sorted(ProposalKind)


def test_the_contract_names_every_topic_and_every_kind() -> None:
    contract = json.loads((ROOT / "docs" / "api" / "openapi.json").read_text(encoding="utf-8"))
    fields = contract["components"]["schemas"]["Proposal"]["properties"]
    assert {*fields["kind"]["enum"]} == {*VoteTopic}
    assert {*fields["to"]["enum"]} == {*ProposalKind}
