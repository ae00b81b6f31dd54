"""Proposals about the end: to end the game without places, or to vote out a seat whose player has left, if the rules
provide for that (T-15)."""

from __future__ import annotations

from typing import Any

from game.engine.actions import Refused
from game.live import announce
from game.play import door, moves
from game.seats.handover import abandon, may_be_voted_out
from game.store.game import Game, Keeper, Seat
from game.store.log_notes import Sentence
from game.store.proposals import NAME, SEAT, Proposal, ProposalKind, VoteTopic, drop_proposal
from game.store.readers import note_bots


def choose(game: Game, *, number: int | None = None) -> tuple[ProposalKind, dict[str, Any]]:
    """Propose to vote out the seat with this number; without one, to end the game. Raises `Refused`."""
    if number is None:
        return ProposalKind.ENDING, {}
    seat = game.seats.select_related("user").filter(number=number).first()
    if seat is None or not may_be_voted_out(game, seat):
        raise Refused("Only a player who has resigned or is away can be voted out of a game.", code="has_not_left")
    return ProposalKind.VOTING_OUT, {SEAT: number, NAME: seat.shown_name}


def end(game: Game, proposal: Proposal, last_voter: Seat) -> None:
    """End the game without places."""
    abandon(game=game, note=Sentence.ENDED_BY_AGREEMENT(), by=last_voter)


def vote_out(game: Game, proposal: Proposal, last_voter: Seat) -> None:
    """Give the seat up for good, as after a resignation; the rules put it out when the open phase is over."""
    seat = game.seats.get(number=proposal.facts[SEAT])
    seat.keeper, seat.left_at, seat.version = Keeper.RESIGNED, None, seat.version + 1
    door.write(seat)
    drop_proposal(game, VoteTopic.ENDING)
    note_bots(game)
    change = moves.open_transaction(game)
    change.vote_out(seat.number, user_id=None, note=Sentence.VOTED_OUT(was=proposal.facts[NAME]))
    change.commit()
    announce.seat_changed(game.pk, seat.number, game.version)
