"""End a game by agreement: one player proposes it, and when all present players agree the game is over, without
places."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.outbox import recording
from game.play import clocks, repeats, stand_in_seats
from game.seats.voters import count_proposal, have_agreed, take_voter
from game.store import access, log_notes
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.log import Kind, Notice

PROPOSAL_LIFETIME = {False: timedelta(minutes=30), True: timedelta(days=3)}
"""How long a proposal is open, by whether the game is slow."""
SAVED = (
    "ending",
    "endings",
    "status",
    "deadline_at",
    "clock",
    "pause",
    "pause_ends_at",
    "paused_left",
    "deserted_at",
    "finished_at",
    "version",
    "entries",
)


@transaction.atomic
def propose(*, game_id: int, user: User) -> None:
    """Propose to end the game, and agree to it; if a proposal is open already, agree to that. Raises `Refused`, and
    `limits.TooMany`."""
    game, seat = take_voter(game_id, user)
    count_proposal(game, user)
    if game.open_ending is not None:
        _agree(game, seat)
        return
    game.endings += 1
    fields = {"number": game.endings, "by": seat.number, "agreed": [], "at": game.now.isoformat()}
    game.ending = {**fields, "until": (game.now + PROPOSAL_LIFETIME[game.is_slow]).isoformat()}
    _note_on_log(game, seat, log_notes.PROPOSED_ENDING.format(name=seat.shown_name))
    _notify_others(game, seat)
    _agree(game, seat)


@transaction.atomic
def agree(*, game_id: int, user: User, number: int) -> None:
    """Agree to the proposal with this number; the last present player who agrees ends the game. Raises `Refused`, and
    `limits.TooMany`."""
    game, seat = take_voter(game_id, user)
    count_proposal(game, user)
    _check_open(game, number)
    _agree(game, seat)


@transaction.atomic
def revoke(*, game_id: int, user: User, number: int) -> None:
    """Withdraw one's agreement; the proposer withdraws the proposal. A second call changes nothing. Raises
    `Refused`."""
    game, seat = take_voter(game_id, user)
    ending = _check_open(game, number)
    if seat.number not in ending["agreed"]:
        return
    if seat.number == ending["by"]:
        game.ending = {}
        _note_on_log(game, seat, log_notes.WITHDREW_ENDING.format(name=seat.shown_name))
    else:
        game.ending = {**ending, "agreed": [number for number in ending["agreed"] if number != seat.number]}
        _note_on_log(game, seat, log_notes.AGREES_NO_LONGER.format(name=seat.shown_name))
    game.save(update_fields=SAVED)


def _check_open(game: Game, number: int) -> dict[str, Any]:
    ending = game.open_ending
    if ending is None or ending["number"] != number:
        raise Refused("This proposal is no longer open: it was withdrawn or its time has passed.", code="proposal_over")
    return ending


def _agree(game: Game, seat: Seat) -> None:
    """Record an agreement, and end the game if it was the last one needed."""
    ending = game.ending
    if seat.number not in ending["agreed"]:
        game.ending = {**ending, "agreed": sorted([*ending["agreed"], seat.number])}
        if seat.number != ending["by"]:
            _note_on_log(game, seat, log_notes.AGREES.format(name=seat.shown_name))
    if have_agreed(game, game.ending):
        abandon(game=game, note=log_notes.ENDED, by=seat)
    game.save(update_fields=SAVED)


def abandon(*, game: Game, note: str, by: Seat) -> None:
    """End a locked game without places, and notify everybody but the player at seat `by`. The caller saves the game."""
    clocks.stop_clock(game=game, status=Status.ABANDONED)
    game.paused_left, game.deserted_at, game.finished_at, game.ending = None, None, game.now, {}
    game.pause, game.pause_ends_at = {}, None
    stand_in_seats.return_all(game)
    access.forget_invitees(game)
    clocks.note_on_log(game=game, kind=Kind.ENDING, note=note)
    people = [(seat, seat.user_id or 0) for seat in game.seats.filter(user__isnull=False, bot="")]
    fields: dict[str, Any] = {"kind": Notice.Kind.FINISHED, "serial": game.phase_serial, "due_at": game.now}
    recording.notify(game=game, people=people, **fields, is_mailed=game.pace != Pace.DEMO, but=by)


def _note_on_log(game: Game, seat: Seat, note: str) -> None:
    repeats.note_on_log(game=game, kind=Kind.ENDING, seat=seat.number, note=note)


def _notify_others(game: Game, proposer: Seat) -> None:
    """Notify the other players, including those who are away or have a stand-in: they may come back and vote."""
    others = game.seats.filter(user__isnull=False, bot="").exclude(pk=proposer.pk).exclude(keeper=Keeper.RESIGNED)
    people = [(seat, stand_in_seats.owner_of(game, seat) or 0) for seat in others]
    fields: dict[str, Any] = {"kind": Notice.Kind.ENDING, "serial": game.endings, "due_at": game.now}
    recording.notify(game=game, people=people, **fields, is_mailed=game.is_slow)
