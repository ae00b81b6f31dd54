"""Putting the steps of a finished game away, and taking them out again when it goes on."""

from __future__ import annotations

from contextlib import suppress

from game.engine.codec import Damaged
from game.store.game import Game
from game.store.log import Kind, LoggedAction, Volume, every_entry
from game.store.steps import MARK, Quiet, Steps, Told, pack_steps, place_of, plain, unpack_steps

LARGE = ("events", "action", "transfers", "draws")
FORM = ("token", "fingerprint")


def put_away(game: Game) -> None:
    """Pack what is large in a locked game's log, and every submission that told nothing. Raises `Damaged`."""
    entries = list(game.log.defer("snapshot").order_by("number"))
    quiet = [entry for entry in entries if _is_quiet(entry)]
    told = [entry for entry in entries if _is_large(entry) and not _is_quiet(entry)]
    steps = Steps([_quiet(entry) for entry in quiet], {entry.number: _told(entry) for entry in told})
    packed = pack_steps(steps)
    # What could not be read again must not be thrown away.
    assert unpack_steps(packed) == steps
    Volume.objects.create(game=game, number=game.volumes.count(), packed=packed)
    LoggedAction.objects.filter(pk__in=[entry.pk for entry in quiet]).delete()
    for entry in told:
        _empty(entry)
    LoggedAction.objects.bulk_update(told, [*LARGE, *FORM], batch_size=100)


def take_out(game: Game) -> None:
    """Make a locked game's log as it was before `put_away`, but for what lies in a damaged volume."""
    if not game.is_archived:
        return
    entries = list(every_entry(game))
    LoggedAction.objects.bulk_create([entry for entry in entries if entry.pk is None])
    whole = [entry for entry in entries if entry.pk is not None and entry.take_in()]
    LoggedAction.objects.bulk_update(whole, LARGE, batch_size=100)
    game.volumes.filter(pk__in=[volume.pk for volume in game.volumes.all() if _reads(volume)]).delete()
    Game.objects.filter(pk=game.pk).update(is_archived=False)
    game.is_archived = False
    del game.put_away


def _empty(entry: LoggedAction) -> None:
    """Leave in the row where the rest of it lies, and no form: one that is sent again after the end is refused."""
    place = place_of(entry.number)
    entry.events = place if entry.events else ""
    entry.action = None if entry.action is None else place.encode()
    entry.transfers = None if entry.transfers is None else place.encode()
    entry.draws = place.encode() if entry.draws else entry.draws
    entry.token = entry.fingerprint = ""


def _is_quiet(entry: LoggedAction) -> bool:
    """Whether nothing of it is ever asked for by itself."""
    tells = entry.events or entry.note or entry.transfers is not None or entry.draws
    return entry.kind == Kind.SUBMIT and not tells and entry.opened_serial is None and entry.is_told


def _is_large(entry: LoggedAction) -> bool:
    """Whether it has something to put away; what a damaged volume still holds stays there."""
    return not entry.events.startswith(MARK) and any(getattr(entry, name) for name in LARGE)


def _quiet(entry: LoggedAction) -> Quiet:
    (action,) = plain([entry.action])
    facts = {name: getattr(entry, name) for name in Quiet.__struct_fields__ if name != "is_own"}
    return Quiet(**facts | {"action": action, "kind": str(entry.kind), "is_own": entry.user_id is not None})


def _told(entry: LoggedAction) -> Told:
    return Told(entry.events, *plain([entry.action, entry.transfers, entry.draws or None]))


def _reads(volume: Volume) -> bool:
    with suppress(Damaged):
        unpack_steps(bytes(volume.packed))
        return True
    return False
