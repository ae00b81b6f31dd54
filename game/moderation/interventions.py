"""What moderators may do to a game. Each act has its own permission and a reason, is recorded and shown to the
players."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction

from accounts.models import User
from accounts.names import sought
from game.engine import correcting
from game.engine.actions import Refused
from game.lobby import waiting_games
from game.moderation import permissions
from game.moderation.approvals import Approval, require
from game.play import attendance, clocks, door, failures, moves
from game.play.transactions import ResolutionError
from game.reputation import ratings
from game.store import eyes
from game.store.game import BEGUN, Game, Status
from game.store.log import Kind
from game.store.log_notes import Note, Sentence
from game.store.moderation_models import Intervention, ModeratorAction
from game.store.readers import seats_of

MOST_MINUTES = 14 * 24 * 60


class Seen(NamedTuple):
    """The state a moderator decided on: the game's public version and the number of its open phase."""

    version: int
    serial: int


class Stale(Refused):
    """The game has changed since the moderator looked at it."""


@transaction.atomic
def pause(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Stop the clock and accept nothing until `resume`. Raises `Refused`."""
    game = lock_for_moderator(Intervention.PAUSE, game_id, moderator, reason, seen, Status.RUNNING)
    clocks.stop_clock(game=game, status=Status.PAUSED)
    save_note(game, moderator, Sentence.MODERATOR_PAUSED, reason)
    record(game, moderator, Intervention.PAUSE, reason)


@transaction.atomic
def resume(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Resume a paused game with the time that was left. Raises `Refused`."""
    game = lock_for_moderator(Intervention.RESUME, game_id, moderator, reason, seen, Status.PAUSED)
    if game.deserted_at is not None:
        raise Refused(
            "No player of this game is present. It resumes when one comes back or a seat is taken.",
            code="nobody_present",
        )
    clocks.start_clock(game=game)
    save_note(game, moderator, Sentence.MODERATOR_RESUMED, reason)
    attendance.pause_if_deserted(game=game)
    record(game, moderator, Intervention.RESUME, reason)


@transaction.atomic
def extend_deadline(*, game_id: int, moderator: User, reason: str, seen: Seen, minutes: int) -> None:
    """Give the open phase more time, up to a fixed closing time if it has those. Raises `Refused`."""
    if not 0 < minutes <= MOST_MINUTES:
        raise Refused(
            f"A deadline is extended by 1 to {MOST_MINUTES} minutes, not by {minutes}.",
            code="wrong_length",
            field="minutes",
        )
    game = lock_for_moderator(Intervention.EXTEND_DEADLINE, game_id, moderator, reason, seen, *BEGUN)
    length = timedelta(minutes=minutes)
    if game.deadline_at is None and game.paused_left is None:
        raise Refused("This game has no deadline to extend.", code="has_no_clock")
    clocks.give(game, length)
    sentence, facts = extension_note(game, length)
    save_note(game, moderator, sentence, reason, **facts)
    record(game, moderator, Intervention.EXTEND_DEADLINE, reason, minutes=minutes)


def extension_note(game: Game, more: timedelta) -> tuple[Sentence, dict[str, object]]:
    """The log sentence for a phase that was just given more time, and its parameters."""
    if game.deadline_at is None or game.read_timing().fixed is None:
        return Sentence.EXTENDED, {"more": more}
    return Sentence.EXTENDED_UNTIL, {"until": game.deadline_at}


def resolve_now(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Close the open phase as its deadline would. Raises `Refused`, also if the rules fail."""
    try:
        with transaction.atomic():
            game = lock_for_moderator(Intervention.RESOLVE_NOW, game_id, moderator, reason, seen, Status.RUNNING)
            moves.resolve_now(
                game_id=game_id,
                user_id=moderator.pk,
                note=note_of(Sentence.CLOSED_EARLY, moderator, reason),
            )
            record(game, moderator, Intervention.RESOLVE_NOW, reason)
    except ResolutionError as error:
        failures.note_failure(game_id=game_id, error=error)
        raise Refused(f"The rules failed with an error; nothing was changed: {error}", code="rules_failed") from error


@transaction.atomic
def hold(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Stop a game that does not look right until `retry`. Raises `Refused`."""
    game = lock_for_moderator(Intervention.HOLD, game_id, moderator, reason, seen, Status.RUNNING, Status.PAUSED)
    clocks.stop_clock(game=game, status=Status.HELD)
    game.held_reason = permissions.clean_reason(reason)
    save_note(game, moderator, Sentence.MODERATOR_HELD, reason)
    record(game, moderator, Intervention.HOLD, reason)


@transaction.atomic
def retry(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Restart a game on hold and reset its count of attempts. Raises `Refused`."""
    game = lock_for_moderator(Intervention.RETRY, game_id, moderator, reason, seen, Status.HELD)
    if game.is_damaged:
        raise Refused("Stored data of this game is damaged. Restore it from the log first.", code="damaged")
    held_reason = game.held_reason
    clocks.start_clock(game=game)
    save_note(game, moderator, Sentence.TOOK_OFF_HOLD, reason)
    attendance.pause_if_deserted(game=game)
    record(game, moderator, Intervention.RETRY, reason, held_reason=held_reason)


@transaction.atomic
def remove_table(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Remove a game that has not started. Raises `Refused`."""
    game = lock_for_moderator(Intervention.REMOVE_TABLE, game_id, moderator, reason, seen, Status.WAITING)
    # The game's page shows the reason from now on.
    game.status, game.held_reason = Status.ABANDONED, permissions.clean_reason(reason)
    eyes.forget_invitees(game)
    save_note(game, moderator, Sentence.REMOVED_GAME, reason)
    waiting_games.notify_closed(game)
    record(game, moderator, Intervention.REMOVE_TABLE, reason, host=str(game.host or ""))


def lock_for_moderator(
    what: Intervention,
    game_id: int,
    moderator: User,
    reason: str,
    seen: Seen,
    *statuses: Status,
    approval: Approval | None = None,
    **arguments: Any,
) -> Game:
    """Lock a game for a moderator who has seen its current state, may do this, gives a reason and does not play in it.
    If two people must decide, consume the approval of exactly these arguments. Raises `Refused`."""
    game = moves.lock(game_id)
    receiver = permissions.receiver_of(what, arguments)
    permissions.check(what, moderator, reason, on=[receiver.pk if receiver else None])
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    permissions.check_ties(moderator, game=game)
    current = seen_of(game)
    if seen != current:
        raise Stale(
            f"The game has changed since you looked at it: version {seen.version}, phase number {seen.serial} then; "
            f"version {current.version}, phase number {current.serial} now. Nothing was done. Look at it again before "
            "you decide."
        )
    if game.status not in statuses:
        raise Refused(f"This is not possible while the game is {Status(game.status).label}.", code="not_running")
    require(approval, what, game=game, asker=moderator, arguments=arguments)
    game.before = facts_of(game.pk)
    return game


def facts_of(game_id: int) -> dict[str, Any]:
    """Public facts of a game, recorded before and after an intervention."""
    game = Game.objects.defer("state", "inputs", "earlier", "course", "secret").get(pk=game_id)
    phase = f"turn {game.turn}, phase {game.phase.number}: {game.phase.title}" if game.phase else ""
    seats = ", ".join(seat.shown_name for seat in seats_of(game))
    closes = game.deadline_at.isoformat(timespec="minutes") if game.deadline_at else ""
    facts: dict[str, Any] = {"status": Status(game.status).label, "phase": phase, "closes": closes, "seats": seats}
    facts |= {"rewinds": game.branch, "held because": game.held_reason}
    return facts | _rated_people(game) | _public_money(game_id)


def seen_of(game: Game) -> Seen:
    """The state that a moderator who looks now decides on. It has no version of a single seat: that would reveal sealed
    revisions."""
    return Seen(game.version, game.phase_serial)


def note_of(sentence: Sentence, moderator: User, reason: str, **facts: object) -> Note:
    """The note for the players about what a moderator did."""
    return sentence(moderator=moderator, reason=permissions.clean_reason(reason), **facts)


def save_note(game: Game, moderator: User, sentence: Sentence, reason: str, **facts: object) -> None:
    """Add a note to the game's log and write what has changed in the game."""
    note = note_of(sentence, moderator, reason, **facts)
    door.write_note(game=game, kind=Kind.MODERATION, note=note, user_id=moderator.pk)


def record(game: Game | None, moderator: User, what: Intervention, reason: str, **details: Any) -> None:
    """Add an entry to the moderators' record, with the facts that changed."""
    after = facts_of(game.pk) if game else {}
    before = game.before if game else {}
    changed = [name for name in {**before, **after} if after.get(name) != before.get(name)] if before else []
    ModeratorAction.objects.create(
        game=game, user=moderator, verb=what.value, reason=permissions.clean_reason(reason), details=details,
        before={name: before.get(name, "") for name in changed}, after={name: after.get(name, "") for name in changed},
    )  # fmt: skip


def find_person(username: str, account_id: int | None = None) -> User:
    """The open account of this name; `account_id` is the key of the account that had the name before. Raises
    `Refused`."""
    people = User.objects.filter(is_active=True, is_bot=False, is_guest=False)
    user = people.filter(username__iexact=sought(username.strip())).first()
    if account_id is not None and (user is None or user.pk != account_id):
        raise Stale(
            f"The account that was called {username.strip()!r:.40} when this was asked for is closed or has another "
            "name now. Nothing was done. Ask again.",
            code="was_renamed",
        )
    if user is None:
        raise Refused(f"No active account is called {username.strip()!r:.40}.", code="no_such_account")
    return user


def _public_money(game_id: int) -> dict[str, Any]:
    """The money and the rank of every seat and company, if the rules make them public."""
    game = Game.objects.on_the_clock().get(pk=game_id)
    if not game.has_position or game.is_damaged or game.is_newer or not game.rules.money.is_public:
        return {}
    position = game.load_position()
    players = game.rules.view(position, None).players
    facts: dict[str, Any] = {f"score of seat {player.seat + 1}": player.score for player in players}
    for account, balance in correcting.correctable(game.rules, position).items():
        kind, _, owner = account.partition(":")
        facts[f"cash of seat {int(owner) + 1}" if kind == "cash" else f"treasury of {owner}"] = balance
    return facts


def _rated_people(game: Game) -> dict[str, Any]:
    if not game.is_rated or not game.has_position:
        return {}
    return {f"rated for seat {number + 1}": words for number, words in ratings.people_of(game)}
