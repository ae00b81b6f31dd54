"""Clock actions at the foot of a game's page: pausing and resuming it, and more time for a phase."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.urls import reverse

from accounts.models import User
from game.clock import extensions
from game.deadlines.phase_clock import read_clock
from game.engine.events import Names, named_to
from game.engine.language import mark, say
from game.engine.phrases import listed
from game.outbox.preferences import not_reached
from game.play.late import length_words
from game.store.availability import known_to
from game.store.game import Game, Keeper, Status
from game.store.proposals import ProposalKind, VoteTopic, open_proposal
from game.votes import pauses

PROPOSES_PAUSE = (mark("{name} proposes to pause the game."), mark("You propose to pause the game."))
PROPOSES_RESUMING = (mark("{name} proposes to resume the game."), mark("You propose to resume the game."))
"""To the others, and to the proposer."""


class PauseVote(NamedTuple):
    """A proposal to pause or resume the game: who agreed and who declined, how many must agree, and until when.
    `needs_answer` is true until the reader has answered; answers can be changed."""

    lead: str
    agreed: str
    declined: str
    so_far: int
    needed: int
    until: datetime
    agree_url: str = ""
    decline_url: str = ""
    withdraw_url: str = ""
    needs_answer: bool = False

    @property
    def missing(self) -> int:
        return max(0, self.needed - self.so_far)


class ClockActions(NamedTuple):
    """What a player may do about the clock; `ends_at` is when a pause by vote ends by itself."""

    ends_at: datetime | None = None
    propose_url: str = ""
    propose: str = ""
    means: str = ""
    proposal: PauseVote | None = None
    extend_url: str = ""
    more: str = ""
    until: datetime | None = None  # the new deadline, if phases close at fixed times
    away: tuple[tuple[str, datetime, datetime], ...] = ()  # name (empty: the reader), begin, end
    unreached: str = ""  # shown only to the host: absent players who get no email

    @property
    def is_shown(self) -> bool:
        """True if there is anything to show."""
        return any((self.ends_at, self.propose_url, self.proposal, self.extend_url, self.away, self.unreached))


def clock_of(game: Game, seat: Any, seats: Sequence[Any]) -> ClockActions:
    """What this reader may do. Empty without a seat or a clock, or while a moderator has paused the game."""
    is_voted = game.status == Status.PAUSED and game.pause_ends_at is not None
    if seat is None or seat.keeper == Keeper.RESIGNED or not (is_voted or (game.is_running and game.deadline_at)):
        return ClockActions()
    names = {each.number: each.shown_name for each in seats}.__getitem__
    proposal = _proposal(game, seat, names)
    may = not seat.keeper and proposal is None and (is_voted or pauses.pause_left(game) > timedelta())
    more = _extension_text(game, seat.number) if game.is_running and not seat.keeper else ""
    return ClockActions(
        ends_at=game.pause_ends_at,
        propose_url=reverse("propose_pause", args=[game.pk]) if may else "",
        propose=say("Propose to resume") if is_voted else say("Propose a pause"),
        means=_vote_text(game, is_voted=is_voted),
        proposal=proposal,
        extend_url=reverse("extend_phase", args=[game.pk, game.phase_serial]) if more else "",
        more=more,
        until=extensions.fixed_end(game, seat.number) if more else None,
        away=tuple(
            ("" if each.seat == seat.number else names(each.seat), each.begins, each.ends) for each in known_to(game)
        ),
        unreached=_unreached(game, seats) if game.host_id == seat.user_id else "",
    )


def _unreached(game: Game, seats: Sequence[Any]) -> str:
    """Names of absent players who get no email about their decisions; the reason is private."""
    names = {each.user_id: each.shown_name for each in seats if each.keeper == Keeper.AWAY}
    if not names or not game.is_slow:
        return ""
    unreached = not_reached(game.pk, list(User.objects.filter(pk__in=names)))
    return listed(name for user_id, name in names.items() if user_id in unreached)


def _proposal(game: Game, seat: Any, names: Names) -> PauseVote | None:
    proposal = open_proposal(game, VoteTopic.PAUSE)
    if proposal is None:
        return None
    assert proposal.by is not None, "Players propose pauses."
    to_others, to_proposer = PROPOSES_PAUSE if proposal.kind == ProposalKind.PAUSE else PROPOSES_RESUMING
    url_args, own = [game.pk, proposal.number], seat.number
    so_far, needed = len({*proposal.agreed} & {*game.present_seats}), pauses.votes_needed(game)
    # If a voter has left, the others may agree again to complete the vote.
    is_answered = own in proposal.agreed and so_far < needed
    may_decline = not seat.keeper and own not in (*proposal.declined, proposal.by)
    return PauseVote(
        lead=say(to_proposer) if proposal.by == own else say(to_others, name=names(proposal.by)),
        agreed=named_to(own, proposal.agreed, names),
        declined=named_to(own, proposal.declined, names) if proposal.declined else "",
        so_far=so_far,
        needed=needed,
        until=proposal.until,
        agree_url="" if seat.keeper or is_answered else reverse("agree_to_pause", args=url_args),
        decline_url=reverse("decline_pause", args=url_args) if may_decline else "",
        withdraw_url=reverse("withdraw_pause", args=url_args) if own == proposal.by and not seat.keeper else "",
        needs_answer=not seat.keeper and own not in (*proposal.agreed, *proposal.declined),
    )


def _vote_text(game: Game, *, is_voted: bool) -> str:
    if is_voted:
        return say("More than half of the players must agree. Then the clock continues where it stopped.")
    return say(
        "More than half of the players must agree. Then the clock stops for up to {length}.",
        length=length_words(pauses.pause_left(game)),
    )


def _extension_text(game: Game, seat: int) -> str:
    """The time by which a seat may extend the open phase, in words; empty if it may not."""
    more = extensions.extension_of(game)
    clock = read_clock(game.clock)
    if not more or seat in clock.extended or seat not in game.waiting_seats or extensions.is_extended_fully(game):
        return ""
    return "" if extensions.fixed_end(game, seat) == game.deadline_at else length_words(more)
