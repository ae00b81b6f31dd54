"""At the deadline, submit the last valid draft of each player who submitted nothing."""

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
    """Submit people's unsubmitted drafts for the open phase, each completely or not at all. Returns the seats that had
    saved one in time."""
    game, owners = change.game, set()
    people = [seat for seat in range(len(game.seat_states)) if not game.is_played_for(seat)]
    for number, own in groupby(around.drafts_of(game, people), attrgetter("seat")):
        owners.add(number)
        # In turns, actions take effect at once: no draft is submitted later.
        draft = None if change.is_in_turns else _find_draft(change, number, own)
        if draft is not None:
            _submit(change, number, draft.content)
    return frozenset(owners)


def _find_draft(change: GameTransaction, seat: int, newest_first: Iterable[Saved]) -> Saved | None:
    """The newest draft of a player who submitted nothing. For other players only a submission that was too late for a
    deadline that has since moved, unless they submitted something after it."""
    if change.game.seat_states[seat] == "untouched":
        return next(iter(newest_first))
    draft = next((draft for draft in newest_first if draft.is_sent), None)
    if draft is None:
        return None
    submissions = LoggedAction.objects.filter(
        game=change.game, serial=change.serial, seat=seat, kind=Kind.SUBMIT, at__gte=draft.saved_at
    )
    return None if submissions.exists() else draft


def _submit(change: GameTransaction, seat: int, content: object) -> None:
    """Submit a draft. Ignore it if the rules refuse it by now or fail on it: a draft never stops a phase from
    closing."""
    serial, undo_point = change.serial, change.mark()
    try:
        for request in content if isinstance(content, list) else []:
            action = change.parse(request, seat)
            # Ready would close the phase before the next person's draft.
            is_ready = isinstance(request, dict) and request.get("kind") == "ready"
            if change.serial == serial and not is_ready:
                change.take(action, kind=Kind.DRAFT)
    except Refused:
        change.go_back(undo_point)
    except ResolutionError as error:
        if error.in_closing:
            raise
        change.go_back(undo_point)
        failures.note_broken(game_id=change.game.pk, error=error)
