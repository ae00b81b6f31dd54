"""Absence: at the deadline, the last valid draft of each person who submitted nothing is submitted for them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from game.engine.actions import Refused
from game.play import failures
from game.play.batch import Around, Saved
from game.play.transactions import GameTransaction, ResolutionError
from game.store.log import Kind, LoggedAction


def submit_drafts(change: GameTransaction, around: Around) -> frozenset[int]:
    """Submit what people have saved for the open phase and have not submitted in time, each draft completely or not at
    all. Returns who had saved something in time."""
    game, owners = change.game, set()
    people = [seat for seat in range(len(game.seat_states)) if not game.is_played_for(seat)]
    for number, own in groupby(around.drafts_of(game, people), attrgetter("seat")):
        owners.add(number)
        # Where seats act one by one actions take effect at once: nothing is saved ahead.
        draft = None if change.is_in_turns else _counting(change, number, own)
        if draft is not None:
            _submit(change, number, draft.content)
    return frozenset(owners)


def _counting(change: GameTransaction, seat: int, newest_first: Iterable[Saved]) -> Saved | None:
    """The newest draft of a player who submitted nothing. For other players only a submission that came too late for a
    deadline that has since moved, unless they submitted something afterwards."""
    if change.game.seat_states[seat] == "untouched":
        return next(iter(newest_first))
    draft = next((draft for draft in newest_first if draft.is_sent), None)
    if draft is None:
        return None
    since = LoggedAction.objects.filter(
        game=change.game, serial=change.serial, seat=seat, kind=Kind.SUBMIT, at__gte=draft.saved_at
    )
    return None if since.exists() else draft


def _submit(change: GameTransaction, seat: int, content: object) -> None:
    """A draft that the rules refuse by now, or on which they break, is ignored: closing a phase never refuses, and no
    draft stops a game."""
    serial, kept = change.serial, change.mark()
    try:
        for request in content if isinstance(content, list) else []:
            action = change.parse(request, seat)
            if change.serial == serial and not _is_ready(request):
                change.take(action, kind=Kind.DRAFT)
    except Refused:
        change.go_back(kept)
    except ResolutionError as error:
        if error.in_closing:
            raise
        change.go_back(kept)
        failures.note_broken(game_id=change.game.pk, error=error)


def _is_ready(request: object) -> bool:
    """Ready would close the phase before the next person's draft."""
    return isinstance(request, dict) and request.get("kind") == "ready"
