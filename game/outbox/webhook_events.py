"""Webhook deliveries, written in the same transaction as the log entries and notices behind them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Window
from django.db.models.functions import Now, RowNumber

from game.engine.language import mark
from game.outbox.models import DONE, Delivery, NoticeTiming, Topic, Webhook
from game.outbox.notice_kinds import KINDS, NoticeRow
from game.outbox.occasions import Occasion
from game.outbox.preferences import Preferences, preferences_of, preferences_of_all
from game.outbox.reminders import check_at, remind_at
from game.outbox.webhook_types import (
    AWAY,
    CLOSED,
    FINISHED,
    MISSED,
    MOVED,
    OPENED,
    PING,
    REMINDER,
    STARTED,
)
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Channel, Kind, LoggedAction, Notice

MOST_WAITING = 1_000  # messages for one webhook
CROWDED_OUT = mark("Too many newer messages waited for this webhook.")
TOPICS_OF_TYPES = {row.webhook: row.topic for row in reversed([*KINDS.values()])} | {CLOSED: Topic.STEP}
"""The topic of the preferences page for each type: that of the first kind of notice with this type."""


class WebhookEvent(NamedTuple):
    """An event for the owner of a seat, or for a person who is invited to take one."""

    type: str
    user_id: int
    seat: int | None
    game: Game
    serial: int
    version: int
    due_at: datetime
    number: int = 0
    """Identifies the message, proposal or other subject that may occur repeatedly at one version of the game."""


def queue(events: Iterable[WebhookEvent]) -> None:
    """Queue a delivery for each active webhook of these people that wants the type and whose owner has not turned it
    off; no event twice."""
    occasions = list(events)
    webhooks: dict[int, list[Webhook]] = {}
    active = Webhook.objects.filter(user_id__in={each.user_id for each in occasions}, state=Webhook.State.ACTIVE)
    for hook in active if occasions else ():
        webhooks.setdefault(hook.user_id, []).append(hook)
    if not webhooks:
        return
    preferences = preferences_of_all(webhooks)
    enabled = [
        each
        for each in occasions
        if each.user_id in webhooks and _is_enabled(preferences[each.user_id], each.type, each.game.pk)
    ]
    Delivery.objects.bulk_create(
        (_build_delivery(each, hook) for each in enabled for hook in webhooks[each.user_id] if wants(hook, each.type)),
        ignore_conflicts=True,
    )
    _give_up_oldest({hook.pk for user_hooks in webhooks.values() for hook in user_hooks})


def _is_enabled(preferences: Preferences, kind: str, game_id: int) -> bool:
    """True if the owner of a webhook has this type on for this game."""
    return preferences.how(TOPICS_OF_TYPES[kind], Channel.HOOK, game_id) != NoticeTiming.OFF


def _give_up_oldest(hooks: Collection[int]) -> None:
    """Cancel the oldest waiting messages of these webhooks beyond the maximum: a client that comes back reads the
    current state of its games anyway."""
    waiting = Delivery.objects.filter(webhook__in=hooks, sent_at=None, cancelled_at=None, failed_at=None)
    place = Window(RowNumber(), partition_by="webhook", order_by=F("pk").desc())
    excess = waiting.annotate(place=place).filter(place__gt=MOST_WAITING).values_list("pk", flat=True)
    if excess_keys := list(excess):
        Delivery.objects.filter(pk__in=excess_keys).update(failed_at=Now(), trouble=CROWDED_OUT)


def wants(hook: Webhook, kind: str) -> bool:
    """True if a webhook gets this type."""
    return kind == PING or not hook.types or kind in hook.types


def queue_log_entries(entries: Iterable[LoggedAction], people: Mapping[int, Mapping[int, Seat]]) -> None:
    """Queue the events of log entries for the players of their games, at every pace."""
    queue(event for entry in entries for event in _events(entry, people.get(entry.game_id, {})))


def queue_decision(*, game: Game, seat: Seat) -> None:
    """Queue an open decision for a person who has just taken the seat."""
    queue([_event(OPENED, seat, game, game.phase_serial, game.version, game.now)])


def queue_notices(
    *, game: Game, people: Iterable[tuple[Seat, int]], kind: Notice.Kind, serial: int, number: int = 0
) -> None:
    """Queue the events of notices to these people, each with their seat, in the phase with this serial."""
    of_seat = kind != Notice.Kind.INVITED
    queue(
        WebhookEvent(
            KINDS[kind].webhook, user_id, seat.number if of_seat else None, game, serial, game.version, game.now, number
        )
        for seat, user_id in people
    )


def queue_missed_decisions(misses: Iterable[tuple[Game, int, int]]) -> None:
    """Queue missed decisions, given as (game, seat, phase serial), and the seats that the caretaker now plays. To be
    called when the games have their new versions. Two queries for any number of them."""
    all_misses = list(misses)
    people = _webhook_owners({game.pk for game, _, _ in all_misses})
    with_webhooks = [(game, seat, serial) for game, seat, serial in all_misses if (game.pk, seat) in people]
    queue(_seat_event(MISSED, people, game, seat, serial) for game, seat, serial in with_webhooks)
    away = [(game, seat) for game, seat, _ in with_webhooks if game.keepers.get(str(seat)) == Keeper.AWAY]
    queue(_seat_event(AWAY, people, game, seat, game.phase_serial) for game, seat in away)


def queue_moved_deadlines(games: Iterable[Game]) -> None:
    """Queue moved deadlines for all players of these games. Two queries for any number of games."""
    by_key = {game.pk: game for game in games}
    people = _webhook_owners(set(by_key))
    queue(_seat_event(MOVED, people, by_key[key], seat, by_key[key].phase_serial) for key, seat in people)


def _webhook_owners(games: set[int]) -> dict[tuple[int, int], int]:
    """The players of these games who have an active webhook, by game and seat."""
    seats = Seat.objects.filter(game__in=games, bot="", user__webhooks__state=Webhook.State.ACTIVE)
    rows = seats.exclude(keeper=Keeper.RESIGNED).values_list("game_id", "number", "user_id")
    return {(game, number): user for game, number, user in rows if user is not None} if games else {}


def _seat_event(kind: str, people: Mapping[tuple[int, int], int], game: Game, seat: int, serial: int) -> WebhookEvent:
    return WebhookEvent(kind, people[game.pk, seat], seat, game, serial, game.version, game.now)


def _events(entry: LoggedAction, people: Mapping[int, Seat]) -> Iterator[WebhookEvent]:
    game, serial = entry.game, entry.opened_serial or 0
    is_over = game.status == Status.FINISHED and serial == game.phase_serial
    for number, seat in people.items():
        kinds = [STARTED if entry.kind == Kind.START else CLOSED]
        kinds += [FINISHED] if is_over else []
        kinds += [OPENED] if number in (entry.asks or ()) else []
        for kind in kinds:
            yield _event(kind, seat, game, serial, entry.version, entry.at)
        if OPENED in kinds and game.is_slow and serial == game.phase_serial and seat.user is not None:
            due = check_at(game, seat.user, entry.at)
            if due is not None:
                yield _event(REMINDER, seat, game, serial, entry.version, due)


def _event(kind: str, seat: Seat, game: Game, serial: int, version: int, due_at: datetime) -> WebhookEvent:
    assert seat.user_id is not None
    return WebhookEvent(kind, seat.user_id, seat.number, game, serial, version, due_at)


def _build_delivery(event: WebhookEvent, hook: Webhook) -> Delivery:
    subject = {name: getattr(event, name) for name in ("game", "seat", "serial", "version", "number")}
    return Delivery(webhook=hook, type=event.type, due_at=event.due_at, **subject)


def is_still_true(delivery: Delivery, now: datetime) -> bool | datetime:
    """True if a message is still true and its owner still wants it; an instant if it is too early to decide. Past
    events stay true; decisions are open until something was submitted, proposals and invitations until they are
    answered, and the status of a game may have changed."""
    game = delivery.game
    if game is None:
        return True
    if not _is_enabled(preferences_of(delivery.webhook.user_id), delivery.type, game.pk):
        return False
    if delivery.type not in {OPENED, REMINDER}:
        rows = [row for row in KINDS.values() if row.webhook == delivery.type and row.is_state]
        return not rows or any(row.is_true(_occasion(delivery, row)) for row in rows)
    is_closing = game.deadline_at is not None and game.deadline_at <= now
    if not _is_decision_open(delivery, game) or (is_closing and delivery.type == REMINDER):
        return False
    due = remind_at(game, delivery.webhook.user) if delivery.type == REMINDER else now
    return due is not None and (due if due > now else True)


def _occasion(delivery: Delivery, row: NoticeRow) -> Occasion:
    assert delivery.game is not None
    serial = delivery.serial if row.is_of_phase else delivery.number
    return Occasion(delivery.game, delivery.webhook.user, delivery.seat or 0, serial or 0)


def _is_decision_open(delivery: Delivery, game: Game) -> bool:
    """True if a decision still waits for the owner of the webhook; for a reminder, if nothing was submitted."""
    number = delivery.seat or 0
    states = {"untouched"} if delivery.type == REMINDER else {"untouched", "submitted"}
    if delivery.serial != game.phase_serial or game.status not in {Status.RUNNING, Status.PAUSED, Status.HELD}:
        return False
    owned = Seat.objects.filter(game=game, number=number, user=delivery.webhook.user_id, keeper="")
    return game.seat_states[number : number + 1] != [] and game.seat_states[number] in states and owned.exists()


def forget_game(*, game: Game) -> None:
    """Delete the finished deliveries of an archived game. Pending ones stay until they are sent or given up."""
    Delivery.objects.filter(DONE, game=game).delete()
