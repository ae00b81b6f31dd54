"""A rewind can be put to the players: if everyone present agrees, no second moderator is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.urls import reverse

from accounts.models import User
from game.engine.actions import Refused
from game.engine.phrases import listed
from game.history.game_log import moment_words
from game.moderation import approvals, interventions, permissions, rewind
from game.outbox import notices
from game.play import clocks, moves, tenures
from game.seats.voting import lock_voter, present_seats, waits_until
from game.store import log_notes
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Kind, Notice
from game.store.moderation_models import ApprovalRequest, Intervention

ASKABLE = (Status.RUNNING, Status.PAUSED, Status.HELD)
"""The players can be asked in these; after the end only moderators decide."""


class Votes(NamedTuple):
    """The players' votes on a rewind: who agreed, whose vote is missing, and until when absent players are waited
    for."""

    is_asked: bool
    agreed: str = ""
    missing: str = ""
    waits: datetime | None = None


class RewindVote(NamedTuple):
    """Which phase, why and who asks; who has agreed, whose answer is missing, and until when it can be given; until
    when absent players are waited for, and whether too few are present to decide."""

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
    """Ask the players about a rewind that waits for approval. Raises `Refused`."""
    request = approvals.lock_request(request_id)
    if request.what != Intervention.REWIND_TO:
        raise Refused("Only a rewind can be put to the players.", code="other_request")
    if request.asker_id != moderator.pk:
        raise Refused("Only the moderator who asked for this can put it to the players.", code="other_request")
    assert request.game_id is not None
    game = moves.lock(request.game_id)
    permissions.check_may(Intervention.REWIND_TO, moderator)
    if game is None or game.status not in ASKABLE:
        raise Refused("The players can be asked while their game is not over.", code="not_running")
    if game.open_rewinding is not None:
        raise Refused("The players have been asked already.", code="asked_already")
    _check_present(game)
    moment = next((each for each in rewind.moments_of(game) if each.number == request.asked["number"]), None)
    if moment is None:
        raise Refused("The game cannot be rewound there: no phase started at that entry.", code="no_such_phase")
    facts = {"moderator": moderator.username, "reason": request.reason}
    where = {"serial": moment.serial, "turn": moment.turn, "phase": moment.phase}
    times = {"at": game.now.isoformat(), "until": request.expires_at.isoformat()}
    game.rewinding = {"number": request.pk, **facts, **where, "agreed": [], **times}
    note = log_notes.ASKED_TO_REWIND.format(moment=moment, **facts)
    clocks.note_on_log(game=game, kind=Kind.MODERATION, user_id=moderator.pk, note=note)
    _save(game)
    _notify_voters(game)


def votes_of(request: ApprovalRequest) -> Votes | None:
    """The votes shown on the desk; None if the players cannot be asked."""
    if request.game is None or request.what != Intervention.REWIND_TO or request.game.status not in ASKABLE:
        return None
    game = Game.objects.on_the_clock().get(pk=request.game.pk)
    proposal = game.open_rewinding
    if proposal is None or proposal["number"] != request.pk:
        return Votes(is_asked=False)
    names = {seat.number: seat.shown_name for seat in game.seats.select_related("user")}
    missing = [number for number in present_seats(game) if number not in proposal["agreed"]]
    agreed = listed(names[number] for number in proposal["agreed"])
    return Votes(True, agreed, listed(names[number] for number in missing), waits_until(game, proposal))


@transaction.atomic
def agree(*, game_id: int, user: User, number: int) -> None:
    """Agree to a rewind; the last vote rewinds the game, unless it waits for players who are away. Raises `Refused`."""
    request, game, seat = _lock_vote(game_id, user, number)
    proposal = game.rewinding
    if seat.number not in proposal["agreed"]:
        game.rewinding = {**proposal, "agreed": sorted([*proposal["agreed"], seat.number])}
        _note_answer(game, seat, log_notes.AGREES_TO_REWIND)
        _save(game)
    if approvals.is_agreed_by_players(game, request.pk):
        _carry_out(request, game)


@transaction.atomic
def decline(*, game_id: int, user: User, number: int) -> None:
    """Decline a rewind, even after having agreed: the players are no longer asked, and a second moderator decides.
    Raises `Refused`."""
    _, game, seat = _lock_vote(game_id, user, number)
    game.rewinding = {}
    _note_answer(game, seat, log_notes.DECLINES_TO_REWIND)
    _save(game)


def rewind_vote_of(game: Game, seat: Any, seats: Sequence[Any]) -> RewindVote | None:
    """The vote as this reader sees it; None without a seat."""
    proposal = game.open_rewinding
    if proposal is None or seat is None or seat.keeper == Keeper.RESIGNED:
        return None
    names = {each.number: each.shown_name for each in seats}
    present, waits = present_seats(game), waits_until(game, proposal)
    missing = [number for number in present if number not in proposal["agreed"]]
    is_waiting, is_short = waits is not None and game.now < waits, len(present) < approvals.fewest_players(game)
    url_args, decides = [game.pk, proposal["number"]], not seat.keeper and str(seat.number) not in game.proxies
    # All have agreed but nothing has happened yet: agreeing once more completes the vote.
    agrees = decides and (seat.number in missing or not (missing or is_waiting or is_short))
    return RewindVote(
        moderator=proposal["moderator"],
        moment=_moment_words(game, proposal),
        reason=proposal["reason"],
        agreed=listed(names[number] for number in proposal["agreed"]),
        missing=listed(names[number] for number in missing),
        until=datetime.fromisoformat(proposal["until"]),
        waits=waits if is_waiting else None,
        is_short=is_short,
        agree_url=reverse("agree_to_rewind", args=url_args) if agrees else "",
        decline_url=reverse("decline_rewind", args=url_args) if decides else "",
    )


def _check_present(game: Game) -> None:
    present = len(present_seats(game))
    if not present:
        raise Refused("No player is present who could answer.", code="nobody_present")
    if present < approvals.fewest_players(game):
        raise Refused(
            "In a rated game at least two players decide this, and only one is present. Ask another moderator.",
            code="one_present",
        )


def _save(game: Game) -> None:
    game.write_changes()


def _notify_voters(game: Game) -> None:
    """Notify everyone who may vote, also players who are away, because they may come back."""
    seats = game.seats.filter(user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    people: list[tuple[Any, int]] = [(seat, tenures.owner_of(game, seat) or 0) for seat in seats]
    request_id = game.rewinding["number"]
    notices.notify(game=game, people=people, kind=Notice.Kind.REWIND, serial=request_id, due_at=game.now)


def _lock_vote(game_id: int, user: User, number: int) -> tuple[ApprovalRequest, Game, Seat]:
    # Locks the request before its game, in the same order as a moderator's confirmation.
    request = ApprovalRequest.objects.select_for_update(of=("self",)).select_related("asker").filter(pk=number).first()
    game, seat = lock_voter(game_id, user, ASKABLE)
    proposal = game.open_rewinding
    if request is None or request.game_id != game_id or proposal is None or proposal["number"] != number:
        raise Refused(
            "The players are no longer asked about this rewind: it was decided, or its time has passed.",
            code="proposal_over",
        )
    return request, game, seat


def _note_answer(game: Game, seat: Seat, note: str) -> None:
    clocks.note_on_log(game=game, kind=Kind.MODERATION, seat=seat.number, note=note.format(name=seat.shown_name))


def _carry_out(request: ApprovalRequest, game: Game) -> None:
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


def _moment_words(game: Game, proposal: Mapping[str, Any]) -> str:
    """The phase in the reader's language; requests of earlier versions store it in English."""
    if "moment" in proposal:
        return log_notes.translate_moment(proposal["moment"], game.rules.turn_title)
    return moment_words(game.rules.flow(game.read_options()), proposal["turn"], proposal["phase"])
