"""Players pause their game: one proposes it, and when more than half of those who are present agree, its clock stops.
The pause ends the same way, or when it has lasted as long as it may."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.outbox import recording, status_notices
from game.play import attendance, clocks, moves, repeats
from game.seats.voters import count_proposal, present_seats, take_voter
from game.store import log_notes
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Kind, Notice

AT_ONCE = {False: timedelta(hours=1), True: timedelta(days=7)}
"""How long one pause lasts at most, by whether a game is slow."""
ALTOGETHER = {False: timedelta(hours=2), True: timedelta(days=14)}
"""How long all pauses of a game last at most."""
STANDS = {False: timedelta(minutes=10), True: timedelta(days=1)}
"""How long a proposal waits for the others."""
PAUSE, GO_ON = "pause", "go on"
SAVED = (*attendance.GOING, "version", "entries")
NO_CLOCK = mark("No clock runs in this game, so there is nothing to pause.")
NOT_VOTED = mark("A moderator paused this game. You can submit again when a moderator resumes it.")
USED_UP = mark("This game has been paused for as long as its players may pause it.")


@transaction.atomic
def propose(*, game_id: int, user: User) -> None:
    """Propose to pause the game, or to resume it, and agree to that; if there is a proposal already, agree to it.
    Raises `Refused`, and `limits.TooMany`."""
    game, seat = take_voter(game_id, user, is_of_time=True)
    count_proposal(game, user)
    if game.open_pause is None:
        _check(game)
        made = game.pause.get("made", 0) + 1
        to = GO_ON if game.pause_ends_at else PAUSE
        until = game.now + STANDS[game.is_slow]
        stands = {"number": made, "by": seat.number, "to": to, "agreed": [], "declined": [], "until": until.isoformat()}
        game.pause = {**game.pause, "made": made, "proposal": stands}
        asked = log_notes.PROPOSED_PAUSE if to == PAUSE else log_notes.PROPOSED_GOING_ON
        _tell(game, asked.format(name=seat.shown_name), seat)
        _mail_the_proposal(game, seat)
    _agree(game, seat)


@transaction.atomic
def withdraw(*, game_id: int, user: User, number: int) -> None:
    """Take one's own proposal of that number back. Raises `Refused`."""
    game, seat = take_voter(game_id, user, is_of_time=True)
    proposal = _standing(game, number)
    if proposal["by"] != seat.number:
        raise Refused(
            "Only the player who made a proposal can withdraw it. Decline it instead.", code="not_your_proposal"
        )
    game.pause = {name: value for name, value in game.pause.items() if name != "proposal"}
    told = log_notes.WITHDREW_PAUSE if proposal["to"] == PAUSE else log_notes.WITHDREW_GOING_ON
    _tell(game, told.format(name=seat.shown_name), seat)
    game.save(update_fields=SAVED)


@transaction.atomic
def agree(*, game_id: int, user: User, number: int) -> None:
    """Agree to the proposal of that number; doing so twice changes nothing. Raises `Refused`, and `limits.TooMany`."""
    game, seat = take_voter(game_id, user, is_of_time=True)
    count_proposal(game, user)
    _standing(game, number)
    _check(game)
    _agree(game, seat)


@transaction.atomic
def decline(*, game_id: int, user: User, number: int) -> None:
    """Decline the proposal of that number, also where one had agreed; doing so twice changes nothing. It lapses when
    the others are too few to carry it. Raises `Refused`."""
    game, seat = take_voter(game_id, user, is_of_time=True)
    proposal = _standing(game, number)
    if seat.number in proposal.get("declined", ()):
        return
    _note_answer(game, seat, "declined")
    told = log_notes.DECLINES_PAUSE if proposal["to"] == PAUSE else log_notes.DECLINES_TO_GO_ON
    _tell(game, told.format(name=seat.shown_name), seat)
    present = set(present_seats(game))
    if len(present - set(game.pause["proposal"]["declined"])) < needed(game):
        game.pause = {name: value for name, value in game.pause.items() if name != "proposal"}
        _tell(game, log_notes.PAUSE_LAPSED if proposal["to"] == PAUSE else log_notes.GOING_ON_LAPSED)
    game.save(update_fields=SAVED)


@transaction.atomic
def end_due(*, game_id: int) -> bool:
    """Resume a game whose pause is over. False if there is nothing to do, or another process is doing it."""
    game = moves.lock(game_id, waits=False)
    if game is None or game.status != Status.PAUSED or game.pause_ends_at is None or game.pause_ends_at > game.now:
        return False
    _go_on(game, log_notes.PAUSE_OVER)
    game.save(update_fields=SAVED)
    attendance.pause_if_deserted(game=game)
    return True


def due_games() -> list[int]:
    """Games whose pause is over by the database's clock."""
    paused = Game.objects.filter(status=Status.PAUSED, pause_ends_at__lte=Now()).order_by("pause_ends_at")
    return list(paused.values_list("pk", flat=True)[:200])


def needed(game: Game) -> int:
    """How many must agree: more than half of the players who are present. Bots do not vote."""
    return len(present_seats(game)) // 2 + 1


def left(game: Game) -> timedelta:
    """How long a pause that began now could last."""
    used = timedelta(seconds=game.pause.get("used", 0))
    return min(AT_ONCE[game.is_slow], ALTOGETHER[game.is_slow] - used)


def _check(game: Game) -> None:
    """Check that the players may pause this game, or let it go on. Raises `Refused`."""
    if game.status == Status.PAUSED:
        if game.pause_ends_at is None:
            raise Refused(NOT_VOTED, code="not_voted")
        return
    if game.deadline_at is None:
        raise Refused(NO_CLOCK, code="has_no_clock")
    if game.deadline_at <= game.now:
        raise Refused("The deadline has passed. Propose the pause in the next phase.", code="too_late")
    if left(game) <= timedelta():
        raise Refused(USED_UP, code="pauses_used_up")


def _agree(game: Game, seat: Seat) -> None:
    """Note one more agreement; if it is enough, do what was proposed."""
    proposal: dict[str, Any] = game.pause["proposal"]
    if seat.number not in proposal["agreed"]:
        proposal = _note_answer(game, seat, "agreed")
        if seat.number != proposal["by"]:
            told = log_notes.AGREES_TO_PAUSE if proposal["to"] == PAUSE else log_notes.AGREES_TO_GO_ON
            _tell(game, told.format(name=seat.shown_name), seat)
    if len(set(proposal["agreed"]) & set(present_seats(game))) >= needed(game):
        _stop(game, seat) if proposal["to"] == PAUSE else _go_on(game, log_notes.VOTED_GOING_ON, seat)
    game.save(update_fields=SAVED)


def _standing(game: Game, number: int) -> dict[str, Any]:
    """The open proposal of that number. Raises `Refused`."""
    if game.open_pause is None or game.open_pause["number"] != number:
        raise Refused(
            "This proposal is no longer open: it was carried out or declined, or its time has passed.",
            code="proposal_over",
        )
    return game.open_pause


def _note_answer(game: Game, seat: Seat, answer: str) -> dict[str, Any]:
    """Note a seat among those who agreed or who declined, and no longer among the others; the proposal then."""
    proposal = game.pause["proposal"]
    answers = {name: set(proposal.get(name, ())) - {seat.number} for name in ("agreed", "declined")}
    answers[answer].add(seat.number)
    noted: dict[str, Any] = {**proposal, **{name: sorted(numbers) for name, numbers in answers.items()}}
    game.pause = {**game.pause, "proposal": noted}
    return noted


def _stop(game: Game, seat: Seat) -> None:
    length = left(game)
    clocks.stop_clock(game=game, status=Status.PAUSED, is_voted=True)
    game.pause_ends_at = game.now + length
    game.pause = {**_settled(game), "since": game.now.isoformat()}
    _tell(game, log_notes.VOTED_PAUSE.format(length=clocks.in_words(length)))
    status_notices.tell(game=game, but=seat)


def _go_on(game: Game, note: str, seat: Seat | None = None) -> None:
    clocks.start_clock(game=game)
    _tell(game, note)
    status_notices.tell(game=game, but=seat)


def _settled(game: Game) -> dict[str, Any]:
    return {name: value for name, value in game.pause.items() if name not in {"proposal", "since"}}


def _mail_the_proposal(game: Game, but: Seat) -> None:
    """Tell all other players, once: a game of minutes is over before its email is read."""
    others = game.seats.filter(user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    people = [(seat, seat.user_id or 0) for seat in others if seat.pk != but.pk]
    told: dict[str, Any] = {"kind": Notice.Kind.VOTE, "serial": game.pause.get("made", 0), "due_at": game.now}
    recording.notify(game=game, people=people, **told, is_mailed=game.is_slow)


def _tell(game: Game, note: str, seat: Seat | None = None) -> None:
    if seat is None:
        clocks.note_on_log(game=game, kind=Kind.PAUSE, note=note)
    else:
        repeats.note_on_log(game=game, kind=Kind.PAUSE, seat=seat.number, note=note)
