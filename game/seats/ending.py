"""Ending a game by agreement: one player proposes it, and when all players who are present agree it is over, without
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

STANDS = {False: timedelta(minutes=30), True: timedelta(days=3)}
"""How long a proposal stands, by whether a game is slow."""
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
    """Propose to end the game, which agrees to it; one proposal stands at a time. Raises `Refused`, and
    `limits.TooMany`."""
    game, seat = take_voter(game_id, user)
    count_proposal(game, user)
    if game.open_ending is not None:
        _agree(game, seat)
        return
    game.endings += 1
    stands = {"number": game.endings, "by": seat.number, "agreed": [], "at": game.now.isoformat()}
    game.ending = {**stands, "until": (game.now + STANDS[game.is_slow]).isoformat()}
    _tell(game, seat, log_notes.PROPOSED_ENDING.format(name=seat.shown_name))
    _ask(game, seat)
    _agree(game, seat)


@transaction.atomic
def agree(*, game_id: int, user: User, number: int) -> None:
    """Agree to the proposal of that number; the last who is present ends the game. Raises `Refused`, and
    `limits.TooMany`."""
    game, seat = take_voter(game_id, user)
    count_proposal(game, user)
    _standing(game, number)
    _agree(game, seat)


@transaction.atomic
def revoke(*, game_id: int, user: User, number: int) -> None:
    """Withdraw one's own agreement; if the proposer does, the proposal is gone. Doing so twice changes nothing. Raises
    `Refused`."""
    game, seat = take_voter(game_id, user)
    ending = _standing(game, number)
    if seat.number not in ending["agreed"]:
        return
    if seat.number == ending["by"]:
        game.ending = {}
        _tell(game, seat, log_notes.WITHDREW_ENDING.format(name=seat.shown_name))
    else:
        game.ending = {**ending, "agreed": [number for number in ending["agreed"] if number != seat.number]}
        _tell(game, seat, log_notes.AGREES_NO_LONGER.format(name=seat.shown_name))
    game.save(update_fields=SAVED)


def _standing(game: Game, number: int) -> dict[str, Any]:
    ending = game.open_ending
    if ending is None or ending["number"] != number:
        raise Refused("This proposal is no longer open: it was withdrawn or its time has passed.", code="proposal_over")
    return ending


def _agree(game: Game, seat: Seat) -> None:
    """Note one more agreement; if it was the last that was needed, end the game."""
    ending = game.ending
    if seat.number not in ending["agreed"]:
        game.ending = {**ending, "agreed": sorted([*ending["agreed"], seat.number])}
        if seat.number != ending["by"]:
            _tell(game, seat, log_notes.AGREES.format(name=seat.shown_name))
    if have_agreed(game, game.ending):
        abandon(game=game, note=log_notes.ENDED, by=seat)
    game.save(update_fields=SAVED)


def abandon(*, game: Game, note: str, by: Seat) -> None:
    """End a locked game without places, and tell everybody but who has just done it. The caller saves the game."""
    clocks.stop_clock(game=game, status=Status.ABANDONED)
    game.paused_left, game.deserted_at, game.finished_at, game.ending = None, None, game.now, {}
    game.pause, game.pause_ends_at = {}, None
    stand_in_seats.return_all(game)
    access.forget_invitees(game)
    clocks.note_on_log(game=game, kind=Kind.ENDING, note=note)
    people = [(seat, seat.user_id or 0) for seat in game.seats.filter(user__isnull=False, bot="")]
    told: dict[str, Any] = {"kind": Notice.Kind.FINISHED, "serial": game.phase_serial, "due_at": game.now}
    recording.notify(game=game, people=people, **told, is_mailed=game.pace != Pace.DEMO, but=by)


def _tell(game: Game, seat: Seat, note: str) -> None:
    repeats.note_on_log(game=game, kind=Kind.ENDING, seat=seat.number, note=note)


def _ask(game: Game, proposer: Seat) -> None:
    """Tell the others, including those who are away or let another person play: they may come back and be asked."""
    others = game.seats.filter(user__isnull=False, bot="").exclude(pk=proposer.pk).exclude(keeper=Keeper.RESIGNED)
    people = [(seat, stand_in_seats.owner_of(game, seat) or 0) for seat in others]
    told: dict[str, Any] = {"kind": Notice.Kind.ENDING, "serial": game.endings, "due_at": game.now}
    recording.notify(game=game, people=people, **told, is_mailed=game.is_slow)
