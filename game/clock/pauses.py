"""Players pause their game: one proposes it, and its clock stops when more than half of those present agree. The pause
ends in the same way, or after its longest time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.outbox import notices, status_notices
from game.play import attendance, clocks, moves, receipts
from game.seats.voting import limit_proposals, lock_voter, present_seats
from game.store import log_notes
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Kind, Notice

LONGEST_PAUSE = {False: timedelta(hours=1), True: timedelta(days=7)}
"""Longest single pause, by whether a game is slow."""
LONGEST_TOTAL = {False: timedelta(hours=2), True: timedelta(days=14)}
"""Longest total of a game's pauses."""
PROPOSAL_LIFETIME = {False: timedelta(minutes=10), True: timedelta(days=1)}
"""How long a proposal stays open."""
PAUSE, GO_ON = "pause", "go on"
NO_CLOCK = mark("No clock runs in this game, so there is nothing to pause.")
PAUSED_BY_MODERATOR = mark("A moderator paused this game. You can submit again when a moderator resumes it.")
PAUSES_USED_UP = mark("This game has been paused for as long as its players may pause it.")


@transaction.atomic
def propose(*, game_id: int, user: User) -> None:
    """Propose to pause or resume the game, and agree to that; if there is a proposal already, agree to it. Raises
    `Refused`, and `limits.TooMany`."""
    game, seat = lock_voter(game_id, user, is_of_time=True)
    limit_proposals(game, user)
    if game.open_pause is None:
        _check_can_vote(game)
        proposal_number = game.pause.get("made", 0) + 1
        to = GO_ON if game.pause_ends_at else PAUSE
        until = game.now + PROPOSAL_LIFETIME[game.is_slow]
        proposal = {
            "number": proposal_number,
            "by": seat.number,
            "to": to,
            "agreed": [],
            "declined": [],
            "until": until.isoformat(),
        }
        game.pause = {**game.pause, "made": proposal_number, "proposal": proposal}
        note = log_notes.PROPOSED_PAUSE if to == PAUSE else log_notes.PROPOSED_GOING_ON
        _add_log_note(game, note.format(name=seat.shown_name), seat)
        _notify_others(game, seat)
    _add_agreement(game, seat)


@transaction.atomic
def withdraw(*, game_id: int, user: User, number: int) -> None:
    """Withdraw one's own proposal. Raises `Refused`."""
    game, seat = lock_voter(game_id, user, is_of_time=True)
    proposal = _open_proposal(game, number)
    if proposal["by"] != seat.number:
        raise Refused(
            "Only the player who made a proposal can withdraw it. Decline it instead.", code="not_your_proposal"
        )
    game.pause = {name: value for name, value in game.pause.items() if name != "proposal"}
    note = log_notes.WITHDREW_PAUSE if proposal["to"] == PAUSE else log_notes.WITHDREW_GOING_ON
    _add_log_note(game, note.format(name=seat.shown_name), seat)
    game.write_changes()


@transaction.atomic
def agree(*, game_id: int, user: User, number: int) -> None:
    """Agree to a proposal. Idempotent. Raises `Refused`, and `limits.TooMany`."""
    game, seat = lock_voter(game_id, user, is_of_time=True)
    limit_proposals(game, user)
    _open_proposal(game, number)
    _check_can_vote(game)
    _add_agreement(game, seat)


@transaction.atomic
def decline(*, game_id: int, user: User, number: int) -> None:
    """Decline a proposal, even after having agreed. Idempotent. It lapses when too few are left to carry it. Raises
    `Refused`."""
    game, seat = lock_voter(game_id, user, is_of_time=True)
    proposal = _open_proposal(game, number)
    if seat.number in proposal.get("declined", ()):
        return
    _store_answer(game, seat, "declined")
    note = log_notes.DECLINES_PAUSE if proposal["to"] == PAUSE else log_notes.DECLINES_TO_GO_ON
    _add_log_note(game, note.format(name=seat.shown_name), seat)
    present = set(present_seats(game))
    if len(present - set(game.pause["proposal"]["declined"])) < votes_needed(game):
        game.pause = {name: value for name, value in game.pause.items() if name != "proposal"}
        _add_log_note(game, log_notes.PAUSE_LAPSED if proposal["to"] == PAUSE else log_notes.GOING_ON_LAPSED)
    game.write_changes()


@transaction.atomic
def end_due(*, game_id: int) -> bool:
    """Resume a game whose pause is over. False if there is nothing to do, or another process is doing it."""
    game = moves.lock(game_id, waits=False)
    if game is None or game.status != Status.PAUSED or game.pause_ends_at is None or game.pause_ends_at > game.now:
        return False
    _resume(game, log_notes.PAUSE_OVER)
    game.write_changes()
    attendance.pause_if_deserted(game=game)
    return True


def due_games() -> list[int]:
    """Games whose pause is over by the database's clock."""
    paused = Game.objects.filter(status=Status.PAUSED, pause_ends_at__lte=Now()).order_by("pause_ends_at")
    return list(paused.values_list("pk", flat=True)[:200])


def votes_needed(game: Game) -> int:
    """How many must agree: more than half of the players present. Bots do not vote."""
    return len(present_seats(game)) // 2 + 1


def pause_left(game: Game) -> timedelta:
    """The longest possible pause from now on."""
    used_time = timedelta(seconds=game.pause.get("used", 0))
    return min(LONGEST_PAUSE[game.is_slow], LONGEST_TOTAL[game.is_slow] - used_time)


def _check_can_vote(game: Game) -> None:
    """Check that the players may pause or resume this game. Raises `Refused`."""
    if game.status == Status.PAUSED:
        if game.pause_ends_at is None:
            raise Refused(PAUSED_BY_MODERATOR, code="not_voted")
        return
    if game.deadline_at is None:
        raise Refused(NO_CLOCK, code="has_no_clock")
    if game.deadline_at <= game.now:
        raise Refused("The deadline has passed. Propose the pause in the next phase.", code="too_late")
    if pause_left(game) <= timedelta():
        raise Refused(PAUSES_USED_UP, code="pauses_used_up")


def _add_agreement(game: Game, seat: Seat) -> None:
    """Add an agreement, and carry out the proposal if there are enough."""
    proposal: dict[str, Any] = game.pause["proposal"]
    if seat.number not in proposal["agreed"]:
        proposal = _store_answer(game, seat, "agreed")
        if seat.number != proposal["by"]:
            note = log_notes.AGREES_TO_PAUSE if proposal["to"] == PAUSE else log_notes.AGREES_TO_GO_ON
            _add_log_note(game, note.format(name=seat.shown_name), seat)
    if len(set(proposal["agreed"]) & set(present_seats(game))) >= votes_needed(game):
        _stop(game, seat) if proposal["to"] == PAUSE else _resume(game, log_notes.VOTED_GOING_ON, seat)
    game.write_changes()


def _open_proposal(game: Game, number: int) -> dict[str, Any]:
    """The open proposal of that number. Raises `Refused`."""
    if game.open_pause is None or game.open_pause["number"] != number:
        raise Refused(
            "This proposal is no longer open: it was carried out or declined, or its time has passed.",
            code="proposal_over",
        )
    return game.open_pause


def _store_answer(game: Game, seat: Seat, answer: str) -> dict[str, Any]:
    """Move a seat to those who agreed or who declined, and return the proposal."""
    proposal = game.pause["proposal"]
    answers = {name: set(proposal.get(name, ())) - {seat.number} for name in ("agreed", "declined")}
    answers[answer].add(seat.number)
    updated: dict[str, Any] = {**proposal, **{name: sorted(numbers) for name, numbers in answers.items()}}
    game.pause = {**game.pause, "proposal": updated}
    return updated


def _stop(game: Game, seat: Seat) -> None:
    length = pause_left(game)
    clocks.stop_clock(game=game, status=Status.PAUSED, is_voted=True)
    game.pause_ends_at = game.now + length
    earlier = {name: value for name, value in game.pause.items() if name not in {"proposal", "since"}}
    game.pause = {**earlier, "since": game.now.isoformat()}
    note = log_notes.VOTED_PAUSE.format(length=clocks.in_words(length))
    clocks.note_on_log(game=game, kind=Kind.PAUSE, note=note)
    status_notices.notify_status(game=game, but=seat)


def _resume(game: Game, note: str, seat: Seat | None = None) -> None:
    clocks.start_clock(game=game)
    clocks.note_on_log(game=game, kind=Kind.PAUSE, note=note)
    status_notices.notify_status(game=game, but=seat)


def _notify_others(game: Game, but: Seat) -> None:
    """Notify all other players, once; fast games send no email, because they end before it is read."""
    others = game.seats.filter(user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    people = [(seat, seat.user_id or 0) for seat in others if seat.pk != but.pk]
    fields: dict[str, Any] = {"kind": Notice.Kind.VOTE, "serial": game.pause.get("made", 0), "due_at": game.now}
    notices.notify(game=game, people=people, **fields, is_mailed=game.is_slow)


def _add_log_note(game: Game, note: str, seat: Seat | None = None) -> None:
    receipts.note_on_log(game=game, kind=Kind.PAUSE, seat=None if seat is None else seat.number, note=note)
