"""Players vote on proposals about their game: one proposes, the others agree or decline, and what enough of them want
happens. `VOTES` has a row for each topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts import limits
from accounts.models import User
from game.engine.actions import Refused
from game.outbox import notices
from game.outbox.notice_kinds import QUESTIONS
from game.play import door, tenures
from game.play.proposals import UNDER_WAY, have_agreed, lock_voter
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Kind
from game.store.log_notes import Note, Sentence
from game.store.proposals import (
    NAME,
    TOPICS_OF_TIME,
    Proposal,
    ProposalKind,
    VoteTopic,
    drop_proposal,
    open_proposal,
    store_proposal,
)
from game.votes import endings, pauses, rewinds

Carry = Callable[[Game, Proposal, Seat], None]


@dataclass(frozen=True)
class Outcome:
    """The function that carries a kind of proposal out, removes it and saves the game, and the log's text about it;
    None where nobody can do that."""

    carry_out: Carry
    agrees: Sentence
    proposed: Sentence | None = None
    withdrew: Sentence | None = None
    agrees_no_longer: Sentence | None = None
    declines: Sentence | None = None
    lapsed: Sentence | None = None


@dataclass(frozen=True)
class Vote:
    """The rules of a vote on a topic: who votes, how many must agree, and for how long. `choose` says what a player
    proposes, with its facts; None if only moderators propose it. `lifetime` is by whether the game is slow."""

    log_kind: Kind
    outcomes: Mapping[ProposalKind, Outcome]
    is_carried: Callable[[Game, Proposal], bool]
    has_lapsed: Callable[[Game, Proposal], bool] = lambda game, proposal: True
    check: Callable[[Game], None] = lambda game: None
    choose: Callable[..., tuple[ProposalKind, dict[str, Any]]] | None = None
    lifetime: Mapping[bool, timedelta] | None = None
    statuses: Sequence[Status] = UNDER_WAY
    lock: Callable[[int, int], int | None] = lambda game_id, number: number
    """Locks what must be locked before the game, and turns the number in an address into that of the proposal."""


VOTES: Mapping[VoteTopic, Vote] = {
    VoteTopic.ENDING: Vote(
        log_kind=Kind.ENDING,
        choose=endings.choose,
        lifetime={False: timedelta(minutes=30), True: timedelta(days=3)},
        is_carried=have_agreed,
        outcomes={
            ProposalKind.ENDING: Outcome(
                endings.end,
                Sentence.AGREES_TO_END,
                Sentence.PROPOSED_ENDING,
                Sentence.WITHDREW_ENDING,
                Sentence.AGREES_NO_LONGER_TO_END,
            ),
            ProposalKind.VOTING_OUT: Outcome(
                endings.vote_out,
                Sentence.AGREES_TO_VOTE_OUT,
                Sentence.PROPOSED_VOTING_OUT,
                Sentence.WITHDREW_VOTING_OUT,
                Sentence.AGREES_NO_LONGER_TO_VOTE_OUT,
            ),
        },
    ),
    VoteTopic.PAUSE: Vote(
        log_kind=Kind.PAUSE,
        choose=pauses.choose,
        lifetime={False: timedelta(minutes=10), True: timedelta(days=1)},
        check=pauses.check_can_vote,
        is_carried=pauses.has_majority,
        has_lapsed=pauses.has_lapsed,
        outcomes={
            ProposalKind.PAUSE: Outcome(
                pauses.stop,
                Sentence.AGREES_TO_PAUSE,
                Sentence.PROPOSED_PAUSE,
                Sentence.WITHDREW_PAUSE,
                declines=Sentence.DECLINES_PAUSE,
                lapsed=Sentence.PAUSE_LAPSED,
            ),
            ProposalKind.GOING_ON: Outcome(
                pauses.go_on,
                Sentence.AGREES_TO_GO_ON,
                Sentence.PROPOSED_GOING_ON,
                Sentence.WITHDREW_GOING_ON,
                declines=Sentence.DECLINES_TO_GO_ON,
                lapsed=Sentence.GOING_ON_LAPSED,
            ),
        },
    ),
    VoteTopic.REWIND: Vote(
        log_kind=Kind.MODERATION,
        statuses=rewinds.STATUSES,
        lock=rewinds.lock_for_voters,
        is_carried=rewinds.is_carried,
        outcomes={
            ProposalKind.REWIND: Outcome(
                rewinds.carry_out, Sentence.AGREES_TO_REWIND, declines=Sentence.DECLINES_TO_REWIND
            )
        },
    ),
}


@transaction.atomic
def propose(*, game_id: int, user: User, topic: VoteTopic, **choice: Any) -> None:
    """Make a proposal and agree to it; if it is open already, agree to it. Raises `Refused`, and `limits.TooMany`."""
    vote = VOTES[topic]
    assert vote.choose is not None
    game, seat = lock_voter(game_id, user, vote.statuses, is_of_time=topic in TOPICS_OF_TIME)
    kind, facts = vote.choose(game, **choice)
    _limit(vote, game, user)
    vote.check(game)
    proposal = open_proposal(game, topic)
    if proposal is None:
        proposal = _make(vote, game, seat, kind, facts)
        _note(vote, game, seat, proposal, vote.outcomes[kind].proposed)
        _notify_others(game, seat, topic)
    elif (proposal.kind, proposal.facts) != (kind, facts):
        raise Refused("Another proposal is open. Answer it first.", code="proposal_open")
    _agree(vote, game, seat, topic, proposal)


@transaction.atomic
def agree(*, game_id: int, user: User, topic: VoteTopic, number: int) -> None:
    """Agree to the proposal with this number; the last vote that is needed carries it. A second call only carries a
    proposal for which no vote is missing any more. Raises `Refused`, and `limits.TooMany`."""
    vote = VOTES[topic]
    game, seat, proposal = _lock(vote, game_id, user, topic, number)
    _limit(vote, game, user)
    vote.check(game)
    _agree(vote, game, seat, topic, proposal)


@transaction.atomic
def decline(*, game_id: int, user: User, topic: VoteTopic, number: int) -> None:
    """Decline a proposal, even after having agreed; it lapses when too few are left to carry it. A second call changes
    nothing. Raises `Refused`."""
    vote = VOTES[topic]
    game, seat, proposal = _lock(vote, game_id, user, topic, number)
    if seat.number in proposal.declined:
        return
    proposal = proposal.with_refusal(seat.number)
    outcome, has_lapsed = vote.outcomes[proposal.kind], vote.has_lapsed(game, proposal)
    if has_lapsed:
        drop_proposal(game, topic)
    else:
        store_proposal(game, topic, proposal)
    _note(vote, game, seat, proposal, outcome.declines)
    if has_lapsed and outcome.lapsed is not None:
        door.count_note(game=game, kind=vote.log_kind, seat=None, note=outcome.lapsed())


@transaction.atomic
def withdraw(*, game_id: int, user: User, topic: VoteTopic, number: int) -> None:
    """Withdraw one's own proposal or, where the others are not asked to decline it, one's agreement. A second call
    changes nothing. Raises `Refused`."""
    vote = VOTES[topic]
    game, seat, proposal = _lock(vote, game_id, user, topic, number)
    outcome = vote.outcomes[proposal.kind]
    if seat.number == proposal.by:
        drop_proposal(game, topic)
        _note(vote, game, seat, proposal, outcome.withdrew)
    elif outcome.agrees_no_longer is None:
        raise Refused(
            "Only the player who made a proposal can withdraw it. Decline it instead.", code="not_your_proposal"
        )
    elif seat.number in proposal.agreed:
        store_proposal(game, topic, proposal.without_answer(seat.number))
        _note(vote, game, seat, proposal, outcome.agrees_no_longer)


def _lock(vote: Vote, game_id: int, user: User, topic: VoteTopic, number: int) -> tuple[Game, Seat, Proposal]:
    """The locked game, the voter's seat and the open proposal of that number. Raises `Refused`."""
    stored_number = vote.lock(game_id, number)
    game, seat = lock_voter(game_id, user, vote.statuses, is_of_time=topic in TOPICS_OF_TIME)
    proposal = open_proposal(game, topic)
    if proposal is None or proposal.number != stored_number:
        raise Refused(
            "This proposal is no longer open: it was withdrawn or decided, or its time has passed.",
            code="proposal_over",
        )
    return game, seat, proposal


def _limit(vote: Vote, game: Game, user: User) -> None:
    """Limit how often a player proposes and agrees in one game, because all others read it each time. Declining and
    withdrawing is not counted, nor answers to a moderator. Raises `limits.TooMany`."""
    if vote.choose is not None:
        limits.spend("proposal", f"{user.pk}.{game.pk}")


def _make(vote: Vote, game: Game, seat: Seat, kind: ProposalKind, facts: dict[str, Any]) -> Proposal:
    assert vote.lifetime is not None
    game.proposals_made += 1
    until: datetime = game.now + vote.lifetime[game.is_slow]
    return Proposal(game.proposals_made, kind, game.now, until, by=seat.number, facts=facts)


def _agree(vote: Vote, game: Game, seat: Seat, topic: VoteTopic, proposal: Proposal) -> None:
    """Record an agreement, and do what was proposed if it was the last one needed."""
    if seat.number not in proposal.agreed:
        proposal = proposal.with_agreement(seat.number)
        store_proposal(game, topic, proposal)
        door.write(game)
        if seat.number != proposal.by:
            _note(vote, game, seat, proposal, vote.outcomes[proposal.kind].agrees)
    if vote.is_carried(game, proposal):
        vote.outcomes[proposal.kind].carry_out(game, proposal, seat)


def _note(vote: Vote, game: Game, seat: Seat, proposal: Proposal, sentence: Callable[..., Note] | None) -> None:
    assert sentence is not None, f"Nobody can do that to a proposal of the kind {proposal.kind}."
    was = {"was": proposal.facts[NAME]} if NAME in proposal.facts else {}
    note = sentence(name=seat.shown_name, **was)
    door.count_note(game=game, kind=vote.log_kind, seat=seat.number, note=note)


def _notify_others(game: Game, proposer: Seat, topic: VoteTopic) -> None:
    """Notify the other players, once: about time whoever plays now, about everything else the players of the seats,
    also those who are away or have a stand-in, since they may come back and vote. Fast games send no email, because
    they end before it is read."""
    if topic in TOPICS_OF_TIME:
        people = [(seat, user_id) for seat, user_id in notices.players_of(game) if seat.pk != proposer.pk]
    else:
        others = game.seats.filter(user__isnull=False, bot="").exclude(pk=proposer.pk).exclude(keeper=Keeper.RESIGNED)
        people = [(seat, tenures.owner_of(game, seat) or 0) for seat in others]
    kind, serial = QUESTIONS[topic], game.proposals_made
    notices.notify(game=game, people=people, kind=kind, serial=serial, is_mailed=game.is_slow)
