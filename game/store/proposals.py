"""The open proposals of a game, one of each topic, as its row stores them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from game.store.game import Game, Status

SEAT, NAME = "seat", "name"
"""The facts of a proposal to vote a player out: the seat, and the player's name."""


class VoteTopic(StrEnum):
    """A topic on which a game can have one open proposal."""

    ENDING = "ending"
    PAUSE = "pause"
    REWIND = "rewind"


TOPICS_OF_TIME = frozenset({VoteTopic.PAUSE})
"""Topics on which a stand-in votes instead of the player, because the clock counts the stand-in's time."""


class ProposalKind(StrEnum):
    """The kind of a proposal."""

    ENDING = "ending"
    VOTING_OUT = "voting_out"
    PAUSE = "pause"
    GOING_ON = "go on"
    REWIND = "rewind"


class Proposal(msgspec.Struct, frozen=True):
    """A proposal with the seats that agreed and declined, in order. `by` is the seat that made it; a moderator has
    none. It is open until `until`."""

    number: int
    kind: ProposalKind
    at: datetime
    until: datetime
    by: int | None = None
    agreed: tuple[int, ...] = ()
    declined: tuple[int, ...] = ()
    facts: dict[str, Any] = {}

    def with_agreement(self, seat: int) -> Proposal:
        return self._with_answers({*self.agreed, seat}, {*self.declined} - {seat})

    def with_refusal(self, seat: int) -> Proposal:
        return self._with_answers({*self.agreed} - {seat}, {*self.declined, seat})

    def without_answer(self, seat: int) -> Proposal:
        return self._with_answers({*self.agreed} - {seat}, {*self.declined} - {seat})

    def _with_answers(self, agreed: Iterable[int], declined: Iterable[int]) -> Proposal:
        return msgspec.structs.replace(self, agreed=tuple(sorted(agreed)), declined=tuple(sorted(declined)))


def stored_proposal(game: Game, topic: VoteTopic) -> Proposal | None:
    """The last proposal on a topic that nobody carried or withdrew; its time may have passed."""
    stored = game.proposals.get(topic)
    return msgspec.convert(stored, Proposal) if stored else None


def open_proposal(game: Game, topic: VoteTopic) -> Proposal | None:
    """The proposal on a topic, while its time lasts and the game is running or paused; for a rewind, on hold as well.
    A proposal to vote a seat out is open while nobody plays that seat."""
    statuses = {Status.RUNNING, Status.PAUSED, *([Status.HELD] if topic == VoteTopic.REWIND else [])}
    proposal = stored_proposal(game, topic) if game.status in statuses else None
    if proposal is None or proposal.until <= game.now:
        return None
    left = game.keepers.keys() - game.proxies.keys()
    return None if SEAT in proposal.facts and str(proposal.facts[SEAT]) not in left else proposal


def open_proposals(game: Game) -> dict[VoteTopic, Proposal]:
    proposals = {topic: open_proposal(game, topic) for topic in VoteTopic}
    return {topic: proposal for topic, proposal in proposals.items() if proposal is not None}


def store_proposal(game: Game, topic: VoteTopic, proposal: Proposal) -> None:
    """Replace the proposal on a topic. The caller saves the game."""
    game.proposals = {**game.proposals, topic.value: msgspec.to_builtins(proposal)}


def drop_proposal(game: Game, topic: VoteTopic) -> None:
    """Remove the proposal on a topic, if there is one. The caller saves the game."""
    game.proposals = {name: stored for name, stored in game.proposals.items() if name != topic}
