"""Players pause their game: its clock stops when more than half of those present agree. The pause ends in the same way,
or after its longest time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from game.engine.actions import Refused
from game.engine.language import mark
from game.play import attendance, clocks, door, moves
from game.store.game import Game, Seat, Status
from game.store.log import Kind
from game.store.log_notes import Note, Sentence
from game.store.proposals import Proposal, ProposalKind, VoteTopic, drop_proposal

LONGEST_PAUSE = {False: timedelta(hours=1), True: timedelta(days=7)}
"""Longest single pause, by whether a game is slow."""
LONGEST_TOTAL = {False: timedelta(hours=2), True: timedelta(days=14)}
"""Longest total of a game's pauses."""
NO_CLOCK = mark("No clock runs in this game, so there is nothing to pause.")
PAUSED_BY_MODERATOR = mark("A moderator paused this game. You can submit again when a moderator resumes it.")
PAUSES_USED_UP = mark("This game has been paused for as long as its players may pause it.")


def choose(game: Game) -> tuple[ProposalKind, dict[str, Any]]:
    """Propose to pause a running game, or to resume a paused one."""
    return (ProposalKind.GOING_ON if game.pause_ends_at else ProposalKind.PAUSE), {}


def check_can_vote(game: Game) -> None:
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


def votes_needed(game: Game) -> int:
    """The number of votes needed: more than half of the players present. Bots do not vote."""
    return len(game.present_seats) // 2 + 1


def has_majority(game: Game, proposal: Proposal) -> bool:
    return len({*proposal.agreed} & {*game.present_seats}) >= votes_needed(game)


def has_lapsed(game: Game, proposal: Proposal) -> bool:
    """True if too few players have not declined to carry it."""
    return len({*game.present_seats} - {*proposal.declined}) < votes_needed(game)


def pause_left(game: Game) -> timedelta:
    """The longest possible pause from now on."""
    used_time = timedelta(seconds=game.pause.get("used", 0))
    return min(LONGEST_PAUSE[game.is_slow], LONGEST_TOTAL[game.is_slow] - used_time)


def stop(game: Game, proposal: Proposal, last_voter: Seat) -> None:
    """Stop the clock for as long as players may."""
    length = pause_left(game)
    clocks.stop_clock(game=game, status=Status.PAUSED, is_voted=True)
    game.pause_ends_at = game.now + length
    game.pause = {**game.pause, "since": game.now.isoformat()}
    drop_proposal(game, VoteTopic.PAUSE)
    door.write_note(game=game, kind=Kind.PAUSE, note=Sentence.VOTED_PAUSE(length=length), by=last_voter)


def go_on(game: Game, proposal: Proposal, last_voter: Seat) -> None:
    """Let the clock run again."""
    _resume(game, Sentence.VOTED_GOING_ON(), last_voter)


@transaction.atomic
def end_due(*, game_id: int) -> bool:
    """Resume a game whose pause is over. False if there is nothing to do, or another process is doing it."""
    game = moves.lock(game_id, waits=False)
    if game is None or game.status != Status.PAUSED or game.pause_ends_at is None or game.pause_ends_at > game.now:
        return False
    _resume(game, Sentence.PAUSE_OVER())
    attendance.pause_if_deserted(game=game)
    return True


def due_games() -> list[int]:
    """Games whose pause is over by the database's clock."""
    paused = Game.objects.filter(status=Status.PAUSED, pause_ends_at__lte=Now()).order_by("pause_ends_at")
    return list(paused.values_list("pk", flat=True)[:200])


def _resume(game: Game, note: Note, last_voter: Seat | None = None) -> None:
    clocks.start_clock(game=game)
    door.write_note(game=game, kind=Kind.PAUSE, note=note, by=last_voter)
