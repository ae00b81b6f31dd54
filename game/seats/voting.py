"""Votes of players on a game: who may vote, and whether all have agreed; ending it and voting somebody out. One player
proposes to end a game, and when all present players agree it is over, without places. In the same way they vote a seat
out whose player has left, where the rules say what becomes of it (T-15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction

from accounts import limits
from accounts.models import User
from game.engine import progress
from game.engine.actions import Refused
from game.live import announce
from game.outbox import notices
from game.play import authority, clocks, late, moves, receipts, tenures
from game.store import eyes, log_notes
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.log import Kind, Notice
from game.store.readers import note_bots

UNDER_WAY = (Status.RUNNING, Status.PAUSED)
ANSWERS = ("agreed", "declined")
GRACE = {False: timedelta(minutes=10), True: timedelta(days=1)}
"""How long ending or rewinding a game waits for absent players to come back and vote, by whether the game is slow."""
PROPOSAL_LIFETIME = {False: timedelta(minutes=30), True: timedelta(days=3)}
"""How long a proposal is open, by whether the game is slow."""


class _Notes(NamedTuple):
    """What the log says about a proposal of one kind."""

    proposed: str
    withdrew: str
    agrees: str
    agrees_no_longer: str


NOTES_OF_ENDING = _Notes(
    log_notes.PROPOSED_ENDING, log_notes.WITHDREW_ENDING, log_notes.AGREES, log_notes.AGREES_NO_LONGER
)
NOTES_OF_VOTING_OUT = _Notes(
    log_notes.PROPOSED_VOTING_OUT,
    log_notes.WITHDREW_VOTING_OUT,
    log_notes.AGREES_TO_VOTE_OUT,
    log_notes.AGREES_NO_LONGER_TO_VOTE_OUT,
)


def present_seats(game: Game) -> list[int]:
    """The seats whose votes count: those of present players. Bots and the caretaker do not vote."""
    return game.present_seats


def waits_until(game: Game, proposal: Mapping[str, Any]) -> datetime | None:
    """Until when a proposal waits for players who are away; None if nobody is. Proposals of an earlier version, without
    `at`, count from their end."""
    if Keeper.AWAY not in game.keepers.values():
        return None
    return datetime.fromisoformat(proposal.get("at", proposal["until"])) + GRACE[game.is_slow]


def have_agreed(game: Game, proposal: Mapping[str, Any]) -> bool:
    """True if all present players have agreed, and absent ones had their time to come back."""
    waits = waits_until(game, proposal)
    return set(present_seats(game)) <= set(proposal["agreed"]) and (waits is None or game.now >= waits)


def lock_voter(
    game_id: int, user: User, statuses: Sequence[Status] = UNDER_WAY, *, is_of_time: bool = False
) -> tuple[Game, Seat]:
    """Lock the game, and find the seat for which this person may vote. Raises `Refused`. A stand-in votes if it
    `is_of_time`, such as a pause, because the clock counts the stand-in's time and the player is away. Only the player
    votes on ending or rewinding the game, because it is their result."""
    game = moves.lock(game_id)
    seat = game.seats.select_related("user").filter(user=user).first() if game else None
    if game is None or seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    authority.check_is_free(seat.user or user)
    if game.status not in statuses:
        raise Refused(late.why_not_running(game), code="not_running")
    if user.is_bot:
        raise Refused("Bots have no say in this.", code="bots_have_no_say")
    if seat.keeper == Keeper.RESIGNED:
        raise Refused("You have resigned, so you have no say in this.", code="has_resigned")
    if seat.keeper:
        raise Refused(
            "The caretaker plays your seat, so you have no say in this. Take your seat back first.",
            code="caretaker_plays",
        )
    if game.has_proxy(seat.number) and not is_of_time:
        raise Refused(
            "You play this seat for its player. Only they can agree to this: they take their seat back first.",
            code="not_yours",
        )
    return game, seat


def limit_proposals(game: Game, user: User) -> None:
    """Limit how often a player proposes and agrees in one game, because all others read it each time. Withdrawing is
    not counted. Raises `limits.TooMany`."""
    limits.spend("proposal", f"{user.pk}.{game.pk}")


def forget_votes(game: Game, seat: int) -> None:
    """A new player does not inherit the previous player's votes or proposals; remove them. Saves the locked game."""
    proposals = {"ending": game.ending, "pause": game.pause.get("proposal", {}), "rewinding": game.rewinding}
    remaining = {
        name: {} if proposal.get("by") == seat else _remove_votes(proposal, seat)
        for name, proposal in proposals.items()
    }
    if remaining == proposals:
        return
    game.ending, game.rewinding = remaining["ending"], remaining["rewinding"]
    pause = {name: value for name, value in game.pause.items() if name != "proposal"}
    game.pause = {**pause, "proposal": remaining["pause"]} if remaining["pause"] else pause
    game.write_changes()


@transaction.atomic
def propose(*, game_id: int, user: User) -> None:
    """Propose to end the game, and agree to it; if that is proposed already, agree to it. Raises `Refused`, and
    `limits.TooMany`."""
    game, seat = lock_voter(game_id, user)
    _propose(game, seat, user, {})


@transaction.atomic
def propose_voting_out(*, game_id: int, user: User, number: int) -> None:
    """Propose to vote out the seat with this number, and agree to it; if that is proposed already, agree to it. Raises
    `Refused`, and `limits.TooMany`."""
    game, seat = lock_voter(game_id, user)
    leaver = game.seats.select_related("user").filter(number=number).first()
    if leaver is None or not may_be_voted_out(game, leaver):
        raise Refused("Only a player who has resigned or is away can be voted out of a game.", code="has_not_left")
    _propose(game, seat, user, {"seat": number, "name": leaver.shown_name})


def may_be_voted_out(game: Game, seat: Any) -> bool:
    """True if the players may vote out this seat: the caretaker plays it, and the rules say what becomes of it."""
    is_out = game.seat_states[seat.number : seat.number + 1] == [progress.OUT]
    return game.rules.may_vote_out and bool(seat.keeper) and seat.left_at is not None and not is_out


@transaction.atomic
def agree(*, game_id: int, user: User, number: int) -> None:
    """Agree to the proposal with this number; the last present player who agrees carries it. Raises `Refused`, and
    `limits.TooMany`."""
    game, seat = lock_voter(game_id, user)
    limit_proposals(game, user)
    _check_open(game, number)
    _agree(game, seat)


@transaction.atomic
def revoke(*, game_id: int, user: User, number: int) -> None:
    """Withdraw one's agreement; the proposer withdraws the proposal. A second call changes nothing. Raises
    `Refused`."""
    game, seat = lock_voter(game_id, user)
    ending = _check_open(game, number)
    if seat.number not in ending["agreed"]:
        return
    notes = _notes_of(ending)
    if seat.number == ending["by"]:
        game.ending = {}
        _note_on_log(game, seat, notes.withdrew, ending)
    else:
        game.ending = {**ending, "agreed": [number for number in ending["agreed"] if number != seat.number]}
        _note_on_log(game, seat, notes.agrees_no_longer, ending)
    game.write_changes()


def abandon(*, game: Game, note: str, by: Seat) -> None:
    """End a locked game without places, and notify everybody but the player at seat `by`. The caller saves the game."""
    clocks.stop_clock(game=game, status=Status.ABANDONED)
    game.paused_left, game.deserted_at, game.finished_at, game.ending = None, None, game.now, {}
    game.pause, game.pause_ends_at = {}, None
    tenures.return_all(game)
    eyes.forget_invitees(game)
    clocks.note_on_log(game=game, kind=Kind.ENDING, note=note)
    people = [(seat, seat.user_id or 0) for seat in game.seats.filter(user__isnull=False, bot="")]
    fields: dict[str, Any] = {"kind": Notice.Kind.FINISHED, "serial": game.phase_serial, "due_at": game.now}
    notices.notify(game=game, people=people, **fields, is_mailed=game.pace != Pace.DEMO, but=by)


def _remove_votes(proposal: Mapping[str, Any], seat: int) -> dict[str, Any]:
    answers = {name: [each for each in proposal[name] if each != seat] for name in ANSWERS if name in proposal}
    return {**proposal, **answers}


def _propose(game: Game, seat: Seat, user: User, purpose: dict[str, Any]) -> None:
    limit_proposals(game, user)
    if (ending := game.open_ending) is not None:
        if ending.get("seat") != purpose.get("seat"):
            raise Refused("Another proposal is open. Answer it first.", code="proposal_open")
        _agree(game, seat)
        return
    game.endings += 1
    fields = {"number": game.endings, "by": seat.number, "agreed": [], "at": game.now.isoformat(), **purpose}
    game.ending = {**fields, "until": (game.now + PROPOSAL_LIFETIME[game.is_slow]).isoformat()}
    _note_on_log(game, seat, _notes_of(game.ending).proposed, game.ending)
    _notify_others(game, seat)
    _agree(game, seat)


def _notes_of(ending: Mapping[str, Any]) -> _Notes:
    return NOTES_OF_VOTING_OUT if "seat" in ending else NOTES_OF_ENDING


def _note_on_log(game: Game, seat: Seat, note: str, ending: Mapping[str, Any]) -> None:
    note = note.format(name=seat.shown_name, was=ending.get("name", ""))
    receipts.note_on_log(game=game, kind=Kind.ENDING, seat=seat.number, note=note)


def _notify_others(game: Game, proposer: Seat) -> None:
    """Notify the other players, including those who are away or have a stand-in: they may come back and vote."""
    others = game.seats.filter(user__isnull=False, bot="").exclude(pk=proposer.pk).exclude(keeper=Keeper.RESIGNED)
    people = [(seat, tenures.owner_of(game, seat) or 0) for seat in others]
    fields: dict[str, Any] = {"kind": Notice.Kind.ENDING, "serial": game.endings, "due_at": game.now}
    notices.notify(game=game, people=people, **fields, is_mailed=game.is_slow)


def _agree(game: Game, seat: Seat) -> None:
    """Record an agreement, and do what was proposed if it was the last one needed."""
    ending = game.ending
    if seat.number not in ending["agreed"]:
        game.ending = {**ending, "agreed": sorted([*ending["agreed"], seat.number])}
        if seat.number != ending["by"]:
            _note_on_log(game, seat, _notes_of(ending).agrees, ending)
    is_carried = have_agreed(game, game.ending)
    if is_carried and "seat" in ending:
        _vote_out(game, ending)
        return
    if is_carried:
        abandon(game=game, note=log_notes.ENDED, by=seat)
    game.write_changes()


def _vote_out(game: Game, ending: Mapping[str, Any]) -> None:
    """Give the seat up for good, as after a resignation; the rules put it out when the open phase is over."""
    seat = game.seats.get(number=ending["seat"])
    seat.keeper, seat.left_at, seat.version = Keeper.RESIGNED, None, seat.version + 1
    seat.write_changes()
    game.ending = {}
    game.write_changes()
    note_bots(game)
    change = moves.open_transaction(game)
    change.vote_out(seat.number, user_id=None, note=log_notes.VOTED_OUT.format(was=ending["name"]))
    change.commit()
    announce.seat_changed(game.pk, seat.number, game.version)


def _check_open(game: Game, number: int) -> dict[str, Any]:
    ending = game.open_ending
    if ending is None or ending["number"] != number:
        raise Refused("This proposal is no longer open: it was withdrawn or its time has passed.", code="proposal_over")
    return ending
