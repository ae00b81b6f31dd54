"""What webhooks are told of: made in the transaction of the log entries and notices that mail is made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Window
from django.db.models.functions import Now, RowNumber
from django.utils.translation import gettext_lazy as _

from accounts.mail import bounce_of
from game.engine.language import mark
from game.outbox.preferences import TOPICS, Wishes, wishes_of, wishes_of_all
from game.outbox.reminding import look_at, remind_at
from game.outbox.webhook_models import DONE, Delivery, Webhook
from game.store import open_questions
from game.store.eyes import is_invitee
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Kind, LoggedAction, Notice
from game.store.preference_models import Channel, How, Topic

MOST_WAITING = 1_000  # messages for one webhook
CROWDED_OUT = mark("Too many newer messages waited for this webhook.")
OPENED, REMINDER, MISSED = "decision.opened", "decision.reminder", "decision.missed"
CLOSED, MOVED = "phase.closed", "deadline.moved"
STARTED, FINISHED = "game.started", "game.finished"
HELD, PAUSED, RESUMED = "game.held", "game.paused", "game.resumed"
PAUSE_PROPOSED, ENDING_PROPOSED, REWIND_ASKED = "pause.proposed", "ending.proposed", "rewind.asked"
VOID, REPLACED, LENT, RETURNED = "orders.void", "seat.replaced", "seat.lent", "seat.returned"
AWAY, MENTIONED = "seat.away", "chat.mention"
MAIL_RETURNED, INVITED, IDLE, PING = "mail.returned", "game.invited", "game.idle", "ping"
TYPES = {
    OPENED: _("You have a decision to make"),
    REMINDER: _("A deadline of yours is near"),
    MISSED: _("You missed a decision"),
    CLOSED: _("A phase has closed in a game of yours"),
    MOVED: _("A deadline has moved in a game of yours"),
    STARTED: _("A game of yours has started"),
    FINISHED: _("A game of yours is over"),
    HELD: _("A game of yours is on hold"),
    PAUSED: _("A game of yours is paused"),
    RESUMED: _("A game of yours continues after a pause or a hold"),
    PAUSE_PROPOSED: _("A player proposes to pause a game of yours, or to go on"),
    ENDING_PROPOSED: _("A player proposes to end a game of yours"),
    REWIND_ASKED: _("You are asked whether to rewind a game of yours"),
    VOID: _("A game of yours was rewound, and what was submitted later no longer counts"),
    AWAY: _("The caretaker plays your seat, because decisions for it were missed"),
    REPLACED: _("Somebody has taken over your seat"),
    LENT: _("Somebody plays your seat for a time, or you play one for its player"),
    RETURNED: _("A seat that was played for its player is theirs again"),
    MENTIONED: _("A player mentions you in a chat"),
    MAIL_RETURNED: _("An email to you came back or was marked as spam, so you get no more about your games"),
    INVITED: _("A player invites you to a game"),
    IDLE: _("A game of yours was closed before it started, or will be closed because nobody opens it"),
}
"""What can be chosen; `ping` is always sent."""
OF_NOTICES = {
    Notice.Kind.TURN: OPENED,
    Notice.Kind.REMINDER: REMINDER,
    Notice.Kind.MISSED: MISSED,
    Notice.Kind.MOVED: MOVED,
    Notice.Kind.STARTED: STARTED,
    Notice.Kind.FINISHED: FINISHED,
    Notice.Kind.HELD: HELD,
    Notice.Kind.PAUSED: PAUSED,
    Notice.Kind.RESUMED: RESUMED,
    Notice.Kind.VOTE: PAUSE_PROPOSED,
    Notice.Kind.ENDING: ENDING_PROPOSED,
    Notice.Kind.REWIND: REWIND_ASKED,
    Notice.Kind.VOID: VOID,
    Notice.Kind.AWAY: AWAY,
    Notice.Kind.KEPT: AWAY,
    Notice.Kind.REPLACED: REPLACED,
    Notice.Kind.PROXIED: LENT,
    Notice.Kind.STANDS_IN: LENT,
    Notice.Kind.RETURNED: RETURNED,
    Notice.Kind.STOOD_IN: RETURNED,
    Notice.Kind.MENTION: MENTIONED,
    Notice.Kind.BOUNCED: MAIL_RETURNED,
    Notice.Kind.INVITED: INVITED,
    Notice.Kind.CLOSING: IDLE,
    Notice.Kind.CLOSED: IDLE,
}
"""One type for everything that an email or a browser reports; a closed phase is reported only to programs."""
TOPICS_OF_TYPES = {
    **{OF_NOTICES[kind]: topic for kind, topic in TOPICS.items()},
    AWAY: Topic.MISSED,
    CLOSED: Topic.STEP,
}
"""The row of the page of notifications on which people choose for each type."""


def _is_away(delivery: Delivery, game: Game) -> bool:
    return game.keepers.get(str(delivery.seat)) == Keeper.AWAY


def _is_asked_for_word(kind: Notice.Kind) -> Callable[[Delivery, Game], bool]:
    return lambda delivery, game: open_questions.waits_for(
        game=game, kind=kind, number=delivery.number, seat=delivery.seat or 0
    )


HOLDS: Mapping[str, Callable[[Delivery, Game], bool]] = {
    HELD: lambda _, game: game.status == Status.HELD,
    PAUSED: lambda _, game: game.status == Status.PAUSED,
    RESUMED: lambda _, game: game.status == Status.RUNNING,
    MOVED: lambda delivery, game: delivery.serial == game.phase_serial,
    AWAY: _is_away,
    PAUSE_PROPOSED: _is_asked_for_word(Notice.Kind.VOTE),
    ENDING_PROPOSED: _is_asked_for_word(Notice.Kind.ENDING),
    REWIND_ASKED: _is_asked_for_word(Notice.Kind.REWIND),
    MAIL_RETURNED: lambda delivery, _: bounce_of(delivery.webhook.user) is not None,
    INVITED: lambda delivery, game: is_invitee(game_id=game.pk, user_id=delivery.webhook.user_id),
    IDLE: lambda _, game: game.closes_at is not None or game.status == Status.ABANDONED,
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
    number: int = 0
    """Of a message, a proposal or whatever else may come again at one version of the game."""


def tell(events: Iterable[Told]) -> None:
    """Have every active webhook of these people told whose list names it, but of nothing that its owner has turned
    off; nothing twice."""
    told = list(events)
    hooks: dict[int, list[Webhook]] = {}
    active = Webhook.objects.filter(user_id__in={each.user_id for each in told}, state=Webhook.State.ACTIVE)
    for hook in active if told else ():
        hooks.setdefault(hook.user_id, []).append(hook)
    if not hooks:
        return
    chosen = wishes_of_all(hooks)
    wanted = [each for each in told if each.user_id in hooks and _is_on(chosen[each.user_id], each.type, each.game.pk)]
    Delivery.objects.bulk_create(
        (_delivery(each, hook) for each in wanted for hook in hooks[each.user_id] if wants(hook, each.type)),
        ignore_conflicts=True,
    )
    _give_up_oldest({hook.pk for found in hooks.values() for hook in found})


def _is_on(chosen: Wishes, kind: str, game_id: int) -> bool:
    """Whether the owner of webhooks wants them to be told of this in this game."""
    return chosen.how(TOPICS_OF_TYPES[kind], Channel.HOOK, game_id) != How.OFF


def _give_up_oldest(hooks: Collection[int]) -> None:
    """Keep only the newest messages that wait for these, up to the maximum: old ones say the least, and a program that
    comes back reads how its games stand."""
    waiting = Delivery.objects.filter(webhook__in=hooks, sent_at=None, cancelled_at=None, failed_at=None)
    place = Window(RowNumber(), partition_by="webhook", order_by=F("pk").desc())
    old = waiting.annotate(place=place).filter(place__gt=MOST_WAITING).values_list("pk", flat=True)
    if too_many := list(old):
        Delivery.objects.filter(pk__in=too_many).update(failed_at=Now(), trouble=CROWDED_OUT)


def wants(hook: Webhook, kind: str) -> bool:
    """Whether a webhook is told of this."""
    return kind == PING or not hook.types or kind in hook.types


def tell_of_entries(entries: Iterable[LoggedAction], people: Mapping[int, Mapping[int, Seat]]) -> None:
    """What log entries mean for the people at their games, at every pace."""
    tell(event for entry in entries for event in _events(entry, people.get(entry.game_id, {})))


def tell_of_decision(*, game: Game, seat: Seat) -> None:
    """A decision that waits for whoever has just sat down."""
    tell([_told(OPENED, seat, game, game.phase_serial, game.version, game.now)])


def tell_of_notices(
    *, game: Game, people: Iterable[tuple[Seat, int]], kind: Notice.Kind, serial: int, number: int = 0
) -> None:
    """What people are told besides, each with their seat, of the phase with this serial."""
    of_seat = kind != Notice.Kind.INVITED
    tell(
        Told(OF_NOTICES[kind], user_id, seat.number if of_seat else None, game, serial, game.version, game.now, number)
        for seat, user_id in people
    )


def tell_of_misses(misses: Iterable[tuple[Game, int, int]]) -> None:
    """That decisions were missed, each in a game, at a seat and of a phase, and where the caretaker plays from now on:
    once the games have their new versions, and in two statements, however many they are."""
    missed = list(misses)
    people = _listening({game.pk for game, _, _ in missed})
    told = [(game, seat, serial) for game, seat, serial in missed if (game.pk, seat) in people]
    tell(_told_of(MISSED, people, game, seat, serial) for game, seat, serial in told)
    away = [(game, seat) for game, seat, _ in told if game.keepers.get(str(seat)) == Keeper.AWAY]
    tell(_told_of(AWAY, people, game, seat, game.phase_serial) for game, seat in away)


def tell_of_moves(games: Iterable[Game]) -> None:
    """Everybody at these games, that the deadline of the open phase has moved: two statements, however many."""
    by_key = {game.pk: game for game in games}
    people = _listening(set(by_key))
    tell(_told_of(MOVED, people, by_key[key], seat, by_key[key].phase_serial) for key, seat in people)


def _listening(games: set[int]) -> dict[tuple[int, int], int]:
    """The people at these games who have a webhook, by game and seat."""
    seats = Seat.objects.filter(game__in=games, bot="", user__webhooks__state=Webhook.State.ACTIVE)
    rows = seats.exclude(keeper=Keeper.RESIGNED).values_list("game_id", "number", "user_id")
    return {(game, number): user for game, number, user in rows if user is not None} if games else {}


def _told_of(kind: str, people: Mapping[tuple[int, int], int], game: Game, seat: int, serial: int) -> Told:
    return Told(kind, people[game.pk, seat], seat, game, serial, game.version, game.now)


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
            due = look_at(game, seat.user, entry.at)
            if due is not None:
                yield _told(REMINDER, seat, game, serial, entry.version, due)


def _told(kind: str, seat: Seat, game: Game, serial: int, version: int, due_at: datetime) -> Told:
    assert seat.user_id is not None
    return Told(kind, seat.user_id, seat.number, game, serial, version, due_at)


def _delivery(event: Told, hook: Webhook) -> Delivery:
    about = {name: getattr(event, name) for name in ("game", "seat", "serial", "version", "number")}
    return Delivery(webhook=hook, type=event.type, due_at=event.due_at, **about)


def is_still_true(delivery: Delivery, now: datetime) -> bool | datetime:
    """Whether a message is still true and its owner still wants it; a moment if it is too early to say. What has
    happened stays true; a decision is open until something was submitted, a proposal or an invitation until it is
    answered, and a game may have left its hold."""
    game = delivery.game
    if game is None:
        return True
    if not _is_on(wishes_of(delivery.webhook.user_id), delivery.type, game.pk):
        return False
    if delivery.type in HOLDS:
        return HOLDS[delivery.type](delivery, game)
    if delivery.type not in {OPENED, REMINDER}:
        return True
    is_closing = game.deadline_at is not None and game.deadline_at <= now
    if not _is_asked(delivery, game) or (is_closing and delivery.type == REMINDER):
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


def forget_game(*, game: Game) -> None:
    """Remove what was sent of a game that is put away. What is still tried is kept until it is taken or given up."""
    Delivery.objects.filter(DONE, game=game).delete()
