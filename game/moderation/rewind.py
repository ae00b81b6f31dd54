"""Rewind a game to the start of an earlier phase, and tell players whose submissions no longer count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from game.engine.actions import COMMON_ACTIONS, Refused
from game.engine.codec import Damaged
from game.moderation import interventions
from game.moderation.approvals import Consent
from game.outbox import recording
from game.play import moves
from game.store import log_notes
from game.store.game import BEGUN, Game, Keeper, Status
from game.store.log import Intervention, Kind, LoggedAction, Notice, every_entry

PLAYED = (*BEGUN, Status.FINISHED)


@dataclass(frozen=True)
class Moment:
    """The start of a phase to which the game can be rewound; `number` is the log entry that opened it. Its text is
    English, like the desk and the log."""

    number: int
    serial: int
    turn: int
    phase: str
    title: str
    at: datetime
    back_to: int | None = None

    def __str__(self) -> str:
        return f"Turn {self.turn}, {self.title}" if self.turn else self.title


def moments_of(game: Game) -> list[Moment]:
    """The phases that were decided, newest first, without those that a rewind has undone."""
    course: list[Moment] = []
    for moment in _opened_phases(game):
        if moment.back_to is not None:
            course = [earlier for earlier in course if earlier.number < moment.back_to]
        course.append(moment)
    return course[::-1]


@transaction.atomic
def rewind_to(
    *,
    game_id: int,
    moderator: User,
    reason: str,
    seen: interventions.Seen,
    number: int,
    consent: Consent | None = None,
) -> None:
    """Rewind to the start of the phase that log entry `number` opened, with approval. Raises `Refused`."""
    what = Intervention.REWIND_TO
    game = interventions.take(what, game_id, moderator, reason, seen, *PLAYED, consent=consent, number=number)
    moment = next((moment for moment in moments_of(game) if moment.number == number), None)
    if moment is None:
        raise Refused("The game cannot be rewound there: no phase started at that entry.", code="no_such_phase")
    seats = void_seats(game, number)
    note = interventions.line(log_notes.REWOUND, moderator, reason, moment=moment)
    moves.rewind(game_id=game_id, number=number, user_id=moderator.pk, note=note)
    Game.objects.filter(pk=game_id).update(held_reason="", attempts=0, is_archived=False)
    # A void result and a new secret of the draws concern everybody.
    tell_void(game_id, set(range(game.seats_wanted)) if game.status == Status.FINISHED else seats)
    details = {"number": number, "moment": str(moment), "void_seats": sorted(seats)}
    interventions.record(game, moderator, Intervention.REWIND_TO, reason, **details)


def void_seats(game: Game, number: int) -> set[int]:
    """The seats of people who have submitted something after log entry `number`, on the current branch."""
    submissions = [
        entry for entry in every_entry(game) if entry.number > number and entry.kind in (Kind.SUBMIT, Kind.DRAFT)
    ]
    rewinds = list(game.log.exclude(back_to=None).values_list("back_to", "number"))
    # Submissions of a seat's earlier owner do not concern the new one.
    last_handovers = dict(game.log.filter(kind=Kind.HANDOVER).order_by("number").values_list("seat", "number"))
    own = [entry for entry in submissions if entry.number > last_handovers.get(entry.seat, 0)]
    return {
        entry.seat
        for entry in own
        if entry.seat is not None and _is_order(game, entry) and not _is_undone(entry.number, rewinds)
    }


def _opened_phases(game: Game) -> Iterable[Moment]:
    """Every phase that was opened, named by the entries in it; the open phase is named by the game."""
    titles = {
        row.phase.name: f"phase {row.phase.number}: {row.phase.title}"
        for row in game.rules.flow(game.read_options()).rows
    }
    names = {
        serial: (turn, name) for serial, turn, name in game.log.values_list("serial", "turn", "phase_name").distinct()
    }
    names[game.phase_serial] = (game.turn, game.phase_name)
    opened = (
        game.log.exclude(opened_serial=None).order_by("number").values_list("number", "opened_serial", "at", "back_to")
    )
    for number, serial, at, back_to in opened:
        turn, name = names.get(serial or 0, (0, ""))
        if name:
            yield Moment(number, serial or 0, turn, name, titles.get(name, name), at, back_to)


def _is_order(game: Game, entry: LoggedAction) -> bool:
    if str(entry.seat) in game.bots or game.keepers.get(str(entry.seat)) == Keeper.RESIGNED:
        return False
    entry.game = game
    try:
        return not isinstance(entry.read_action(), COMMON_ACTIONS)
    except Damaged:
        return True


def _is_undone(number: int, rewinds: Iterable[tuple[int | None, int]]) -> bool:
    return any(back_to is not None and back_to < number < rewound for back_to, rewound in rewinds)


def tell_void(game_id: int, numbers: set[int]) -> None:
    """Tell the people on these seats, unless they resigned, that their submissions no longer count."""
    game = Game.objects.on_the_clock().get(pk=game_id)
    seats = game.seats.filter(number__in=numbers, user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    people = [(seat, seat.user_id or 0) for seat in seats]
    recording.notify(game=game, people=people, kind=Notice.Kind.VOID, serial=game.phase_serial, due_at=game.now)
