"""Repair a game after an error of the rules: repeat the last resolution with today's rules and the same draws, show the
differences, replace the stored result, or correct money."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from django.db import transaction

from accounts.models import User
from game.engine import correcting, leaving, referee
from game.engine.actions import Correction, Refused
from game.engine.codec import Damaged
from game.engine.events import Event, PhaseOpened
from game.engine.play import Outcome
from game.engine.position import AnyPosition, without_inputs
from game.history.game_log import moment_words
from game.moderation import interventions, rewind
from game.moderation.approvals import Approval
from game.play import moves
from game.play.transactions import GameTransaction
from game.store import replay
from game.store.game import BEGUN, Game
from game.store.log import Kind, LoggedAction
from game.store.log_notes import Sentence
from game.store.moderation_models import Intervention
from game.store.readers import seats_of

MOST_DIFFERENCES = 200
MOST_DOLLARS = 1_000_000
"""Whole dollars that one correction may move."""


class Rerun(NamedTuple):
    """A phase resolved again: the entries that opened it and the next one, the number of entries from one to the other,
    the stored position, and today's result."""

    first: LoggedAction
    last: LoggedAction
    entries: int
    stored: AnyPosition
    outcome: Outcome[Any]


class Difference(NamedTuple):
    """A public fact that today's rules would change."""

    path: str
    stored: str
    now: str


class RerunReport(NamedTuple):
    """A phase that was resolved again, and the differences."""

    phase: str
    differences: list[Difference]


def rerun_of(game: Game) -> Rerun:
    """Resolve the last phase again; nothing is stored. Raises `Refused`."""
    opened = list(game.log.exclude(opened_serial=None).order_by("-number")[:2])
    if len(opened) < 2 or opened[0].back_to is not None:
        raise Refused("No phase has closed since the game began or was rewound.", code="nothing_closed")
    last, first = opened
    last.game = first.game = game
    entries = list(game.log.filter(number__gt=first.number, number__lte=last.number).order_by("number"))
    try:
        stored, outcome = last.read_snapshot(), _replay_entries(game, first, entries)
    except Damaged as error:
        raise Refused("Stored data of this game is damaged.", code="damaged") from error
    except Exception as error:
        raise Refused(f"The rules fail with {type(error).__name__}.", code="rules_failed") from error
    assert stored is not None
    return Rerun(first, last, len(entries), stored, outcome)


@transaction.atomic
def apply_rerun(
    *, game_id: int, moderator: User, reason: str, seen: interventions.Seen, approval: Approval | None = None
) -> None:
    """Replace the stored result by that of today's rules, with approval. The open phase starts again from there: its
    submissions no longer count, and later draws differ. Raises `Refused`, also if nothing differs."""
    intervention = Intervention.APPLY_RERUN
    game = interventions.lock_for_moderator(intervention, game_id, moderator, reason, seen, *BEGUN, approval=approval)
    rerun = rerun_of(game)
    codec = game.rules.codec
    if codec.encode(rerun.stored.state) == codec.encode(rerun.outcome.position.state):
        raise Refused("Today's rules lead to what is stored: there is nothing to correct.", code="nothing_differs")
    number = rerun.last.number
    seats, public_seats = rewind.void_seats(game, number), rewind.public_void_seats(game, number)
    note = interventions.note_of(Sentence.RERUN_APPLIED, moderator, reason)
    change = moves.open_transaction(game)
    change.rewind_to(rerun.first, user_id=moderator.pk)
    game.held_reason = ""
    change.replace_position(_shift_outcome(rerun, change.position), user_id=moderator.pk, note=note)
    change.commit()
    replay.rebuild_projections(game_id=game_id)
    moves.stand_still_if_deserted(game_id)
    rewind.notify_void_submissions(game_id, seats)
    interventions.record(game, moderator, intervention, reason, entries=rerun.entries, void_seats=public_seats)


def compare_rerun(game: Game) -> RerunReport:
    """Resolve the last phase again with today's rules and the same draws; nothing is stored. Raises `Refused`."""
    rerun = rerun_of(game)
    before, now = (
        msgspec.json.decode(msgspec.json.encode(game.rules.view(each, None)))
        for each in (rerun.stored, rerun.outcome.position)
    )
    differences = list(_differences("", before, now))
    phase = moment_words(game.rules.flow(game.read_options()), rerun.last.turn, rerun.last.phase_name)
    return RerunReport(phase, differences[:MOST_DIFFERENCES])


@transaction.atomic
def correct_money(
    *,
    game_id: int,
    moderator: User,
    reason: str,
    seen: interventions.Seen,
    account: str,
    amount: int,
    approval: Approval | None = None,
) -> None:
    """Give whole dollars to the account of a player or a company, or remove them if `amount` is negative; in a rated
    game with approval. Submitted actions stay. Raises `Refused`."""
    arguments = {"account": account, "amount": amount}
    intervention, begun = Intervention.CORRECT_MONEY, BEGUN
    game = interventions.lock_for_moderator(
        intervention, game_id, moderator, reason, seen, *begun, approval=approval, **arguments
    )
    change = moves.open_transaction(game)
    owner_name = _check(game, change, account, amount)
    note = interventions.note_of(Sentence.MONEY_CORRECTED, moderator, reason, whose=owner_name)
    change.correct(Correction(account=account, amount=amount), user_id=moderator.pk, note=note)
    change.commit()
    interventions.record(game, moderator, intervention, reason, whose=owner_name, amount=amount)


def correctable_accounts(game: Game) -> dict[str, str]:
    """The accounts that can be corrected, with their owners' names; empty if the game has no money."""
    names = {f"cash:{seat.number}": seat.shown_name for seat in seats_of(game)}
    accounts = correcting.correctable(game.rules, game.load_position()) if game.has_position else ()
    return {account: names.get(account) or account.partition(":")[2] for account in accounts}


def _replay_entries(game: Game, first: LoggedAction, entries: Iterable[LoggedAction]) -> Outcome[Any]:
    """The outcome of these entries from the start of their phase, with everything that happened on the way."""
    whole: Outcome[Any] = Outcome(first.read_snapshot())
    for entry in entries:
        entry.game = game
        step = replay.play_entry(game, whole.position, entry)
        whole.position = step.position
        whole.events += step.events
        whole.transfers += step.transfers
        whole.draws += step.draws
    return whole


def _shift_outcome(rerun: Rerun, start: AnyPosition) -> Outcome[Any]:
    """The outcome as the successor of `start`, the phase's second start: serials never repeat, players who left since
    then remain away, and whom the others voted out since then goes when the open phase is over."""
    position, serial_offset = rerun.outcome.position, start.cursor.serial - (rerun.first.opened_serial or 0)
    cursor = msgspec.structs.replace(
        position.cursor, branch=start.cursor.branch, serial=position.cursor.serial + serial_offset
    )
    since = rerun.last.game.log.filter(number__gt=rerun.last.number).order_by("number")
    seat_changes = since.filter(kind__in=[Kind.HANDOVER, Kind.RESIGN]).values_list("seat", flat=True)
    position = msgspec.structs.replace(without_inputs(position, set(seat_changes)), cursor=cursor)
    position = leaving.with_resigned(position, start.state.left)
    for seat in since.filter(kind=Kind.VOTED_OUT).values_list("seat", flat=True):
        position = leaving.voted_out(position, seat or 0)
    shifted: Outcome[Any] = Outcome(position)
    shifted.events = [_shift_event(event, serial_offset) for event in rerun.outcome.events]
    shifted.transfers = [
        msgspec.structs.replace(each, serial=each.serial + serial_offset) for each in rerun.outcome.transfers
    ]
    shifted.draws = rerun.outcome.draws  # they keep their names
    return shifted


def _shift_event(event: Event, serial_offset: int) -> Event:
    return (
        msgspec.structs.replace(event, serial=event.serial + serial_offset) if isinstance(event, PhaseOpened) else event
    )


def _differences(path: str, stored: Any, now: Any) -> Iterator[Difference]:
    """The paths at which two trees of plain values differ."""
    if isinstance(stored, dict) and isinstance(now, dict):
        for key in sorted({*stored, *now}):
            yield from _differences(f"{path}.{key}".lstrip("."), stored.get(key), now.get(key))
    elif isinstance(stored, list) and isinstance(now, list) and len(stored) == len(now):
        for place, pair in enumerate(zip(stored, now, strict=True)):
            yield from _differences(f"{path}[{place}]", *pair)
    elif stored != now:
        yield Difference(path, json.dumps(stored)[:200], json.dumps(now)[:200])


def _check(game: Game, change: GameTransaction, account: str, amount: int) -> str:
    """The account owner's name. Raises `Refused`."""
    balances = correcting.correctable(game.rules, change.position)
    if not balances:
        raise Refused(f"{game.rules.title} has no money to put right.", code="has_no_money")
    if account not in balances:
        raise Refused(f"There is no account {account!r:.40} to put right.", code="no_such_account", field="account")
    if not 0 < abs(amount) <= MOST_DOLLARS:
        raise Refused(
            f"An amount is 1 to {MOST_DOLLARS}, or as much below zero, not {amount}.",
            code="wrong_amount",
            field="amount",
        )
    if amount < 0 and not game.rules.money.is_public:
        raise Refused(
            "What players own is hidden in this game, so money can only be given.", code="money_hidden", field="amount"
        )
    if balances[account] + amount < 0:
        raise Refused(
            f"There are {balances[account]} in this account: {-amount} cannot be taken out.",
            code="too_little_there",
            field="amount",
        )
    _check_goes_on(change, Correction(account=account, amount=amount))
    return correctable_accounts(game)[account]


def _check_goes_on(change: GameTransaction, correction: Correction) -> None:
    """A correction must not leave the open phase without a decision: it would stay open until its deadline, or
    forever."""
    after = change.corrected(correction).position
    if change.waiting_on() and not referee.waiting_on(change.rules, after):
        raise Refused(
            "After this nobody would have anything to decide in the open phase. Let it close first.",
            code="closes_phase",
        )
