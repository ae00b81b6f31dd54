"""What webhooks are told of: made in the transaction of the log entries and notices that mail is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from accounts.mail import bounce_of
from game.models import Delivery, Game, Kind, LoggedAction, Notice, Seat, Status, Webhook
from game.services import doors
from game.services.reminding import remind_at

OPENED, REMINDER, CLOSED = "decision.opened", "decision.reminder", "phase.closed"
STARTED, FINISHED, HELD = "game.started", "game.finished", "game.held"
VOID, REPLACED, LENT, RETURNED = "orders.void", "seat.replaced", "seat.lent", "seat.returned"
MAIL_RETURNED, INVITED, PING = "mail.returned", "game.invited", "ping"
TYPES = {
    OPENED: _("A decision of yours is open"),
    REMINDER: _("A deadline of yours is near"),
    CLOSED: _("A phase has closed in a game of yours"),
    STARTED: _("A game of yours has begun"),
    FINISHED: _("A game of yours is over"),
    HELD: _("A game of yours is on hold"),
    VOID: _("Your submissions no longer count, because the game was rewound"),
    REPLACED: _("Somebody has taken over your seat"),
    LENT: _("Somebody plays your seat for a time, or you play one for its player"),
    RETURNED: _("A seat that was played for its player is theirs again"),
    MAIL_RETURNED: _("An email to you came back or was marked as spam, so you get no more about your games"),
    INVITED: _("A player invites you to a game"),
}
"""What can be chosen; `ping` is always sent."""
OF_NOTICES = {
    Notice.Kind.VOID: VOID,
    Notice.Kind.REPLACED: REPLACED,
    Notice.Kind.PROXIED: LENT,
    Notice.Kind.STANDS_IN: LENT,
    Notice.Kind.RETURNED: RETURNED,
    Notice.Kind.STOOD_IN: RETURNED,
    Notice.Kind.BOUNCED: MAIL_RETURNED,
    Notice.Kind.INVITED: INVITED,
}


HOLDS: Mapping[str, Callable[[Delivery, Game], bool]] = {
    HELD: lambda _, game: game.status == Status.HELD,
    MAIL_RETURNED: lambda delivery, _: bounce_of(delivery.webhook.user) is not None,
    INVITED: lambda delivery, game: doors.is_invitee(game_id=game.pk, user_id=delivery.webhook.user_id),
}
"""What may be so no more when its message is sent."""


class Told(NamedTuple):
    """That something happened, for the owner of a seat, or for somebody who is invited to take one."""

    type: str
    user_id: int
    seat: int | None
    game: Game
    serial: int
    version: int
    due_at: datetime


def tell(events: Iterable[Told]) -> None:
    """Have every active webhook of these people told that wants to be; nothing twice."""
    told = list(events)
    hooks: dict[int, list[Webhook]] = {}
    active = Webhook.objects.filter(user_id__in={each.user_id for each in told}, state=Webhook.State.ACTIVE)
    for hook in active if told else ():
        hooks.setdefault(hook.user_id, []).append(hook)
    Delivery.objects.bulk_create(
        (_delivery(each, hook) for each in told for hook in hooks.get(each.user_id, ()) if wants(hook, each.type)),
        ignore_conflicts=True,
    )


def wants(hook: Webhook, kind: str) -> bool:
    """Whether a webhook is told of this."""
    return kind == PING or not hook.types or kind in hook.types


def tell_of_entries(entries: Iterable[LoggedAction], people: Mapping[int, Mapping[int, Seat]]) -> None:
    """What log entries mean for the people at their games, at every pace."""
    tell(event for entry in entries for event in _events(entry, people.get(entry.game_id, {})))


def tell_of_decision(*, game: Game, seat: Seat) -> None:
    """A decision that waits for whoever has just sat down."""
    tell([_told(OPENED, seat, game, game.phase_serial, game.version, game.now)])


def tell_of_notices(*, game: Game, people: Iterable[tuple[Seat, int]], kind: Notice.Kind) -> None:
    """What people are told besides, each with their seat, where there is a type for it."""
    if kind in OF_NOTICES:
        has_none = kind == Notice.Kind.INVITED
        numbers = [(user_id, None if has_none else seat.number) for seat, user_id in people]
        tell(
            Told(OF_NOTICES[kind], user_id, number, game, game.phase_serial, game.version, game.now)
            for user_id, number in numbers
        )


def tell_of_hold(*, game: Game) -> None:
    """The game stands still until somebody of the staff has looked at it."""
    seats = Seat.objects.filter(game=game, bot="", user__isnull=False)
    tell(_told(HELD, seat, game, game.phase_serial, game.version, game.now) for seat in seats)


def _events(entry: LoggedAction, people: Mapping[int, Seat]) -> Iterator[Told]:
    game, serial = entry.game, entry.opened_serial or 0
    is_over = game.status == Status.FINISHED and serial == game.phase_serial
    for number, seat in people.items():
        kinds = [STARTED if entry.kind == Kind.START else CLOSED]
        kinds += [FINISHED] if is_over else []
        kinds += [OPENED] if number in (entry.asks or ()) else []
        for kind in kinds:
            yield _told(kind, seat, game, serial, entry.version, entry.at)
        if OPENED in kinds and game.is_slow and serial == game.phase_serial and seat.user is not None:
            due = remind_at(game, seat.user)
            if due is not None and due > entry.at:
                yield _told(REMINDER, seat, game, serial, entry.version, due)


def _told(kind: str, seat: Seat, game: Game, serial: int, version: int, due_at: datetime) -> Told:
    assert seat.user_id is not None
    return Told(kind, seat.user_id, seat.number, game, serial, version, due_at)


def _delivery(event: Told, hook: Webhook) -> Delivery:
    about = {"game": event.game, "seat": event.seat, "serial": event.serial, "version": event.version}
    return Delivery(webhook=hook, type=event.type, due_at=event.due_at, **about)


def is_still_true(delivery: Delivery, now: datetime) -> bool | datetime:
    """Whether a message still says what is so; a moment where it is too early to say it. What has happened stays
    true; a decision is open until something was sent, an invitation until it is answered, and a game may have left its
    hold."""
    game = delivery.game
    if game is None:
        return True
    if delivery.type in HOLDS:
        return HOLDS[delivery.type](delivery, game)
    if delivery.type not in {OPENED, REMINDER}:
        return True
    if not _is_asked(delivery, game):
        return False
    due = remind_at(game, delivery.webhook.user) if delivery.type == REMINDER else now
    return due is not None and (due if due > now else True)


def _is_asked(delivery: Delivery, game: Game) -> bool:
    """Whether a decision still waits for the owner of the webhook; of a reminder, whether nothing was sent."""
    number = delivery.seat or 0
    states = {"untouched"} if delivery.type == REMINDER else {"untouched", "submitted"}
    if delivery.serial != game.phase_serial or game.status not in {Status.RUNNING, Status.PAUSED, Status.HELD}:
        return False
    owned = Seat.objects.filter(game=game, number=number, user=delivery.webhook.user_id, keeper="")
    return game.seat_states[number : number + 1] != [] and game.seat_states[number] in states and owned.exists()
