"""What moderators may do to a game. Each act has its own permission and a reason, is recorded and shown to the
players."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction

from accounts.models import User
from accounts.rights import has_more_rights
from game.bots import accounts
from game.engine import correcting
from game.engine.actions import Refused
from game.lobby import lobby, rooms
from game.moderation import case_filing, permissions
from game.moderation.approvals import Consent, require
from game.outbox import recording, status_notices
from game.play import attendance, clocks, failures, moves, tenures
from game.play.transactions import ResolutionError
from game.reputation import bans, households, ratings
from game.seats import handover
from game.store import access, log_notes
from game.store.game import BEGUN, Game, Seat, Status
from game.store.log import Intervention, Kind, ModeratorAction
from game.store.seating import find_seat, free_bot_name, seats_of
from game.store.tenure_models import Sitting

MOST_MINUTES = 14 * 24 * 60
CLOCK_COLUMNS = ("status", "deadline_at", "clock_since", "clock", "paused_left")
WRITTEN = (*CLOCK_COLUMNS, "pause", "pause_ends_at", "held_reason", "attempts", "not_before", "version", "entries")


class Seen(NamedTuple):
    """The state a moderator decided on: the game's public version and the number of its open phase."""

    version: int
    serial: int


class Stale(Refused):
    """The game has changed since the moderator looked at it."""


@transaction.atomic
def pause(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Stop the clock and accept nothing until `resume`. Raises `Refused`."""
    game = take(Intervention.PAUSE, game_id, moderator, reason, seen, Status.RUNNING)
    clocks.stop_clock(game=game, status=Status.PAUSED)
    tell(game, moderator, log_notes.PAUSED, reason)
    status_notices.tell(game=game)
    record(game, moderator, Intervention.PAUSE, reason)


@transaction.atomic
def resume(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Resume a paused game with the time that was left. Raises `Refused`."""
    game = take(Intervention.RESUME, game_id, moderator, reason, seen, Status.PAUSED)
    if game.deserted_at is not None:
        raise Refused(
            "No player of this game is present. It resumes when one comes back or a seat is taken.",
            code="nobody_present",
        )
    clocks.start_clock(game=game)
    tell(game, moderator, log_notes.RESUMED, reason)
    status_notices.tell(game=game)
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
    game = take(Intervention.EXTEND_DEADLINE, game_id, moderator, reason, seen, *BEGUN)
    length = timedelta(minutes=minutes)
    if game.deadline_at is None and game.paused_left is None:
        raise Refused("This game has no deadline to extend.", code="has_no_clock")
    clocks.give(game, length)
    remark, facts = extended(game, length)
    tell(game, moderator, remark, reason, **facts)
    status_notices.tell_of_moves([game])
    record(game, moderator, Intervention.EXTEND_DEADLINE, reason, minutes=minutes)


def extended(game: Game, more: timedelta) -> tuple[str, dict[str, str]]:
    """The log sentence for a phase that was just given more time, and its parameters."""
    if game.deadline_at is None or game.read_timing().fixed is None:
        return log_notes.EXTENDED, {"more": clocks.in_words(more)}
    return log_notes.EXTENDED_UNTIL, {"until": log_notes.instant_written(game.deadline_at)}


def resolve_now(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Close the open phase as its deadline would. Raises `Refused`, also if the rules fail."""
    try:
        with transaction.atomic():
            game = take(Intervention.RESOLVE_NOW, game_id, moderator, reason, seen, Status.RUNNING)
            moves.resolve_now(
                game_id=game_id,
                user_id=moderator.pk,
                note=line(log_notes.CLOSED_EARLY, moderator, reason),
            )
            record(game, moderator, Intervention.RESOLVE_NOW, reason)
    except ResolutionError as error:
        failures.note_failure(game_id=game_id, error=error)
        raise Refused(f"The rules failed with an error; nothing was changed: {error}", code="rules_failed") from error


@transaction.atomic
def hold(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Stop a game that does not look right until `retry`. Raises `Refused`."""
    game = take(Intervention.HOLD, game_id, moderator, reason, seen, Status.RUNNING, Status.PAUSED)
    paused_left = game.paused_left
    clocks.stop_clock(game=game, status=Status.HELD)
    game.paused_left = game.paused_left or paused_left
    game.held_reason = permissions.clean(reason)
    tell(game, moderator, log_notes.HELD, reason)
    status_notices.tell(game=game)
    case_filing.open_for_hold(game=game)
    record(game, moderator, Intervention.HOLD, reason)


@transaction.atomic
def retry(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Restart a game on hold and reset its count of attempts. Raises `Refused`."""
    game = take(Intervention.RETRY, game_id, moderator, reason, seen, Status.HELD)
    if game.is_damaged:
        raise Refused("Stored data of this game is damaged. Restore it from the log first.", code="damaged")
    held_reason = game.held_reason
    clocks.start_clock(game=game)
    tell(game, moderator, log_notes.LET_GO_ON, reason)
    status_notices.tell(game=game)
    attendance.pause_if_deserted(game=game)
    record(game, moderator, Intervention.RETRY, reason, held_reason=held_reason)


@transaction.atomic
def hand_seat_to_bot(
    *, game_id: int, moderator: User, reason: str, seen: Seen, seat_number: int, consent: Consent | None = None
) -> None:
    """Give a player's seat to a bot, permanently; in a rated game with approval. Raises `Refused`."""
    intervention = Intervention.HAND_SEAT_TO_BOT
    game = take(intervention, game_id, moderator, reason, seen, *BEGUN, consent=consent, seat_number=seat_number)
    seat = find_seat(game, seat_number)
    if seat.bot:
        raise Refused(f"Seat {seat_number + 1} already has a bot.", code="is_a_bot")
    _check_no_proxy(game, seat)
    former_name = seat.shown_name
    seat_a_bot(game, seat, moderator, reason)
    record(game, moderator, Intervention.HAND_SEAT_TO_BOT, reason, seat=seat_number, was=former_name)


@transaction.atomic
def hand_seat_to_user(
    *,
    game_id: int,
    moderator: User,
    reason: str,
    seen: Seen,
    seat_number: int,
    username: str,
    receiver: int | None = None,
    consent: Consent | None = None,
) -> None:
    """Give a seat to another person, with approval; `receiver` is the key of the account that had the name when it was
    asked for. Raises `Refused`."""
    arguments = {"seat_number": seat_number, "username": username, "receiver": receiver}
    game = take(Intervention.HAND_SEAT_TO_USER, game_id, moderator, reason, seen, *BEGUN, consent=consent, **arguments)
    seat, user = find_seat(game, seat_number), find_person(username, receiver)
    _check_no_proxy(game, seat)
    if game.seats.filter(user=user).exists() or game.seat_owned_by(user.pk) is not None:
        raise Refused(f"{user} already plays in this game.", code="plays_there_already")
    _check_other_hands(game, seat_number, user)
    check_has_not_read(game, user)
    check_may_play(game, user)
    check_bots(game, seat_number, user)
    check_household(game, user)
    former_name = seat.shown_name
    seat.user, seat.bot, seat.name = user, "", ""
    _change_hands(game, seat, moderator, log_notes.GAVE, reason, was=former_name, name=user)
    recording.ask_newcomer(game=game, seat=seat)
    record(
        game, moderator, Intervention.HAND_SEAT_TO_USER, reason, seat=seat_number, was=former_name, user=user.username
    )


@transaction.atomic
def excuse_miss(*, game_id: int, moderator: User, reason: str, seen: Seen, seat_number: int) -> None:
    """Count the last missed decision of the current player as excused. Raises `Refused`."""
    game = take(Intervention.EXCUSE_MISS, game_id, moderator, reason, seen, *BEGUN, Status.FINISHED)
    seat = find_seat(game, seat_number)
    sitting = game.sittings.filter(number=seat_number, user=seat.user_id, ended_at=None).exclude(user=None).first()
    if sitting is None or not sitting.missed:
        raise Refused(f"{seat.shown_name} has missed nothing in this game.", code="nothing_missed")
    tenures.excuse(sitting)
    tell(game, moderator, log_notes.MISS_EXCUSED, reason, name=seat.shown_name)
    record(game, moderator, Intervention.EXCUSE_MISS, reason, seat=seat_number, user=seat.shown_name)


@transaction.atomic
def remove_table(*, game_id: int, moderator: User, reason: str, seen: Seen) -> None:
    """Remove a game that has not started. Raises `Refused`."""
    game = take(Intervention.REMOVE_TABLE, game_id, moderator, reason, seen, Status.WAITING)
    # The game's page shows the reason from now on.
    game.status, game.held_reason = Status.ABANDONED, permissions.clean(reason)
    access.forget_invitees(game)
    tell(game, moderator, log_notes.REMOVED_GAME, reason)
    rooms.notify_closed(game)
    record(game, moderator, Intervention.REMOVE_TABLE, reason, host=str(game.host or ""))


def seat_a_bot(game: Game, seat: Seat, moderator: User, reason: str) -> None:
    """Give a seat of a locked game to a bot."""
    former_name, name = seat.shown_name, free_bot_name(seats_of(game))
    seat.user, seat.bot, seat.name = None, lobby.HOUSE, name
    _change_hands(game, seat, moderator, log_notes.GAVE_TO_BOT, reason, was=former_name, name=name)


def take(
    what: Intervention,
    game_id: int,
    moderator: User,
    reason: str,
    seen: Seen,
    *statuses: Status,
    consent: Consent | None = None,
    **arguments: Any,
) -> Game:
    """Lock a game for a moderator who has seen its current state, may do this, gives a reason and does not play in it.
    If two people must decide, consume the approval of exactly these arguments. Raises `Refused`."""
    game = moves.lock(game_id)
    permissions.check(what, moderator, reason)
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    permissions.check_apart(game, moderator)
    current = seen_of(game)
    if seen != current:
        raise Stale(
            f"The game has changed since you looked at it: version {seen.version}, phase number {seen.serial} then; "
            f"version {current.version}, phase number {current.serial} now. Nothing was done. Look at it again before "
            "you decide."
        )
    if game.status not in statuses:
        raise Refused(f"This is not possible while the game is {Status(game.status).label}.", code="not_running")
    require(consent, what, game=game, asker=moderator, asked=arguments)
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


def _rated_people(game: Game) -> dict[str, Any]:
    """The people rated for each seat."""
    if not game.is_rated or not game.has_position:
        return {}
    return {f"rated for seat {number + 1}": words for number, words in ratings.people_of(game)}


def _public_money(game_id: int) -> dict[str, Any]:
    """The money and the rank of every seat and company, if the rules make them public."""
    game = Game.objects.on_the_clock().get(pk=game_id)
    if not game.has_position or not game.rules.money.is_public or game.is_newer or game.is_damaged:
        return {}
    position = game.load_position()
    players = game.rules.view(position, None).players
    facts: dict[str, Any] = {f"score of seat {player.seat + 1}": player.score for player in players}
    for account, balance in correcting.correctable(game.rules, position).items():
        kind, _, owner = account.partition(":")
        facts[f"cash of seat {int(owner) + 1}" if kind == "cash" else f"treasury of {owner}"] = balance
    return facts


def seen_of(game: Game) -> Seen:
    """The state that a moderator who looks now decides on. It has no version of a single seat: that would reveal sealed
    revisions."""
    return Seen(game.version, game.phase_serial)


def check_person(moderator: User, person: User) -> None:
    """Check that a moderator may act on an account. Raises `Refused`. They may not if they, a bot of theirs or somebody
    they live with plays with its owner in a game that has begun: they would gain by that player's absence."""
    permissions.check_apart_from(person, moderator)
    if has_more_rights(person, than=moderator):
        raise Refused(
            f"{person} has more rights than you. Ask a moderator with the same rights.", code="has_more_rights"
        )
    begun = Game.objects.filter(status__in=BEGUN)
    together = begun.filter(permissions.plays(permissions.own(person))).order_by("pk")
    if shared := together.filter(permissions.plays(permissions.own(moderator))).first():
        raise Refused(f"You play with {person} in {shared}. Ask another moderator.", code="plays_with")
    if shared := together.filter(permissions.plays(permissions.near(moderator))).first():
        raise Refused(
            f"Somebody with whom you share a home or a connection plays with {person} in {shared}. Ask another "
            "moderator.",
            code="plays_with",
        )


def line(remark: str, moderator: User, reason: str, **facts: object) -> str:
    """Format a log note for the players."""
    return remark.format(moderator=moderator, reason=permissions.clean(reason), **facts)[:300]


def tell(game: Game, moderator: User, remark: str, reason: str, **facts: object) -> None:
    """Add a note to the game's log and save the game."""
    note = line(remark, moderator, reason, **facts)
    clocks.note_on_log(game=game, kind=Kind.MODERATION, note=note, user_id=moderator.pk)
    game.save(update_fields=WRITTEN)


def record(game: Game | None, moderator: User, what: Intervention, reason: str, **details: Any) -> None:
    """Add an entry to the moderators' record, with the facts that changed."""
    after = facts_of(game.pk) if game else {}
    before = game.before if game else {}
    changed = [name for name in {**before, **after} if after.get(name) != before.get(name)] if before else []
    ModeratorAction.objects.create(
        game=game, user=moderator, verb=what.value, reason=permissions.clean(reason), details=details,
        before={name: before.get(name, "") for name in changed}, after={name: after.get(name, "") for name in changed},
    )  # fmt: skip


def _change_hands(game: Game, seat: Seat, moderator: User, remark: str, reason: str, **facts: object) -> None:
    """Change the player of a seat in a locked game, with a note in its log."""
    note = line(remark, moderator, reason, **facts)
    handover.change_hands(game=game, seat=seat, user_id=moderator.pk, note=note, end=Sitting.End.HANDED_OVER)


def _check_no_proxy(game: Game, seat: Seat) -> None:
    """A seat played by a stand-in must return to its owner first."""
    if game.has_proxy(seat.number):
        raise Refused(f"{seat.shown_name} plays this seat for its player. End that first.", code="has_proxy")


def _check_other_hands(game: Game, number: int, user: User) -> None:
    """People who had another seat or played one as a stand-in saw its hand, so they cannot take a further one."""
    sat, stood_in = (rows.filter(user=user).exclude(number=number) for rows in (game.sittings, game.stand_ins))
    seats = sorted({*sat.values_list("number", flat=True), *stood_in.values_list("number", flat=True)})
    if seats:
        raise Refused(
            f"{user} had seat {seats[0] + 1} of this game and saw what was hidden there. Choose somebody who had none, "
            f"or only seat {number + 1}.",
            code="knows_another_hand",
            field="username",
        )


def check_has_not_read(game: Game, user: User) -> None:
    """Check that the new player could not read what is sealed in this game. Raises `Refused`."""
    if bans.has_read(game, user):
        raise Refused(
            f"{user}, or somebody they share a home with, could read the sealed orders and hands of this game as a "
            "moderator. Choose another person.",
            code="has_read_secrets",
            field="username",
        )


def check_may_play(game: Game, user: User) -> None:
    """Check that neither the host nor a moderator excluded this person. Raises `Refused`."""
    if access.is_removed(game_id=game.pk, user_id=user.pk):
        raise Refused(f"The host removed {user} from this game.", code="was_sent_away", field="username")
    if bans.ban_of(user) is not None:
        raise Refused(f"{user} is banned.", code="barred", field="username")
    if bans.barred_by(user) is not None:
        raise Refused(f"{user} cannot join games: a moderator decided so.", code="barred", field="username")


def check_bots(game: Game, number: int, user: User) -> None:
    """Check that the new player has no bot of their own in the game. Raises `Refused`."""
    if accounts.has_bot_at(game=game, owner=user, besides=number):
        raise Refused(
            f"A bot of {user} plays or played in this game. Choose another person.",
            code="own_bot_sits",
            field="username",
        )


def check_household(game: Game, user: User, *, plays_for: int | None = None) -> None:
    """Check that the new player of a rated game shares no home with others there. Raises `Refused`."""
    if households.why_not(game=game, user_id=user.pk, plays_for=plays_for):
        raise Refused(
            f"{user} shares a home or a connection with somebody who plays or played in this rated game. "
            "Choose another person.",
            code="linked_player",
        )


def find_person(username: str, known: int | None = None) -> User:
    """The open account of this name; `known` is the key of the account that had the name before. Raises `Refused`."""
    user = User.objects.filter(username__iexact=username.strip(), is_active=True, is_bot=False, is_guest=False).first()
    if known is not None and (user is None or user.pk != known):
        raise Stale(
            f"The account that was called {username.strip()!r:.40} when this was asked for is closed or has another "
            "name now. Nothing was done. Ask again.",
            code="was_renamed",
        )
    if user is None:
        raise Refused(f"No active account is called {username.strip()!r:.40}.", code="no_such_account")
    return user
