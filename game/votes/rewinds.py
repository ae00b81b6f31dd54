"""A moderator can put a rewind to the players: if everyone present agrees, no second moderator is needed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.urls import reverse

from accounts import limits
from accounts.models import User
from game.engine.actions import Refused
from game.engine.events import calling_you, named_to
from game.engine.phrases import listed
from game.history.game_log import moment_words
from game.moderation import approvals, interventions, permissions, rewind
from game.outbox import notices
from game.play import door, moves, tenures
from game.play.proposals import waits_until
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Kind, Notice
from game.store.log_notes import Sentence
from game.store.moderation_models import MOST, ApprovalRequest, Intervention, key_of, number_of
from game.store.proposals import Proposal, ProposalKind, VoteTopic, open_proposal, store_proposal

STATUSES = (Status.RUNNING, Status.PAUSED, Status.HELD)
"""The players can be asked in these; after the end only moderators decide."""


class Votes(NamedTuple):
    """The players' votes on a rewind: who agreed, whose vote is missing, and until when the vote waits for absent
    players."""

    is_asked: bool
    agreed: str = ""
    missing: str = ""
    waits: datetime | None = None


class RewindVote(NamedTuple):
    """A vote on a rewind as its reader sees it: the phase, the reason and who asks; who has agreed, whose answer is
    missing, and the time limit; until when it waits for absent players, and whether too few are present to decide."""

    moderator: str
    moment: str
    reason: str
    agreed: str
    missing: str
    until: datetime
    waits: datetime | None
    is_short: bool
    agree_url: str = ""
    decline_url: str = ""
    withdraw_url: str = ""  # players cannot withdraw what a moderator asks


@transaction.atomic
def put_to_players(*, request_id: int, moderator: User) -> None:
    """Ask the players about a rewind that waits for approval, once about each. Raises `Refused`, and
    `limits.TooMany`."""
    request = approvals.lock_request(request_id)
    if request.what != Intervention.REWIND_TO:
        raise Refused("Only a rewind can be put to the players.", code="other_request")
    if request.asker_id != moderator.pk:
        raise Refused("Only the moderator who asked for this can put it to the players.", code="other_request")
    assert request.game_id is not None
    game = moves.lock(request.game_id)
    permissions.check_may(Intervention.REWIND_TO, moderator)
    if game is None or game.status not in STATUSES:
        raise Refused("The players can be asked while their game is not over.", code="not_running")
    if open_proposal(game, VoteTopic.REWIND) is not None:
        raise Refused("The players have been asked already.", code="asked_already")
    if Notice.objects.filter(game=game, kind=Notice.Kind.REWIND, serial=request.pk).exists():
        raise Refused("The players have been asked about this rewind already.", code="asked_already")
    _check_present(game)
    moment = next((each for each in rewind.moments_of(game) if each.number == request.asked["number"]), None)
    if moment is None:
        raise Refused("The game cannot be rewound there: no phase started at that entry.", code="no_such_phase")
    limits.spend("proposal", f"{moderator.pk}.{game.pk}")
    reason_facts = {"moderator": moderator.username, "reason": request.reason}
    facts = {**reason_facts, "serial": moment.serial, "turn": moment.turn, "phase": moment.phase}
    proposal = Proposal(request.pk, ProposalKind.REWIND, game.now, request.expires_at, facts=facts)
    store_proposal(game, VoteTopic.REWIND, proposal)
    note = Sentence.ASKED_TO_REWIND(moment=moment.start, **reason_facts)
    door.write_note(game=game, kind=Kind.MODERATION, user_id=moderator.pk, note=note)
    _notify_voters(game, request.pk)


def votes_of(request: ApprovalRequest) -> Votes | None:
    """The votes shown on the desk; None if the players cannot be asked."""
    if request.game is None or request.what != Intervention.REWIND_TO or request.game.status not in STATUSES:
        return None
    game = Game.objects.on_the_clock().get(pk=request.game.pk)
    proposal = open_proposal(game, VoteTopic.REWIND)
    if proposal is None or proposal.number != request.pk:
        return Votes(is_asked=False)
    names = {seat.number: seat.shown_name for seat in game.seats.select_related("user")}
    missing = [number for number in game.present_seats if number not in proposal.agreed]
    agreed = listed(names[number] for number in proposal.agreed)
    return Votes(True, agreed, listed(names[number] for number in missing), waits_until(game, proposal))


def lock_for_voters(game_id: int, number: int) -> int | None:
    """Lock the request of this number, before its game as a moderator's confirmation does, and return its key, which
    is the proposal's number; None if this game has no such request."""
    keys = [key_of(ApprovalRequest, number)] if number <= MOST else []
    requests = ApprovalRequest.objects.select_for_update(of=("self",)).filter(pk__in=keys, game_id=game_id)
    return requests.values_list("pk", flat=True).first()


def is_carried(game: Game, proposal: Proposal) -> bool:
    """True if enough players are present, and all of them agree."""
    return approvals.is_agreed_by_players(game, proposal.number)


def carry_out(game: Game, proposal: Proposal, last_voter: Seat) -> None:
    """Rewind the game for the moderator who asked. Raises `Refused` if they may no longer do it."""
    request = ApprovalRequest.objects.select_related("asker").get(pk=proposal.number)
    if request.asker is None:
        raise Refused(
            "The moderator who asked for this may no longer do it. It cannot be confirmed.", code="asker_may_not"
        )
    rewind.rewind_to(
        game_id=game.pk,
        moderator=request.asker,
        reason=request.reason,
        seen=interventions.seen_of(Game.objects.get(pk=game.pk)),
        approval=approvals.Approval(request.pk, None, is_by_players=True),
        **request.asked,
    )


def number_of_vote(proposal: Proposal) -> int:
    """The number of a rewind that the players are asked about: that of the request, as the desk shows it."""
    return number_of(ApprovalRequest, proposal.number)


def rewind_vote_of(game: Game, seat: Any, seats: Sequence[Any]) -> RewindVote | None:
    """The vote as this reader sees it; None without a seat."""
    proposal = open_proposal(game, VoteTopic.REWIND)
    if proposal is None or seat is None or seat.keeper == Keeper.RESIGNED:
        return None
    names = {each.number: each.shown_name for each in seats}.__getitem__
    present, waits = game.present_seats, waits_until(game, proposal)
    missing = [number for number in present if number not in proposal.agreed]
    is_waiting, is_short = waits is not None and game.now < waits, len(present) < approvals.fewest_players(game)
    url_args, decides = [game.pk, number_of_vote(proposal)], not seat.keeper and str(seat.number) not in game.proxies
    # All have agreed but nothing has happened yet: agreeing again completes the vote.
    agrees = decides and (seat.number in missing or not (missing or is_waiting or is_short))
    return RewindVote(
        moderator=proposal.facts["moderator"],
        moment=_moment_words(game, proposal),
        reason=proposal.facts["reason"],
        agreed=named_to(seat.number, proposal.agreed, names) if proposal.agreed else "",
        missing=listed(map(calling_you(seat.number, names), missing)),
        until=proposal.until,
        waits=waits if is_waiting else None,
        is_short=is_short,
        agree_url=reverse("agree_to_rewind", args=url_args) if agrees else "",
        decline_url=reverse("decline_rewind", args=url_args) if decides else "",
    )


def _check_present(game: Game) -> None:
    present = len(game.present_seats)
    if not present:
        raise Refused("No player is present who could answer.", code="nobody_present")
    if present < approvals.fewest_players(game):
        raise Refused(
            "In a rated game at least two players decide this, and only one is present. Ask another moderator.",
            code="one_present",
        )


def _notify_voters(game: Game, request_id: int) -> None:
    """Notify everyone who may vote, also players who are away, because they may come back."""
    seats = game.seats.filter(user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    people: list[tuple[Any, int]] = [(seat, tenures.owner_of(game, seat) or 0) for seat in seats]
    notices.notify(game=game, people=people, kind=Notice.Kind.REWIND, serial=request_id)


def _moment_words(game: Game, proposal: Proposal) -> str:
    """The phase in the reader's language."""
    return moment_words(game.rules.flow(game.read_options()), proposal.facts["turn"], proposal.facts["phase"])
